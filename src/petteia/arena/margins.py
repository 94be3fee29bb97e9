"""Mean margins of games, with confidence intervals from the variance of pairs of games."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from petteia.arena.statistics import TAIL, Interval


class Margins(NamedTuple):
    """The sum and the sum of squares of the first-named player's margins in a match."""

    total: int
    """the sum of the margins over all games"""
    squares: int
    """the sum of the squared margins of the units, which are pairs of games, or single games if games do not come in
    pairs"""

    @property
    def turned(self) -> Margins:
        """The margins of the same games from the perspective of the other player."""
        return Margins(-self.total, self.squares)

    def scatter(self, units: int) -> float:
        """Return the estimated variance of the sum of all margins in a match.

        `units` is the number of independent observations, 2 or more. An observation is a pair of games, or a single
        game if games do not come in pairs.
        """
        return units / (units - 1) * (self.squares - self.total**2 / units)


NONE = Margins(0, 0)
"""The margins if no games have been played."""


def sum_of(parts: Sequence[Margins]) -> Margins:
    """Add the margins of several groups of games."""
    return Margins(sum(each.total for each in parts), sum(each.squares for each in parts))


def mean_margin(matches: Sequence[tuple[Margins, int, int]]) -> Interval:
    """Return the mean margin per game over several matches, with its 95 % confidence interval.

    Each item of `matches` contains the margins of a match, its number of independent observations, and its number of
    games. An observation is a pair of games, or a single game if games do not come in pairs.

    The variance is estimated for each match separately. The interval assumes that the mean of each match is normally
    distributed, and uses the degrees of freedom of Welch and Satterthwaite. If a match has only one observation, the
    bounds are infinite, because the variance is unknown.
    """
    games = sum(each for *_, each in matches)
    mean = sum(margins.total for margins, *_ in matches) / games
    if min(units for _, units, _ in matches) < 2:
        return Interval(mean, -math.inf, math.inf)
    parts = [(margins.scatter(units), units - 1) for margins, units, _ in matches]
    variance = sum(part for part, _ in parts)
    if variance <= 0.0:
        return Interval(mean, mean, mean)
    from scipy.special import stdtrit

    degrees = variance**2 / sum(part**2 / freedom for part, freedom in parts)
    half = float(stdtrit(degrees, 1.0 - TAIL)) * math.sqrt(variance) / games
    return Interval(mean, mean - half, mean + half)


def shown_margin(points: float | None) -> str:
    """Format a margin, such as `+3.25`. An unknown margin, given as None, becomes `not known`."""
    return "not known" if points is None else f"{points:+.2f}"
