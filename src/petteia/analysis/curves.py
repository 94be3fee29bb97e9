"""When learning curves come to rest, how much they scatter, and when they reach a score."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from petteia.core.arrays import Bools, Floats
from petteia.experiments.results import CellResult

WINDOW = 9
"""points over which a curve is smoothed"""
NEAR = 0.02
"""as near to its end a score must stay to have come to it"""


def settled_from(games: Sequence[int], scores: Sequence[float], *, window: int = WINDOW, near: float = NEAR) -> int:
    """The games from which on a curve stays near its end.

    Args:
        games: after which the points of the curve stand, ascending
        scores: of these points
        window: points over which it is smoothed, by a moving mean
        near: how far the smoothed curve may be from its last value

    Returns:
        The games in the middle of the first window from which on the smoothed curve stays near.

    """
    width = min(window, len(scores))
    smooth = _moving_mean(scores, width)
    away = np.flatnonzero(np.abs(smooth - smooth[-1]) > near)
    first = int(away[-1]) + 1 if len(away) else 0
    return int(games[first + width // 2])


# Of the curves of all seeds of a combination: a figure for each seed. Scores are float64[seeds, points].

SMOOTHED = 20
"""points over which a curve is averaged before it is asked when it settles"""


def last_quarter(scores: Floats) -> Floats:
    """The last quarter of the points."""
    return scores[:, -max(scores.shape[1] // 4, 1) :]


def chance_spread(cell: CellResult) -> Floats:
    """Return the standard deviation that chance alone gives the points of the last quarter, for each seed."""
    scores, games = last_quarter(cell.scores), cell.trainings[0].configuration.evaluation_games(cell.games[0])
    spread: Floats = np.sqrt(np.maximum(scores * (1.0 - scores), 1.0 / games).mean(axis=1) / games)
    return spread


def unrest(cell: CellResult) -> Floats:
    """Return the standard deviation of the points of the last quarter in units of `chance_spread`, for each seed."""
    in_units: Floats = last_quarter(cell.scores).std(axis=1) / chance_spread(cell)
    return in_units


def first_reach(cell: CellResult, bound: float) -> list[float | None]:
    """The games to the first point of `bound` or more, of each seed; None where there is none."""
    return [next((float(p.games) for p in curve if p.score >= bound), None) for curve in cell.curves]


def games_to_rest(cell: CellResult, off: float) -> list[float]:
    """The games after which the smoothed curve of each seed stays within `off` of its mean in the last quarter."""
    ends = last_quarter(cell.scores).mean(axis=1)
    games, smooth = _smooth(cell)
    return [_last(games, np.abs(each - end) > off) for each, end in zip(smooth, ends, strict=True)]


def staying_above(cell: CellResult, bound: float) -> list[float]:
    """The games after which the smoothed curve of each seed stays above `bound`; all games where it does not."""
    games, smooth = _smooth(cell)
    return [_last(games, each <= bound) for each in smooth]


def always_from(cell: CellResult, bound: float) -> list[float | None]:
    """The games from which on every point of a seed is `bound` or more; None where the last is not."""
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
    """The games of the first point after all that are away."""
    places = np.flatnonzero(away)
    return float(games[min(places[-1] + 1, len(games) - 1)] if len(places) else games[0])
