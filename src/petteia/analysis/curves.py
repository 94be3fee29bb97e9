"""Convergence of learning curves: when they settle, how much they vary, and when they reach a score."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from petteia.core.arrays import Bools, Floats
from petteia.experiments.results import CellResult

WINDOW = 9
"""The number of points over which a curve is smoothed."""
NEAR = 0.02
"""The largest distance of a settled score from the last one."""


def settled_from(games: Sequence[int], scores: Sequence[float], *, window: int = WINDOW, near: float = NEAR) -> int:
    """Return the number of games after which a curve stays near its last value.

    Args:
        games: the number of games of each point, ascending
        scores: the score of each point
        window: the number of points in the moving average
        near: the largest distance of the smoothed curve from its last value

    Returns:
        The games at the middle of the first window from which the smoothed curve stays near its last value.

    """
    width = min(window, len(scores))
    smooth = _moving_mean(scores, width)
    away = np.flatnonzero(np.abs(smooth - smooth[-1]) > near)
    first = int(away[-1]) + 1 if len(away) else 0
    return int(games[first + width // 2])


# Figures of all curves of a combination, one for each seed. Scores are float64[seeds, points].

SMOOTHED = 20
"""The number of points in the moving average of `games_to_rest` and `staying_above`."""


def last_quarter(scores: Floats) -> Floats:
    """The scores of the last quarter of the points, float64[seeds, points]."""
    return scores[:, -max(scores.shape[1] // 4, 1) :]


def unrest(cell: CellResult) -> Floats:
    """The standard deviation of the last quarter, divided by that of chance in as many evaluation games; [seeds]."""
    scores, games = last_quarter(cell.scores), cell.trainings[0].configuration.evaluation_games(cell.games[0])
    chance = np.sqrt(np.maximum(scores * (1.0 - scores), 1.0 / games).mean(axis=1) / games)
    in_units: Floats = scores.std(axis=1) / chance
    return in_units


def first_reach(cell: CellResult, bound: float) -> list[float | None]:
    """The games before the first score of `bound` or more, for each seed; None if no score reaches it."""
    return [next((float(p.games) for p in curve if p.score >= bound), None) for curve in cell.curves]


def games_to_rest(cell: CellResult, off: float) -> list[float]:
    """The games after which the smoothed curve of each seed stays within `off` of the mean of its last quarter."""
    ends = last_quarter(cell.scores).mean(axis=1)
    games, smooth = _smooth(cell)
    return [_last(games, np.abs(each - end) > off) for each, end in zip(smooth, ends, strict=True)]


def staying_above(cell: CellResult, bound: float) -> list[float]:
    """The games after which the smoothed curve of each seed stays above `bound`; all games if it does not."""
    games, smooth = _smooth(cell)
    return [_last(games, each <= bound) for each in smooth]


def always_from(cell: CellResult, bound: float) -> list[float | None]:
    """The games from which every score of a seed is `bound` or more; None if the last score is lower."""
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
    """The games of the first point after the last one that is away."""
    places = np.flatnonzero(away)
    return float(games[min(places[-1] + 1, len(games) - 1)] if len(places) else games[0])
