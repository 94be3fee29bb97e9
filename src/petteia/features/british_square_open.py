"""An evaluation of British Square by the number of squares on which each player may still place a stone.

The current difference of stones is not a useful evaluation. The players place stones in turn, so this difference is 0
or 1 until one player is blocked. A player with more open squares will place more stones.
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.bits import popcount
from petteia.games.british_square import FIRST, LARGEST, SECOND, BritishSquare, Position, open_squares


class OpenSquares(NamedTuple):
    """An evaluation that compares the numbers of squares on which each player may place a stone."""

    def evaluate(evaluation, rules: BritishSquare, state: Position) -> int:
        """Return the number of squares open to the first player, minus the number open to the second player.

        A square is open to a player who may place a stone on it.
        """
        return popcount(open_squares(rules, state, FIRST)) - popcount(open_squares(rules, state, SECOND))

    def unit(evaluation) -> int:
        """Return the number of evaluation units that equal one point of the final margin.

        One stone of the final margin is worth more units than any possible lead in open squares.
        """
        return LARGEST * LARGEST + 1

    def bound(evaluation, rules: BritishSquare) -> int:
        """Return an upper bound on the absolute value of the evaluation: the value of a stone on every square."""
        return rules.size * rules.size * (LARGEST * LARGEST + 1)
