"""Rankings of moves in the Game of the Amazons: rankings of whole moves, or of moves whose arrow is not yet chosen.

If the arrow is left out, there are far fewer moves, so a search can rank all of them in every position.

Source: a student report on selective alpha-beta search, in the answer to its question 7.
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
"""Numbers of steps of a move that count: 1 for the amazon alone, 2 for the amazon and its target square."""


class Moved(NamedTuple):
    """The amazons and free squares of a position after an amazon's move, before or after the shot of its arrow."""

    own: Squares
    """the amazons of the player to move"""
    other: Squares
    """the opponent's amazons"""
    free: Squares
    """the free squares"""
    amazon: Squares
    """the amazon that has moved"""


@inline
def moved(rules: Amazons, state: Position, move: int, with_arrow: bool) -> Moved:
    """Return the position after an amazon's move, and after its arrow shot if `with_arrow` is True."""
    origin, target = only(move // SQUARES**2 % SQUARES), only(move // SQUARES % SQUARES)
    own, other = amazons_of(state, state.side), amazons_of(state, BLACK if state.side == WHITE else WHITE)
    free = without(union(free_squares(rules, state), origin), target)
    if with_arrow:
        free = without(free, only(move % SQUARES))
    return Moved(union(without(own, origin), target), other, free, target)


@inline
def has_arrow(steps: int) -> bool:
    """Return whether the first `steps` steps of a move include its arrow; 0 means all steps."""
    return steps == 0 or steps > TARGET


class AmazonsNeighbours(NamedTuple):
    """A ranking of moves by the number of free squares around the amazon after its move."""

    def rank(ranking, rules: Amazons, state: Position, move: int, steps: int) -> int:
        """Return the number of free squares around the amazon after its move."""
        after = moved(rules, state, move, has_arrow(steps))
        return size_of(beside(after.amazon, after.free))

    def ranks_steps(ranking) -> bool:
        """Return True, because `rank` can also rank a move by its first steps alone, before the arrow is chosen."""
        return True


class AmazonsMobility(NamedTuple):
    """A ranking of moves by how many more queen moves the player has than the opponent, after the move."""

    def rank(ranking, rules: Amazons, state: Position, move: int, steps: int) -> int:
        """Return the player's number of queen moves after the move, minus the opponent's number of queen moves."""
        after = moved(rules, state, move, has_arrow(steps))
        return queen_moves(after.own, after.free) - queen_moves(after.other, after.free)

    def ranks_steps(ranking) -> bool:
        """Return True, because `rank` can also rank a move by its first steps alone, before the arrow is chosen."""
        return True


class AmazonsQueenDistance(NamedTuple):
    """A ranking of moves by the number of squares nearer to the player in queen moves, minus the opponent's number."""

    def rank(ranking, rules: Amazons, state: Position, move: int, steps: int) -> int:
        """Return the number of squares nearer to the player who moves, minus the number nearer to the opponent."""
        after = moved(rules, state, move, has_arrow(steps))
        return queen_balance(after.own, after.other, after.free)

    def ranks_steps(ranking) -> bool:
        """Return True, because `rank` can also rank a move by its first steps alone, before the arrow is chosen."""
        return True


class AmazonsDecisions(NamedTuple):
    """A ranking in three stages, with one criterion each for the amazon, its target square and its arrow.

    The amazon with the fewest moves ranks first, because it is in the greatest danger of being trapped. Among the
    target squares of an amazon, the square with the most further moves ranks first. Among the arrows, the arrow that
    leaves the opponent the fewest moves ranks first.
    """

    def rank(ranking, rules: Amazons, state: Position, move: int, steps: int) -> int:
        """Return the rank of the last known step of a move: the amazon, its target square or its arrow.

        `steps` is the number of known steps of the move. If `steps` is 0, all steps are known.
        """
        if steps == AMAZON:
            return -size_of(reach(only(move // SQUARES**2 % SQUARES), free_squares(rules, state)))
        after = moved(rules, state, move, has_arrow(steps))
        if steps == TARGET:
            return size_of(reach(after.amazon, after.free))
        return -queen_moves(after.other, after.free)

    def ranks_steps(ranking) -> bool:
        """Return True, because `rank` can also rank a move by its first steps alone, before the arrow is chosen."""
        return True
