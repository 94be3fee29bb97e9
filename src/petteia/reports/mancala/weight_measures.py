"""The layout of the weights, and measures of learned weights, such as their distance from the published weights.

Arrays of learned weights are float64[..., 40]: the last axis contains the forty weights.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petteia.features.kalah_potentials import BLOCK, POTENTIALS
from petteia.value_functions.report_weights import report_weights

COUNT, PLAYER = len(POTENTIALS), 2 * BLOCK
COLUMNS = {
    "lower-lower": ("Lower side's feature, lower side to move", 0),
    "upper-lower": ("Upper side's feature, lower side to move", COUNT),
    "lower-upper": ("Lower side's feature, upper side to move", BLOCK),
    "upper-upper": ("Upper side's feature, upper side to move", BLOCK + COUNT),
}
"""The four columns of weights, each with its title and the number of its first weight."""
TITLES = ("feature", *(title for title, _ in COLUMNS.values()))
"""The headings of a table with a row for each feature of a side."""
REST = {
    BLOCK - 1: "stores, lower side to move",
    2 * BLOCK - 1: "stores, upper side to move",
    PLAYER: "player",
    PLAYER + 1: "constant",
}
CAPTURES = [POTENTIALS.index(name) for name in ("opposite_empty", "captures", "max_capture_amount")]

Weights = NDArray[np.float64]


def columns(weights: Weights) -> Weights:
    """Return the weights of the 36 features that describe one side as four columns of nine weights, [..., 4, 9].

    The original report shows the weights in the same columns. The first two columns apply when South (the lower side)
    is to move, and the last two columns when North is to move. In each pair of columns, the first column contains the
    weights of South's features, and the second column those of North's features.
    """
    return np.stack([weights[..., start : start + COUNT] for _, start in COLUMNS.values()], axis=-2)


def dominance(weights: Weights) -> Weights:
    """Return the smaller of the two weights of the store difference, divided by the largest absolute other weight.

    The store difference has one weight for each side to move.
    """
    differences = [BLOCK - 1, 2 * BLOCK - 1]
    others = np.delete(np.abs(weights), differences, axis=-1)
    return np.asarray(weights[..., differences].min(axis=-1) / others.max(axis=-1))


def mover_weighs(weights: Weights) -> Weights:
    """Return the sum of the absolute weights of the mover's features, divided by the sum for the opponent's features.

    The mover is the side to move.
    """
    sums = np.abs(columns(weights)).sum(axis=-1)
    return np.asarray((sums[..., 0] + sums[..., 3]) / (sums[..., 1] + sums[..., 2]))


def right_signs(weights: Weights) -> Weights:
    """Return the share of weights that have the expected sign, among the 36 weights of features that describe one side.

    The expected sign is positive for the features of the lower side, and negative for those of the upper side.
    """
    each = columns(weights) * np.array([1.0, -1.0, 1.0, -1.0])[:, None]
    return np.asarray((each > 0).mean(axis=(-2, -1)))


def captures_weigh(weights: Weights) -> Weights:
    """Return the mean absolute weight of the mover's capture features, divided by that of its other features.

    The mover is the side to move. Three of its nine features describe captures.
    """
    movers = np.abs(columns(weights))[..., [0, 3], :]
    others = np.delete(movers, CAPTURES, axis=-1).mean(axis=(-2, -1))
    return np.asarray(movers[..., CAPTURES].mean(axis=(-2, -1)) / others)


def asymmetry(weights: Weights) -> Weights:
    """Measure how much the weights of the mover's features differ between South and North, apart from their sign.

    The mover is the side to move. If the weights are symmetric, each weight of North is the negative of South's weight
    for the same feature. The asymmetry is then 0. The asymmetry is the mean distance between one side's weights and the
    other side's negated weights, divided by the mean absolute value of these weights.
    """
    first, fourth = np.moveaxis(columns(weights)[..., [0, 3], :], -2, 0)
    return np.asarray(np.abs(first + fourth).mean(axis=-1) / ((np.abs(first) + np.abs(fourth)) / 2.0).mean(axis=-1))


def apart(weights: Weights, others: Weights) -> Weights:
    """Return the Euclidean distance between weight vectors, divided by the norm of `others`."""
    return np.asarray(np.linalg.norm(weights - others, axis=-1) / np.linalg.norm(others, axis=-1))


def away(weights: Weights) -> Weights:
    """Return the distance of weights from the published weight vector, divided by the norm of the published vector."""
    return apart(weights, report_weights())


def first_block(weights: Weights) -> Weights:
    """Return the norm of the weights with the lower side to move, divided by the norm with the upper side to move.

    The two norms are those of the 19 weights for each side to move.
    """
    lower, upper = (np.linalg.norm(weights[..., start : start + BLOCK], axis=-1) for start in (0, BLOCK))
    return np.asarray(lower / upper)
