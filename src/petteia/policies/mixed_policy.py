"""The policy that plays between two others."""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.protocol import Buffer, Rules, State
from petteia.core.random import RandomState, uniform
from petteia.policies.policy import Policy, Scratch, begin, choose, probabilities


class MixedPolicy(NamedTuple):
    """Each move is the first policy's with probability `share`, else the second's."""

    first: Policy
    """the policy that plays this share of the moves"""
    second: Policy
    """the policy that plays the others"""
    share: float
    """probability of a move of the first policy"""

    def begin(policy, rules: Rules, random: RandomState) -> None:
        """Tell both policies that a game begins."""
        begin(policy.first, rules, random)
        begin(policy.second, rules, random)

    def choose(policy, rules: Rules, state: State, random: RandomState, work: Scratch) -> int:
        """A move of one of the two policies."""
        if uniform(random) < policy.share:
            return int(choose(policy.first, rules, state, random, work))
        return int(choose(policy.second, rules, state, random, work))

    def probabilities(policy, rules: Rules, state: State, share: float, out: Buffer, work: Scratch) -> int:
        """Add the probabilities of both policies, each with its share."""
        probabilities(policy.first, rules, state, share * policy.share, out, work)
        return int(probabilities(policy.second, rules, state, share * (1.0 - policy.share), out, work))
