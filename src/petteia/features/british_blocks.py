"""Features of British Square: blocks of squares as tuples, and the stones placed so far.

What is on a square is who may still place a stone there, which with the side to move is all that matters to the rest of
the game. So a block tells of room to come, `stones` what has come already, and the two add up to the final margin.

- `blocks2x2`, `blocks2x3`, `blocks3x3`: all blocks of so many squares, lying and standing; see `tuples.py`
- `lines`: all ranks and files
- `stones.difference`: a quarter of the first player's stones less the second's; a stone is worth as much anywhere
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.arrays import Floats, Ints
from petteia.core.protocol import Rules, State, margin
from petteia.games.british_square import BritishSquare

SHARE = 0.25
"""of a stone: differences are then about as large as other features"""


class Blocks(NamedTuple):
    """The tuples of all rectangles of this height and width; symmetry stands them upright."""

    height: int = 2
    """ranks"""
    width: int = 2
    """files"""

    def tuples(feature_set, rules: BritishSquare) -> list[tuple[int, ...]]:
        """The squares of each block, from the lower left corner."""
        size, height, width = rules.size, feature_set.height, feature_set.width
        return [
            tuple((rank + up) * size + file + right for up in range(height) for right in range(width))
            for rank in range(size - height + 1)
            for file in range(size - width + 1)
        ]


class Lines(NamedTuple):
    """The tuples of all ranks; symmetry makes files of them."""

    def tuples(feature_set, rules: BritishSquare) -> list[tuple[int, ...]]:
        """The squares of each rank, from the left."""
        return [tuple(range(rank * rules.size, (rank + 1) * rules.size)) for rank in range(rules.size)]


class Stones(NamedTuple):
    """The feature set of the difference of the stones."""

    def names(feature_set, rules: Rules) -> tuple[str, ...]:
        """The name of the only feature."""
        return ("stones.difference",)

    def size(feature_set, rules: Rules) -> int:
        """The number of features, 1."""
        return 1

    def features(feature_set, rules: Rules, state: State, index: Ints, value: Floats) -> int:
        """Write the only feature."""
        index[0] = 0
        value[0] = margin(rules, state) * SHARE
        return 1
