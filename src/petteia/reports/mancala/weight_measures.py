"""Measures of learned weights, which compare their structure with the weights of the original report.

Arrays of learned weights are float64[..., 40].
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petteia.features.kalah_potentials import BLOCK, POTENTIALS
from petteia.value_functions.report_weights import report_weights

COUNT, PLAYER = len(POTENTIALS), 2 * BLOCK
CAPTURES = [POTENTIALS.index(name) for name in ("opposite_empty", "captures", "max_capture_amount")]

Weights = NDArray[np.float64]


def columns(weights: Weights) -> Weights:
    """Return the weights of the 36 features of single sides as four columns of nine weights, [..., 4, 9].

    The original report prints the weights in the same columns. The first two columns apply with South to move, and the
    last two with North to move. In each pair, the first column contains the weights of South's features, and the second
    those of North's features.
    """
    starts = (0, COUNT, BLOCK, BLOCK + COUNT)
    return np.stack([weights[..., start : start + COUNT] for start in starts], axis=-2)


def dominance(weights: Weights) -> Weights:
    """Return the smaller of the two weights of the store difference, divided by the largest other absolute weight."""
    differences = [BLOCK - 1, 2 * BLOCK - 1]
    others = np.delete(np.abs(weights), differences, axis=-1)
    return np.asarray(weights[..., differences].min(axis=-1) / others.max(axis=-1))


def mover_weighs(weights: Weights) -> Weights:
    """Return the sum of the absolute weights of the mover's features, divided by that of the opponent's features."""
    sums = np.abs(columns(weights)).sum(axis=-1)
    return np.asarray((sums[..., 0] + sums[..., 3]) / (sums[..., 1] + sums[..., 2]))


def right_signs(weights: Weights) -> Weights:
    """Return the share of the 36 feature weights that are positive for the lower or negative for the upper side."""
    each = columns(weights) * np.array([1.0, -1.0, 1.0, -1.0])[:, None]
    return np.asarray((each > 0).mean(axis=(-2, -1)))


def captures_weigh(weights: Weights) -> Weights:
    """Return the mean absolute value of the mover's three capture weights, divided by that of its other six weights."""
    movers = np.abs(columns(weights))[..., [0, 3], :]
    others = np.delete(movers, CAPTURES, axis=-1).mean(axis=(-2, -1))
    return np.asarray(movers[..., CAPTURES].mean(axis=(-2, -1)) / others)


def asymmetry(weights: Weights) -> Weights:
    """Return how far the weights of the side to move are from opposite numbers for South and North.

    The measure is the mean distance between the weights of one side and the negated weights of the other side, divided
    by the mean absolute value of these weights.
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
    """Return the norm of the weights with the lower side to move, divided by the norm with the upper side to move."""
    lower, upper = (np.linalg.norm(weights[..., start : start + BLOCK], axis=-1) for start in (0, BLOCK))
    return np.asarray(lower / upper)
