"""Confidence intervals of quantities that were measured on a sample."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from petteia.core.arrays import Floats

NORMAL_95 = 1.959963984540054
"""the distance from 0 within which 95 % of the standard normal distribution lies"""
TAIL = 0.025
"""the probability that the true value lies above a two-sided 95 % interval, which is also the probability that it lies
below"""
SAME = 1e-9
"""the difference below which two values are considered equal"""


class Interval(NamedTuple):
    """A mean with its 95 % confidence interval. Unknown bounds are infinite."""

    mean: float
    """the mean"""
    low: float
    """the lower bound"""
    high: float
    """the upper bound"""

    @property
    def is_known(self) -> bool:
        """Whether the bounds are known. Unknown bounds are infinite."""
        return math.isfinite(self.low)

    def kept_in(self, minimum: float, maximum: float) -> Interval:
        """Return the interval with bounds clipped to `minimum`..`maximum`. Bounds that are not known stay infinite."""
        return Interval(self.mean, max(self.low, minimum), min(self.high, maximum)) if self.is_known else self

    def row(self, name: str) -> dict[str, float | None]:
        """Return the mean and both bounds as table columns `{name}_mean`, `{name}_low` and `{name}_high`.

        Unknown bounds are None.
        """
        bounds = (self.low, self.high) if self.is_known else (None, None)
        return dict(zip((f"{name}_mean", f"{name}_low", f"{name}_high"), (self.mean, *bounds), strict=True))


def score_interval(scores: Floats) -> Interval:
    """Return the mean of independent scores in 0..1 with its 95 % confidence interval.

    `scores` must not be empty.

    The scores must be independent. Each score is the mean score of a pair of games from one opening, or the score of a
    single game with its own opening.

    The result is Wilson's interval for a proportion p, with an effective number of scores. Because of draws and pairs,
    the variance of a score is smaller than p (1 - p). Therefore the number of scores is multiplied by the ratio of p (1
    - p) to the variance, as in cluster sampling. The sum of squared deviations is increased by p (1 - p), so that a few
    equal scores do not make the interval too narrow. If all scores are 0, or all are 1, the result is Wilson's interval
    for the actual number of scores. The interval always has a positive width, and lies within 0..1.

    Sources: Wilson 1927, "Probable inference, the law of succession, and statistical inference"; Dean and Pagano 2015,
    "Evaluating confidence interval methods for binomial proportions in clustered surveys".
    """
    mean = float(np.mean(scores))
    return interval_of(mean, float(np.sum((scores - mean) ** 2)), len(scores))


def interval_of(mean: float, squares: float, units: int, width: float = NORMAL_95) -> Interval:
    """Compute the interval of `score_interval` from the mean, the sum of squared deviations and the number of scores.

    `width` is half the width of the interval in standard errors. The default gives a 95 % confidence interval.
    """
    binomial = mean * (1.0 - mean)
    variance = (squares + binomial) / units
    effective = units * binomial / variance if variance > 0.0 else float(units)
    square = width**2 / effective
    centre = (mean + square / 2) / (1 + square)
    half = math.sqrt(square * (binomial + square / 4)) / (1 + square)
    return Interval(mean, max(0.0, min(mean, centre - half)), min(1.0, max(mean, centre + half)))


def one_sided_width(probability: float) -> float:
    """Return the one-sided critical value of the standard normal distribution for a tail `probability` below 1/2."""
    return -NormalDist().inv_cdf(probability)


def mean_interval(values: Sequence[float]) -> Interval:
    """Return the mean of independent `values` (at least one) with Student's 95 % confidence interval.

    The values are assumed to be normally distributed. With a single value, both bounds are infinite, because the
    variance is unknown.
    """
    mean = float(np.mean(values))
    if len(values) < 2:
        return Interval(mean, -math.inf, math.inf)
    from scipy.special import stdtrit

    half = float(stdtrit(len(values) - 1, 1.0 - TAIL)) * float(np.std(values, ddof=1)) / math.sqrt(len(values))
    return Interval(mean, mean - half, mean + half)


def predictive_interval(values: Sequence[float]) -> Interval:
    """Return the mean of independent `values` (at least one) with a 95 % prediction interval for one more value.

    With a probability of 95 %, the prediction interval contains the next value of the same kind, such as the result of
    another training run. The interval of `mean_interval` is narrower, because it only needs to contain the true mean.
    Values are assumed to be normally distributed. With n values, the half width is sqrt(1 + 1/n) standard deviations,
    multiplied by a quantile of Student's t distribution. With a single value, both bounds are infinite, because the
    variance is unknown.

    Sources: Whitmore 1986, "Prediction limits for a univariate normal observation", The American Statistician 40;
    Hahn and Meeker 1991, "Statistical intervals".
    """
    mean, _, high = mean_interval(values)
    half = math.sqrt(len(values) + 1.0) * (high - mean)  # sqrt(1 + 1/n) is sqrt(n + 1) times sqrt(1/n)
    return Interval(mean, mean - half, mean + half)


def contrast_interval(terms: Sequence[tuple[float, Sequence[float]]]) -> Interval:
    """Return a weighted sum of the means of independent samples, with its 95 % confidence interval.

    Each item of `terms` consists of a weight and the values of a sample. With the weights 1 and -1, the result is the
    difference of two means, with the confidence interval of Welch's t-test. Each sample is assumed to be normally
    distributed, with its own variance. The bounds are infinite if the variance cannot be estimated. This is the case if
    a sample has fewer than two values, or if all values within each sample are equal.

    Sources: Welch 1947, "The generalization of Student's problem when several different population variances are
    involved", Biometrika 34; Satterthwaite 1946, "An approximate distribution of estimates of variance components",
    Biometrics Bulletin 2.
    """
    mean = float(sum(weight * np.mean(values) for weight, values in terms))
    if min(len(values) for _, values in terms) < 2:
        return Interval(mean, -math.inf, math.inf)
    parts = [(weight**2 * float(np.var(values, ddof=1)) / len(values), len(values) - 1) for weight, values in terms]
    variance = sum(part for part, _ in parts)
    if variance < SAME**2:
        return Interval(mean, -math.inf, math.inf)
    from scipy.special import stdtrit

    degrees = variance**2 / sum(part**2 / freedom for part, freedom in parts)
    half = float(stdtrit(degrees, 1.0 - TAIL)) * math.sqrt(variance)
    return Interval(mean, mean - half, mean + half)


def independent_sum(terms: Sequence[tuple[float, Interval]]) -> Interval:
    """Return a weighted sum of independent means whose intervals are known, with its 95 % confidence interval.

    Source: Newcombe 1998, "Interval estimation for the difference between independent proportions: comparison of eleven
    methods", Statistics in Medicine 17.
    """
    mean = sum(weight * each.mean for weight, each in terms)
    parts = [(weight, each if weight > 0.0 else Interval(each.mean, each.high, each.low)) for weight, each in terms]
    low = math.hypot(*(weight * (each.mean - each.low) for weight, each in parts))
    high = math.hypot(*(weight * (each.high - each.mean) for weight, each in parts))
    return Interval(mean, mean - low, mean + high)
