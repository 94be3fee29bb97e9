"""How the scores of trainings scatter that differ in their seeds alone.

Every training has a true share of the points of its own. Its score in so many games is drawn around that; the true
shares are drawn around a mean. One model says both: the points are beta-binomial, with the mean `mu` and the spread
`rho` of the true shares, 0 where all trainings are alike, 1 where each wins all its games or none (Griffiths 1973).

What is known of both before is a grid: `mu` by even steps of the angle whose squared sine it is (Jeffreys' prior),
`rho` by even steps of its logit. How probable each spread is is estimated from all cells of a table together, by
expectation and maximisation, with two cells added that know nothing (Laird 1978); a figure that stands alone takes all
spreads to be equally probable.

Two questions are answered. *What will a further training score?* The predictive distribution of its points: the mean of
beta-binomial distributions over what is left of the grid. *What is the mean of all trainings?* The interval of Clopper
and Pearson, for as many independent games as tell as much as these trainings do (Korn and Graubard 1998).

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
"""cells without knowledge that are added to those of a table"""
ROUNDS = 100
"""of expectation and maximisation; after 50 no probability moves by a thousandth"""
MANY = 1000
"""games of shares of which it is not said how many games they are of"""
KEPT = 4096
"""likelihoods of counts that are remembered, 17 kB each"""

MEANS: Floats = np.sin((np.arange(ANGLES) + 0.5) / ANGLES * math.pi / 2.0) ** 2
ODDS: Floats = np.geomspace(MIN_SPREAD / (1.0 - MIN_SPREAD), MAX_SPREAD / (1.0 - MAX_SPREAD), SPREADS)
RHOS: Floats = ODDS / (1.0 + ODDS)
EVEN: Floats = np.full(SPREADS, 1.0 / SPREADS)
"""the probabilities of spreads that a figure alone has before"""


class Sample(NamedTuple):
    """The scores of several trainings, each in so many games."""

    shares: tuple[float, ...]
    """of the points, 0..1"""
    games: int
    """of each training"""


class Knowledge(NamedTuple):
    """What trainings tell: how probable each mean and spread is, float64[ANGLES, SPREADS]."""

    probabilities: Floats

    @property
    def spread(self) -> float:
        """The geometric mean of the spread."""
        return float(np.exp(self.probabilities.sum(axis=0) @ np.log(RHOS)))

    def further(self, games: int) -> Floats:
        """How probable each number of points of a further training in so many games is: float64[games + 1]."""
        chances: Floats = np.tensordot(_distributions(games), self.probabilities, axes=([1, 2], [0, 1]))
        chances /= chances.sum()
        return chances


def spreads_of(samples: Sequence[Sample]) -> Floats:
    """How probable each spread is in a table of these cells, float64[SPREADS]."""
    likelihoods = np.array([_marginal(each) for each in samples if each.shares]).reshape(-1, SPREADS)
    probabilities = EVEN
    for _ in range(ROUNDS):
        joint = likelihoods * probabilities
        found = (joint / joint.sum(axis=1, keepdims=True)).sum(axis=0)
        probabilities = (found + EVEN_CELLS * EVEN) / (len(likelihoods) + EVEN_CELLS)
    return probabilities


def knowledge(sample: Sample, spreads: Floats = EVEN) -> Knowledge:
    """What a sample tells, where spreads have these probabilities before."""
    joint = _likelihood(sample) * spreads
    return Knowledge(joint / joint.sum())


def mean_of_trainings(sample: Sample, spreads: Floats = EVEN) -> Interval:
    """The mean score of all trainings of a recipe, from two of them or more, with its 95 % interval.

    The trainings tell as much as `len(shares) / phi` games that are independent, `phi` being the larger of what their
    scatter is and what the model expects of it. That the scatter is not known but estimated makes them fewer, as in
    Student's interval. Of one training alone the bounds are not known.
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
    """The mean score, and the bounds within which a further training scores in so many games 95 times in 100.

    With fewer than two trainings they are not known.
    """
    mean = float(np.mean(sample.shares))
    if len(sample.shares) < 2:
        return Interval(mean, -math.inf, math.inf)
    below = np.cumsum(knowledge(sample, spreads).further(games))
    low, high = np.searchsorted(below, (TAIL, 1.0 - TAIL))
    return Interval(mean, float(low) / games, float(min(high, games)) / games)


def oddness(sample: Sample, share: float, games: int, spreads: Floats = EVEN, give: float = 0.0) -> float:
    """How probable it is that a further training scores as far out as `share` in so many games, or further: 0..1.

    `give`: by how much the share may have been rounded, to both sides.
    """
    chances = knowledge(sample, spreads).further(games)
    low, high = (min(max((share + sign * give) * games, 0.0), float(games)) for sign in (-1.0, 1.0))
    minimum, maximum = math.floor(low + 1e-6), math.ceil(high - 1e-6)
    return min(1.0, 2.0 * min(float(chances[: maximum + 1].sum()), float(chances[minimum:].sum())))


def _marginal(sample: Sample) -> Floats:
    """How well each spread explains a sample, float64[SPREADS], up to a factor."""
    likelihood: Floats = _likelihood(sample).sum(axis=0)
    return likelihood


def _likelihood(sample: Sample) -> Floats:
    """How well each mean and spread explains a sample, float64[ANGLES, SPREADS], up to a factor."""
    points = [round(2.0 * share * sample.games) for share in sample.shares]
    counted = [points.count(each) * _log_likelihood(each, sample.games) for each in dict.fromkeys(points)]
    logarithms = np.sum(counted, axis=0)
    likelihood: Floats = np.exp(logarithms - logarithms.max())
    return likelihood


def _parameters() -> tuple[Floats, Floats]:
    """Those of the beta distribution for each mean and spread, float64[ANGLES, SPREADS] each."""
    strength = (1.0 - RHOS) / RHOS
    return np.outer(MEANS, strength), np.outer(1.0 - MEANS, strength)


@functools.lru_cache(KEPT)
def _log_likelihood(half_points: int, games: int) -> Floats:
    """The logarithm of the probability of so many half points, without what is the same for each mean and spread."""
    from scipy.special import betaln

    won, lost = _parameters()
    points = half_points / 2.0
    logarithm: Floats = betaln(won + points, lost + games - points) - betaln(won, lost)
    return logarithm


@functools.lru_cache(8)
def _distributions(games: int) -> Floats:
    """The beta-binomial probabilities of points for each mean and spread, float64[games + 1, ANGLES, SPREADS]."""
    from scipy.special import gammaln

    points = np.arange(games + 1)
    ways = gammaln(games + 1) - gammaln(points + 1) - gammaln(games - points + 1)
    logarithms = np.array([_log_likelihood(2 * each, games) for each in points.tolist()])
    chances: Floats = np.exp(logarithms + ways[:, None, None])
    return chances
