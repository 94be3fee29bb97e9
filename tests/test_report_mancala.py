"""Report M: its figures are read rightly, verdicts follow their rules, and words the figures."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from petteia.arena.statistics import Interval, mean_interval
from petteia.experiments.linear_settings import LinearSettings
from petteia.experiments.tournament.comparison import agreement
from petteia.experiments.tournament.results import Cell
from petteia.features.report_weights import REPORT_RULES, report_weights
from petteia.reports import verdicts
from petteia.reports.mancala import judges, learning_sections, playing_sections, weight_judges, words
from petteia.reports.mancala.claims import deviations
from petteia.reports.mancala.comparisons import Wanted, compare
from petteia.reports.mancala.evidence import (
    CHAINS,
    EVERY,
    FEW,
    LOWER,
    OPPONENTS,
    OWN,
    interval,
    of_another,
    turned,
)
from petteia.reports.mancala.judges import mean_of, progress
from petteia.reports.mancala.learning_sections import distance, plain, which_reading
from petteia.reports.mancala.playing_sections import printed_stages
from petteia.reports.mancala.published import LAMBDA, PROGRESS, STAGES, SWINGING, THETA_FIRST, THETA_SECOND, Printed
from petteia.reports.mancala.weight_judges import asymmetry, captures_weigh, dominance, mover_weighs, right_signs
from petteia.reports.verdicts import Answer, Finding

# What the report prints.


@pytest.mark.parametrize(
    ("table", "shape"), [(THETA_FIRST, (5, 6)), (THETA_SECOND, (11, 5)), (PROGRESS, (5, 2)), (STAGES, (5, 5))]
)
def test_printed_tables_are_whole(table: Any, shape: tuple[int, int]) -> None:
    assert (len(table), {len(row) for row in table}) == (shape[0], {shape[1]})
    assert all(min(each.counts(200)) >= 0 and sum(each.counts(200)) == 200 for row in table for each in row)


def test_some_printed_cells() -> None:
    assert THETA_SECOND[4][0] == Printed(100, 0.5)
    assert THETA_SECOND[4][0].counts(200) == (199, 1, 0), "wins are rounded, so they give way"
    assert Printed(91, 3).counts(1000) == (910, 30, 60)
    assert Printed(36, 2.5).score == 0.3725
    assert LAMBDA[1][1:] == (Printed(100, 0), Printed(0, 100))
    assert [round(each, 4) for each in printed_stages()[0]] == [0.4088, 0.875, 0.4775, 0.6487, 1.0]


def test_weights_that_are_said_to_swing_exist() -> None:
    from petteia.features.feature_set import names
    from petteia.features.kalah_potentials import ReportFeatures

    assert set(names(ReportFeatures(), REPORT_RULES)) > SWINGING
    assert plain("south_to_move.north.captures") == "lower to move: upper captures"
    assert plain("constant") == "constant"


# Comparisons and intervals.


def cell(
    row: str = "a", column: str = "b", wins: int = 50, draws: int = 0, games: int = 100, distinct: int | None = None
) -> Cell:
    score = (wins + draws / 2) / games
    half = 0.02
    different = games if distinct is None else distinct
    return Cell(row, column, games, wins, draws, games - wins - draws, score, score - half, score + half, different, 0)


def test_verdicts_of_cells_are_those_of_the_exact_test() -> None:
    wanted = [Wanted("a", "b", cell(wins=wins), Printed(91, 0), 200) for wins in (90, 77, 20)]
    found = compare("table", wanted)
    assert [each.verdict for each in found] == [verdicts.AGREES, verdicts.UNTOLD, verdicts.DIFFERS]
    assert found[0].p_value == agreement((90, 0, 10), (182, 0, 18)).p_value
    (alone,) = compare("table", [Wanted("a", "b", cell(), None, 0)])
    assert alone.verdict is None
    assert alone.figures()["printed_games"] is None


def test_a_match_seen_from_the_other_seat() -> None:
    found = turned(cell("a", "b", wins=60, draws=10), 1)
    assert (found.row, found.column, found.counts) == ("b", "a", (30, 10, 60))
    assert (found.score, round(found.low, 9), round(found.high, 9)) == (0.35, 0.33, 0.37)
    assert turned(cell(), 0) == cell()


def test_a_further_training_scatters_more_than_a_mean() -> None:
    found = of_another([0.8, 0.9, 1.0])
    assert found.mean == pytest.approx(0.9)
    assert found.high - found.mean == pytest.approx(4.302653 * 0.1 * math.sqrt(1 + 1 / 3), rel=1e-5)
    assert judges.holds(found, 1.3) is True
    assert judges.holds(found, 1.5) is False
    assert judges.holds(of_another([0.8, 0.9]), 0.85) is None, "two trainings do not tell"


def test_one_game_repeated_tells_nothing() -> None:
    assert interval(cell(wins=100, distinct=FEW)) == (1.0, 0.0, 1.0)
    assert interval(cell(wins=90, distinct=FEW + 1)) == pytest.approx((0.9, 0.88, 0.92))
    assert words.score(cell(wins=100, distinct=1)) == "100.0% (1 different of 100 games)"
    assert words.score(cell(wins=90)) == "90.0% (88.0% to 92.0%)"
    repeated = mean_of([cell(wins=80), cell(wins=100, distinct=1)])
    assert repeated == pytest.approx((0.9, 0.9 - math.hypot(0.02, 1.0) / 2, 0.9 + 0.02 / 2))


def test_intervals_stay_where_figures_can_be() -> None:
    assert words.share(Interval(0.81, 0.45, 1.16), ".0%") == "81% (45% to 100%)"
    assert words.share(Interval(0.1, -0.2, 0.4)) == "10.0% (0.0% to 40.0%)"
    assert words.size(Interval(1.5, -1.0, 4.0), ".1f") == "1.5 (0.0 to 4.0)"
    assert words.points(Interval(0.091, -1.815, 1.997)) == "+9.1 points (-100.0 to +100.0)"
    assert words.points(mean_interval([0.25])) == "+25.0 points (one seed)"
    assert words.extent([0.5, 0.25], ".0%") == "25% to 50%"
    assert words.extent([0.5], ".0%") == words.extent([0.501, 0.499], ".0%") == "50%"
    assert [words.so_many(count, "agree") for count in (0, 1, 2)] == ["0 agree", "1 agrees", "2 agree"]


def test_signs_of_few_seeds_are_a_share() -> None:
    weights = np.stack([report_weights(), -np.sign(report_weights())])
    evidence: Any = SimpleNamespace(weights=lambda *names, **values: weights)
    assert "(0% to 100%) by own plies" in weight_judges.signs_are_right(evidence).ours


# Weights: the published ones pass all checks, and others do not.


def test_checks_of_weights() -> None:
    theirs = report_weights()
    assert dominance(theirs) == pytest.approx(4.6565 / 0.7498)
    assert mover_weighs(theirs) > 2
    assert right_signs(theirs) == pytest.approx(31 / 36)
    assert captures_weigh(theirs) > 5
    assert asymmetry(theirs) < 0.25
    found = weight_judges.columns(theirs)
    assert found[0, 0] == 0.1904
    assert found[1, 5] == -0.3414
    assert found[2, 8] == 0.1656
    assert found[3, 3] == -0.6467
    assert np.array_equal(dominance(np.stack([theirs, -theirs])) > 0, [True, False])


WEIGHT_JUDGES = (
    *(weight_judges.store_difference_dominates, weight_judges.mover_outweighs, weight_judges.signs_are_right),
    *(weight_judges.captures_weigh_much, weight_judges.columns_mirror, weight_judges.player_is_negative),
)


@pytest.mark.parametrize("judge", WEIGHT_JUDGES)
def test_weights_are_judged_by_their_rule(judge: Callable[[Any], Finding]) -> None:
    theirs = report_weights()
    small = 0.001 * np.random.default_rng(0).normal(size=(3, 40))
    contrary = -np.sign(theirs) / np.maximum(np.abs(theirs), 0.02)
    for weights, answer in ((theirs + small, True), (contrary + small, False)):
        evidence: Any = SimpleNamespace(weights=lambda *names, weights=weights, **values: weights)
        assert judge(evidence).answer is answer


# Statements about play: made-up scores that must give each verdict.


def made_up(cells: dict[tuple[str, str], float], rest: float = 0.5) -> Any:
    """Evidence in which the matches named have these scores."""

    def met(row: str, column: str) -> Cell:
        return cell(row, column, wins=round(100 * cells.get((row, column), rest)))

    return SimpleNamespace(met=met, balanced=met)


@pytest.mark.parametrize(
    ("judge", "cells", "rest", "answer"),
    [
        (judges.random_is_even, {}, 0.5, True),
        (judges.random_is_even, {("random", "random"): 0.6}, 0.5, False),
        (judges.random_is_even, {("random", "random"): 0.54}, 0.5, None),
        (judges.random_is_beaten, {}, 0.97, True),
        (judges.random_is_beaten, {("greedy1", "random"): 0.8}, 0.97, False),
        (judges.chains_matter, {("heuristic", "greedy1"): 0.7}, 0.5, True),
        (judges.chains_matter, {("heuristic", "greedy1"): 0.4}, 0.5, False),
        (judges.first_has_the_edge, {}, 0.7, True),
        (judges.first_has_the_edge, {}, 0.5, False),
        (
            judges.is_not_transitive,
            {("greedy1", "greedy2"): 0.3, ("greedy1", "greedy3"): 0.7, ("greedy3", "greedy2"): 0.7},
            0.5,
            True,
        ),
        (judges.is_not_transitive, {}, 0.5, False),
        (judges.depth_is_partly_monotone, {}, 0.5, False),
        (judges.theta2_and_theta5_win_all, {}, 0.98, True),
        (judges.theta2_and_theta5_win_all, {("theta5", "greedy3"): 0.7}, 0.98, False),
        (judges.theta1_loses_to_deep_greedy, {}, 0.3, True),
        (judges.theta1_loses_to_deep_greedy, {("theta1", "greedy4"): 0.6}, 0.3, False),
        (judges.only_theta3_holds, {("heuristic", "theta3"): 0.0}, 1.0, True),
        (judges.only_theta3_holds, {}, 1.0, False),
        (judges.theta5_loses_as_second, {}, 0.7, True),
        (judges.theta5_loses_as_second, {("greedy3", "theta5"): 0.4}, 0.7, False),
    ],
)
def test_statements_are_judged_by_their_rule(
    judge: Callable[[Any], Finding], cells: dict[tuple[str, str], float], rest: float, answer: Answer
) -> None:
    assert judge(made_up(cells, rest)).answer is answer


def test_deeper_but_worse_somewhere() -> None:
    ladder = {(f"greedy{depth}", other): 0.1 * depth for depth in range(1, 6) for other in OPPONENTS}
    assert judges.depth_is_partly_monotone(made_up(ladder)).answer is False
    assert judges.depth_is_partly_monotone(made_up({**ladder, ("greedy4", "greedy1"): 0.1})).answer is True


def test_copies_of_one_game_are_no_verdict() -> None:
    ladder = {(f"greedy{depth}", other): 0.1 * depth for depth in range(1, 6) for other in OPPONENTS}
    evidence = made_up({**ladder, ("greedy4", "greedy1"): 0.1})
    assert judges.depth_is_partly_monotone(evidence).answer is True
    met = evidence.met
    evidence.met = lambda row, column: met(row, column)._replace(distinct=1 if row == "greedy4" else 100)
    assert judges.depth_is_partly_monotone(evidence).answer is None
    assert judges.is_not_transitive(evidence).answer is None


def test_signs_that_change() -> None:
    scores = {("heuristic", "greedy1"): 0.7, ("greedy1", "heuristic"): 0.4}
    evidence = made_up(scores)
    evidence.balanced = lambda one, other: cell(one, other, wins=30)
    assert [(one, other) for one, other, *_ in judges.changed_signs(evidence)] == [("heuristic", "greedy1")]


def readings(own: tuple[float, float], every: tuple[float, float], seeds: int = 4) -> Any:
    """Evidence in which theta1 of each reading wins such shares as first and as second at all marks, nearly."""
    shares = {OWN: own, EVERY: every}

    def progress(training: tuple[str, int], mark: Any, seat: int) -> Cell:
        reading, number = training
        return cell(wins=round(1000 * shares[reading][seat]) + number, games=1000)

    def trainings(name: str = "", side: str = OWN) -> list[tuple[str, int]]:
        return [(side, number) for number in range(seeds)]

    return SimpleNamespace(
        progress=progress,
        trainings=trainings,
        marks=[1, 2, 3, 4, None],
        mark_words=lambda: ["1", "2", "3", "4", "5"],
    )


@pytest.mark.parametrize(
    ("own", "every", "said"),
    [
        ((0.91, 0.89), (0.7, 0.7), "within the scatter of learning by own plies, outside"),
        ((0.7, 0.89), (0.91, 0.89), "within the scatter of learning by every ply, outside"),
        ((0.91, 0.89), (0.91, 0.89), "within the scatter of both"),
        ((0.5, 0.5), (0.5, 0.5), "outside the scatter of both"),
    ],
)
def test_which_reading(own: tuple[float, float], every: tuple[float, float], said: str) -> None:
    assert said in which_reading(readings(own, every))
    assert "cannot be told" in which_reading(readings(own, every, seeds=2))


def test_figures_of_a_reading() -> None:
    found = progress(OWN, readings((0.9, 0.8), (0.1, 0.2), seeds=2))
    assert len(found) == 10
    assert [printed for _, printed in found[-2:]] == [0.91, 0.89]
    assert found[0][0] == pytest.approx([0.9, 0.901])
    assert found[1][0] == pytest.approx([0.8, 0.801])
    assert distance(readings((0.91, 0.89), (0.1, 0.2), 1), OWN) == pytest.approx(
        np.mean([6, 29, 0, 5, 4, 7, 1, 0, 0, 0]) / 100
    )


def test_statements_say_after_how_many_games() -> None:
    evidence = readings((0.9, 0.8), (0.1, 0.2), seeds=1)
    assert judges.own_plies_reproduce(evidence).ours == (
        "after 5 games 90.0% as first (90.0% over 1 seed), 80.0% as second (80.0%)"
    )
    assert judges.soon_better(evidence).ours.startswith("after 1 games it scores 90.0%")
    training = SimpleNamespace(configuration=SimpleNamespace(games=7000))
    evidence.trainings = lambda name: [training]
    evidence.progress = lambda training, mark, seat: cell(wins=60 if seat else 10)
    assert judges.lower_only_is_weak(evidence).ours == "after 7,000 games 60.0% (60.0% over 1 seed)"
    curve = SimpleNamespace(games=[*range(100, 1100, 100)], scores=np.array([[0.5] * 5 + [0.6, 0.7, 0.9, 0.0, 0.8]]))
    evidence.curve = lambda name, seat, side: curve
    assert judges.fewer_are_enough(evidence).ours == (
        "from the mean of 600 to 700 games to that of 1,000 the score changes by +15.0 points (one seed)"
    )


# Words that other figures would make false.


def settings(**fields: Any) -> Any:
    """A training with these settings."""
    return SimpleNamespace(configuration=LinearSettings.model_construct(**{"games": 1234, **fields}))


def small(**changes: Any) -> Any:
    """Evidence of a report with short trainings."""
    met = {LOWER: "self:every=77", CHAINS: "random"}
    return SimpleNamespace(
        **{"seeds": 1, "agent": settings(opponent="self"), "trainings": lambda name: [settings(opponent=met[name])]}
        | changes
    )


def test_deviations_are_those_of_this_page() -> None:
    told = " ".join(deviations(small()))
    for said in (
        "here there is one of each",
        "the opponent is the learner as it is; where the learner is always lower, it is the learner as it was up to 77",
        "have 1,234 games against random",
        "verdicts take it for 200.",
    ):
        assert said in told
    assert "here there are 5 of each" in " ".join(deviations(small(seeds=5)))


def compared(distinct: int, row: str = "a") -> Any:
    (found,) = compare("table", [Wanted(row, "b", cell(distinct=distinct), None, 0)])
    return found


@pytest.mark.parametrize(
    ("distinct", "changing", "told"),
    [
        (
            (1, 100, 100),
            1,
            "In 1 of our 3 cells of R's tables at most 10 games are different ones: there a percentage is hardly more "
            "than one game repeated. From random openings 1 pair of 55 changes sign, such as x0 and y.",
        ),
        (
            (100, 100, 100),
            0,
            "In none of our 3 cells of R's tables at most 10 games are different ones. From random openings 0 pairs of "
            "55 change sign.",
        ),
    ],
)
def test_what_is_repeated_in_short(
    distinct: tuple[int, ...], changing: int, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = dict(zip(("baselines", "theta-first", "theta-second"), ([compared(n)] for n in distinct), strict=True))
    changed = [(f"x{i}", "y", mean_interval([0.6]), mean_interval([0.4])) for i in range(changing)]
    monkeypatch.setattr(playing_sections, "changed_signs", lambda evidence: changed)
    shown: Any = SimpleNamespace(tables=tables)
    assert playing_sections.in_short(small(), shown) == told


def test_how_far_seeds_are_apart() -> None:
    scores = np.zeros((2, 2, 5))
    assert playing_sections._scatter(scores[:1]) == ""
    scores[1, 0, 0] = 0.5
    assert "are 5 points apart in the mean, 50 at most" in playing_sections._scatter(scores)


def test_why_who_is_always_lower_plays_so() -> None:
    both = np.stack([report_weights(), report_weights()])
    lower = both.copy()
    lower[:, :19] *= [[0.5], [0.1]]
    ratio = float(np.linalg.norm(report_weights()[:19]) / np.linalg.norm(report_weights()[19:38]))
    told = learning_sections._why_lower(lower, both, [0.2, 0.8])
    assert f"are {0.1 * ratio:.2f} to {0.5 * ratio:.2f} times as long" in told
    assert f"on both sides {ratio:.2f} times; R's" in told
    assert told.endswith("As second it wins 20% to 80% of its games: R's 53% lies inside that range.")
    assert "lies outside" in learning_sections._why_lower(lower, both, [0.6, 0.8])
