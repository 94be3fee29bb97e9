"""Skeleton: a feature set for kalah, which describes a state by numbers. The learned value is linear in these numbers.

This is a complete feature set. Add features of your own, and see whether they improve learning:

    petteia check skeleton:Skeleton --game kalah
    petteia train kalah --features skeleton:Skeleton --games 5000 --knows-ends --name skeleton
    petteia match kalah theta:agent=runs/skeleton random
    petteia best kalah --player theta:agent=runs/skeleton      # Which features favour which move?

The learned value of a state is the sum of each feature times its weight, from the perspective of player 0. All features
should have values of similar magnitude, between -1 and 1. The methods run both in plain Python and as compiled code, so
they may only use numbers, tuples, `if` and loops. If you call a function of your own, write the line `@inline` above it
(from petteia.core.kernel import inline).
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.arrays import Floats, Ints
from petteia.core.bits import popcount
from petteia.core.protocol import Rules, State, is_over, to_move

NAMES = (
    "constant",
    # the player to move
    "mover",
    # numbers in the fields of the state; for large fields (bitboards), the number of set bits or single bits
    "south_bits",
    "north_bits",
    "south_store",
    "north_store",
    "side",
)
"""the names of the features"""


class Skeleton(NamedTuple):
    """The feature set. Its methods have `feature_set` in place of `self`."""

    def names(feature_set, rules: Rules) -> tuple[str, ...]:
        """The names of the features, in order."""
        return NAMES

    def size(feature_set, rules: Rules) -> int:
        """The number of features."""
        return len(NAMES)

    def features(feature_set, rules: Rules, state: State, index: Ints, value: Floats) -> int:
        """Write the index and the value of each feature to `index` and `value`, and return the number of features."""
        for i in range(len(NAMES)):
            index[i] = i
        value[0] = 1.0
        # 1 for player 0, -1 for player 1, 0 at a chance node or if the game is over
        value[1] = 0.0 if is_over(rules, state) else (1.0, -1.0, 0.0)[to_move(rules, state)]
        # each divided by its maximum in random games
        value[2] = popcount(state.south) / 13
        value[3] = popcount(state.north) / 13
        value[4] = state.south_store / 32
        value[5] = state.north_store / 34
        value[6] = state.side / 1
        return len(NAMES)
