"""The evaluation of British Square by the squares that are open to each player.

The margin so far is not a useful evaluation. The players place stones in turn, so the margin is 0 or 1 until one player
is blocked. A player with more open squares will place more stones.
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.bits import popcount
from petteia.games.british_square import FIRST, LARGEST, SECOND, BritishSquare, Position, open_squares


class OpenSquares(NamedTuple):
    """An evaluation that compares on how many squares each player may place a stone."""

    def evaluate(evaluation, rules: BritishSquare, state: Position) -> int:
        """Return the first player's number of open squares minus the second's."""
        return popcount(open_squares(rules, state, FIRST)) - popcount(open_squares(rules, state, SECOND))

    def unit(evaluation) -> int:
        """Return how many units of this evaluation equal one point of the margin.

        The result is larger than any difference of open squares. So one stone of the final margin counts more than any
        evaluation.
        """
        return LARGEST * LARGEST + 1

    def bound(evaluation, rules: BritishSquare) -> int:
        """Return the value of the largest final margin, which is the number of squares of the board."""
        return rules.size * rules.size * (LARGEST * LARGEST + 1)
