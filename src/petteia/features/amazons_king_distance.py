"""An evaluation of the Game of the Amazons by the distances of the amazons to the squares, in king moves.

The king distance is defined like the queen distance (`amazons_queen_distance`), but with the moves of a chess king, one
square at a time. In early positions, queens can still reach almost every square, so the king distance shows better
which player is nearer.

Source: Lieberum 2005, "An evaluation function for the game of Amazons", Theoretical Computer Science 349.
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.kernel import called
from petteia.games.amazons import Amazons
from petteia.games.amazons_board import (
    BLACK,
    WHITE,
    Position,
    amazons_of,
    free_squares,
)
from petteia.games.queens import Squares, beside, is_empty, size_of, union, without


@called
def king_balance(white: Squares, black: Squares, free: Squares) -> int:
    """Return the number of squares that White reaches in fewer king moves, minus the number that Black does."""
    balance = 0
    left = free
    while True:
        white, black = beside(white, left), beside(black, left)
        balance += size_of(white) - size_of(black)
        left = without(left, union(white, black))
        if is_empty(union(white, black)):
            return balance


class KingDistance(NamedTuple):
    """An evaluation that compares how many squares each player can reach in fewer king moves than the other."""

    def evaluate(evaluation, rules: Amazons, state: Position) -> int:
        """Return the number of squares nearer to White minus the number nearer to Black."""
        return king_balance(amazons_of(state, WHITE), amazons_of(state, BLACK), free_squares(rules, state))

    def unit(evaluation) -> int:
        """Return how many units of this evaluation equal one point of the margin.

        The result is larger than the number of squares, so that a won game has a larger value than any evaluation.
        """
        return 128

    def bound(evaluation, rules: Amazons) -> int:
        """Return the value of a won game, which no evaluation exceeds."""
        return 128
