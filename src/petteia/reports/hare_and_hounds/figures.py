"""The figures of the report that claims are judged by."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from petteia.reports.engine.claims import Above
from petteia.reports.engine.estimates import COUNT, NUMBER, SHARE, TIMES, Unit
from petteia.reports.engine.figures import Figure, share_of_trainings
from petteia.reports.hare_and_hounds.evidence import (
    AGAINST_SIMPLE,
    BEST,
    FOLLOWED,
    TRIED,
    Evidence,
    Setting,
    always_from,
    first_reach,
    last_quarter,
    rates,
    settling,
    staying_above,
    unrest,
)
from petteia.reports.hare_and_hounds.truth import REACHABLE, Judgement

STEADY = 0.95
"""who is above a bound at this share of the points stays above it"""
HALF = 0.5
"""what more than half of all trainings do, most do"""
STEPS = Unit("+.1f", " points", 100.0)
"""what is made of several differences of shares"""


def level(setting: Setting) -> Figure:
    """The mean score over the last quarter of the points."""
    return Figure(
        "the score in the last quarter",
        SHARE,
        lambda evidence: last_quarter(evidence.cell(setting).scores).mean(axis=1).tolist(),
        setting.words,
    )


def rise(alpha: float) -> Figure:
    """By how much the score in the last quarter rises from the least gamma to the largest."""

    def of(evidence: Evidence) -> Sequence[float]:
        low, high = (np.array(level(rates(alpha, gamma)).values(evidence)) for gamma in (TRIED[0], TRIED[-1]))
        return [*map(float, high - low)]

    return Figure("the rise of the score from gamma 0.1 to 0.9", STEPS, of, f"alpha {alpha}")


def bend(alpha: float) -> Figure:
    """The step of the score from the second gamma to the third, less twice that from the first to the second."""

    def of(evidence: Evidence) -> Sequence[float]:
        low, middle, high = (np.array(level(rates(alpha, gamma)).values(evidence)) for gamma in TRIED)
        return [*map(float, (high - middle) - 2.0 * (middle - low))]

    return Figure("the step of the score from gamma 0.5 to 0.9, less twice that from 0.1 to 0.5", STEPS, of)


def scatter(setting: Setting) -> Figure:
    """The scatter of the points in units of chance."""
    return Figure(
        "the scatter in units of chance",
        TIMES,
        lambda evidence: unrest(evidence.cell(setting)).tolist(),
        setting.words,
    )


def plain_spread(setting: Setting) -> Figure:
    """The standard deviation of the points."""
    return Figure(
        "the plain spread",
        Unit(".1f", " points", 100.0, least=0.0),
        lambda evidence: last_quarter(evidence.cell(setting).scores).std(axis=1).tolist(),
        setting.words,
    )


def mean_of_all_points(alpha: float) -> Figure:
    """The mean over all points of the three curves of an alpha."""

    def of(evidence: Evidence) -> Sequence[float]:
        curves = [evidence.cell(rates(alpha, gamma)).scores.mean(axis=1) for gamma in TRIED]
        return [*map(float, np.mean(curves, axis=0))]

    return Figure("the mean score over all points of the three", SHARE, of)


def first_differences(part: float) -> Figure:
    """By how much the best of the nine is above the worst in the first part of the points."""

    def of(evidence: Evidence) -> Sequence[float]:
        curves = [evidence.cell(rates(alpha, gamma)).scores for alpha in TRIED for gamma in TRIED]
        means = np.array([each[:, : max(int(each.shape[1] * part), 1)].mean(axis=1) for each in curves])
        return [*map(float, means.max(axis=0) - means.min(axis=0))]

    return Figure("the best of the nine, less the worst, in the first twelfth of the points", STEPS, of)


def games_to(setting: Setting, bound: float) -> Figure:
    """The games to the first point that high; all games where there is none."""

    def of(evidence: Evidence) -> Sequence[float]:
        cell = evidence.cell(setting)
        return [float(cell.games[-1]) if each is None else each for each in first_reach(cell, bound)]

    return Figure(f"the games until it first reaches {bound:.0%}", COUNT, of, setting.words)


def games_to_settle(setting: Setting, off: float) -> Figure:
    """The games after which the curve stays near its end."""
    return Figure(
        f"the games until the mean of 20 points stays within {off:.0%} of the last quarter's",
        COUNT,
        lambda evidence: settling(evidence.cell(setting), off),
        setting.words,
    )


def games_to_stay_above(setting: Setting, bound: float) -> Figure:
    """The games after which the curve stays above a bound."""
    return Figure(
        f"the games until the mean of 20 points stays above {bound:.0%}",
        COUNT,
        lambda evidence: staying_above(evidence.cell(setting), bound),
        setting.words,
    )


def games_to_win_all() -> Figure:
    """The games after which every game against the simple hare is won; all games where that never comes."""

    def of(evidence: Evidence) -> Sequence[float]:
        cell = evidence.cell(AGAINST_SIMPLE)
        return [float(cell.games[-1]) if each is None else each for each in always_from(cell, 1.0)]

    return Figure("the games until every game is won to the end", COUNT, of)


def followed(number: int) -> Figure:
    """The mean over the last quarter of the points of a value that is followed."""
    return Figure(
        "the value in the last quarter",
        NUMBER,
        lambda evidence: last_quarter(evidence.cell(FOLLOWED).followed[:, :, number]).mean(axis=1).tolist(),
        ("the winning move", "the good move", "the bad move")[number],
    )


def judged(words: str, unit: Unit, of: Callable[[Judgement], float], setting: Setting = BEST) -> Figure:
    """A figure of how far tables are from the truth."""
    return Figure(words, unit, lambda evidence: [of(each) for each in evidence.judgements(evidence.cell(setting))])


PERFECT_MOVES = judged("the share of perfect moves where it can come", SHARE, lambda j: j.sets[REACHABLE].perfect_share)
KEPT = judged("the share of won positions that it keeps", SHARE, lambda j: j.sets[REACHABLE].kept)
PERFECT_HARE_WINS = judged("the games that the perfect hare wins", SHARE, lambda j: 1.0 - j.scores["perfect"])


def positions_met(evidence: Evidence) -> Sequence[float]:
    """The share of the reachable positions that hounds which move at random while they learn have met."""
    states = [curve[-1].states or 0 for curve in evidence.cell(RANDOM_HOUNDS).curves]
    return [met / evidence.truth.decisions for met in states]


RANDOM_HOUNDS = rates(0.1, 0.9)
POSITIONS_MET = Figure(
    "the share of the positions that can be reached which the table has met", SHARE, positions_met, RANDOM_HOUNDS.words
)


def most(words: str, holds: Callable[[Evidence], Sequence[bool]], subject: str = "") -> Above:
    """Something holds of most trainings."""
    return Above(share_of_trainings(f"the share of trainings that {words}", holds, subject), HALF)


def most_stay_above(setting: Setting, bound: float) -> Above:
    """Most trainings of a setting stay above a bound."""

    def holds(evidence: Evidence) -> Sequence[bool]:
        high = (last_quarter(evidence.cell(setting).scores) > bound).mean(axis=1) >= STEADY
        return [*map(bool, high)]

    return most(f"have {STEADY:.0%} of the points of the last quarter above {bound:.0%}", holds, setting.words)


def most_score_more(one: Setting, other: Setting) -> Above:
    """Most trainings of a setting score more than those of another with the same random numbers."""

    def holds(evidence: Evidence) -> Sequence[bool]:
        pairs = zip(level(one).values(evidence), level(other).values(evidence), strict=True)
        return [mine > theirs for mine, theirs in pairs]

    return most("score more in the last quarter", holds, f"{one.words} against {other.words}")
