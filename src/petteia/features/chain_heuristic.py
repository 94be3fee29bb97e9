"""A heuristic for Kalah that makes long chains of extra turns, and else takes what it can.

1. If a move gives an extra turn: the one that begins the longest chain of extra turns; of several the first.
2. Else the move that gains most in the difference of the stores; of several the last. First and last run from the pit
   farthest from the own store to the nearest one, so where nothing can be gained this is the nearest pit with a stone.

It never looks at the reply. A last stone in the own store counts as an extra turn even if it ends the game, so that no
turn follows: from the pit next to the store, say, with nothing left on the own side.

Source: a report of a workshop on reinforcement learning, one of whose baseline players it is.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from petteia.core.kernel import inline, kernel
from petteia.core.protocol import Buffer, is_over, moves, play
from petteia.core.random import RandomState
from petteia.games.kalah import SOUTH, Kalah, Position, pit_of

Work = Any
"""The scratch arrays of a thread: `policies.policy.Scratch`, which stands in a room after this one."""


@inline
def own_row(state: Position) -> int:
    """The pits of the player to move."""
    return state.south if state.side == SOUTH else state.north


@kernel(purpose="chains")
def longest_chain(rules: Kalah, state: Position) -> int:
    """The most extra turns in a row that the player to move can have from `state`; 0 if the game is over."""
    if is_over(rules, state):
        return 0
    longest = 0
    row = own_row(state)
    for pit in range(rules.pits):
        if pit_of(row, pit) > 0:
            after = play(rules, state, pit)
            if after.side == state.side:
                longest = max(longest, 1 + longest_chain(rules, after))
    return longest


@inline
def chain_move(rules: Kalah, state: Position) -> int:
    """The move that the heuristic selects in `state`, which is not over."""
    chosen = 0
    longest = 0
    maximum = 0
    row = own_row(state)
    for pit in range(rules.pits):
        if pit_of(row, pit) > 0:
            after = play(rules, state, pit)
            if after.side == state.side:
                chain = 1 + longest_chain(rules, after)
                if chain > longest:
                    longest = chain
                    chosen = pit
            elif longest == 0:
                # The other player's store stays as it is.
                gain = after.south_store + after.north_store - state.south_store - state.north_store
                if gain >= maximum:
                    maximum = gain
                    chosen = pit
    return chosen


class ChainHeuristic(NamedTuple):
    """The policy that plays by this heuristic."""

    def choose(policy, rules: Kalah, state: Position, random: RandomState, work: Work) -> int:
        """The move that the heuristic selects."""
        return chain_move(rules, state)

    def probabilities(policy, rules: Kalah, state: Position, share: float, out: Buffer, work: Work) -> int:
        """Add the whole share to the move that the heuristic selects; return the number of moves."""
        chosen = chain_move(rules, state)
        count = moves(rules, state, work.moves)
        for i in range(count):
            if work.moves[i] == chosen:
                out[i] += share
        return count
