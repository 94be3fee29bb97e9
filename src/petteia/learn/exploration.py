"""Exploration: the choice of a learner's moves during training."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from petteia.core.arrays import Floats
from petteia.core.kernel import inline
from petteia.core.protocol import dispatched, method
from petteia.core.random import RandomState, below, uniform
from petteia.policies.policy import Scratch
from petteia.value_functions.table import best_index


@inline
def largest(values: Floats, count: int) -> float:
    """Return the largest of the first `count` entries of `values`, float64[>= count]."""
    maximum: float = values[0]
    for i in range(1, count):
        maximum = max(maximum, values[i])
    return maximum


class EpsilonGreedy(NamedTuple):
    """Exploration that chooses a random move with probability epsilon, otherwise a move with the largest value."""

    def pick(exploration, values: Floats, count: int, epsilon: float, random: RandomState, work: Scratch) -> int:
        """Return the index of a random move with probability `epsilon`, otherwise of a move with the largest value."""
        if epsilon > 0.0 and uniform(random) < epsilon:
            return below(random, count)
        return best_index(values, count, random)

    def expectation(exploration, values: Floats, count: int, epsilon: float, work: Scratch) -> float:
        """Return the expected value of the move that `pick` chooses."""
        total = 0.0
        for i in range(count):
            total += values[i]
        return (1.0 - epsilon) * largest(values, count) + epsilon * total / count


@inline
def weigh(values: Floats, count: int, temperature: float, weights: Floats) -> float:
    """Write exp((value - largest value) / temperature) into `weights`, and return the sum.

    `values` and `weights` are arrays with at least `count` entries.
    """
    maximum = largest(values, count)
    total = 0.0
    for i in range(count):
        weights[i] = math.exp((values[i] - maximum) / temperature)
        total += weights[i]
    return total


class Softmax(NamedTuple):
    """Exploration that chooses each move with a probability proportional to exp(value / temperature).

    At temperature 0, the exploration chooses a move with the largest value. The distribution of the moves is also named
    after Boltzmann or Gibbs. Source: Sutton and Barto 1998, "Reinforcement learning", section 2.3.
    """

    def pick(exploration, values: Floats, count: int, temperature: float, random: RandomState, work: Scratch) -> int:
        """Return the index of a move that is drawn with the softmax probabilities."""
        if temperature <= 0.0:
            return best_index(values, count, random)
        rest = weigh(values, count, temperature, work.probabilities) * uniform(random)
        place = 0
        while place < count - 1 and rest >= work.probabilities[place]:
            rest -= work.probabilities[place]
            place += 1
        return place

    def expectation(exploration, values: Floats, count: int, temperature: float, work: Scratch) -> float:
        """Return the expected value of the move that `pick` chooses."""
        if temperature <= 0.0:
            return largest(values, count)
        total = weigh(values, count, temperature, work.probabilities)
        mean = 0.0
        for i in range(count):
            mean += values[i] * work.probabilities[i] / total
        return mean


Exploration = EpsilonGreedy | Softmax


def _undefined(exploration: Exploration, *rest: Any) -> Any:
    raise TypeError("the exploration must be EpsilonGreedy or Softmax")


@dispatched(lambda cls: method(cls, "pick") or _undefined)
def pick(
    exploration: Exploration, values: Floats, count: int, parameter: float, random: RandomState, work: Scratch
) -> int:
    """Choose one of the `count` legal moves by this exploration, and return its index.

    The first `count` entries of `values`, float64[>= count], are the values of the moves. `parameter` is epsilon or the
    temperature.
    """
    raise TypeError


@dispatched(lambda cls: method(cls, "expectation") or _undefined)
def expectation(exploration: Exploration, values: Floats, count: int, parameter: float, work: Scratch) -> float:
    """Return the expected value of the move that `pick` chooses among the `count` legal moves.

    The first `count` entries of `values`, float64[>= count], are the values of the moves. Each value is weighted by the
    probability with which `pick` chooses the move.
    """
    raise TypeError
