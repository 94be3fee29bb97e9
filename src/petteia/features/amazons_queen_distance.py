"""The evaluation of the Game of the Amazons by minimal queen distance.

The distance of a free square is the number of moves that the nearest amazon of a player takes to it, as a queen of
chess goes. A square belongs to the player who is nearer.

Source: Lieberum 2005, "An evaluation function for the game of Amazons", Theoretical Computer Science 349, whose term t1
it is without the share for who moves; a student report on selective alpha-beta search calls it the best that it tried.
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
from petteia.games.queens import Squares, beside, common, is_empty, reach, size_of, union, without


@called
def queen_balance(white: Squares, black: Squares, free: Squares) -> int:
    """White's squares less Black's, from where the amazons stand.

    A square counts in the round in which it is first reached, and the rounds end when no other can be.
    """
    balance = 0
    left = free
    while True:
        white, black = reach(white, free), reach(black, free)
        balance += size_of(without(common(left, white), black)) - size_of(without(common(left, black), white))
        left = without(left, union(white, black))
        if is_empty(beside(union(white, black), left)):
            return balance


class QueenDistance(NamedTuple):
    """The balance of the squares that a queen of one player reaches in fewer moves than those of the other."""

    def evaluate(evaluation, rules: Amazons, state: Position) -> int:
        """White's squares less Black's."""
        return queen_balance(amazons_of(state, WHITE), amazons_of(state, BLACK), free_squares(rules, state))

    def unit(evaluation) -> int:
        """More than there are squares: a win counts for more."""
        return 128

    def bound(evaluation, rules: Amazons) -> int:
        """A game won is a point, and no balance is larger."""
        return 128
