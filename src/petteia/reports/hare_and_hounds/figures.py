"""The figures of the report that claims are judged by."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from petteia.analysis.curves import (
    always_from,
    first_reach,
    games_to_rest,
    last_quarter,
    staying_above,
    unrest,
)
from petteia.analysis.truth import REACHABLE, Judgement
from petteia.experiments.results import CellResult
from petteia.reports.engine.estimates import COUNT, NUMBER, SHARE, TIMES, Unit
from petteia.reports.engine.figures import Figure, Values, combination
from petteia.reports.engine.rules import Most
from petteia.reports.hare_and_hounds.evidence import Evidence
from petteia.reports.hare_and_hounds.plan import AGAINST_SIMPLE, BEST, FOLLOWED, TRIED, Setting, rates

HIGH, SETTLED, FEW = 0.9, 0.02, 0.05
STEADY = 0.95
"""who is above a bound at this share of the points stays above it"""
STEPS = Unit("+.1f", " points", 100.0)
"""what is made of several differences of shares"""
SPREAD = Unit(".1f", " points", 100.0, least=0.0)


def of_curves(words: str, unit: Unit, measure: Callable[[CellResult], Values]) -> Callable[[Setting], Figure]:
    """A figure of the curves of a setting, a value for each seed."""
    return lambda setting: Figure(words, unit, lambda evidence: measure(evidence.cell(setting)), setting.words)


def or_all(cell: CellResult, games: Sequence[float | None]) -> list[float]:
    """Games until something happens; all of them where it never does."""
    return [float(cell.games[-1]) if each is None else each for each in games]


level = of_curves("the score in the last quarter", SHARE, lambda cell: last_quarter(cell.scores).mean(axis=1))
scatter = of_curves("the scatter in units of chance", TIMES, lambda cell: unrest(cell))
plain_spread = of_curves("the plain spread", SPREAD, lambda cell: last_quarter(cell.scores).std(axis=1))
share_high = of_curves(
    f"the share of the points of the last quarter above {HIGH:.0%}",
    SHARE,
    lambda cell: (last_quarter(cell.scores) > HIGH).mean(axis=1),
)
games_to = of_curves(
    f"the games until it first reaches {HIGH:.0%}", COUNT, lambda cell: or_all(cell, first_reach(cell, HIGH))
)
games_to_settle = of_curves(
    f"the games until the mean of 20 points stays within {SETTLED:.0%} of the last quarter's",
    COUNT,
    lambda cell: games_to_rest(cell, SETTLED),
)
games_to_stay_high = of_curves(
    f"the games until the mean of 20 points stays above {HIGH:.0%}", COUNT, lambda cell: staying_above(cell, HIGH)
)
games_to_win_all = of_curves(
    "the games until every game is won to the end", COUNT, lambda cell: or_all(cell, always_from(cell, 1.0))
)(AGAINST_SIMPLE)


def rise(alpha: float) -> Figure:
    """By how much the score in the last quarter rises from the least gamma to the largest."""
    low, _, high = (level(rates(alpha, gamma)) for gamma in TRIED)
    return combination(((1.0, high), (-1.0, low)), "the rise of the score from gamma 0.1 to 0.9", f"alpha {alpha}")


def bend(alpha: float) -> Figure:
    """The step of the score from the second gamma to the third, less twice that from the first to the second."""
    words = "the step of the score from gamma 0.5 to 0.9, less twice that from 0.1 to 0.5"
    low, middle, high = (level(rates(alpha, gamma)) for gamma in TRIED)
    return combination(((1.0, high), (-3.0, middle), (2.0, low)), words)


def mean_of_all_points(alpha: float) -> Figure:
    """The mean over all points of the three curves of an alpha."""
    return Figure(
        "the mean score over all points of the three",
        SHARE,
        lambda evidence: np.mean([evidence.cell(rates(alpha, gamma)).scores.mean(axis=1) for gamma in TRIED], axis=0),
    )


def first_differences(part: float) -> Figure:
    """By how much the best of the nine is above the worst in the first part of the points."""

    def of(evidence: Evidence) -> Values:
        curves = [evidence.cell(rates(alpha, gamma)).scores for alpha in TRIED for gamma in TRIED]
        means = np.array([each[:, : max(int(each.shape[1] * part), 1)].mean(axis=1) for each in curves])
        return np.asarray(means.max(axis=0) - means.min(axis=0))

    return Figure("the best of the nine, less the worst, in the first twelfth of the points", STEPS, of)


def followed(number: int) -> Figure:
    """The mean over the last quarter of the points of a value that is followed."""
    return Figure(
        "the value in the last quarter",
        NUMBER,
        lambda evidence: last_quarter(evidence.cell(FOLLOWED).followed[:, :, number]).mean(axis=1),
        ("the winning move", "the good move", "the bad move")[number],
    )


def last_moves(evidence: Evidence) -> Values:
    """The most that one of the three values has moved from the third quarter of the points to the last."""
    values = evidence.cell(FOLLOWED).followed
    quarter = max(values.shape[1] // 4, 1)
    moved = values[:, -quarter:].mean(axis=1) - values[:, -2 * quarter : -quarter].mean(axis=1)
    return np.asarray(np.abs(moved).max(axis=1))


def positions_met(evidence: Evidence) -> Values:
    """The share of the reachable positions that hounds which move at random while they learn have met."""
    states = [curve[-1].states or 0 for curve in evidence.cell(rates(0.1, 0.9)).curves]
    return [met / evidence.truth.decisions for met in states]


def judged(words: str, unit: Unit, of: Callable[[Judgement], float], setting: Setting = BEST) -> Figure:
    """A figure of how far tables are from the truth."""
    return Figure(words, unit, lambda evidence: [of(each) for each in evidence.judgements(evidence.cell(setting))])


GAMES_OF_RISE = of_curves(
    f"the games from the first score of {FEW:.0%} to the first of 100%",
    COUNT,
    lambda cell: np.subtract(or_all(cell, first_reach(cell, 1.0)), or_all(cell, first_reach(cell, FEW))),
)(AGAINST_SIMPLE)
LAST_MOVES = Figure("the most that one of the three moves from the third quarter to the last", NUMBER, last_moves)
LARGEST_MOVE = Figure(
    "the most that a value of the whole table moves from 150,000 to 200,000 games",
    NUMBER,
    lambda evidence: [each.largest for each in evidence.moves_of_values()],
)
MEAN_MOVE = Figure(
    "the mean of what a value of the whole table moves from 150,000 to 200,000 games",
    NUMBER,
    lambda evidence: [each.mean for each in evidence.moves_of_values()],
)
DISTANCE = judged("the mean distance of the table's values from the exact ones", NUMBER, lambda j: j.error, FOLLOWED)
POSITIONS_MET = Figure("the share of the positions that can be reached which the table has met", SHARE, positions_met)
PERFECT_MOVES = judged("the share of perfect moves where it can come", SHARE, lambda j: j.sets[REACHABLE].perfect_share)
KEPT = judged("the share of won positions that it keeps", SHARE, lambda j: j.sets[REACHABLE].kept)
PERFECT_HARE_WINS = judged("the games that the perfect hare wins", SHARE, lambda j: 1.0 - j.scores["perfect"])


def most_stay_high(setting: Setting) -> Most:
    """Nearly all of the last points of most trainings are high."""

    def holds(evidence: Evidence) -> Sequence[bool]:
        return [share > STEADY for share in share_high(setting).values(evidence)]

    return Most(f"more than {STEADY:.0%} of the points in the last quarter lie above {HIGH:.0%}", holds, setting.words)


def most_score_more(one: Setting, other: Setting) -> Most:
    """Most trainings of a setting score more than those of another with the same random numbers."""

    def holds(evidence: Evidence) -> Sequence[bool]:
        pairs = zip(level(one).values(evidence), level(other).values(evidence), strict=True)
        return [mine > theirs for mine, theirs in pairs]

    return Most("the score in the last quarter is higher", holds, f"{one.words} against {other.words}")
