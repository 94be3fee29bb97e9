"""How the weights of a linear value change: gradient steps, with or without eligibility traces.

With x the features of an afterstate and w the weights, V = w x. A step moves V towards its target G by

    w <- w + alpha (G - V) z

where z is x itself or, with traces, a memory of the afterstates before it that fades by gamma lambda a step:

    accumulating   z <- gamma lambda z + x
    replacing      z <- x where a feature is not zero, else gamma lambda z
    dutch          z <- gamma lambda z + (1 - alpha gamma lambda z x) x, with the true online step of van Seijen and
                   Sutton 2014, "True online TD(lambda)": w <- w + alpha (G - V + V - V') z - alpha (V - V') x, V' being
                   what w said of this afterstate before the last step

Traces are lists of the features that are in them, so a step costs no more than what is in its memory.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from petteia.core.arrays import Bools, Floats, Ints
from petteia.core.kernel import inline
from petteia.policies.afterstates import Afterstates, worth

NONE, ACCUMULATING, REPLACING, DUTCH = 0, 1, 2, 3
TRACES = {"accumulating": ACCUMULATING, "replacing": REPLACING, "dutch": DUTCH}
"""The kinds of traces by name. Numbers and not types: one machine code serves them all."""
NOTHING = -1
"""in the place of a row: no afterstate"""


class Trace(NamedTuple):
    """Which features the steps before had, and how strongly."""

    kind: int
    """NONE or one of TRACES"""
    decay: Floats
    """gamma lambda in the game that is learned from, [1]"""
    strength: Floats
    """how strongly each feature is in the trace, 0 where it is not, [size]"""
    members: Ints
    """the features in the trace, [size]"""
    is_member: Bools
    """whether each feature is in the trace, [size]"""
    length: Ints
    """the number of features in the trace, [1]"""
    old_value: Floats
    """what the weights said, before the last step, of the afterstate that is the next to be learned about, [1]"""


def trace_for(size: int, kind: int) -> Trace:
    """An empty trace of this kind for `size` features."""
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
    """Empty the trace."""
    for i in range(trace.length[0]):
        trace.strength[trace.members[i]] = 0.0
        trace.is_member[trace.members[i]] = False
    trace.length[0] = 0
    trace.old_value[0] = 0.0


@inline
def step_towards(seen: Afterstates, trace: Trace, row: int, target: float, alpha: float, following: int) -> float:
    """Move the value of the afterstate remembered in `row` towards `target`; returns how far off it was.

    `following` is the row of the afterstate after it, NOTHING if there is none.
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
    """Add a feature of the afterstate that is being learned about; `share` is 1 but for dutch traces."""
    if not trace.is_member[feature]:
        trace.is_member[feature] = True
        trace.members[trace.length[0]] = feature
        trace.length[0] += 1
    if trace.kind == REPLACING:
        trace.strength[feature] = value
    else:
        trace.strength[feature] += share * value
