"""Evaluations that are linear functions of features."""

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
"""The number of units per point, unless weights are large. Evaluations are cut off at -512 and 512 points."""
LARGEST_FEATURE = 64.0
"""The largest absolute value of a feature that is assumed in the choice of the number of units."""
NOT_FINITE = (
    "the sum of features times weights is not finite in some position; check that the weights are finite, and check "
    "the features: petteia check FEATURES --game GAME"
)


@inline
def draw_weights(history: Floats, weights: Floats, random: RandomState) -> bool:
    """Copy a random row of `history`, float64[vectors, size], to `weights`, float64[size].

    Each row of `history` is a weight vector. All rows are drawn with the same probability. If `history` has fewer than
    two rows, nothing is copied. Returns whether a row was copied.
    """
    count = len(history)
    if count < 2:
        return False
    drawn = below(random, count)
    for i in range(len(weights)):
        weights[i] = history[drawn, i]
    return True


def units_for(total: float) -> int:
    """Return the number of units of a linear evaluation that equal one point of the final margin.

    `total` is the sum of the absolute weights. By default, a point is worth `UNITS` units. If the weights are large, a
    point is worth fewer units, so that evaluations do not overflow.
    """
    units = UNITS
    if total * units > LARGEST:
        while units > 1 and total * LARGEST_FEATURE * units > LARGEST:
            units //= 2
    return units


class Linear(NamedTuple):
    """A linear evaluation: the sum of the features of a state, each multiplied by its weight."""

    feature_set: FeatureSet
    """the feature set of the weights"""
    weights: Floats
    """the weight of each feature, [size]"""
    history: Floats
    """weight vectors, [vectors, size]; if there are two or more, one is drawn for each game"""
    numbers: Ints
    """scratch space for the numbers of the features of a state, [max_active]"""
    values: Floats
    """scratch space for the values of these features, [max_active]"""
    point: float = 1.0
    """the value of the weighted sum that corresponds to one point of the margin"""
    units: int = UNITS
    """the number of units per point"""

    def evaluate(evaluation, rules: Rules, state: State) -> int:
        """Return the weighted sum of the features in whole units. Raises PetteiaError if the sum is not finite."""
        total = weighted_sum(evaluation, rules, state) / evaluation.point
        amount = total * evaluation.units
        if not -LARGEST <= amount <= LARGEST:
            if not math.isfinite(total):
                raise PetteiaError(NOT_FINITE)
            return LARGEST if total > 0.0 else -LARGEST
        return round(amount)

    def unit(evaluation) -> int:
        """Return the number of evaluation units that equal one point of the final margin."""
        return evaluation.units

    def renew(evaluation, random: RandomState) -> bool:
        """If two or more weight vectors are stored, draw one of them for a new game. Return whether one was drawn."""
        return draw_weights(evaluation.history, evaluation.weights, random)

    def is_drawn(evaluation) -> bool:
        """Return whether the weights of each game are drawn at random from stored weight vectors."""
        return len(evaluation.history) > 1

    def for_thread(evaluation) -> Linear:
        """Return a copy of the evaluation for another thread, with separate scratch arrays.

        The copy of the evaluation shares the array of weights with the original, unless weights are drawn at random for
        each game.
        """
        weights = evaluation.weights.copy() if evaluation.is_drawn() else evaluation.weights
        return evaluation._replace(weights=weights, numbers=evaluation.numbers.copy(), values=evaluation.values.copy())


@inline
def weighted_sum(evaluation: Linear, rules: Rules, state: State) -> float:
    """Return the sum of the features of `state`, each multiplied by its weight."""
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
    """Return a linear evaluation with the given weights.

    Args:
        rules: the rules of the game
        feature_set: the features to which the weights belong
        weights: the weights, float64[size]; they are copied only if `history` has two or more vectors
        history: weight vectors, float64[vectors, size]; if there are two or more, one of them is drawn for each game
        point: the value of the weighted sum that corresponds to one point of the margin
        units: the number of units per point

    Returns:
        The evaluation. If the weights are not copied, changing them changes the evaluation.

    """
    count = size(feature_set, rules)
    drawn = np.zeros((0, count)) if history is None else np.array(history, np.float64)
    own = np.asarray(weights, np.float64) if len(drawn) < 2 else np.array(weights, np.float64)
    active = max_active(feature_set, rules)
    return Linear(feature_set, own, drawn, np.zeros(active, np.int64), np.zeros(active), float(point), units)


class Contribution(NamedTuple):
    """The contribution of a feature to the value of a state."""

    feature: str
    """the name of the feature"""
    value: float
    """the value of the feature in the state"""
    weight: float
    """the weight of the feature"""

    @property
    def contribution(self) -> float:
        """The value of the feature multiplied by its weight."""
        return self.value * self.weight


def contributions(evaluation: Linear, rules: Rules, state: State) -> list[Contribution]:
    """Return the contribution of each nonzero feature of `state` to the value of the state."""
    called = names(evaluation.feature_set, rules)
    active = max_active(evaluation.feature_set, rules)
    index, value = np.zeros(active, np.int64), np.zeros(active)
    count = features(evaluation.feature_set, rules, state, index, value)
    return [
        Contribution(called[i], float(x), float(evaluation.weights[i]))
        for i, x in zip(index[:count], value[:count], strict=True)
        if x != 0.0
    ]
