"""Sums of the regrets of many moves. The memory for the sums does not depend on the number of moves."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from petteia.arena.judgement import GIVEN, MISTAKE, REGRET, VALUE, WORST
from petteia.arena.statistics import interval_of
from petteia.core.arrays import Floats, Ints
from petteia.solver.expectation import TOLERANCE


class RegretTotals(NamedTuple):
    """Totals over moves of a player, such as the sum of the regrets and the number of mistakes."""

    moves: int = 0
    """the number of moves"""
    mistakes: float = 0.0
    """the number of moves with a regret above 0"""
    regret: float = 0.0
    """the sum of the regrets"""
    largest: float = 0.0
    """the largest regret of a move"""
    won: int = 0
    """the number of moves in won positions"""
    wins: float = 0.0
    """the number of moves that lost a win; the expected number, if moves are random"""
    results: float = 0.0
    """the number of moves that lost a win or a draw; the expected number, if moves are random"""

    def with_more(self, other: RegretTotals) -> RegretTotals:
        """Return the totals over all moves in `self` and `other`."""
        largest = max(self.largest, other.largest)
        return RegretTotals._make(map(sum, zip(self, other, strict=True)))._replace(largest=largest)


def results_lost(columns: Floats) -> RegretTotals:
    """Return the totals of a table of regrets, float64[moves, COLUMNS]; see `petteia.arena.judgement`."""
    won = columns[:, VALUE] > TOLERANCE
    return RegretTotals(
        moves=len(columns),
        mistakes=float(columns[:, MISTAKE].sum()),
        regret=float(columns[:, REGRET].sum()),
        largest=float(columns[:, WORST].max(initial=0.0)),
        won=int(won.sum()),
        wins=float(columns[won, GIVEN].sum()),
        results=float(columns[:, GIVEN].sum()),
    )


class ByGame:
    """Regrets of moves, grouped by game because the moves of one game are not independent."""

    def __init__(self, *, whole: bool) -> None:
        """Create an object to which no games have been added yet.

        If `whole` is true, all regrets must be whole numbers, as in games without chance. Whole numbers are summed
        without rounding errors.
        """
        self._whole = whole
        self._games = self._moves = self._squared_moves = 0
        self._regret = self._squares = self._products = Fraction(0)

    def add(self, regrets: Floats, games: Ints) -> None:
        """Add the regrets of all moves of some games. Each game must be complete.

        `regrets` contains the regret of each move, and `games` contains the number of the game of each move.
        """
        _, place, moves = np.unique(games, return_inverse=True, return_counts=True)
        regret: Floats | Ints = np.bincount(place, regrets)
        if self._whole:
            regret = regret.astype(np.int64)
        self._games += len(moves)
        self._moves += len(games)
        self._regret += Fraction(regret.sum().item())
        self._squares += Fraction(np.sum(regret * regret).item())
        self._products += Fraction(np.sum(regret * moves).item())
        self._squared_moves += int(moves @ moves)

    def interval(self, maximum: float) -> tuple[float, float]:
        """Return the 95 % confidence interval of the mean regret per move. No regret can be larger than `maximum`.

        The mean regret per move is a ratio: the sum of all regrets divided by the number of all moves. The variance of
        the ratio is estimated by the delta method. In this estimate, a game with n moves and the total regret r
        contributes the square of r - mean * n. The estimate is a small difference of large numbers. It is computed with
        exact fractions to avoid rounding errors.
        """
        if maximum == 0:
            return 0.0, 0.0
        scale = Fraction(maximum)
        mean = self._regret / (self._moves * scale)
        off = self._squares / scale**2 - 2 * mean * self._products / scale
        squares = (off + mean * mean * self._squared_moves) * Fraction(self._games, self._moves) ** 2
        interval = interval_of(float(mean), max(float(squares), 0.0), self._games)
        return interval.low * maximum, interval.high * maximum
