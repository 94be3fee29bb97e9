"""An evaluation of the Game of the Amazons: which player's amazons are nearer to each square, counted in king moves.

The king distance of a free square from a player is the number of king moves from the nearest amazon of this player. In
early positions, queens can still reach almost every square in a few moves. Then the king distance shows better which
player's amazons are nearer to a square.

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
    """Return the number of squares nearer to White than to Black in king moves, minus the number nearer to Black."""
    balance = 0
    left = free
    while True:
        white, black = beside(white, left), beside(black, left)
        balance += size_of(white) - size_of(black)
        left = without(left, union(white, black))
        if is_empty(union(white, black)):
            return balance


class KingDistance(NamedTuple):
    """An evaluation by the number of squares that each player can reach in fewer king moves than the opponent."""

    def evaluate(evaluation, rules: Amazons, state: Position) -> int:
        """Return the number of squares nearer to White minus the number nearer to Black."""
        return king_balance(amazons_of(state, WHITE), amazons_of(state, BLACK), free_squares(rules, state))

    def unit(evaluation) -> int:
        """Return the number of evaluation units that equal one point of the final margin.

        The returned number exceeds the number of squares. A win counts as one point, so a win is worth more than a lead
        on all squares.
        """
        return 128

    def bound(evaluation, rules: Amazons) -> int:
        """Return an upper bound on the absolute value of the evaluation: the value of a won game."""
        return 128
