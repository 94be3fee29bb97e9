"""Skeleton: an update rule, which says what a learner in a table moves its values towards.

This is a complete update rule to start from: between Q-learning (trust=1) and Expected SARSA of random moves (trust=0).
Change it, and see whether it learns faster:

    petteia check skeleton:Skeleton --game hare-and-hounds
    petteia train hare-and-hounds --learner skeleton:Skeleton --games 10000
    petteia train hare-and-hounds --learner skeleton:Skeleton:trust=0.5 --games 10000

In the sweep of an experiment it stands beside ours: learner = ["q", "skeleton:Skeleton"]. The same lines run as plain
Python and compiled, so they work on numbers and tuples, with `if` and loops. A function of your own that the methods
call gets the line `@inline` above it (from petteia.core.kernel import inline).
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.arrays import Floats
from petteia.learn.exploration import largest
from petteia.learn.targets import Learner, Rates, Step
from petteia.policies.policy import Scratch


class Skeleton(NamedTuple):
    """The update rule. Each field is an option, an int or a float; `rule` stands where `self` usually does."""

    trust: float = 0.9
    """how far it trusts itself to find the best move next time"""

    def next_value(rule, learner: Learner, values: Floats, step: Step, rates: Rates, work: Scratch) -> float:
        """What the state that a step has led to is worth to who is to move there.

        `values` holds the learned values of its moves, of which there are `step.next_count`; `step.next_action` is the
        place of the one that is chosen. The value of the move before is moved towards gamma times what this returns.
        """
        total = 0.0
        for i in range(step.next_count):
            total += values[i]
        return rule.trust * largest(values, step.next_count) + (1.0 - rule.trust) * total / step.next_count
