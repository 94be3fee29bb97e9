"""Where the symmetries of a game bring squares, found from the game itself, and what they make of a tuple of squares.

A game's `image` turns states into states. Which square goes where is seen from the contents: a square can only have
gone to one that has in all images what it had in the states. Positions of random games are looked at until there is one
such square for each, and further ones to see that it holds. So a game need not say it a second time.
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
"""whose positions are looked at, if squares cannot be told apart before"""
FURTHER = 200
"""positions in which it must hold afterwards"""
MAX_SYMMETRIES = 1000

Permutation = tuple[int, ...]
"""For each square that to which its content goes."""


def squares_of(rules: Rules) -> int:
    """The number of squares of the board; errors as those of `contents_of`."""
    return len(contents_of(rules, initial(rules)))


@cached_by_code(64)
def symmetric_squares(rules: Rules) -> tuple[Permutation, ...]:
    """Where each symmetry of the game brings the squares, the identity first, and all that these make together.

    Raises UsageError for an image that is no rearrangement of the squares: one that changes contents, too, or of which
    that cannot be seen.
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
            raise UsageError(f"{where(rules)}: images make more than {MAX_SYMMETRIES} rearrangements of the squares")
    return tuple(found)


def _permutation(rules: Rules, i: int) -> Permutation:
    """Where image `i` brings each square."""
    positions = _positions(rules)
    squares = squares_of(rules)
    can_be: Bools = np.ones((squares, squares), np.bool_)
    for state in positions:
        before = np.array(contents_of(rules, state))
        after = np.array(contents_of(rules, image(rules, state, i)))
        if len(before) != squares or len(after) != squares:
            raise UsageError(f"{where(rules, state)}: contents are not of {squares} squares, as at the start of a game")
        can_be &= before[:, None] == after[None, :]
        if not can_be.any(axis=1).all():
            square = int(np.flatnonzero(~can_be.any(axis=1))[0])
            raise UsageError(
                f"{where(rules, state)}: image {i} is no rearrangement of the squares: what was on square {square} so "
                "far is on no one square of the images; tuples need images that move contents as they are"
            )
        if (can_be.sum(axis=1) == 1).all():
            break
    else:
        can_be = _any_of_equals(rules, i, can_be)
    permutation = can_be.argmax(axis=1)
    if len({*permutation.tolist()}) < squares:
        raise UsageError(f"{where(rules)}: image {i} is no rearrangement of the squares: it brings two to the same")
    for state in itertools.islice(positions, FURTHER):
        before, after = np.array(contents_of(rules, state)), np.array(contents_of(rules, image(rules, state, i)))
        if (wrong := np.flatnonzero(after[permutation] != before)).size:
            square = int(wrong[0])
            raise UsageError(
                f"{where(rules, state)}: image {i} is no rearrangement of the squares: in other positions it brought "
                f"square {square} to {permutation[square]}; tuples need images that move contents as they are"
            )
    return tuple(map(int, permutation))


def _any_of_equals(rules: Rules, i: int, can_be: Bools) -> Bools:
    """Squares that had the same contents in all positions, brought to those of their images in ascending order."""
    chosen = np.zeros_like(can_be)
    for square, possible in enumerate(can_be):
        free = np.flatnonzero(possible & ~chosen.any(axis=0))
        if not free.size:
            raise UsageError(f"{where(rules)}: image {i} is no rearrangement of the squares: it brings two to the same")
        chosen[square, free[0]] = True
    return chosen


def _positions(rules: Rules) -> Iterator[State]:
    """Positions of random games, always the same ones."""
    for game in range(MAX_GAMES):
        for visit in play_game(rules, [stream(0, game)]).visits:
            yield visit.state


class Table(NamedTuple):
    """A tuple with all of its placements, and the features of its patterns."""

    placements: list[Permutation]
    """the squares of each placement, in the order in which patterns are read"""
    feature_of: Ints
    """the feature of each pattern, from 0 in the order of the first patterns that have them, [patterns]"""

    @property
    def size(self) -> int:
        """The number of features."""
        return int(self.feature_of.max()) + 1


def table_of(squares: tuple[int, ...], kinds: int, symmetries: tuple[Permutation, ...]) -> Table:
    """The table of a tuple of squares, for contents of this many kinds.

    A pattern is read as a number with a digit for each square, the first one the highest.
    """
    placements: dict[frozenset[int], Permutation] = {}
    lowest: Ints = np.arange(kinds ** len(squares))
    weights = kinds ** np.arange(len(squares) - 1, -1, -1)
    patterns = lowest.copy()
    for symmetry in symmetries:
        image = tuple(symmetry[square] for square in squares)
        placements.setdefault(frozenset(image), image)
        if {*image} == {*squares} and image != squares:
            # What is on the first square of the pattern is, in its image, on the one to which that square goes.
            goes_to = [weights[squares.index(square)] for square in image]
            turned = sum(patterns // own % kinds * other for own, other in zip(weights, goes_to, strict=True))
            np.minimum(lowest, turned, out=lowest)
    return Table([*placements.values()], np.unique(lowest, return_inverse=True)[1].reshape(-1))
