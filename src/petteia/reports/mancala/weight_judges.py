"""How learned weights must look to be of the kind that the report has: ratios of each training, over the seeds."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

import numpy as np
from numpy.typing import NDArray

from petteia.arena.statistics import Interval
from petteia.features.kalah_potentials import BLOCK, POTENTIALS
from petteia.features.report_weights import report_weights
from petteia.reports.mancala.evidence import OWN, READINGS, Evidence, over_seeds
from petteia.reports.mancala.words import READING_WORDS, spread
from petteia.reports.verdicts import Answer, Finding, above, below

COUNT = len(POTENTIALS)
DIFFERENCES = (BLOCK - 1, 2 * BLOCK - 1)
PLAYER = 2 * BLOCK
CAPTURES = tuple(POTENTIALS.index(name) for name in ("opposite_empty", "captures", "max_capture_amount"))
RIGHT_SIGNS, LIKENESS = 0.75, 0.5

Weights = NDArray[np.float64]


def columns(weights: Weights) -> Weights:
    """The four columns of the report, [..., 4, 9]: south's and north's potentials, south to move, then north."""
    starts = (0, COUNT, BLOCK, BLOCK + COUNT)
    return np.stack([weights[..., start : start + COUNT] for start in starts], axis=-2)


def dominance(weights: Weights) -> Weights:
    """The smaller weight of a store difference, in units of the largest of all others."""
    others = np.delete(np.abs(weights), DIFFERENCES, axis=-1)
    found: Weights = weights[..., list(DIFFERENCES)].min(axis=-1) / others.max(axis=-1)
    return found


def mover_weighs(weights: Weights) -> Weights:
    """What the potentials of the side to move weigh, in units of those of the other side."""
    sums = np.abs(columns(weights)).sum(axis=-1)
    found: Weights = (sums[..., 0] + sums[..., 3]) / (sums[..., 1] + sums[..., 2])
    return found


def right_signs(weights: Weights) -> Weights:
    """The share of the 36 potentials whose weight is positive for the lower side, or negative for the upper."""
    each = columns(weights) * np.array([1.0, -1.0, 1.0, -1.0])[:, None]
    found: Weights = (each > 0).mean(axis=(-2, -1))
    return found


def captures_weigh(weights: Weights) -> Weights:
    """The mean weight of the three capture features of the side to move, in units of that of its other six."""
    movers = np.abs(columns(weights))[..., [0, 3], :]
    others = np.delete(movers, CAPTURES, axis=-1).mean(axis=(-2, -1))
    found: Weights = movers[..., list(CAPTURES)].mean(axis=(-2, -1)) / others
    return found


def asymmetry(weights: Weights) -> Weights:
    """How far the first column is from the fourth with its signs turned, in units of their mean size."""
    four = columns(weights)
    first, fourth = four[..., 0, :], four[..., 3, :]
    found: Weights = np.abs(first + fourth).mean(axis=-1) / ((np.abs(first) + np.abs(fourth)) / 2.0).mean(axis=-1)
    return found


def away(weights: Weights) -> Weights:
    """How far vectors are from the report's, in units of its length."""
    theirs = report_weights()
    found: Weights = np.linalg.norm(weights - theirs, axis=-1) / np.linalg.norm(theirs)
    return found


def store_difference_dominates(evidence: Evidence) -> Finding:
    words = "times the largest other weight"
    return _judged(evidence, dominance, ".1f", words, lambda found: above(found, 1.0), least=-inf)


def mover_outweighs(evidence: Evidence) -> Finding:
    return _judged(evidence, mover_weighs, ".2f", "times those of the other side", lambda found: above(found, 1.0))


def signs_are_right(evidence: Evidence) -> Finding:
    return _judged(evidence, right_signs, ".0%", "of the 36 signs", lambda found: above(found, RIGHT_SIGNS), most=1.0)


def captures_weigh_much(evidence: Evidence) -> Finding:
    return _judged(evidence, captures_weigh, ".1f", "times the other six", lambda found: above(found, 1.0))


def columns_mirror(evidence: Evidence) -> Finding:
    return _judged(evidence, asymmetry, ".2f", "of their mean size apart", lambda found: below(found, LIKENESS))


def player_is_negative(evidence: Evidence) -> Finding:
    return _judged(
        evidence, lambda weights: weights[..., PLAYER], ".3f", "", lambda found: below(found, 0.0), least=-inf
    )


def _judged(
    evidence: Evidence,
    measure: Callable[[Weights], Weights],
    form: str,
    unit: str,
    judge: Callable[[Interval], Answer],
    least: float = 0.0,
    most: float = inf,
) -> Finding:
    """Both readings are told, and that of the learner's own plies is judged; what is measured lies in least..most."""
    found = {reading: over_seeds(measure(evidence.weights(READINGS, side=reading))) for reading in READING_WORDS}
    words = [f"{spread(each.kept_in(least, most), form)} {READING_WORDS[reading]}" for reading, each in found.items()]
    theirs = float(measure(report_weights()))
    return Finding(f"{' and '.join(words)} {unit}".strip() + f" (R {theirs:{form}})", judge(found[OWN]))
