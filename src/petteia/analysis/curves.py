"""Measures of learning curves: when they converge, how much they vary, and when they reach a score."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from petteia.core.arrays import Bools, Floats
from petteia.experiments.results import CellResult

WINDOW = 9
"""the default number of points in the moving average of a curve"""
NEAR = 0.02
"""the default maximum distance from the last value at which a curve counts as converged"""


def settled_from(games: Sequence[int], scores: Sequence[float], *, window: int = WINDOW, near: float = NEAR) -> int:
    """Return the number of games after which a smoothed learning curve has converged to its last value.

    Args:
        games: the number of games at each point of the curve, ascending
        scores: the score at each point
        window: the number of points in the moving average
        near: the maximum distance of the smoothed curve from its last value

    Returns:
        The number of games at the point from which all values of the smoothed curve differ from its last value by at
        most `near`. Each smoothed value belongs to the middle of its moving-average window.

    """
    width = min(window, len(scores))
    smooth = _moving_mean(scores, width)
    away = np.flatnonzero(np.abs(smooth - smooth[-1]) > near)
    first = int(away[-1]) + 1 if len(away) else 0
    return int(games[first + width // 2])


# The following functions return a figure for each seed of a combination. Scores are float64[seeds, points].

SMOOTHED = 20
"""the number of points in the moving averages of the functions below"""


def last_quarter(scores: Floats) -> Floats:
    """Return the scores in the last quarter of each learning curve, at least one per curve; float64[seeds, points]."""
    return scores[:, -max(scores.shape[1] // 4, 1) :]


def chance_spread(cell: CellResult) -> Floats:
    """For each seed, return the standard error of one score. It depends on the number of evaluation games.

    The standard error is computed from the scores in the last quarter of the learning curve of the seed.
    """
    scores, games = last_quarter(cell.scores), cell.trainings[0].configuration.evaluation_games(cell.games[0])
    spread: Floats = np.sqrt(np.maximum(scores * (1.0 - scores), 1.0 / games).mean(axis=1) / games)
    return spread


def unrest(cell: CellResult) -> Floats:
    """For each seed, return the standard deviation of the last scores, divided by the standard error of one score.

    The last scores are those in the last quarter of the learning curve. A score has a standard error (`chance_spread`),
    because the number of evaluation games is finite. If the ratio is near 1, the scores vary only because of this
    sampling error.
    """
    in_units: Floats = last_quarter(cell.scores).std(axis=1) / chance_spread(cell)
    return in_units


def first_reach(cell: CellResult, bound: float) -> list[float | None]:
    """For each seed, return the number of games at which the score first reaches `bound`; None if it never does."""
    return [next((float(p.games) for p in curve if p.score >= bound), None) for curve in cell.curves]


def games_to_rest(cell: CellResult, off: float) -> list[float]:
    """For each seed, return the number of games after which the smoothed learning curve has converged.

    The curve has converged at the first point from which its distance from the final mean never exceeds `off`. The
    final mean is the mean score in the last quarter of the curve.
    """
    ends = last_quarter(cell.scores).mean(axis=1)
    games, smooth = _smooth(cell)
    return [_last(games, np.abs(each - end) > off) for each, end in zip(smooth, ends, strict=True)]


def staying_above(cell: CellResult, bound: float) -> list[float]:
    """For each seed, return the number of games after which the smoothed learning curve stays above `bound`.

    If the last value of the smoothed curve is not above `bound`, the result is the number of games at its last point.
    """
    games, smooth = _smooth(cell)
    return [_last(games, each <= bound) for each in smooth]


def always_from(cell: CellResult, bound: float) -> list[float | None]:
    """For each seed, return the number of games from which every score is at least `bound`.

    The result for a seed is None if the last score of its learning curve is below `bound`.
    """
    first: list[float | None] = []
    for scores in cell.scores:
        below = np.flatnonzero(scores < bound)
        place = below[-1] + 1 if len(below) else 0
        first.append(float(cell.games[place]) if place < len(scores) else None)
    return first


def _smooth(cell: CellResult) -> tuple[list[int], list[Floats]]:
    width = min(SMOOTHED, cell.scores.shape[1])
    return cell.games[width - 1 :], [_moving_mean(each, width) for each in cell.scores]


def _moving_mean(scores: Sequence[float] | Floats, width: int) -> Floats:
    return np.convolve(scores, np.full(width, 1.0 / width), mode="valid")


def _last(games: list[int], away: Bools) -> float:
    """Return the number of games after which a curve always meets a condition of the caller.

    `games` contains the number of training games at each point of the curve. `away` is True at each point that violates
    the condition. The result is the number of games at the point after the last violation. If the last point of the
    curve violates the condition, the result is the number of games at the last point. If no point violates the
    condition, the result is the number of games at the first point.
    """
    places = np.flatnonzero(away)
    return float(games[min(places[-1] + 1, len(games) - 1)] if len(places) else games[0])
