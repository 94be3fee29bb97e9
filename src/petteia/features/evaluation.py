"""What an evaluation is: a guess at how a game that is not over will end, for search to stop at.

An evaluation is an instance of a NamedTuple class with a method `evaluate`, found by its type as the verbs of a game
are, so that search runs compiled for it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from petteia.core.protocol import Rules, State, dispatched, method
from petteia.core.random import RandomState

Evaluation = Any
"""An evaluation, as described above."""

LARGEST = (1 << 29) - 1
"""evaluations are cut off at this size"""


def _undefined(evaluation: Evaluation, rules: Rules, state: State) -> int:
    raise TypeError("the evaluation does not define evaluate")


@dispatched(lambda cls: method(cls, "evaluate") or _undefined)
def evaluate(evaluation: Evaluation, rules: Rules, state: State) -> int:
    """By how much player 0 seems to be ahead in `state`, which is not over, in units of `1 / unit(evaluation)`."""
    raise TypeError


def _one(evaluation: Evaluation) -> int:
    return 1


@dispatched(lambda cls: method(cls, "unit") or _one)
def unit(evaluation: Evaluation) -> int:
    """How many units of the evaluation make one point of the margin; 1 unless the class defines it."""
    raise TypeError


def _unknown(evaluation: Evaluation, rules: Rules) -> int:
    return 0


@dispatched(lambda cls: method(cls, "bound") or _unknown)
def bound(evaluation: Evaluation, rules: Rules) -> int:
    """What no evaluation and no final margin goes beyond, on either side, in units of `1 / unit(evaluation)`.

    0: not known, as where the class does not define it. Where chance can move, search looks away from what can change
    nothing any more (Star1 and Star2) if it is known, and cuts values off there.
    """
    raise TypeError


def _nothing(evaluation: Evaluation, random: RandomState) -> bool:
    return False


@dispatched(lambda cls: method(cls, "renew") or _nothing)
def renew(evaluation: Evaluation, random: RandomState) -> bool:
    """A game begins: draw what positions are evaluated by in it. Returns whether something was drawn."""
    raise TypeError


class Zero(NamedTuple):
    """Nobody is ahead: search then sees nothing but the ends of games."""

    def evaluate(evaluation, rules: Rules, state: State) -> int:
        """The value 0, for every state."""
        return 0
