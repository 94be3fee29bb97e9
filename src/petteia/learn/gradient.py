"""Gradient descent steps on the weights of a linear value function, with or without eligibility traces.

Let x be the features of an afterstate, w the weights and V = w x the value. A step moves V towards its target G by
`w <- w + alpha (G - V) z`. Without traces, the trace z is x itself. With traces, z also contains earlier afterstates,
which decay by gamma lambda per step. There are three kinds of traces:

    accumulating   z <- gamma lambda z + x
    replacing      z <- x where a feature is not zero, else gamma lambda z
    dutch          z <- gamma lambda z + (1 - alpha gamma lambda z x) x, with the true online step of van Seijen and
                   Sutton 2014, "True online TD(lambda)": w <- w + alpha (G - V + V - V') z - alpha (V - V') x, where V'
                   is the value of this afterstate before the last step

A trace stores only the features with a nonzero entry in z. The computation time of a step is proportional to the number
of these features.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from petteia.core.arrays import Bools, Floats, Ints
from petteia.core.kernel import inline
from petteia.policies.afterstates import Afterstates, worth

NONE, ACCUMULATING, REPLACING, DUTCH = 0, 1, 2, 3
TRACES = {"accumulating": ACCUMULATING, "replacing": REPLACING, "dutch": DUTCH}
"""The kinds of traces by name. They are numbers, not types, so that one compiled function serves all kinds."""
NOTHING = -1
"""The row number that means that there is no next afterstate."""


class Trace(NamedTuple):
    """An eligibility trace: a decaying memory of the features of earlier afterstates."""

    kind: int
    """the kind of trace: NONE, or one of the values of TRACES"""
    decay: Floats
    """the product of gamma and lambda in the current game, [1]"""
    strength: Floats
    """strength of each feature, 0 if it is not in the trace, [size]"""
    members: Ints
    """the features in the trace, [size]"""
    is_member: Bools
    """whether each feature is in the trace, [size]"""
    length: Ints
    """the number of features in the trace, [1]"""
    old_value: Floats
    """the value of the next afterstate with the weights before the last step, [1]"""


def trace_for(size: int, kind: int) -> Trace:
    """Return an empty eligibility trace of the kind `kind` for `size` features."""
    return Trace(
        kind=kind,
        decay=np.zeros(1),
        strength=np.zeros(size),
        members=np.zeros(size, np.int64),
        is_member=np.zeros(size, np.bool_),
        length=np.zeros(1, np.int64),
        old_value=np.zeros(1),
    )


@inline
def forget(trace: Trace) -> None:
    """Remove all features from the trace."""
    for i in range(trace.length[0]):
        trace.strength[trace.members[i]] = 0.0
        trace.is_member[trace.members[i]] = False
    trace.length[0] = 0
    trace.old_value[0] = 0.0


@inline
def step_towards(seen: Afterstates, trace: Trace, row: int, target: float, alpha: float, following: int) -> float:
    """Update the weights so that the value of an afterstate moves towards `target`. Return the error before the update.

    `row` is the row of the afterstate in the arrays of `seen`. `following` is the row of the next afterstate. If there
    is no next afterstate, `following` is NOTHING.
    """
    numbers = seen.numbers[row]
    values = seen.values[row]
    value = worth(seen, row)
    error = target - value
    if trace.kind == NONE:
        for i in range(seen.counts[row]):
            seen.weights[numbers[i]] += alpha * error * values[i]
        return error
    overlap = 0.0
    if trace.kind == DUTCH:
        for i in range(seen.counts[row]):
            overlap += trace.strength[numbers[i]] * values[i]
    for i in range(trace.length[0]):
        trace.strength[trace.members[i]] *= trace.decay[0]
    for i in range(seen.counts[row]):
        if values[i] != 0.0:
            enter(trace, int(numbers[i]), float(values[i]), 1.0 - alpha * trace.decay[0] * overlap)
    correction = 0.0
    if trace.kind == DUTCH:
        correction = value - trace.old_value[0]
        trace.old_value[0] = worth(seen, following) if following != NOTHING else 0.0
    for i in range(trace.length[0]):
        member = trace.members[i]
        seen.weights[member] += alpha * (error + correction) * trace.strength[member]
    if trace.kind == DUTCH:
        for i in range(seen.counts[row]):
            seen.weights[numbers[i]] -= alpha * correction * values[i]
    return error


@inline
def enter(trace: Trace, feature: int, value: float, share: float) -> None:
    """Add a feature of the current afterstate to the eligibility trace.

    In a replacing trace, the entry of the feature is set to `value`. In other traces, it increases by `share` times
    `value`.
    """
    if not trace.is_member[feature]:
        trace.is_member[feature] = True
        trace.members[trace.length[0]] = feature
        trace.length[0] += 1
    if trace.kind == REPLACING:
        trace.strength[feature] = value
    else:
        trace.strength[feature] += share * value
