"""An evaluation of the Game of the Amazons: which player's amazons are nearer to each square, counted in queen moves.

The distance of a free square is the number of queen moves that the nearest amazon of a player needs to reach it. A
square belongs to the player with the smaller distance.

Source: Lieberum 2005, "An evaluation function for the game of Amazons", Theoretical Computer Science 349. The
evaluation is term t1 of this source, without the bonus for the player to move. A student report on selective alpha-beta
search compares several evaluations, and calls this one the best.
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
    """Return the number of squares nearer to White than to Black in queen moves, minus the number nearer to Black.

    The queen distances are computed by a flood fill. In each round, the amazons of both players reach the squares that
    are one more queen move away. A square counts only in the round in which it is first reached.
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
    """An evaluation by the number of squares that each player can reach in fewer queen moves than the opponent."""

    def evaluate(evaluation, rules: Amazons, state: Position) -> int:
        """Return the number of squares nearer to White minus the number nearer to Black."""
        return queen_balance(amazons_of(state, WHITE), amazons_of(state, BLACK), free_squares(rules, state))

    def unit(evaluation) -> int:
        """Return the number of evaluation units that equal one point of the final margin.

        The returned number exceeds the number of squares. A win counts as one point, so a win is worth more than a lead
        on all squares.
        """
        return 128

    def bound(evaluation, rules: Amazons) -> int:
        """Return an upper bound on the absolute value of the evaluation: the value of a won game."""
        return 128
