"""Skeleton: an update rule, which computes the target value for each update of a table learner.

This is a complete update rule. With the option trust=1, it is Q-learning. With trust=0, it is Expected SARSA for a
random policy. Change the rule, and see whether a learner with this rule learns faster:

    petteia check skeleton:Skeleton --game hare-and-hounds
    petteia train hare-and-hounds --learner skeleton:Skeleton --games 10000
    petteia train hare-and-hounds --learner skeleton:Skeleton:trust=0.5 --games 10000

The sweep of an experiment can compare this rule with other rules: learner = ["q", "skeleton:Skeleton"]. The methods run
both in plain Python and as compiled code, so they may only use numbers, tuples, `if` and loops. If the methods call a
function of your own, write the line `@inline` above it (from petteia.core.kernel import inline).
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.arrays import Floats
from petteia.learn.exploration import largest
from petteia.learn.targets import Learner, Rates, Step
from petteia.policies.policy import Scratch


class Skeleton(NamedTuple):
    """The update rule. Each field is an option, an int or a float. Methods have `rule` in place of `self`."""

    trust: float = 0.9
    """the weight of the best next move's value; the mean value of all next moves has the weight 1 - trust"""

    def next_value(rule, learner: Learner, values: Floats, step: Step, rates: Rates, work: Scratch) -> float:
        """Estimate the value of the next state, from the perspective of the player to move in that state.

        `values` contains the learned values of the `step.next_count` moves in the state after the step.
        `step.next_action` is the index of the move chosen in that state. The target of the step is gamma times the
        returned value.
        """
        total = 0.0
        for i in range(step.next_count):
            total += values[i]
        return rule.trust * largest(values, step.next_count) + (1.0 - rule.trust) * total / step.next_count
