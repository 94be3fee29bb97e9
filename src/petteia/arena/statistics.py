"""How sure figures are that were measured on a sample."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

NORMAL_95 = 1.959963984540054
"""the standard normal distribution has 95 % of its mass within this distance of 0"""


class Interval(NamedTuple):
    """A mean and the bounds that hold the true one in 95 % of all samples; infinite where these are not known."""

    mean: float
    low: float
    high: float

    @property
    def is_known(self) -> bool:
        """Whether there are bounds."""
        return math.isfinite(self.low)

    def kept_in(self, least: float, most: float) -> Interval:
        """The same with bounds that do not leave `least`..`most`; those that are not known stay so."""
        return Interval(self.mean, max(self.low, least), min(self.high, most)) if self.is_known else self

    def row(self, name: str) -> dict[str, float | None]:
        """The figures as columns of a table: `{name}_mean`, `{name}_low`, `{name}_high`; None for what is not known."""
        bounds = (self.low, self.high) if self.is_known else (None, None)
        return dict(zip((f"{name}_mean", f"{name}_low", f"{name}_high"), (self.mean, *bounds), strict=True))


def score_interval(scores: NDArray[np.float64]) -> Interval:
    """The mean of independent `scores` in 0..1 ([units], at least one) with its 95 % interval.

    A unit is what is independent of the rest: a pair of games from one opening (the mean of its two scores), or a
    single game with an opening of its own. The interval is Wilson's for a proportion, with a variance that need not be
    p (1 - p): draws and pairs make it smaller, so the number of units counts for more (or less) by the ratio of the two
    variances, as surveys do with clusters. So that a few equal scores do not pass for certainty, the sample variance is
    shrunk towards p (1 - p) with the weight of one unit; where all scores are 0, or all 1, it is Wilson's interval
    itself. It always has a width and never leaves 0..1.

    Sources: Wilson 1927, "Probable inference, the law of succession, and statistical inference"; Dean and Pagano 2015,
    "Evaluating confidence interval methods for binomial proportions in clustered surveys".
    """
    units = len(scores)
    mean = float(np.mean(scores))
    binomial = mean * (1.0 - mean)
    variance = (float(np.sum((scores - mean) ** 2)) + binomial) / units
    effective = units * binomial / variance if variance > 0.0 else float(units)
    square = NORMAL_95**2 / effective
    centre = (mean + square / 2) / (1 + square)
    half = math.sqrt(square * (binomial + square / 4)) / (1 + square)
    return Interval(mean, max(0.0, min(mean, centre - half)), min(1.0, max(mean, centre + half)))


def mean_interval(values: Sequence[float]) -> Interval:
    """The mean of independent `values` (at least one) with its 95 % interval: Student's.

    It supposes that values scatter normally about the true mean. One value alone says nothing of its scatter, so its
    bounds are not known.
    """
    mean = float(np.mean(values))
    if len(values) < 2:
        return Interval(mean, -math.inf, math.inf)
    from scipy.special import stdtrit

    half = float(stdtrit(len(values) - 1, 0.975)) * float(np.std(values, ddof=1)) / math.sqrt(len(values))
    return Interval(mean, mean - half, mean + half)
