"""The open questions of report M: their answers follow the figures, which are made up here."""

from __future__ import annotations

import inspect
import re
from typing import Any

import numpy as np
import pytest
from made_up_mancala import ASTRAY, DOWN, STEADY, UP, Found, always_lower, cell, made_up, swept, traces, training

from petteia.arena.statistics import contrast_interval, mean_interval
from petteia.experiments.declaration import plan_trainings
from petteia.experiments.source import read_source
from petteia.reports.engine.estimates import SHARE, mean_over_trainings
from petteia.reports.mancala import open_questions, questions
from petteia.reports.mancala.plan import SEAT_NAMES
from petteia.reports.mancala.questions import (
    AGAINST,
    answer,
    beside_first,
    compare,
    kinds_of_traces,
    named,
)

# Questions: made-up scores that must give each answer.


def test_variants_beside_the_first() -> None:
    rows = compare(swept({0.1: STEADY, 0.2: UP, 0.3: DOWN, 0.4: ASTRAY}))
    assert len(rows) == 4 * len(AGAINST) * len(SEAT_NAMES)
    for row in rows[:4]:
        assert (row.opponent, row.seat) == ("greedy1", "first")
    assert {row.variant: row.verdict for row in rows} == {
        "alpha 0.1": "",
        "alpha 0.2": "better",
        "alpha 0.3": "worse",
        "alpha 0.4": "",
    }
    assert [row.gain.mean for row in rows[:4]] == pytest.approx([0.0, 0.2, -0.1, -0.1 / 3])
    first, *_, astray = rows[:4]
    assert first.score == mean_over_trainings(STEADY, SHARE)
    assert astray.gain == pytest.approx(contrast_interval([(1.0, ASTRAY), (-1.0, STEADY)]))


def test_seats_and_opponents_are_told_apart() -> None:
    shares = {0: ((0.1,), (0.2,)), 1: ((0.3,), (0.4,))}
    rows = compare(
        made_up(*(cell({"x": 1}, side, greedy1=one, greedy3=three) for side, (one, three) in shares.items()))
    )
    assert {(row.opponent, row.seat): row.score.mean for row in rows} == {
        ("greedy1", "first"): 0.1,
        ("greedy3", "first"): 0.2,
        ("greedy1", "second"): 0.3,
        ("greedy3", "second"): 0.4,
    }


def test_one_seed_tells_nothing() -> None:
    rows = compare(swept({0.1: (0.2,), 0.2: (0.9,)}))
    assert {row.verdict for row in rows} == {""}
    assert not any(row.score.is_known or row.gain.is_known for row in rows)
    assert answer(rows) == "No variant is clearly different from “alpha 0.1”."


def test_the_first_may_be_that_of_another_experiment() -> None:
    other = swept({"report": STEADY, "report+pits": UP}, "features")
    rows = compare(swept({0.15: UP, 0.8: STEADY}, "lambda_"), ("no traces", other))
    assert list(dict.fromkeys(row.variant for row in rows)) == ["no traces", "lambda 0.15", "lambda 0.8"]
    assert [row.gain.mean for row in rows[:3]] == pytest.approx([0.0, 0.2, 0.0])
    assert (
        answer(rows)
        == "The variant “lambda 0.15” is clearly better than “no traces” in at least one column of the table."
    )


def test_answers_in_words() -> None:
    said = answer(compare(swept({0.1: STEADY, 0.2: UP, 0.3: DOWN, 0.4: ASTRAY})))
    where = "than “alpha 0.1” in at least one column of the table."
    assert said == f"The variant “alpha 0.2” is clearly better {where} The variant “alpha 0.3” is clearly worse {where}"
    both = answer(compare(swept({0.1: STEADY, 0.2: UP, 0.3: UP})))
    assert both == f"The variants “alpha 0.2” and “alpha 0.3” are clearly better {where}"
    several = swept({0.1: STEADY, 0.2: UP, 0.3: UP, 0.4: UP})
    assert answer(compare(several)) == f"All 3 other variants are clearly better {where}"
    several = swept({0.1: STEADY, 0.2: UP, 0.3: UP, 0.4: UP, 0.5: STEADY})
    assert answer(compare(several)) == f"3 of the 4 other variants are clearly better {where}"
    assert answer(compare(swept({0.1: STEADY}))) == ""


def test_starts_in_words() -> None:
    several = cell({"position": "a; b", "opponent": "self"}, 0, greedy1=STEADY, greedy3=STEADY)
    one = cell({"position": "a", "opponent": "self"}, 0, greedy1=STEADY, greedy3=STEADY)
    assert named(several.combination.values) == "either side begins, self-play"
    assert named(one.combination.values) == "the lower side begins, self-play"


def test_every_variant_of_an_open_question_has_a_name_in_words() -> None:
    plans = [plan_trainings(read_source(name), "paper", None) for name in questions.QUESTIONS]
    names = {named(each.values) for plan in plans for each in plan.combinations_of_values()}
    assert not [name for name in names if re.search(r"[=_:*+]|\.\.|true|false", name)]


def test_better_here_and_worse_there() -> None:
    cells = [cell({"x": 1}, side, greedy1=STEADY, greedy3=STEADY) for side in (0, 1)]
    cells += [cell({"x": 2}, 0, greedy1=UP, greedy3=STEADY), cell({"x": 2}, 1, greedy1=STEADY, greedy3=DOWN)]
    where = "than “x 1” in at least one column of the table."
    assert answer(compare(made_up(*cells))) == (
        f"The variant “x 2” is clearly better {where} The variant “x 2” is clearly worse {where}"
    )


def test_kinds_of_traces() -> None:
    said = kinds_of_traces(traces(UP)).text
    assert said.startswith(
        "Accumulating and replacing traces do not give the same scores. Score with replacing traces minus the score "
        "with accumulating traces: lambda 0.15: +20.0 points (+17.5 to +22.5), and 12 of 12 pairs of scores differ; "
        "lambda 0.8: "
    )
    assert "lambda 0.8: -10.0 points" in kinds_of_traces(traces(DOWN)).text
    assert (
        "with accumulating traces: lambda 0.15: +20.0 points (one training run), and 4 of 4"
        in kinds_of_traces(traces(UP[:1], STEADY[:1])).text
    )
    scattered = mean_interval([0.1, -0.2, 0.0])  # a seed counts once, however many scores it has
    assert f"lambda 0.8: -3.3 points ({scattered.low * 100:+.1f} to {scattered.high * 100:+.1f})" in (
        kinds_of_traces(traces(ASTRAY)).text
    )
    same = kinds_of_traces(traces(STEADY)).text
    assert same.startswith("Accumulating and replacing traces give the same scores. ")
    assert "and 0 of 12 pairs of scores differ" in same


def test_where_one_side_learned_there_is_one_seat() -> None:
    rows = compare(always_lower())
    assert {(row.opponent, row.seat) for row in rows} == {("greedy1", "first"), ("greedy3", "first")}
    assert [row.verdict for row in rows] == ["", "better", "", "better", "", "", "", ""]


def test_a_missing_measure_is_no_score() -> None:
    result = swept({0.1: STEADY})
    result.cells[0].runs[1][AGAINST["greedy1"]] = None
    with pytest.raises(AssertionError, match="is measured"):
        compare(result)


def test_gains_stay_where_they_can_be() -> None:
    _, scattered = beside_first({"never": [0.0, 0.0], "half": [1.0, 0.0]}, "greedy1", "first")
    assert scattered.gain.mean == 0.5
    assert scattered.gain.low < 0.0
    _, agreed = beside_first({"never": [0.0] * 5, "always": [1.0] * 5}, "greedy1", "first")
    assert -1.0 < agreed.gain.low < 1.0, "that all agree is no certainty"


# How training runs go.


@pytest.mark.parametrize(
    ("scores", "games"),
    [
        ([0.9] * 30, 50),  # the middle of the first nine points
        ([0.0] * 10 + [0.9] * 20, 150),
        ([0.9] * 10 + [0.71] + [0.9] * 20, 160),
        ([0.9] * 10 + [0.73] + [0.9] * 20, 50),  # a ninth of 0.17 is less than two points
        ([0.1, 0.9], 20),
        ([0.5] * 21 + [0.9] * 9, 260),
    ],
)
def test_how_many_games_are_enough(scores: list[float], games: int) -> None:
    assert inspect.unwrap(questions.enough)(None, training(scores)) == games


def test_how_the_score_changes_between_two_marks() -> None:
    curve = [0.5] * 20
    curve[5:14], curve[15:] = [0.0, *[0.9] * 8], [0.6] * 5
    change = inspect.unwrap(questions.change_between)  # four points to both sides of 100 and of 200
    assert [change(None, training(each), 100, 200, 40) for each in (curve, [0.5] * 20)] == pytest.approx([-0.2, 0.0])
    assert questions.between(Found()) == (100, 400, 40)


def test_duels_over_seeds() -> None:
    evidence: Any = Found(scores={"early=no": 0.7})
    first, second = (open_questions.score("", "early=no", [seat]) for seat in (0, 1))
    both = open_questions.SCORES[open_questions.ENDS]["theta without preference for early wins"]
    assert both.values(evidence) == pytest.approx(np.mean([first.values(evidence), second.values(evidence)], axis=0))
    assert both.mean(evidence) == pytest.approx(0.7)
