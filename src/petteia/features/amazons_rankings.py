"""Rankings of moves of the Game of the Amazons, by the amazon's move alone or with its arrow.

With two steps of a move known, its arrow is left out; there are far fewer such moves than moves with arrows, and a
ranking then is affordable in every position.

Source: a student report on selective alpha-beta search, question 7.
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.kernel import inline
from petteia.features.amazons_mobility import queen_moves
from petteia.features.amazons_queen_distance import queen_balance
from petteia.games.amazons import Amazons
from petteia.games.amazons_board import BLACK, WHITE, Position, amazons_of, free_squares
from petteia.games.queens import SQUARES, Squares, beside, only, reach, size_of, union, without

AMAZON, TARGET = 1, 2
"""how many steps of a move are known: which amazon moves, and where to"""


class Moved(NamedTuple):
    """A position after some steps of a move."""

    own: Squares
    """the mover's amazons"""
    other: Squares
    """the opponent's amazons"""
    free: Squares
    """the free squares"""
    amazon: Squares
    """the amazon that has moved"""


@inline
def moved(rules: Amazons, state: Position, move: int, with_arrow: bool) -> Moved:
    """What stands where after a move, with its arrow or without."""
    origin, target = only(move // SQUARES**2 % SQUARES), only(move // SQUARES % SQUARES)
    own, other = amazons_of(state, state.side), amazons_of(state, BLACK if state.side == WHITE else WHITE)
    free = without(union(free_squares(rules, state), origin), target)
    if with_arrow:
        free = without(free, only(move % SQUARES))
    return Moved(union(without(own, origin), target), other, free, target)


@inline
def has_arrow(steps: int) -> bool:
    """Whether the arrow counts when so many steps of a move are known."""
    return steps == 0 or steps > TARGET


class AmazonsNeighbours(NamedTuple):
    """Ranks moves by the free squares beside the amazon after its move."""

    def rank(ranking, rules: Amazons, state: Position, move: int, steps: int) -> int:
        """How many squares beside it are free."""
        after = moved(rules, state, move, has_arrow(steps))
        return size_of(beside(after.amazon, after.free))

    def ranks_steps(ranking) -> bool:
        """The arrow is left out where it is not known."""
        return True


class AmazonsMobility(NamedTuple):
    """Ranks moves by the difference of the queen moves after them."""

    def rank(ranking, rules: Amazons, state: Position, move: int, steps: int) -> int:
        """The mover's queen moves less the opponent's."""
        after = moved(rules, state, move, has_arrow(steps))
        return queen_moves(after.own, after.free) - queen_moves(after.other, after.free)

    def ranks_steps(ranking) -> bool:
        """The arrow is left out where it is not known."""
        return True


class AmazonsQueenDistance(NamedTuple):
    """Ranks moves by the squares that a queen of one player is nearer to after them."""

    def rank(ranking, rules: Amazons, state: Position, move: int, steps: int) -> int:
        """The mover's squares less the opponent's."""
        after = moved(rules, state, move, has_arrow(steps))
        return queen_balance(after.own, after.other, after.free)

    def ranks_steps(ranking) -> bool:
        """The arrow is left out where it is not known."""
        return True


class AmazonsDecisions(NamedTuple):
    """Ranks amazons, then their squares, then their arrows, each by a question of its own.

    The most threatened amazon first, which has fewest moves; the square from which it has most moves; the arrow that
    leaves the opponent fewest.
    """

    def rank(ranking, rules: Amazons, state: Position, move: int, steps: int) -> int:
        """The rank of the last step that is known."""
        if steps == AMAZON:
            return -size_of(reach(only(move // SQUARES**2 % SQUARES), free_squares(rules, state)))
        after = moved(rules, state, move, has_arrow(steps))
        if steps == TARGET:
            return size_of(reach(after.amazon, after.free))
        return -queen_moves(after.other, after.free)

    def ranks_steps(ranking) -> bool:
        """A stage knows no later one."""
        return True
