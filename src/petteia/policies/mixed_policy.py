"""The policy that chooses between two policies at random."""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.protocol import Buffer, Rules, State
from petteia.core.random import RandomState, uniform
from petteia.policies.policy import Policy, Scratch, begin, choose, probabilities


class MixedPolicy(NamedTuple):
    """A policy that plays its first policy's move with probability `share`, and otherwise its second policy's move."""

    first: Policy
    """the policy that chooses the move with the probability `share`"""
    second: Policy
    """the policy that chooses all other moves"""
    share: float
    """the probability of a move of the first policy, 0..1"""

    def begin(policy, rules: Rules, random: RandomState) -> None:
        """Begin a game for both policies."""
        begin(policy.first, rules, random)
        begin(policy.second, rules, random)

    def choose(policy, rules: Rules, state: State, random: RandomState, work: Scratch) -> int:
        """Draw one of the two policies at random, and return its move."""
        if uniform(random) < policy.share:
            return int(choose(policy.first, rules, state, random, work))
        return int(choose(policy.second, rules, state, random, work))

    def probabilities(policy, rules: Rules, state: State, share: float, out: Buffer, work: Scratch) -> int:
        """Add `share` times the probability of each legal move to `out`, and return the number of legal moves."""
        probabilities(policy.first, rules, state, share * policy.share, out, work)
        return int(probabilities(policy.second, rules, state, share * (1.0 - policy.share), out, work))
