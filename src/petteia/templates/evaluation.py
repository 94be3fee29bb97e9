"""Skeleton: an evaluation for kalah, which estimates the final margin of a position. Searches call it at their leaves.

This is a complete evaluation. Replace the formula with one that uses your knowledge of the game, and see whether a
player with this evaluation plays better:

    petteia check skeleton:value --game kalah
    petteia match kalah greedy:evaluation=skeleton:value,depth=2 random
    petteia match kalah greedy:evaluation=skeleton:value,depth=2 greedy:evaluation=zero,depth=2
    petteia best kalah --player search:evaluation=skeleton:value,depth=4

The function runs both in plain Python and as compiled code, so it may only use numbers, tuples, `if` and loops. If you
call a function of your own, write the line `@inline` above it (from petteia.core.kernel import inline).
"""

from __future__ import annotations

from petteia.core.bits import popcount
from petteia.core.protocol import Rules, State


def value(rules: Rules, state: State) -> float:
    """Estimate the final margin of `state` in points; it is positive if player 0 is ahead, negative if player 1 is.

    The weights in this sum were fitted to the results of random games by least squares.
    """
    return float(
        0.0
        # numbers computed from the fields of the state, each with its weight
        + 0.28 * popcount(state.south)
        - 0.26 * popcount(state.north)
        + 0.89 * state.south_store
        - 0.86 * state.north_store
        - 0.76 * state.side
    )
