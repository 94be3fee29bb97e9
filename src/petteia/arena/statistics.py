"""How sure figures are that were measured on a sample."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from petteia.core.arrays import Floats

NORMAL_95 = 1.959963984540054
"""the standard normal distribution has 95 % of its mass within this distance of 0"""
TAIL = 0.025
"""what a two-sided 95 % interval may miss on each side"""


class Interval(NamedTuple):
    """A mean and the bounds that hold the true one in 95 % of all samples; infinite where these are not known."""

    mean: float
    """the mean"""
    low: float
    """the lower bound"""
    high: float
    """the upper bound"""

    @property
    def is_known(self) -> bool:
        """Whether the bounds are known."""
        return math.isfinite(self.low)

    def kept_in(self, least: float, most: float) -> Interval:
        """The same with bounds that do not leave `least`..`most`; those that are not known stay so."""
        return Interval(self.mean, max(self.low, least), min(self.high, most)) if self.is_known else self

    def row(self, name: str) -> dict[str, float | None]:
        """The figures as columns of a table: `{name}_mean`, `{name}_low`, `{name}_high`; None for what is not known."""
        bounds = (self.low, self.high) if self.is_known else (None, None)
        return dict(zip((f"{name}_mean", f"{name}_low", f"{name}_high"), (self.mean, *bounds), strict=True))


def score_interval(scores: Floats) -> Interval:
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
    mean = float(np.mean(scores))
    return interval_of(mean, float(np.sum((scores - mean) ** 2)), len(scores))


def interval_of(mean: float, squares: float, units: int) -> Interval:
    """The `score_interval` of so many scores of which these are the mean and the sum of squared distances from it."""
    binomial = mean * (1.0 - mean)
    variance = (squares + binomial) / units
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

    half = float(stdtrit(len(values) - 1, 1.0 - TAIL)) * float(np.std(values, ddof=1)) / math.sqrt(len(values))
    return Interval(mean, mean - half, mean + half)


def predictive_interval(values: Sequence[float]) -> Interval:
    """The mean of independent `values` (at least one), and the bounds of one further value in 95 % of all samples.

    What stands for a recipe of training is one further training of it, not the mean of all: so the figure of another
    training is judged by these bounds. They are Student's, as wide as sqrt(1 + 1/n) standard deviations, where those
    of the mean are as wide as sqrt(1/n) of them. They suppose that values scatter normally. One value alone says
    nothing of its scatter, so its bounds are not known.

    Sources: Whitmore 1986, "Prediction limits for a univariate normal observation", The American Statistician 40;
    Hahn and Meeker 1991, "Statistical intervals".
    """
    mean, _, high = mean_interval(values)
    half = math.sqrt(len(values) + 1.0) * (high - mean)  # sqrt(1 + 1/n) is sqrt(n + 1) times sqrt(1/n)
    return Interval(mean, mean - half, mean + half)


def share_interval(shares: Sequence[float]) -> Interval:
    """The mean of independent `shares` in 0..1 (at least one) with its 95 % interval, however shares are distributed.

    A share is the figure of one training of a few, which may be all or nothing: nothing normal can be supposed of its
    scatter, and shares that agree are no certainty. The interval is made of Gaffke's two one-sided bounds, each at
    97.5 %. The lower one is the quantile at 2.5 % of the means of 0 and the shares by random weights (Dirichlet's, all
    parameters 1); the upper one mirrors it. Where all shares are 0 or 1, these are the bounds of Clopper and Pearson,
    so n shares of 1 reach down to 0.025^(1/n): 48 % for five. That they hold for every distribution on 0..1 is
    conjectured; none is known for which they fail.

    Both tails stay at 2.5 % where all shares are 1, too. That only one side can err is seen from the sample, not
    before; with 5 % there, five all-or-nothing trainings would be covered in 93 % of all samples.

    One share alone says nothing of its scatter, so its bounds are not known.

    Sources: Gaffke 2005, "Three test statistics for a nonparametric one-sided hypothesis on the mean of a nonnegative
    variable", Mathematical Methods of Statistics 14; Learned-Miller and Thomas 2020, "A new confidence interval for the
    mean of a bounded random variable", arXiv 1905.06208.
    """
    mean = float(np.mean(shares))
    if len(shares) < 2:
        return Interval(mean, -math.inf, math.inf)
    ascending = np.sort(np.asarray(shares, np.float64))
    low, high = lower_bound(ascending), 1.0 - lower_bound(1.0 - ascending[::-1])
    return Interval(mean, min(mean, low), max(mean, high))


def lower_bound(ascending: Floats) -> float:
    """Gaffke's lower bound at 97.5 % of the mean that `ascending` shares were drawn around.

    The density of the randomly weighted means is the B-spline whose knots are 0 and the shares, so no random numbers
    are needed. Knots that are the same to twelve decimals are taken as one.

    Source: Curry and Schoenberg 1966, "On Polya frequency functions IV: the fundamental spline functions and their
    limits", Journal d'Analyse Mathematique 17.
    """
    from scipy.interpolate import BSpline
    from scipy.optimize import brentq

    largest = float(ascending[-1])
    if largest == 0.0:
        return 0.0
    degree = len(ascending)
    knots = np.round(np.concatenate([[0.0], ascending / largest]), 12)
    before, after = (degree + 1 - int(np.sum(knots == end)) for end in (0.0, 1.0))
    clamped = np.concatenate([np.zeros(before), knots, np.ones(after)])
    probability = BSpline(clamped, np.repeat([0.0, 1.0], [before, after]), degree)
    return largest * float(brentq(lambda share: float(probability(share)) - TAIL, 0.0, 1.0))
