"""Features of Kalah for chains of extra turns.

- `chain.south.longest`, `chain.north.longest`: the largest number of consecutive extra turns that the side could take
  if it were to move, divided by the number of pits in a row of the board
- `chain.south.obtainable`, `chain.north.obtainable`: the largest number of stones that the side to move can bring to
  its store, including extra turns. The number is divided by the number of all stones. The feature of the other side is
  0.

A sowing whose last stone reaches the player's store counts as an extra turn even if the sowing ends the game.

The chains are found by a depth-first search. The search starts with the pit nearest to the store, because a sowing from
this pit does not change the other pits of the row. The search is limited to `SOWINGS` sowings per pit of a row, because
there can be many chains. If the search reaches the limit, the features contain the best result found so far.
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.arrays import Floats, Ints
from petteia.core.kernel import kernel
from petteia.core.protocol import is_over, play
from petteia.features.chain_heuristic import own_row
from petteia.games.kalah import NORTH, SOUTH, Kalah, Position, pit_of

SOWINGS = 32
"""The maximum number of sowings in the search for the chains of a side, per pit of a row."""


class Chains(NamedTuple):
    """The chains of extra turns that a search has found: the longest chain, and the largest gain of stones."""

    longest: int
    """the number of extra turns in the longest chain"""
    maximum: int
    """the largest number of stones that a chain brings to the store"""
    left: int
    """the number of sowings that the search may still make"""


@kernel(purpose="chains")
def chains_from(rules: Kalah, state: Position, left: int) -> Chains:
    """Find the best chains of extra turns of the player to move, by a search of at most `left` sowings."""
    longest = maximum = 0
    if is_over(rules, state):
        return Chains(longest, maximum, left)
    row = own_row(state)
    for place in range(rules.pits):
        pit = rules.pits - 1 - place
        if left > 0 and pit_of(row, pit) > 0:
            after = play(rules, state, pit)
            left -= 1
            # The other player's store stays as it is.
            gain = after.south_store + after.north_store - state.south_store - state.north_store
            if after.side == state.side:
                then = chains_from(rules, after, left)
                left = then.left
                longest = max(longest, 1 + then.longest)
                gain += then.maximum
            maximum = max(maximum, gain)
    return Chains(longest, maximum, left)


class ChainFeatures(NamedTuple):
    """A feature set of Kalah with four features that describe the chains of extra turns of both sides."""

    def names(feature_set, rules: Kalah) -> tuple[str, ...]:
        """Return the names of the four features, such as `chain.south.longest` and `chain.north.obtainable`."""
        return tuple(f"chain.{side}.{name}" for name in ("longest", "obtainable") for side in ("south", "north"))

    def size(feature_set, rules: Kalah) -> int:
        """Return the number of features, 4."""
        return 4

    def features(feature_set, rules: Kalah, state: Position, index: Ints, value: Floats) -> int:
        """Write the longest chains of both sides, and the stones that the side to move can bring to its store."""
        left = SOWINGS * rules.pits
        south = chains_from(
            rules, Position(state.south, state.north, state.south_store, state.north_store, SOUTH), left
        )
        north = chains_from(
            rules, Position(state.south, state.north, state.south_store, state.north_store, NORTH), left
        )
        index[0] = 0
        value[0] = south.longest / rules.pits
        index[1] = 1
        value[1] = north.longest / rules.pits
        index[2] = 2 + state.side
        value[2] = (south.maximum if state.side == SOUTH else north.maximum) / (2 * rules.pits * rules.seeds)
        return 3
