"""Features of Hare and Hounds: the squares on which the pieces stand.

- `squares.hounds_to_move.hound.0` ... `squares.hare_to_move.hare.10`: 1 if the side before `_to_move` in the name is to
  move, and the named piece is on the square with this number. Otherwise the feature is 0. A linear evaluation therefore
  has a weight for each square, separately for each type of piece and each side to move.
- `squares.constant`: always 1
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.arrays import Floats, Ints
from petteia.core.bits import trailing_zeros
from petteia.games.hare_and_hounds import SQUARES, HareAndHounds, Position

TABLES = tuple((side, piece) for side in ("hounds", "hare") for piece in ("hound", "hare"))


class SquareFeatures(NamedTuple):
    """A feature set of 45 features: the squares of the pieces, separately for each side to move, and a constant."""

    def names(feature_set, rules: HareAndHounds) -> tuple[str, ...]:
        """Return the names of the features, such as `squares.hounds_to_move.hound.3`."""
        tables = [f"squares.{side}_to_move.{piece}.{square}" for side, piece in TABLES for square in range(SQUARES)]
        return (*tables, "squares.constant")

    def size(feature_set, rules: HareAndHounds) -> int:
        """Return the number of features, 45."""
        return len(TABLES) * SQUARES + 1

    def features(feature_set, rules: HareAndHounds, state: Position, index: Ints, value: Floats) -> int:
        """Write the features of the four pieces' squares and the constant feature, and return their number, 5."""
        place = 2 * SQUARES * state.side
        count = 0
        hounds = state.hounds
        while hounds:
            index[count] = place + trailing_zeros(hounds)
            count += 1
            hounds &= hounds - 1
        index[count] = place + SQUARES + state.hare
        index[count + 1] = len(TABLES) * SQUARES
        count += 2
        for i in range(count):
            value[i] = 1.0
        return count
