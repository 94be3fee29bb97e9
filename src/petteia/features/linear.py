"""Evaluations that are linear in features."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from petteia.core.arrays import Floats, Ints
from petteia.core.errors import PetteiaError
from petteia.core.kernel import inline
from petteia.core.protocol import Rules, State
from petteia.core.random import RandomState, below
from petteia.features.evaluation import LARGEST
from petteia.features.feature_set import FeatureSet, features, max_active, names, size

UNITS = 1 << 20
"""in a point, unless weights are large: so evaluations reach from -512 to 512, and what is beyond counts as that"""
LARGEST_FEATURE = 64.0
"""what features that count are not expected to exceed"""
NOT_FINITE = (
    "features times weights add up to no finite number in some position; check that the weights are finite, and the "
    "features: petteia check FEATURES --game GAME"
)


@inline
def draw_weights(history: Floats, weights: Floats, random: RandomState) -> bool:
    """Copy a row of `history`, float64[vectors, size], to `weights`, float64[size]; of fewer than two, none.

    Each row is equally likely. Returns whether one was drawn.
    """
    count = len(history)
    if count < 2:
        return False
    drawn = below(random, count)
    for i in range(len(weights)):
        weights[i] = history[drawn, i]
    return True


def units_for(total: float) -> int:
    """The number of units in a point for weights whose sizes add up to `total`: less than UNITS if these are large."""
    units = UNITS
    if total * units > LARGEST:
        while units > 1 and total * LARGEST_FEATURE * units > LARGEST:
            units //= 2
    return units


class Linear(NamedTuple):
    """The sum of a state's features, each times its weight."""

    feature_set: FeatureSet
    """the features that the weights belong to"""
    weights: Floats
    """the weight of each feature, [size]"""
    history: Floats
    """what the weights are drawn from when a game begins, [vectors, size]; with fewer than two they stay"""
    numbers: Ints
    """scratch: the numbers of the features of a state, [max_active]"""
    values: Floats
    """scratch: the values of these features, [max_active]"""
    point: float = 1.0
    """what a point of the margin is worth in the sum"""
    units: int = UNITS
    """units in a point"""

    def evaluate(evaluation, rules: Rules, state: State) -> int:
        """The sum in points, in whole units; PetteiaError if it is not a finite number."""
        total = weighted_sum(evaluation, rules, state) / evaluation.point
        amount = total * evaluation.units
        if not -LARGEST <= amount <= LARGEST:
            if not math.isfinite(total):
                raise PetteiaError(NOT_FINITE)
            return LARGEST if total > 0.0 else -LARGEST
        return round(amount)

    def unit(evaluation) -> int:
        """The number of units in a point."""
        return evaluation.units

    def renew(evaluation, random: RandomState) -> bool:
        """Draw the weights, each vector of the history equally likely."""
        return draw_weights(evaluation.history, evaluation.weights, random)

    def is_drawn(evaluation) -> bool:
        """Whether the weights are drawn for each game."""
        return len(evaluation.history) > 1

    def for_thread(evaluation) -> Linear:
        """The same evaluation with scratch arrays of its own, and weights of its own if they are drawn."""
        weights = evaluation.weights.copy() if evaluation.is_drawn() else evaluation.weights
        return evaluation._replace(weights=weights, numbers=evaluation.numbers.copy(), values=evaluation.values.copy())


@inline
def weighted_sum(evaluation: Linear, rules: Rules, state: State) -> float:
    """The sum of the features of `state`, each times its weight."""
    count = features(evaluation.feature_set, rules, state, evaluation.numbers, evaluation.values)
    total = 0.0
    for i in range(count):
        total += evaluation.weights[evaluation.numbers[i]] * evaluation.values[i]
    return total


def linear(
    rules: Rules,
    feature_set: FeatureSet,
    weights: Floats,
    history: Floats | None = None,
    *,
    point: float = 1.0,
    units: int = UNITS,
) -> Linear:
    """The evaluation with these weights, float64[size], or in each game with one of `history`, float64[vectors, size].

    `point`: what a point of the margin is worth in sums of these weights. Where nothing is drawn `weights` are not
    copied: who changes them changes the evaluation.
    """
    count = size(feature_set, rules)
    drawn = np.zeros((0, count)) if history is None else np.array(history, np.float64)
    own = np.asarray(weights, np.float64) if len(drawn) < 2 else np.array(weights, np.float64)
    active = max_active(feature_set, rules)
    return Linear(feature_set, own, drawn, np.zeros(active, np.int64), np.zeros(active), float(point), units)


class Contribution(NamedTuple):
    """What a feature adds to the value of a state."""

    feature: str
    """the name of the feature"""
    value: float
    """the value of the feature in the state"""
    weight: float
    """the weight of the feature"""

    @property
    def contribution(self) -> float:
        """The product of value and weight."""
        return self.value * self.weight


def contributions(evaluation: Linear, rules: Rules, state: State) -> list[Contribution]:
    """The features of `state` that are not zero, with their weights."""
    called = names(evaluation.feature_set, rules)
    active = max_active(evaluation.feature_set, rules)
    index, value = np.zeros(active, np.int64), np.zeros(active)
    count = features(evaluation.feature_set, rules, state, index, value)
    return [
        Contribution(called[i], float(x), float(evaluation.weights[i]))
        for i, x in zip(index[:count], value[:count], strict=True)
        if x != 0.0
    ]
