"""Skeleton: a policy, which is a compiled player. It wins if it can, and prefers to move twice in a row.

This is a complete policy. Change its preferences and see what happens:

    petteia check skeleton:Skeleton --game kalah                    # Do plain Python and compiled code agree?
    petteia match kalah skeleton:Skeleton random --games 1000       # Is it better than random moves?
    petteia match kalah skeleton:Skeleton:boldness=0.5 random       # Options follow the name.
    petteia train kalah --opponent skeleton:Skeleton --games 5000   # Learn to beat it.

The move of a policy depends only on the state and on random numbers. A policy plays hundreds of thousands of games per
second, and can be the opponent in a training run. The methods run both in plain Python and as compiled code, so they
may only use numbers, tuples, `if` and loops. Random numbers are drawn from `random` by the functions imported below. If
the methods call a function of your own, write the line `@inline` above it.
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.kernel import inline
from petteia.core.protocol import Buffer, Rules, State, is_over, margin, moves, play, to_move
from petteia.core.random import RandomState, below, uniform
from petteia.policies.policy import Scratch


@inline
def rating(rules: Rules, state: State, side: int) -> int:
    """Rate a move of `side` that leads to `state`: 2 if it wins, -2 if it loses, 1 if `side` moves again, else 0."""
    if is_over(rules, state):
        final = margin(rules, state)  # from the perspective of player 0
        if final == 0:
            return 0
        return 2 if (final > 0) == (side == 0) else -2
    return 1 if to_move(rules, state) == side else 0


class Skeleton(NamedTuple):
    """The policy. Each field is an option, an int or a float. Methods have `policy` in place of `self`."""

    boldness: float = 0.1
    """the probability of a random move"""

    def choose(policy, rules: Rules, state: State, random: RandomState, work: Scratch) -> int:
        """Choose a legal move in `state`. Use the array `work.moves` for legal moves: a method cannot create arrays."""
        side = to_move(rules, state)
        count = moves(rules, state, work.moves)
        if uniform(random) < policy.boldness:
            return int(work.moves[below(random, count)])
        best, ties, chosen = -3, 0, 0
        for i in range(count):
            worth = rating(rules, play(rules, state, int(work.moves[i])), side)
            if worth > best:
                best, ties, chosen = worth, 1, i
            elif worth == best:  # all best moves have the same probability
                ties += 1
                if below(random, ties) == 0:
                    chosen = i
        return int(work.moves[chosen])

    def probabilities(policy, rules: Rules, state: State, share: float, out: Buffer, work: Scratch) -> int:
        """Add `share` times the probability of legal move number `i` to `out[i]`, and return the number of legal moves.

        The legal moves are numbered from 0, in the order in which `moves` lists them.

        This method is optional. If it is defined, the regret of the policy is measured exactly.
        """
        side = to_move(rules, state)
        count = moves(rules, state, work.moves)
        best, ties = -3, 0
        for i in range(count):
            worth = rating(rules, play(rules, state, int(work.moves[i])), side)
            ties = 1 if worth > best else ties + 1 if worth == best else ties
            best = max(best, worth)
        for i in range(count):
            out[i] += share * policy.boldness / count
            if rating(rules, play(rules, state, int(work.moves[i])), side) == best:
                out[i] += share * (1.0 - policy.boldness) / ties
        return count
