"""Skeleton: an evaluation for kalah, which says who is ahead in a game that is not over. Search stops at such guesses.

This is a complete evaluation to start from. Change it into what you know of the game, and see whether it plays better:

    petteia check skeleton:value --game kalah
    petteia match kalah greedy:evaluation=skeleton:value,depth=2 random
    petteia match kalah greedy:evaluation=skeleton:value,depth=2 greedy:evaluation=zero,depth=2
    petteia best kalah --player search:evaluation=skeleton:value,depth=4

The same lines run as plain Python and compiled, so they work on numbers and tuples, with `if` and loops. A function of
your own that is called here gets the line `@inline` above it (from petteia.core.kernel import inline).
"""

from __future__ import annotations

from petteia.core.bits import popcount
from petteia.core.protocol import Rules, State


def value(rules: Rules, state: State) -> float:
    """By how much player 0 seems to be ahead in `state`, in points of the final margin; below 0: player 1 is.

    These weights are those with which the numbers of a state foretell best (by least squares) how random games end.
    """
    return float(
        0.0
        # what was seen of a state, each with its weight
        + 0.28 * popcount(state.south)
        - 0.26 * popcount(state.north)
        + 0.89 * state.south_store
        - 0.86 * state.north_store
        - 0.76 * state.side
    )
