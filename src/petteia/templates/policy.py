"""Skeleton: a policy, which is a player that runs compiled. It wins when it can, and likes to move twice in a row.

This is a complete policy to start from. Change what it likes and look at what happens:

    petteia check skeleton:Skeleton --game kalah                    is it the same, plain and compiled?
    petteia match kalah skeleton:Skeleton random --games 1000       is it better than chance?
    petteia match kalah skeleton:Skeleton:boldness=0.5 random       an option goes behind the name
    petteia train kalah --opponent skeleton:Skeleton --games 5000   learn to beat it

A policy is a rule of thumb: what it plays depends on the state alone. It plays hundreds of thousands of games a second,
and can be trained against. The same lines run as plain Python and compiled, so they work on numbers and tuples, with
`if` and loops, and all that is random is drawn from `random`, by the functions imported below. A function of your own
that the methods call has the line `@inline` above it.
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.kernel import inline
from petteia.core.protocol import Buffer, Rules, State, is_over, margin, moves, play, to_move
from petteia.core.random import RandomState, below, uniform
from petteia.policies.policy import Scratch


@inline
def rating(rules: Rules, state: State, side: int) -> int:
    """What a move of `side` that leads to `state` is worth: 2 if it wins, -2 if it loses, 1 if `side` moves again."""
    if is_over(rules, state):
        final = margin(rules, state)  # player 0's
        if final == 0:
            return 0
        return 2 if (final > 0) == (side == 0) else -2
    return 1 if to_move(rules, state) == side else 0


class Skeleton(NamedTuple):
    """The policy. Each field is an option, an int or a float; `policy` stands where `self` usually does."""

    boldness: float = 0.1
    """how often it plays any move"""

    def choose(policy, rules: Rules, state: State, random: RandomState, work: Scratch) -> int:
        """A legal move in `state`. `work.moves` is an array to list moves in; no other can be made here."""
        side = to_move(rules, state)
        count = moves(rules, state, work.moves)
        if uniform(random) < policy.boldness:
            return int(work.moves[below(random, count)])
        best, ties, chosen = -3, 0, 0
        for i in range(count):
            worth = rating(rules, play(rules, state, int(work.moves[i])), side)
            if worth > best:
                best, ties, chosen = worth, 1, i
            elif worth == best:  # the third of three equal moves takes the place of the first two in one case of three
                ties += 1
                if below(random, ties) == 0:
                    chosen = i
        return int(work.moves[chosen])

    def probabilities(policy, rules: Rules, state: State, share: float, out: Buffer, work: Scratch) -> int:
        """Add `share` times the probability of each move to `out`, in the order of the moves; return their number.

        A policy can do without this method. With it, the regret of the policy is measured exactly.
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
