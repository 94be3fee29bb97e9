"""The sequential probability ratio test (SPRT) of two hypotheses about strength. The test can end a match early.

The null hypothesis is that the first player is `elo0` points stronger than the second; the alternative is `elo1`
points. During the match, the logarithm of the likelihood ratio of both hypotheses is compared with two bounds (Wald
1945). A hypothesis determines the strength of the player, but not how often games are drawn. The likelihood of a
hypothesis is therefore the maximum over all distributions of results that have this strength.

*Logistic* Elo measures strength by the expected score. *Normalized* Elo measures strength by the expected score minus
1/2, divided by the standard deviation of a game's score. Normalized Elo determines how many games a test needs. If
openings lead to many draws, logistic Elo becomes smaller, but normalized Elo does not.

Sources: Wald 1945, "Sequential tests of statistical hypotheses", Annals of Mathematical Statistics 16; Michel Van den
Bergh, "A practical introduction to the GSPRT" and "Comments on normalized Elo" (both 2020, for Fishtest).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from petteia.arena.ratings import ELO, score_of
from petteia.arena.statistics import TAIL
from petteia.core.arrays import Floats
from petteia.core.errors import UsageError
from petteia.core.numbers import finite_number

Scale = Literal["logistic", "normalized"]
Verdict = Literal["elo0", "elo1"]
SCALES: tuple[Scale, ...] = ("logistic", "normalized")
MAX_ELO = 1000
UNSEEN = 1e-3
"""the count used for a result that has not occurred, instead of 0"""
NORMALIZED = 2.0 * ELO
"""the normalized Elo difference at which the expected score is one standard deviation above one half, in points"""
OVERSHOOT = 0.5826
"""the mean distance by which a random walk passes a bound, in standard deviations of a step (-zeta(1/2) / sqrt(2
pi))"""
BISECTIONS = 50
PLACES = 401
TERMS = np.arange(1, 401, dtype=np.float64)
"""the numbers of the terms of the series; the integral is evaluated at `PLACES` points"""
LARGEST = 700.0
"""the maximum absolute value of an exponent, so that numbers stay finite"""
STEPS = 100
TOLERANCE = 1e-13


class Sprt(NamedTuple):
    """A sequential probability ratio test.

    Examples:
        >>> test = petteia.Sprt(elo0=0, elo1=50)
        >>> petteia.match("kalah", "greedy:depth=4", "random", games=1000, sprt=test).games
        64

    """

    elo0: float
    """the Elo difference under the null hypothesis"""
    elo1: float
    """the Elo difference under the alternative, larger than `elo0`"""
    alpha: float = 0.05
    """the probability that the test accepts the alternative if the null hypothesis is true"""
    beta: float = 0.05
    """the probability that the test accepts the null hypothesis if the alternative is true"""
    scale: Scale = "logistic"
    """the scale of the Elo differences, `logistic` or `normalized`"""

    def verdict(self, counts: Sequence[int]) -> Verdict | None:
        """Return the hypothesis that the test accepts with these results, or None if it is undecided.

        `counts[i]` is the number of pairs of games, or of single games, in which the first player scored `i` half
        points.
        """
        low, high = self.bounds
        ratio = likelihood_ratio(self, counts)
        return "elo0" if ratio <= low else "elo1" if ratio >= high else None

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which the test accepts the null hypothesis and the alternative."""
        return math.log(self.beta / (1.0 - self.alpha)), math.log((1.0 - self.beta) / self.alpha)


def read_sprt(given: str | Sprt | None) -> Sprt | None:
    """Parse a sequential test, such as `0,20` or `0,20,normalized`. A test object or None is returned unchanged.

    Raises UsageError if the string is malformed, if `elo0` is not less than `elo1`, or if a number is out of range.
    """
    if given is None:
        return None
    if isinstance(given, Sprt):
        test, text = given, f"{given.elo0:g},{given.elo1:g}"
    else:
        text = str(given)
        parts = text.split(",")
        elos = [finite_number(part) for part in parts[:2]]
        if len(elos) < 2 or None in elos or len(parts) > 3 or (len(parts) == 3 and parts[2] not in SCALES):
            raise UsageError(f"sprt={text!r}: must be two Elo differences, such as 0,20 or 0,20,normalized")
        test = Sprt(elos[0] or 0.0, elos[1] or 0.0, scale="normalized" if parts[2:] == ["normalized"] else "logistic")
    if not test.elo0 < test.elo1:
        raise UsageError(f"sprt={text!r}: the first difference must be smaller than the second")
    if max(abs(test.elo0), abs(test.elo1)) > MAX_ELO:
        raise UsageError(f"sprt={text!r}: differences must lie within {MAX_ELO} Elo")
    if not (0.0 < test.alpha < 0.5 and 0.0 < test.beta < 0.5):
        raise UsageError(f"sprt: alpha={test.alpha}, beta={test.beta}: must lie between 0 and 0.5")
    return test


def likelihood_ratio(test: Sprt, counts: Sequence[int]) -> float:
    """Return the log-likelihood ratio of the alternative to the null hypothesis, or 0 if there are no results.

    `counts[i]` is the number of pairs of games, or of single games, in which the first player scored `i` half points.
    There are five counts for pairs, and three for single games.
    """
    if not sum(counts):
        return 0.0
    seen = np.where(np.array(counts) == 0, UNSEEN, np.array(counts, np.float64))
    shares, scores = seen / seen.sum(), np.arange(len(counts)) / (len(counts) - 1)
    if test.scale == "logistic":
        null, other = (_with_mean(shares, scores, score_of(elo)) for elo in (test.elo0, test.elo1))
    else:
        # the standard deviation of the mean of two games is a game's divided by the root of two
        per_unit = math.sqrt((len(counts) - 1) / 2) / NORMALIZED
        null, other = (_with_ratio(shares, scores, per_unit * elo) for elo in (test.elo0, test.elo1))
    return float(seen.sum() * np.dot(shares, np.log(other / null)))


def _with_mean(shares: Floats, values: Floats, mean: float) -> Floats:
    """Return the maximum likelihood distribution over `values` with the given mean.

    `shares` contains the observed frequency of each value.

    The distribution is shares / (1 + x (values - mean)). For only one number x, it has the given mean and no negative
    probabilities.
    """
    from scipy.optimize import brentq

    away = values - mean
    low, high = -1.0 / away.max(), -1.0 / away.min()
    edge = 1e-12 * (high - low)
    x = brentq(
        lambda x: float(np.sum(shares * away / (1.0 + x * away))), low + edge, high - edge, xtol=1e-15, rtol=1e-14
    )
    result: Floats = shares / (1.0 + x * away)
    return result


def _with_ratio(shares: Floats, values: Floats, ratio: float) -> Floats:
    """Return the maximum likelihood distribution over `values` whose mean is `ratio` standard deviations above 1/2.

    The condition on the mean is not linear, because the standard deviation also depends on the distribution. Each step
    of an iteration replaces this condition by a linear approximation near the previous distribution, and computes the
    next distribution. The iteration ends when the distribution has converged, or after `STEPS` steps.
    """
    found = np.full(len(values), 1.0 / len(values))
    for _ in range(STEPS):
        mean = float(np.dot(found, values))
        deviation = math.sqrt(float(np.dot(found, (values - mean) ** 2)))
        linear = values - 0.5 - ratio * deviation * (1.0 + ((values - mean) / deviation) ** 2) / 2.0
        before, found = found, _with_mean(shares, linear, 0.0)
        if float(np.abs(found - before).max()) < TOLERANCE:
            break
    return found


class Estimate(NamedTuple):
    """An Elo difference and its confidence interval, on the logistic or the normalized scale."""

    elo: float
    """the median-unbiased estimate: it is too high with the same probability as it is too low"""
    low: float
    """lower bound of the 95 % confidence interval"""
    high: float
    """upper bound of the same interval"""


def estimate(test: Sprt, counts: Sequence[int], every: int = 1, scale: Scale = "logistic") -> Estimate:
    """Estimate the Elo difference of two players from the results of a sequential test, which may still be running.

    `scale` is the Elo scale of the result, logistic or normalized.

    A sequential test stops when the results are extreme, so the mean score of a stopped test is biased. The estimate is
    therefore based on an order of all possible outcomes, from the worst to the best one for the first player. Tests
    that accept the null hypothesis come first, from the shortest to the longest. Tests that are still running come
    next. Tests that accept the alternative come last, from the longest to the shortest. Among tests of equal length,
    the test with the lower score comes first.

    The estimate is the Elo difference at which half of all tests would have an outcome below the observed one. At the
    lower bound of the confidence interval, 97.5 % of all tests would have an outcome below the observed one. At the
    upper bound, it would be 2.5 % of all tests.

    The sum of the scores is modelled as a Brownian motion, from which the probabilities are computed. The bounds of the
    motion are slightly wider than those of the test, because the test is evaluated only after each group of `every`
    scores. A score is the score of a pair of games, or of a single game if games do not come in pairs.

    Sources: Siegmund 1978, "Estimation following sequential tests", Biometrika 65; Siegmund 1979, "Corrected diffusion
    approximations in certain random walk problems", Advances in Applied Probability 11; Fairbanks and Madsen 1982, "P
    values for tests using a repeated significance test design", Biometrika 69 (the order of outcomes).
    """
    units = sum(counts)
    if not units:
        return Estimate(0.0, -math.inf, math.inf)
    seen = np.where(np.array(counts) == 0, UNSEEN, np.array(counts, np.float64))
    shares, scores = seen / seen.sum(), np.arange(len(counts)) / (len(counts) - 1)
    mean = float(np.dot(shares, scores))
    deviation = math.sqrt(float(np.dot(shares, (scores - mean) ** 2)))
    per_game = math.sqrt((len(counts) - 1) / 2) / NORMALIZED

    def value(elo: float, scale: Scale) -> float:
        """Convert an Elo difference to the expected score minus 1/2, in standard deviations of a score."""
        return (score_of(elo) - 0.5) / deviation if scale == "logistic" else elo * per_game

    null, other = value(test.elo0, test.scale), value(test.elo1, test.scale)
    width, middle = other - null, (null + other) / 2
    last = units % every or every
    beyond = OVERSHOOT * width * math.sqrt(every)
    motion = _Motion(test.bounds[0] - beyond, test.bounds[1] + beyond, width, units - last)
    end = width * ((mean - 0.5) / deviation - middle) * units

    def at(probability: float) -> float:
        """Return the Elo difference for which a lower outcome than the observed one has the given probability."""
        low, high = -2.0 * MAX_ELO, 2.0 * MAX_ELO
        for _ in range(BISECTIONS):
            elo = (low + high) / 2
            below = motion.below(width * (value(elo, scale) - middle), last, end)
            low, high = (low, elo) if below < probability else (elo, high)
        return low if abs(low) < 2.0 * MAX_ELO - 1.0 else math.copysign(math.inf, low)

    return Estimate(at(0.5), at(1.0 - TAIL), at(TAIL))


class _Motion:
    """A Brownian motion that starts at 0 with a given drift, and stops at one of two bounds or at an end time."""

    def __init__(self, low: float, high: float, deviation: float, time: float) -> None:
        """Compute the probability density of the position at the end time `time`, for a motion without drift.

        The Brownian motion starts at 0 and stops when it leaves the range `low`..`high`. `deviation` is its standard
        deviation after one unit of time, and `time` is the end time.
        """
        self.low, self.high, self.deviation, self.time = low, high, deviation, time
        self.places = np.linspace(low, high, PLACES)
        turns = TERMS * math.pi / (high - low)
        weights = np.sin(turns * -low) * np.exp(-((deviation * turns) ** 2) * time / 2)
        waves = weights @ np.sin(np.outer(turns, self.places - low))
        self.driftless = 2.0 / (high - low) * np.maximum(waves, 0.0)
        """the density of the place at the end time if the motion has no drift and was not stopped: float64[PLACES]"""

    def below(self, drift: float, last: float, end: float) -> float:
        """Return the probability that a motion with this drift has a lower outcome than the observed motion.

        The observed motion reached no bound before the end time, which is the argument `time` of the constructor. In a
        further step of duration `last`, it reached the value `end`.
        """
        from scipy.special import ndtr

        step = self.deviation * math.sqrt(last)
        if not self.time:
            return float(ndtr((end - drift * last) / step))
        tilt = drift / self.deviation**2
        drifted = np.exp(np.clip(tilt * self.places - drift * tilt * self.time / 2, -LARGEST, LARGEST))
        after = ndtr((end - drift * last - self.places) / step)
        return self._stopped_low(drift) + float(np.trapezoid(self.driftless * drifted * after, self.places))

    def _stopped_low(self, drift: float) -> float:
        """Return the probability that the motion was stopped at the lower bound before the end time."""
        width, slope = self.high - self.low, 2.0 * drift / self.deviation**2
        if abs(slope) * width < 1e-9:
            ever = self.high / width
        else:
            below, above = (math.expm1(min(-slope * bound, LARGEST)) for bound in (self.low, self.high))
            ever = above / (above - below)
        rates = drift * slope / 4 + (self.deviation * math.pi * TERMS / width) ** 2 / 2
        weights = TERMS * np.sin(TERMS * math.pi * -self.low / width) / rates
        logs = slope * self.low / 2 - rates * self.time
        later = self.deviation**2 * math.pi / width**2 * float(np.sum(weights * np.exp(np.minimum(logs, LARGEST))))
        return min(1.0, max(0.0, ever - later))
