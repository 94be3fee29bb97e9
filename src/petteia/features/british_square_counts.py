"""Features of British Square that count stones and squares.

- `Counts`: eight features, from `counts.first.stones` to `counts.second.middle`. They count each player's stones, its
  stones in corners, the squares on which it may place a stone, and its stones in the middle. The middle consists of all
  squares off the edges. With `Counts(CENTRE)`, the middle consists of the one or four innermost squares. A term project
  on learning for this game uses these eight features, but does not define the middle.
- `Territory`: five features, from `territory.stones` to `territory.constant`. `stones` is the first player's number of
  stones minus the second's. Three features count the squares open only to the first player, only to the second, and to
  both. `constant` is 1. A player can fill its own squares at any time, so each is worth almost one stone. Each player
  gets about half of the common squares. The player to move gets the larger half, which `territory*turn` can represent.
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.arrays import Floats, Ints
from petteia.core.bits import popcount
from petteia.games.british_square import FIRST, LARGEST, SECOND, BritishSquare, Position, open_squares

OFF_THE_EDGES, CENTRE = 0, 1
"""The kinds of middle: all squares off the edges, or the innermost squares."""
SIDES = ("first", "second")
COUNTED = ("stones", "corners", "open", "middle")
VALUES = ("stones", "first_only", "second_only", "both", "constant")


def _squares(size: int, low: int) -> int:
    """Return the set of squares with a distance of `low` or more from each edge."""
    return sum(1 << size * rank + file for rank in range(low, size - low) for file in range(low, size - low))


CORNERS = tuple(
    0 if size == 0 else 1 | 1 << size - 1 | 1 << size * (size - 1) | 1 << size * size - 1 for size in range(LARGEST + 1)
)
"""The set of the corners for each size of the board."""
MIDDLE = (
    tuple(_squares(size, 1) for size in range(LARGEST + 1)),
    tuple(_squares(size, max(size - 1, 0) // 2) for size in range(LARGEST + 1)),
)
"""The set of the middle squares for each kind of middle and each size of the board."""


class Counts(NamedTuple):
    """A feature set of eight features: four counts of stones and squares for each player."""

    middle: int = OFF_THE_EDGES
    """the kind of middle: OFF_THE_EDGES or CENTRE"""

    def names(feature_set, rules: BritishSquare) -> tuple[str, ...]:
        """Return the names of the features, those of the first player before those of the second."""
        return tuple(f"counts.{side}.{what}" for side in SIDES for what in COUNTED)

    def size(feature_set, rules: BritishSquare) -> int:
        """Return the number of features, 8."""
        return len(SIDES) * len(COUNTED)

    def features(feature_set, rules: BritishSquare, state: Position, index: Ints, value: Floats) -> int:
        """Write the indices and values of all eight features of `state`, and return 8."""
        corners, middle = CORNERS[rules.size], MIDDLE[feature_set.middle][rules.size]
        for side in range(2):
            mine = state.first if side == FIRST else state.second
            place = len(COUNTED) * side
            value[place] = popcount(mine)
            value[place + 1] = popcount(mine & corners)
            value[place + 2] = popcount(open_squares(rules, state, side))
            value[place + 3] = popcount(mine & middle)
        for i in range(len(SIDES) * len(COUNTED)):
            index[i] = i
        return len(SIDES) * len(COUNTED)


class Territory(NamedTuple):
    """A feature set of five features: the difference of stones, three counts of open squares, and a constant."""

    def names(feature_set, rules: BritishSquare) -> tuple[str, ...]:
        """Return the names of the five features."""
        return tuple(f"territory.{what}" for what in VALUES)

    def size(feature_set, rules: BritishSquare) -> int:
        """Return the number of features, 5."""
        return len(VALUES)

    def features(feature_set, rules: BritishSquare, state: Position, index: Ints, value: Floats) -> int:
        """Write the indices and values of all five features of `state`, and return 5."""
        first, second = open_squares(rules, state, FIRST), open_squares(rules, state, SECOND)
        value[0] = popcount(state.first) - popcount(state.second)
        value[1] = popcount(first & ~second)
        value[2] = popcount(second & ~first)
        value[3] = popcount(first & second)
        value[4] = 1.0
        for i in range(len(VALUES)):
            index[i] = i
        return len(VALUES)
