"""The permutations of a board's squares under the symmetries of a game, and the symmetric copies of n-tuples.

A game defines its symmetries by a method `image`, which maps states to states. The method does not state how a symmetry
permutes the squares of the board. This module derives the permutation from the contents of the squares in positions of
random games. Under a symmetry, a square can map only to a square that has the same contents in the image of every
position. Positions are examined until each square has only one candidate. Further positions then confirm the
permutation.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from petteia.checking.sample import play_game, where
from petteia.checking.squares import contents_of
from petteia.core.arrays import Bools, Ints
from petteia.core.errors import UsageError
from petteia.core.protocol import Rules, State, image, images, initial
from petteia.core.random import stream
from petteia.provenance.live import cached_by_code

MAX_GAMES = 1000
"""The maximum number of random games whose positions are examined to distinguish the squares."""
FURTHER = 200
"""The number of positions that must confirm a permutation."""
MAX_SYMMETRIES = 1000

Permutation = tuple[int, ...]
"""A permutation of the squares: for each square, the square to which its contents move."""


def squares_of(rules: Rules) -> int:
    """Return the number of squares of the board. Raises ConformanceError if `contents` violates the protocol."""
    return len(contents_of(rules, initial(rules)))


@cached_by_code(64)
def symmetric_squares(rules: Rules) -> tuple[Permutation, ...]:
    """Return all permutations of the squares that the symmetries of the game generate. The first is the identity.

    Raises UsageError if a symmetry does more than permute the squares, for example if it also changes their contents.
    """
    identity = tuple(range(squares_of(rules)))
    found = {identity: None} | {_permutation(rules, i): None for i in range(1, images(rules))}
    waiting = [*found]
    while waiting:
        first = waiting.pop()
        for second in [*found]:
            both = tuple(second[square] for square in first)
            if both not in found:
                found[both] = None
                waiting.append(both)
        if len(found) > MAX_SYMMETRIES:
            raise UsageError(
                f"{where(rules)}: the symmetries of the game generate too many permutations of the squares; "
                f"there may be at most {MAX_SYMMETRIES} permutations"
            )
    return tuple(found)


def _permutation(rules: Rules, i: int) -> Permutation:
    """Return the permutation of the squares that symmetry `i` of the game performs."""
    positions = _positions(rules)
    squares = squares_of(rules)
    can_be: Bools = np.ones((squares, squares), np.bool_)
    for state in positions:
        before = np.array(contents_of(rules, state))
        after = np.array(contents_of(rules, image(rules, state, i)))
        if len(before) != squares or len(after) != squares:
            raise UsageError(
                f"{where(rules, state)}: the method `contents` did not write {squares} squares; the number of squares "
                "must be the same as in the initial state"
            )
        can_be &= before[:, None] == after[None, :]
        if not can_be.any(axis=1).all():
            square = int(np.flatnonzero(~can_be.any(axis=1))[0])
            raise UsageError(
                f"{where(rules, state)}: symmetry {i} is not a permutation of the squares: it does not always move the "
                f"contents of square {square} to the same square; `tuples` needs symmetries that only move contents"
            )
        if (can_be.sum(axis=1) == 1).all():
            break
    else:
        can_be = _any_of_equals(rules, i, can_be)
    permutation = can_be.argmax(axis=1)
    if len({*permutation.tolist()}) < squares:
        raise _maps_two(rules, i)
    for state in itertools.islice(positions, FURTHER):
        before, after = np.array(contents_of(rules, state)), np.array(contents_of(rules, image(rules, state, i)))
        if (wrong := np.flatnonzero(after[permutation] != before)).size:
            square = int(wrong[0])
            raise UsageError(
                f"{where(rules, state)}: symmetry {i} is not a permutation of the squares: in other positions, it "
                f"moves square {square} to square {permutation[square]}, but not in this position; `tuples` "
                "needs symmetries that only move contents"
            )
    return tuple(map(int, permutation))


def _maps_two(rules: Rules, i: int) -> UsageError:
    return UsageError(
        f"{where(rules)}: symmetry {i} is not a permutation of the squares: it moves two squares to the same square; "
        "each square must move to a different square"
    )


def _any_of_equals(rules: Rules, i: int, can_be: Bools) -> Bools:
    """Choose an image of each square under symmetry `i` among several candidates, so that no two images are the same.

    `can_be[square, other]` is True if the square `other` is a candidate for the image of `square` under the symmetry. A
    square has several candidates if all of these candidates had the same contents in all examined positions.
    """
    chosen = np.zeros_like(can_be)
    for square, possible in enumerate(can_be):
        free = np.flatnonzero(possible & ~chosen.any(axis=0))
        if not free.size:
            raise _maps_two(rules, i)
        chosen[square, free[0]] = True
    return chosen


def _positions(rules: Rules) -> Iterator[State]:
    """Yield positions of random games. Every call yields the same positions."""
    for game in range(MAX_GAMES):
        for visit in play_game(rules, [stream(0, game)]).visits:
            yield visit.state


class Table(NamedTuple):
    """The symmetric copies of an n-tuple on the board, and the feature index of each pattern of square contents."""

    placements: list[Permutation]
    """the squares of each placement, in the order of the digits of a pattern"""
    feature_of: Ints
    """the feature of each pattern, numbered from 0 in the order of their first patterns, [patterns]"""

    @property
    def size(self) -> int:
        """The number of features."""
        return int(self.feature_of.max()) + 1


def table_of(squares: tuple[int, ...], kinds: int, symmetries: tuple[Permutation, ...]) -> Table:
    """Return a `Table` for an n-tuple: its symmetric copies, and the feature index of each pattern.

    `kinds` is the number of possible contents of a square. A pattern is encoded as a number with one digit per square.
    The first square has the most significant digit.
    """
    placements: dict[frozenset[int], Permutation] = {}
    lowest: Ints = np.arange(kinds ** len(squares))
    weights = kinds ** np.arange(len(squares) - 1, -1, -1)
    patterns = lowest.copy()
    for symmetry in symmetries:
        image = tuple(symmetry[square] for square in squares)
        placements.setdefault(frozenset(image), image)
        if {*image} == {*squares} and image != squares:
            # The contents of the first square of the pattern are, in its image, on the square to which it moves.
            goes_to = [weights[squares.index(square)] for square in image]
            turned = sum(patterns // own % kinds * other for own, other in zip(weights, goes_to, strict=True))
            np.minimum(lowest, turned, out=lowest)
    return Table([*placements.values()], np.unique(lowest, return_inverse=True)[1].reshape(-1))
