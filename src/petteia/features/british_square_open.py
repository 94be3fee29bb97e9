"""The evaluation of British Square by the squares that are left to each player.

The margin so far says nothing there: players place stones in turn, so it is 0 or 1 until one is blocked. A player with
more open squares will place more stones.
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.bits import popcount
from petteia.games.british_square import FIRST, LARGEST, SECOND, BritishSquare, Position, open_squares


class OpenSquares(NamedTuple):
    """The difference of the squares on which each player may place a stone."""

    def evaluate(evaluation, rules: BritishSquare, state: Position) -> int:
        """The first player's open squares less the second's."""
        return popcount(open_squares(rules, state, FIRST)) - popcount(open_squares(rules, state, SECOND))

    def unit(evaluation) -> int:
        """More than any difference: a stone of the final margin counts for more."""
        return LARGEST * LARGEST + 1

    def bound(evaluation, rules: BritishSquare) -> int:
        """A final margin is at most the number of squares."""
        return rules.size * rules.size * (LARGEST * LARGEST + 1)
