"""The open questions of report M: their answers follow the figures, which are made up here."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from petteia.arena.statistics import Interval, mean_interval
from petteia.experiments.declaration import Cell
from petteia.experiments.formats import csv_text
from petteia.experiments.linear_settings import LinearSettings
from petteia.experiments.results import CellResult, ExperimentResult
from petteia.features.report_weights import report_weights
from petteia.reports.mancala import behaviour, beyond, direct, questions
from petteia.reports.mancala.beyond import Beyond, Board, Duel
from petteia.reports.mancala.exact import Judged
from petteia.reports.mancala.open_data import rows
from petteia.reports.mancala.open_questions import over_seeds, sections
from petteia.reports.mancala.questions import AGAINST, QUESTIONS, SEATS, answer, compare, kinds_of_traces, variant_of
from petteia.reports.mancala.settling import Restless, Settling

# Questions: made-up scores that must give each answer.

Shares = tuple[float, ...]


def cell(values: Mapping[str, Any], side: int, *, greedy1: Shares, greedy3: Shares) -> CellResult:
    """A combination with such scores of its seeds against the two opponents."""
    runs = [{AGAINST["greedy1"]: one, AGAINST["greedy3"]: three} for one, three in zip(greedy1, greedy3, strict=True)]
    plan: Any = None
    return CellResult(plan, Cell(dict(values), {}), side, [], runs)


def made_up(*cells: CellResult) -> ExperimentResult:
    plan: Any = None
    return ExperimentResult(Path(), plan, [*cells])


def swept(variants: Mapping[Any, Shares], name: str = "alpha") -> ExperimentResult:
    """Variants with the same scores in both seats and against both opponents."""
    return made_up(
        *(
            cell({name: value}, side, greedy1=scores, greedy3=scores)
            for value, scores in variants.items()
            for side in (0, 1)
        )
    )


STEADY = (0.5, 0.6, 0.7)
UP, DOWN, ASTRAY = (
    tuple(a + b for a, b in zip(STEADY, off, strict=True)) for off in ((0.2,) * 3, (-0.1,) * 3, (0.1, -0.2, 0))
)


def test_variants_beside_the_first() -> None:
    rows = compare(swept({0.1: STEADY, 0.2: UP, 0.3: DOWN, 0.4: ASTRAY}))
    assert len(rows) == 4 * len(AGAINST) * len(SEATS)
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
    assert first.score == mean_interval(STEADY)
    assert astray.gain == pytest.approx(mean_interval([0.1, -0.2, 0.0]))


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
    assert answer(rows) == "No difference from alpha 0.1 can be told: alpha 0.2."


def test_the_first_may_be_that_of_another_experiment() -> None:
    other = swept({"report": STEADY, "report+pits": UP}, "features")
    rows = compare(swept({0.15: UP, 0.8: STEADY}, "lambda_"), ("no traces", other))
    assert list(dict.fromkeys(row.variant for row in rows)) == ["no traces", "lambda 0.15", "lambda 0.8"]
    assert [row.gain.mean for row in rows[:3]] == pytest.approx([0.0, 0.2, 0.0])
    assert answer(rows).startswith("Clearly better than no traces: lambda 0.15 (+20.0 as first against greedy1, ")


def test_answers_in_words() -> None:
    said = answer(compare(swept({0.1: STEADY, 0.2: UP, 0.3: DOWN, 0.4: ASTRAY})))
    where = "{0} as first against greedy1, {0} as second against greedy1, {0} as first against greedy3, "
    where += "{0} as second against greedy3"
    assert said == (
        f"Clearly better than alpha 0.1: alpha 0.2 ({where.format('+20.0')}). "
        f"Clearly worse than alpha 0.1: alpha 0.3 ({where.format('-10.0')}). "
        "No difference from alpha 0.1 can be told: alpha 0.4."
    )
    assert answer(compare(swept({0.1: STEADY}))) == ""


def test_starts_in_words() -> None:
    several = cell({"position": "a; b", "opponent": "self"}, 0, greedy1=STEADY, greedy3=STEADY)
    one = cell({"position": "a", "opponent": "self"}, 0, greedy1=STEADY, greedy3=STEADY)
    assert variant_of(several) == "either side begins, opponent self"
    assert variant_of(one) == "the lower side begins, opponent self"


def test_better_here_and_worse_there() -> None:
    cells = [cell({"x": 1}, side, greedy1=STEADY, greedy3=STEADY) for side in (0, 1)]
    cells += [cell({"x": 2}, 0, greedy1=UP, greedy3=STEADY), cell({"x": 2}, 1, greedy1=STEADY, greedy3=DOWN)]
    assert answer(compare(made_up(*cells))) == (
        "Clearly better than x 1: x 2 (+20.0 as first against greedy1). "
        "Clearly worse than x 1: x 2 (-10.0 as second against greedy3)."
    )


def traces(replacing: Shares, accumulating: Shares = STEADY) -> ExperimentResult:
    kinds = {"accumulating": accumulating, "replacing": replacing, "dutch": replacing}
    return made_up(
        *(
            cell({"lambda_": fading, "traces": kind}, side, greedy1=scores, greedy3=scores)
            for fading in (0.15, 0.8)
            for kind, scores in kinds.items()
            for side in (0, 1)
        )
    )


def test_kinds_of_traces() -> None:
    said = kinds_of_traces(traces(UP))
    assert said.startswith("They do not coincide: at lambda 0.15 replacing traces score +20.0 points ")
    assert "(+20.0 to +20.0) more than accumulating ones, and 12 of 12 scores are not the same; at lambda 0.8 " in said
    assert "score -10.0 points" in kinds_of_traces(traces(DOWN))
    assert "score +20.0 points (one seed) more than accumulating ones, and 4 of 4" in kinds_of_traces(
        traces(UP[:1], STEADY[:1])
    )
    scattered = mean_interval([0.1, -0.2, 0.0])  # a seed counts once, however many scores it has
    assert f"score -3.3 points ({scattered.low * 100:+.1f} to {scattered.high * 100:+.1f})" in (
        kinds_of_traces(traces(ASTRAY))
    )
    same = kinds_of_traces(traces(STEADY))
    assert same.startswith("They coincide: ")
    assert "and 0 of 12 scores are not the same" in same


# From trainings to figures.


def training(scores: list[float], marks: tuple[int, ...] = (), every: int = 10) -> Any:
    """A training with these scores in both seats, at points as far apart as `every`."""
    points = [
        SimpleNamespace(games=every * number, side=side, score=score + (0.1 if side else -0.1))
        for number, score in enumerate(scores, 1)
        for side in (0, 1)
    ]
    configuration = LinearSettings.model_construct(marks=[*marks], evaluate_every=every)
    return SimpleNamespace(points=points, configuration=configuration)


def test_how_far_a_player_weakens() -> None:
    curve = [0.5] * 20
    curve[5:14], curve[15:] = [0.0, *[0.9] * 8], [0.6] * 5
    marks = (10, 100, 150, 200)  # four points to both sides of 100: from 60 to 140; of 200: from 160 on
    found = beyond._weakening([training(curve, marks), training(curve, marks)])
    assert found == pytest.approx((0.2, 0.2, 0.2))


@pytest.mark.parametrize(
    ("scores", "games"),
    [
        ([0.9] * 30, 10),
        ([0.0] * 10 + [0.9] * 20, 110),
        ([0.9] * 10 + [0.71] + [0.9] * 20, 120),
        ([0.9] * 10 + [0.73] + [0.9] * 20, 10),  # a ninth of 0.17 is less than two points
        ([0.1, 0.9], 10),
    ],
)
def test_how_many_games_are_enough(scores: list[float], games: int) -> None:
    assert beyond._enough(training(scores)) == games


# The page.


def judged(name: str, mean: float = 0.5) -> Judged:
    return Judged(name, 100, 0.75, mean, mean - 0.1, mean + 0.1, 0.05)


def share(mean: float, half: float = 0.02) -> Interval:
    return Interval(mean, mean - half, mean + half)


def duel(question: str, options: str, opponent: str, seat: str, score: float = 0.4) -> Duel:
    agent = f"theta:agent=(runs/a-1){options}"
    return Duel(question, agent, opponent, seat, 400, 7, score, score, score - 0.05, score + 0.05)


def duels(**scores: float) -> list[Duel]:
    """All matches; `scores` by the last word of the options, else 0.4."""
    found = [
        duel("averaging", f",weights={weights}", "greedy:depth=1", seat, scores.get(weights, 0.4))
        for weights in ("drawn", "last", "mean")
        for seat in SEATS
    ]
    found += [
        duel("ends", f",depth={depth}{option}", f"greedy:depth={depth}", seat, scores.get(option[1:4], 0.4))
        for depth in beyond.DEPTHS
        for option in ("", ",ends=value", ",early=no")
        for seat in SEATS
    ]
    return found + [
        duel(
            f"chain with {name}",
            f",depth={depth}",
            "heuristic",
            "second",
            scores.get(f"{name.rpartition('+')[2]}{depth}", 0.4),
        )
        for name in beyond.STRONGER
        for depth in beyond.DEPTHS
    ]


def all_found(**changes: Any) -> Beyond:
    """Everything, made up."""
    results = {each.experiment: swept({0.1: STEADY, 0.2: UP}) for each in QUESTIONS} | {beyond.TRACES: traces(UP)}
    whole = Beyond(
        experiments=results,
        compared={name: compare(result) for name, result in results.items()},
        settling=Settling([Restless(f"feature {i}", 1.0 / i, 0.25, 1e6) for i in range(1, 13)], 0.5, -0.5),
        nearness={"either <side>": share(0.1), "lower": share(0.35)},
        steps={"0.01": share(0.2), "0.01..0.0001": share(0.05)},
        weakening=Interval(0.05, 0.01, 0.09),
        enough=[30_000, 20_000],
        duels=duels(),
        treatment=behaviour.Treatment(300, share(0.8), share(0.3), share(0.1), share(0.25), share(0.5), 0.9),
        direct=direct.Found(report_weights(), share(0.97), share(0.95), 600, 7_200_000, [0.8, 0.9]),
        boards=[Board("Kalah(4, 3)", "many positions", [judged("random"), judged("theta1, seed 1", 0.2)])],
    )
    return whole._replace(**changes)


def text_of(**changes: Any) -> str:
    """The text of the page, without tags."""
    return re.sub(r"<svg.*?</svg>|<[^>]*>", " ", "\n".join(sections(all_found(**changes))), flags=re.DOTALL)


def test_players_of_several_seeds_are_taken_together() -> None:
    rows = [judged("random"), judged("theta1, seed 1", 0.2), judged("theta2, seed 1"), judged("theta1, seed 2", 0.4)]
    rows[3] = rows[3]._replace(perfect_share=0.85, given_away=0.15)
    random, theta1, theta2 = over_seeds(rows)
    assert random == rows[0]
    assert theta1[:2] == ("theta1", 100)
    assert theta1[2:] == pytest.approx((0.8, 0.3, 0.2, 0.4, 0.1)), "means, and the range of the mean regrets"
    assert theta2 == rows[2]._replace(player="theta2")


def test_the_page_is_whole() -> None:
    html = "\n".join(sections(all_found()))
    for tag in ("p", "table", "figure", "svg", "h2", "tr", "td"):
        assert len(re.findall(rf"<{tag}\b", html)) == html.count(f"</{tag}>") > 0, tag
    for question in QUESTIONS:
        assert question.asks in html
    assert html.count("Clearly better than") == len(QUESTIONS)
    assert html.count("They do not coincide") == 1
    assert "Of 60 such differences about 3 would" in html  # 10 experiments of a variant, one of 5, four cells each
    assert "80.0 (78.0 to 82.0)" in text_of()
    assert "feature 10" in html
    assert "feature 11" not in html, "no more than ten are listed"


def test_rows_of_files() -> None:
    found = rows(all_found())
    assert {name: len(rows) for name, rows in found.items()} == {
        "questions": 10 * 2 * 4 + 6 * 4,
        "settling": 12,
        "duels": 6 + 30 + 10,
        "regret": 2,
    }
    assert {row["verdict"] for row in found["questions"]} == {"", "better"}
    assert found["questions"][1]["gain_mean"] == pytest.approx(0.2)
    assert found["duels"][0]["player"] == "weights=drawn"
    assert len({(row["question"], row["player"], row["seat"]) for row in found["duels"]}) == 6 + 30 + 10
    assert {row["board"] for row in found["regret"]} == {"Kalah(4, 3)"}


def test_of_one_seed_no_interval_is_shown() -> None:
    results = {each.experiment: swept({0.1: STEADY[:1], 0.2: UP[:1]}) for each in QUESTIONS}
    results[beyond.TRACES] = traces(UP[:1], STEADY[:1])
    changes = {
        "experiments": results,
        "compared": {name: compare(result) for name, result in results.items()},
        "steps": {"0.01": mean_interval([0.2]), "0.01..0.0001": mean_interval([0.05])},
        "weakening": mean_interval([0.05]),
        "nearness": {"one reading": mean_interval([0.3])},
    }
    said = text_of(**changes)
    assert not re.search(r"\b(inf|nan)\b", said)
    assert "50.0 (one seed)" in said
    assert "0.200 (one seed)" in said
    assert "one reading: 30% (one seed)" in said
    assert "at 400,000 games less than at 100,000 by +5.0 points (one seed)." in said
    assert "another gains" not in said
    written = rows(all_found(**changes))
    csv = csv_text(written["questions"])
    assert not re.search(r"\b(inf|nan)\b", csv)
    assert "mancala-features,alpha 0.1,greedy1,first,0.5,,,0.0,,," in csv
    assert "Infinity" not in json.dumps(written)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "With alpha 0.01 the weights swing 4 times as far"),
        ({"steps": {"a": share(0.1), "b": share(0.2)}}, "With alpha b the weights swing 2 times as far"),
        ({}, "rare features swing more (Spearman's correlation of swing and frequency -0.50)"),
        ({}, "and features that others nearly make up for swing more (of swing and variance inflation +0.50)"),
        ({"settling": Settling([], -0.5, 0.5)}, "features that are seen often swing more, not rare ones"),
        ({"settling": Settling([], -0.5, 0.5)}, "features that others nearly make up for swing less"),
        ({"settling": Settling([], 0.2, -0.2)}, "how rare a feature is has little to do with it"),
        ({"settling": Settling([], 0.2, -0.2)}, "how much other features tell about one has little to do with it"),
        ({"weakening": Interval(0.05, 0.01, 0.09)}, "It does: over the training seeds"),
        ({"weakening": Interval(-0.05, -0.09, -0.01)}, "It does not: over the training seeds"),
        ({"weakening": Interval(0.02, -0.01, 0.05)}, "That cannot be told from luck: over the training seeds"),
        ({}, "from 20,000 games on in the quickest training, and from 30,000 on in the slowest"),
        ({"duels": duels(mean=0.7)}, "the most points go to  mean "),
        ({"duels": duels(drawn=0.7)}, "the most points go to  drawn "),
        ({"duels": duels(end=0.75)}, "as it is 40.0%, ends are worth what the weights say 75.0%, no early wins 40.0%."),
        ({"duels": duels(ear=0.75)}, "as it is 40.0%, ends are worth what the weights say 40.0%, no early wins 75.0%."),
        ({}, "with report: none; with report+chain: none"),
        ({"duels": duels(report3=0.6)}, "with report: theta3; with report+chain: none"),
        ({"duels": duels(chain1=0.6, chain5=0.51)}, "with report: none; with report+chain: theta1, theta5"),
        ({}, "It won 90% of the games in which it did."),
        ({}, "nearest to R's where  either &lt;side&gt; , and farthest from them where  lower ."),
        ({}, "either &lt;side&gt;: 10% (8% to 12%); lower: 35% (33% to 37%)"),
        ({"nearness": {"a": share(0.4), "b": share(0.2)}}, "nearest to R's where  b , and farthest from them where  a"),
        ({}, "What keeps the learner below that is not its features."),
    ],
)
def test_words_follow_figures(changes: dict[str, Any], words: str) -> None:
    assert words in text_of(**changes)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"weakening": Interval(0.05, 0.01, 0.09)}, "another gains"),
        ({"weakening": Interval(-0.05, -0.09, -0.01)}, "another gains"),
        ({"duels": duels(last=0.94)}, "is not its features"),
        ({"treatment": all_found().treatment._replace(won_starving=None)}, "in which it did"),
        ({"experiments": all_found().experiments | {beyond.TRACES: traces(STEADY)}}, "do not coincide"),
    ],
)
def test_words_are_not_said_without_their_figures(changes: dict[str, Any], words: str) -> None:
    assert words not in text_of(**changes)


def test_worse_becomes_a_word_of_the_page() -> None:
    result = swept({0.1: STEADY, 0.2: DOWN})
    name = questions.QUESTIONS[0].experiment
    whole = all_found()
    said = text_of(compared={**whole.compared, name: compare(result)})
    assert "Clearly worse than alpha 0.1: alpha 0.2 (-10.0 as first against greedy1" in said
    assert re.search(r"alpha 0\.2\s+50\.0 \([^)]*\) worse", said)
