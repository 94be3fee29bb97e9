"""Features of British Square that count stones and squares.

- `Counts`: `counts.first.stones` ... `counts.second.middle`: of each player the stones, those in corners, the squares
  on which it may place one, and the stones in the middle. The middle are the squares off the edges, or, as
  `Counts(CENTRE)`, the innermost one or four. These are the eight features of a term project on learning for this
  game, as they are and not scaled; it does not say what it takes for the middle.
- `Territory`: `territory.stones` ... `territory.constant`: the first player's stones less the second's, the squares on
  which only the first may place one, those of the second alone, those of both, and a constant. Who has squares of its
  own places stones there whenever it likes, so they are worth nearly a stone each; of what both may still take, each
  gets about a half, and who moves the larger one, which `territory*turn` can tell.
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.arrays import Floats, Ints
from petteia.core.bits import popcount
from petteia.games.british_square import FIRST, LARGEST, SECOND, BritishSquare, Position, open_squares

OFF_THE_EDGES, CENTRE = 0, 1
"""What the middle is."""
SIDES = ("first", "second")
COUNTED = ("stones", "corners", "open", "middle")
VALUES = ("stones", "first_only", "second_only", "both", "constant")


def _squares(size: int, low: int) -> int:
    """The set of the squares of a board that are `low` or more from each edge."""
    return sum(1 << size * rank + file for rank in range(low, size - low) for file in range(low, size - low))


CORNERS = tuple(
    0 if size == 0 else 1 | 1 << size - 1 | 1 << size * (size - 1) | 1 << size * size - 1 for size in range(LARGEST + 1)
)
"""For each size the set of the corners."""
MIDDLE = (
    tuple(_squares(size, 1) for size in range(LARGEST + 1)),
    tuple(_squares(size, max(size - 1, 0) // 2) for size in range(LARGEST + 1)),
)
"""For each meaning of the middle and each size its set."""


class Counts(NamedTuple):
    """The feature set of eight counts, four of each player."""

    middle: int = OFF_THE_EDGES
    """what the middle is: OFF_THE_EDGES or CENTRE"""

    def names(feature_set, rules: BritishSquare) -> tuple[str, ...]:
        """The names, the first player's before the second's."""
        return tuple(f"counts.{side}.{what}" for side in SIDES for what in COUNTED)

    def size(feature_set, rules: BritishSquare) -> int:
        """The number of features, 8."""
        return len(SIDES) * len(COUNTED)

    def features(feature_set, rules: BritishSquare, state: Position, index: Ints, value: Floats) -> int:
        """Write all features."""
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
    """The feature set of stones, and of the squares that are left to each player."""

    def names(feature_set, rules: BritishSquare) -> tuple[str, ...]:
        """The names of the five."""
        return tuple(f"territory.{what}" for what in VALUES)

    def size(feature_set, rules: BritishSquare) -> int:
        """The number of features, 5."""
        return len(VALUES)

    def features(feature_set, rules: BritishSquare, state: Position, index: Ints, value: Floats) -> int:
        """Write all features."""
        first, second = open_squares(rules, state, FIRST), open_squares(rules, state, SECOND)
        value[0] = popcount(state.first) - popcount(state.second)
        value[1] = popcount(first & ~second)
        value[2] = popcount(second & ~first)
        value[3] = popcount(first & second)
        value[4] = 1.0
        for i in range(len(VALUES)):
            index[i] = i
        return len(VALUES)
