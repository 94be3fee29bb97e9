"""Features of British Square: n-tuples for blocks and lines of squares, and the difference of the players' stones.

The final margin depends on the stones already on the board and on the stones that can still be placed. The difference
of the stones describes the stones on the board. The n-tuples describe the stones that can still be placed. The content
of a square is therefore the set of players who may still place a stone on it.

- `blocks2x2`, `blocks2x3`, `blocks3x3`: a tuple for each block of this size, in both orientations (see `tuples.py`)
- `lines`: a tuple for each rank and each file
- `stones.difference`: the first player's number of stones minus the second player's, divided by four
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.arrays import Floats, Ints
from petteia.core.protocol import Rules, State, margin
from petteia.games.british_square import BritishSquare

SHARE = 0.25
"""The contribution of one stone to the feature. It makes differences about as large as other features."""


class Blocks(NamedTuple):
    """An n-tuple feature set with a tuple of squares for each block of `height` by `width` squares.

    An n-tuple network adds the symmetric copies of each tuple, and thus the blocks that are rotated by 90 degrees.
    """

    height: int = 2
    """the number of ranks"""
    width: int = 2
    """the number of files"""

    def tuples(feature_set, rules: BritishSquare) -> list[tuple[int, ...]]:
        """Return the squares of each block as a tuple, starting at its lower left corner."""
        size, height, width = rules.size, feature_set.height, feature_set.width
        return [
            tuple((rank + up) * size + file + right for up in range(height) for right in range(width))
            for rank in range(size - height + 1)
            for file in range(size - width + 1)
        ]


class Lines(NamedTuple):
    """An n-tuple feature set with one tuple of squares for each rank.

    The symmetries of the game map ranks to files, so the n-tuple network also covers the files.
    """

    def tuples(feature_set, rules: BritishSquare) -> list[tuple[int, ...]]:
        """Return the squares of each rank as a tuple, from left to right."""
        return [tuple(range(rank * rules.size, (rank + 1) * rules.size)) for rank in range(rules.size)]


class Stones(NamedTuple):
    """A feature set with one feature: the difference between the players' numbers of stones."""

    def names(feature_set, rules: Rules) -> tuple[str, ...]:
        """Return the name of the only feature."""
        return ("stones.difference",)

    def size(feature_set, rules: Rules) -> int:
        """Return the number of features, 1."""
        return 1

    def features(feature_set, rules: Rules, state: State, index: Ints, value: Floats) -> int:
        """Write the only feature, a quarter of the difference between the players' numbers of stones, and return 1."""
        index[0] = 0
        value[0] = margin(rules, state) * SHARE
        return 1
