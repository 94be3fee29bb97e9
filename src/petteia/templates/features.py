"""Skeleton: a feature set for kalah, numbers that describe a state. A value is learned that is linear in them.

This is a complete feature set to start from. Add what you would look at, and see whether it helps to learn:

    petteia check skeleton:Skeleton --game kalah
    petteia train kalah --features skeleton:Skeleton --games 5000 --knows-ends --name skeleton
    petteia match kalah theta:agent=runs/skeleton random
    petteia best kalah --player theta:agent=runs/skeleton      which feature spoke for which move?

The learned value of a state is the sum of each feature times its weight, as player 0 sees it. All features should be of
about the same size, -1 to 1. The same lines run as plain Python and compiled, so they work on numbers and tuples, with
`if` and loops. A function of your own that the methods call gets the line `@inline` above it (from petteia.core.kernel
import inline).
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.arrays import Floats, Ints
from petteia.core.bits import popcount
from petteia.core.protocol import Rules, State, is_over, to_move

NAMES = (
    "constant",
    # who is to move
    "mover",
    # numbers of a state, or how many bits are set of what holds many numbers in one
    "south_bits",
    "north_bits",
    "south_store",
    "north_store",
    "side",
)
"""What the features are called."""


class Skeleton(NamedTuple):
    """The feature set. `feature_set` stands where `self` usually does."""

    def names(feature_set, rules: Rules) -> tuple[str, ...]:
        """What they are called, in their order."""
        return NAMES

    def size(feature_set, rules: Rules) -> int:
        """The number of features."""
        return len(NAMES)

    def features(feature_set, rules: Rules, state: State, index: Ints, value: Floats) -> int:
        """Write the numbers of the features into `index` and their values into `value`; return how many these are."""
        for i in range(len(NAMES)):
            index[i] = i
        value[0] = 1.0
        # 1 for player 0, -1 for player 1, 0 where chance moves or the game is over
        value[1] = 0.0 if is_over(rules, state) else (1.0, -1.0, 0.0)[to_move(rules, state)]
        # each divided by the most that was seen of it
        value[2] = popcount(state.south) / 13
        value[3] = popcount(state.north) / 13
        value[4] = state.south_store / 32
        value[5] = state.north_store / 34
        value[6] = state.side / 1
        return len(NAMES)
