"""The evaluation of the Game of the Amazons by minimal king distance.

As by minimal queen distance (`amazons_queen_distance`), with the moves of a king of chess, a square at a time. It tells
who will be near, where queens can still go everywhere.

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
    """White's squares less Black's, from where the amazons stand; see `queen_balance`."""
    balance = 0
    left = free
    while True:
        white, black = beside(white, left), beside(black, left)
        balance += size_of(white) - size_of(black)
        left = without(left, union(white, black))
        if is_empty(union(white, black)):
            return balance


class KingDistance(NamedTuple):
    """The balance of the squares that a king of one player reaches in fewer moves than those of the other."""

    def evaluate(evaluation, rules: Amazons, state: Position) -> int:
        """White's squares less Black's."""
        return king_balance(amazons_of(state, WHITE), amazons_of(state, BLACK), free_squares(rules, state))

    def unit(evaluation) -> int:
        """More than there are squares: a win counts for more."""
        return 128

    def bound(evaluation, rules: Amazons) -> int:
        """A game won is a point, and no balance is larger."""
        return 128
