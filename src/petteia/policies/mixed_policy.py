"""The policy that chooses between two policies at random."""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.protocol import Buffer, Rules, State
from petteia.core.random import RandomState, uniform
from petteia.policies.policy import Policy, Scratch, begin, choose, probabilities


class MixedPolicy(NamedTuple):
    """A policy that plays by its first policy with probability `share` in each move, and otherwise by its second."""

    first: Policy
    """the policy that plays a move with probability `share`"""
    second: Policy
    """the policy that plays the other moves"""
    share: float
    """probability of a move of the first policy"""

    def begin(policy, rules: Rules, random: RandomState) -> None:
        """Start a game for both policies."""
        begin(policy.first, rules, random)
        begin(policy.second, rules, random)

    def choose(policy, rules: Rules, state: State, random: RandomState, work: Scratch) -> int:
        """Return a move of one of the two policies."""
        if uniform(random) < policy.share:
            return int(choose(policy.first, rules, state, random, work))
        return int(choose(policy.second, rules, state, random, work))

    def probabilities(policy, rules: Rules, state: State, share: float, out: Buffer, work: Scratch) -> int:
        """Add the probabilities of both policies, each multiplied by its share."""
        probabilities(policy.first, rules, state, share * policy.share, out, work)
        return int(probabilities(policy.second, rules, state, share * (1.0 - policy.share), out, work))
