"""An evaluation of the Game of the Amazons by the mobility of the players' amazons.

Mobility is the number of moves of one player's amazons minus the number of moves of the opponent's amazons. Arrow shots
are not counted.

Source: a student report on selective alpha-beta search, whose simplest player uses this evaluation.
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.kernel import called
from petteia.games.amazons import Amazons
from petteia.games.amazons_board import (
    BLACK,
    MAX_AMAZONS,
    WHITE,
    Position,
    amazons_of,
    free_squares,
)
from petteia.games.queens import Squares, is_empty, lowest, max_reached, only, reach, size_of, without_lowest


@called
def queen_moves(amazons: Squares, free: Squares) -> int:
    """Return the number of squares that an amazon can reach in one move, summed over the amazons."""
    count = 0
    while not is_empty(amazons):
        count += size_of(reach(only(lowest(amazons)), free))
        amazons = without_lowest(amazons)
    return count


class Mobility(NamedTuple):
    """An evaluation that compares how many moves the amazons of each player have, not counting arrow shots."""

    def evaluate(evaluation, rules: Amazons, state: Position) -> int:
        """Return the number of moves of White's amazons minus the number for Black's. Arrow shots do not count."""
        free = free_squares(rules, state)
        return queen_moves(amazons_of(state, WHITE), free) - queen_moves(amazons_of(state, BLACK), free)

    def unit(evaluation) -> int:
        """Return the number of evaluation units that equal one point of the final margin.

        The returned number exceeds any difference in mobility. A win counts as one point, so a win is worth more than
        any lead in mobility.
        """
        return 256

    def bound(evaluation, rules: Amazons) -> int:
        """Return an upper bound on the absolute value of the evaluation.

        The bound is the larger of two numbers: the value of a won game, and the largest possible mobility of a player.
        """
        return max(MAX_AMAZONS * max_reached(rules.width, rules.height), 256)
