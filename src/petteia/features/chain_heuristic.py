"""A heuristic for Kalah that makes long chains of extra turns, and otherwise gains as many stones as it can.

1. If a move gives an extra turn, the policy chooses the move with the longest chain of extra turns. Among equal moves,
   it chooses the first.
2. Otherwise it chooses the move with the largest gain in the difference of the stores. Among equal moves, it chooses
   the last.

The moves are ordered from the pit farthest from the player's store to the pit nearest to it. So if no move gains
stones, the policy chooses the nonempty pit nearest to the store. The policy ignores the opponent's reply. A last stone
in the player's store counts as an extra turn even if it ends the game.

Source: a workshop report on reinforcement learning, which uses the heuristic as a baseline player.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from petteia.core.kernel import inline, kernel
from petteia.core.protocol import Buffer, is_over, moves, play
from petteia.core.random import RandomState
from petteia.games.kalah import SOUTH, Kalah, Position, pit_of

Work = Any
"""The scratch arrays of a thread: `policies.policy.Scratch`, which this package cannot import."""


@inline
def own_row(state: Position) -> int:
    """Return the row of the player to move as an integer with one byte per pit."""
    return state.south if state.side == SOUTH else state.north


@kernel(purpose="chains")
def longest_chain(rules: Kalah, state: Position) -> int:
    """Return the largest number of consecutive extra turns of the player to move; 0 if the game is over."""
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
    """Return the move that the heuristic selects in a non-terminal state."""
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
    """A policy for Kalah that makes long chains of extra turns, and otherwise gains as many stones as it can."""

    def choose(policy, rules: Kalah, state: Position, random: RandomState, work: Work) -> int:
        """Return the move that the heuristic selects."""
        return chain_move(rules, state)

    def probabilities(policy, rules: Kalah, state: Position, share: float, out: Buffer, work: Work) -> int:
        """Add `share` to the probability of the selected move in `out`, and return the number of legal moves."""
        chosen = chain_move(rules, state)
        count = moves(rules, state, work.moves)
        for i in range(count):
            if work.moves[i] == chosen:
                out[i] += share
        return count
