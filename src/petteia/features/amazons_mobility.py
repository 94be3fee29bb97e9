"""The evaluation of the Game of the Amazons by mobility.

Source: a student report on selective alpha-beta search, whose simple player goes by it: the moves of the own amazons,
less those of the opponent's. Where arrows would land is not counted.
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
    """To how many squares each of some amazons can go, in sum."""
    count = 0
    while not is_empty(amazons):
        count += size_of(reach(only(lowest(amazons)), free))
        amazons = without_lowest(amazons)
    return count


class Mobility(NamedTuple):
    """The difference of the moves, arrows not counted."""

    def evaluate(evaluation, rules: Amazons, state: Position) -> int:
        """White's moves less Black's."""
        free = free_squares(rules, state)
        return queen_moves(amazons_of(state, WHITE), free) - queen_moves(amazons_of(state, BLACK), free)

    def unit(evaluation) -> int:
        """More than any difference: a win counts for more."""
        return 256

    def bound(evaluation, rules: Amazons) -> int:
        """A player has at most so many moves, and a game won is a point."""
        return max(MAX_AMAZONS * max_reached(rules.width, rules.height), 256)
