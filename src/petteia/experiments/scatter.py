"""Estimate how much scores vary between training runs that differ only in their seeds.

The score of a trained player in evaluation games has a binomial distribution, whose parameter is the player's expected
score. The expected scores of different training runs have a beta distribution, with the mean `mu` and the spread `rho`.
The measured score of a training run therefore has a beta-binomial distribution (Griffiths 1973). If the spread is 0,
all training runs are equally strong. If the spread is 1, each training run wins all or none of its games.

The prior distribution is defined on a grid of means and spreads. The angles arcsin(sqrt(`mu`)) are evenly spaced
(Jeffreys' prior), and so are the logits of `rho`. For a single score, all spreads have the same prior probability. For
a table of scores, the prior probabilities of the spreads are estimated from all cells together, by the
expectation-maximisation algorithm (Laird 1978). Two additional cells without information regularise this estimate.

This module computes a prediction and an estimate. The prediction is the distribution of the score of one more training
run. It is a mixture of beta-binomial distributions, weighted by the posterior distribution. The estimate is the mean
score over all training runs, with a confidence interval. The interval is the Clopper-Pearson interval for an effective
number of independent games (Korn and Graubard 1998).

Sources: Griffiths 1973, "Maximum likelihood estimation for the beta-binomial distribution and an application to the
household distribution of the total number of cases of a disease", Biometrics 29; Laird 1978, "Nonparametric maximum
likelihood estimation of a mixing distribution", Journal of the American Statistical Association 73; Korn and Graubard
1998, "Confidence intervals for proportions with small expected number of positive counts estimated from survey data",
Survey Methodology 24.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from petteia.arena.statistics import NORMAL_95, TAIL, Interval
from petteia.core.arrays import Floats

ANGLES, SPREADS = 90, 24
MIN_SPREAD, MAX_SPREAD = 0.0005, 0.97
EVEN_CELLS = 2.0
"""the number of cells without information that are added to the cells of a table in the estimate of spreads"""
ROUNDS = 100
"""the number of iterations of expectation and maximisation; after 50, no probability changes by a thousandth"""
MANY = 1000
"""the number of games that is assumed for each share if no number is given"""
KEPT = 4096
"""the number of cached likelihoods, 17 kB each"""

MEANS: Floats = np.sin((np.arange(ANGLES) + 0.5) / ANGLES * math.pi / 2.0) ** 2
ODDS: Floats = np.geomspace(MIN_SPREAD / (1.0 - MIN_SPREAD), MAX_SPREAD / (1.0 - MAX_SPREAD), SPREADS)
RHOS: Floats = ODDS / (1.0 + ODDS)
EVEN: Floats = np.full(SPREADS, 1.0 / SPREADS)
"""the prior probabilities of the spreads if only a single figure is estimated: all are equal"""


class Sample(NamedTuple):
    """The scores of training runs with different seeds, each measured in the same number of games."""

    shares: tuple[float, ...]
    """the shares of the points, 0..1"""
    games: int
    """the number of games of each training"""


class Knowledge(NamedTuple):
    """The joint posterior distribution of the mean and the spread of the expected scores of training runs.

    `probabilities`, float64[ANGLES, SPREADS], contains the posterior probability of each pair of a mean, which is
    written as an angle, and a spread.
    """

    probabilities: Floats

    @property
    def spread(self) -> float:
        """The geometric mean of the spread of expected scores, weighted by the posterior probabilities."""
        return float(np.exp(self.probabilities.sum(axis=0) @ np.log(RHOS)))

    def further(self, games: int) -> Floats:
        """Return the probability that one more training run scores 0, 1, ..., `games` points; float64[games + 1]."""
        chances: Floats = np.tensordot(_distributions(games), self.probabilities, axes=([1, 2], [0, 1]))
        chances /= chances.sum()
        return chances


def spreads_of(samples: Sequence[Sample]) -> Floats:
    """Estimate the prior probability of each value of the spread from several samples, float64[SPREADS]."""
    likelihoods = np.array([_marginal(each) for each in samples if each.shares]).reshape(-1, SPREADS)
    probabilities = EVEN
    for _ in range(ROUNDS):
        joint = likelihoods * probabilities
        found = (joint / joint.sum(axis=1, keepdims=True)).sum(axis=0)
        probabilities = (found + EVEN_CELLS * EVEN) / (len(likelihoods) + EVEN_CELLS)
    return probabilities


def knowledge(sample: Sample, spreads: Floats = EVEN) -> Knowledge:
    """Return the joint posterior distribution of the mean and the spread of expected scores, given measured scores.

    `spreads`, float64[SPREADS], contains the prior probability of each value of the spread.
    """
    joint = _likelihood(sample) * spreads
    return Knowledge(joint / joint.sum())


def mean_of_trainings(sample: Sample, spreads: Floats = EVEN) -> Interval:
    """Estimate the mean score over all seeds from a sample of training runs, with its 95 % confidence interval.

    The confidence interval is the Clopper-Pearson interval for an effective number of independent games,
    `len(sample.shares) / phi`. Here `phi` is the variance of the score of a training run, divided by the variance of
    the result of a single game. The variance of the score is estimated in two ways: from the scores in the sample, and
    from the posterior mean of the spread. The larger estimate is used.

    The variance of the scores is only an estimate. Therefore the effective number of games is multiplied by (z / t)^2,
    which widens the interval by about the factor t / z. Here z and t are the 97.5 % quantiles of the normal
    distribution and of Student's t distribution. For a single training run, the bounds are infinite.
    """
    from scipy.special import stdtrit
    from scipy.stats import beta

    number, mean = len(sample.shares), float(np.mean(sample.shares))
    if number < 2:
        return Interval(mean, -math.inf, math.inf)
    rho = knowledge(sample, spreads).spread
    phi = rho + (1.0 - rho) / sample.games
    if 0.0 < mean < 1.0:
        phi = max(phi, float(np.var(sample.shares, ddof=1)) / (mean * (1.0 - mean)))
    units = number / phi * (NORMAL_95 / float(stdtrit(number - 1, 1.0 - TAIL))) ** 2
    won, lost = mean * units, (1.0 - mean) * units
    low = float(beta.ppf(TAIL, won, lost + 1.0)) if won > 0.0 else 0.0
    high = float(beta.ppf(1.0 - TAIL, won + 1.0, lost)) if lost > 0.0 else 1.0
    return Interval(mean, min(mean, low), max(mean, high))


def further_training(sample: Sample, games: int, spreads: Floats = EVEN) -> Interval:
    """Predict the score of one more training run in `games` games, with its 95 % prediction interval.

    If the sample contains fewer than two training runs, the bounds are infinite.
    """
    mean = float(np.mean(sample.shares))
    if len(sample.shares) < 2:
        return Interval(mean, -math.inf, math.inf)
    below = np.cumsum(knowledge(sample, spreads).further(games))
    low, high = np.searchsorted(below, (TAIL, 1.0 - TAIL))
    return Interval(mean, float(low) / games, float(min(high, games)) / games)


def oddness(sample: Sample, share: float, games: int, spreads: Floats = EVEN, give: float = 0.0) -> float:
    """Return the two-sided p-value of the score `share` in the predicted score distribution of one more training run.

    The score `share` is measured in `games` games. Its rounding error is at most `give`.
    """
    chances = knowledge(sample, spreads).further(games)
    low, high = (min(max((share + sign * give) * games, 0.0), float(games)) for sign in (-1.0, 1.0))
    minimum, maximum = math.floor(low + 1e-6), math.ceil(high - 1e-6)
    return min(1.0, 2.0 * min(float(chances[: maximum + 1].sum()), float(chances[minimum:].sum())))


def _marginal(sample: Sample) -> Floats:
    """Return the likelihood of a sample for each value of the spread rho, float64[SPREADS], up to a constant factor."""
    likelihood: Floats = _likelihood(sample).sum(axis=0)
    return likelihood


def _likelihood(sample: Sample) -> Floats:
    """Return the likelihood of a sample for each pair of mean and spread, up to a constant factor.

    The result is float64[ANGLES, SPREADS]. The first axis is the mean, and the second axis is the spread.
    """
    points = [round(2.0 * share * sample.games) for share in sample.shares]
    counted = [points.count(each) * _log_likelihood(each, sample.games) for each in dict.fromkeys(points)]
    logarithms = np.sum(counted, axis=0)
    likelihood: Floats = np.exp(logarithms - logarithms.max())
    return likelihood


def _parameters() -> tuple[Floats, Floats]:
    """Return the two parameters of the beta distribution for each pair of mean and spread.

    Each of the two arrays is float64[ANGLES, SPREADS].
    """
    strength = (1.0 - RHOS) / RHOS
    return np.outer(MEANS, strength), np.outer(1.0 - MEANS, strength)


@functools.lru_cache(KEPT)
def _log_likelihood(half_points: int, games: int) -> Floats:
    """Return the log-likelihood of a score for each pair of mean and spread, up to an additive constant.

    The score is `half_points` / 2 points in `games` games.
    """
    from scipy.special import betaln

    won, lost = _parameters()
    points = half_points / 2.0
    logarithm: Floats = betaln(won + points, lost + games - points) - betaln(won, lost)
    return logarithm


@functools.lru_cache(8)
def _distributions(games: int) -> Floats:
    """Return the beta-binomial distribution of the score in `games` games, for each pair of mean and spread.

    Returns float64[games + 1, ANGLES, SPREADS]. The first axis is the number of points in the score. The second axis is
    the mean, and the third axis is the spread.
    """
    from scipy.special import gammaln

    points = np.arange(games + 1)
    ways = gammaln(games + 1) - gammaln(points + 1) - gammaln(games - points + 1)
    logarithms = np.array([_log_likelihood(2 * each, games) for each in points.tolist()])
    chances: Floats = np.exp(logarithms + ways[:, None, None])
    return chances
