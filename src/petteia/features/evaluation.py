"""Evaluations: estimates of the final margin of non-terminal states, used at the leaves of a search.

An evaluation is an instance of a NamedTuple class with a method `evaluate`. For each class of evaluation, numba
compiles a separate version of the search.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from petteia.core.protocol import Rules, State, dispatched, method
from petteia.core.random import RandomState

Evaluation = Any
"""An evaluation: an instance of a NamedTuple class with a method `evaluate`."""

LARGEST = (1 << 29) - 1
"""The largest absolute value of an evaluation. Larger values are cut off there."""


def _undefined(evaluation: Evaluation, rules: Rules, state: State) -> int:
    raise TypeError("the evaluation does not define the method `evaluate`")


@dispatched(lambda cls: method(cls, "evaluate") or _undefined)
def evaluate(evaluation: Evaluation, rules: Rules, state: State) -> int:
    """Return the estimated final margin of player 0 in a non-terminal state, in evaluation units (see `unit`)."""
    raise TypeError


def _one(evaluation: Evaluation) -> int:
    return 1


@dispatched(lambda cls: method(cls, "unit") or _one)
def unit(evaluation: Evaluation) -> int:
    """Return the number of evaluation units that equal one point of the final margin; 1 by default."""
    raise TypeError


def _unknown(evaluation: Evaluation, rules: Rules) -> int:
    return 0


@dispatched(lambda cls: method(cls, "bound") or _unknown)
def bound(evaluation: Evaluation, rules: Rules) -> int:
    """Return an upper bound on the absolute values of evaluations and final margins, in evaluation units.

    One point of the margin equals `unit(evaluation)` evaluation units. The default result 0 means that the bound is
    unknown. In games with chance nodes, a known bound allows the search to prune at chance nodes (Star1 and Star2). In
    these games, the search clips evaluations to a known bound.
    """
    raise TypeError


def _nothing(evaluation: Evaluation, random: RandomState) -> bool:
    return False


@dispatched(lambda cls: method(cls, "renew") or _nothing)
def renew(evaluation: Evaluation, random: RandomState) -> bool:
    """Draw new weights for a game if the evaluation uses random weights. Return whether new weights were drawn."""
    raise TypeError


class Zero(NamedTuple):
    """An evaluation that is always 0, so that a search only distinguishes the results of finished games."""

    def evaluate(evaluation, rules: Rules, state: State) -> int:
        """Return 0 for every state."""
        return 0
