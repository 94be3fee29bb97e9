"""Features of Kalah about chains of extra turns.

- `chain.south.longest`, `chain.north.longest`: the most extra turns in a row that the side could have if it were to
  move, divided by the number of pits in a row
- `chain.south.obtainable`, `chain.north.obtainable`: the most stones that the side to move can bring to its store in
  its turn, extra turns and the move that ends them together, divided by the number of all stones; 0 for the other side

A last stone in the own store counts as an extra turn even if it ends the game, so that no turn follows.

There can be many chains. They are followed depth first, from the pit nearest the own store on, because a sowing from
there leaves the others as they are; after `SOWINGS` sowings for each pit of a row the best that was found is taken.
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.arrays import Floats, Ints
from petteia.core.kernel import kernel
from petteia.core.protocol import is_over, play
from petteia.features.chain_heuristic import own_row
from petteia.games.kalah import NORTH, SOUTH, Kalah, Position, pit_of

SOWINGS = 32
"""that are tried at most to find a side's chains, for each pit of a row"""


class Chains(NamedTuple):
    """What the chains of a side can bring it."""

    longest: int
    """extra turns of the longest chain"""
    maximum: int
    """stones that they bring at most"""
    left: int
    """sowings that can still be tried"""


@kernel(purpose="chains")
def chains_from(rules: Kalah, state: Position, left: int) -> Chains:
    """The chains of the player to move, as far as `left` sowings show them."""
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
    """The feature set of four features."""

    def names(feature_set, rules: Kalah) -> tuple[str, ...]:
        """The names of both sides' longest chains, then of what both can obtain."""
        return tuple(f"chain.{side}.{name}" for name in ("longest", "obtainable") for side in ("south", "north"))

    def size(feature_set, rules: Kalah) -> int:
        """The number of features, 4."""
        return 4

    def features(feature_set, rules: Kalah, state: Position, index: Ints, value: Floats) -> int:
        """Write the longest chains, and what the side to move can obtain."""
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
