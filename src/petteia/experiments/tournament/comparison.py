"""How well a published table agrees with ours: how likely its counts of wins, draws and losses are, if ours are right.

In each cell, wins, draws and losses are held to be drawn independently with fixed probabilities. Our games tell these
but roughly: as if each of the three had been seen half a time before (Jeffreys' prior), they have a Dirichlet
distribution. Half a game also keeps a result that never happened in our games from being impossible.

The log-likelihood of the published counts is that of a multinomial distribution with the means of these probabilities.
How odd they are is told by an exact test, which also takes into account how roughly ours are known: by the probability,
in the Dirichlet-multinomial distribution, of the published counts and all that are not more likely. What is to be
thought of it in a table of many cells is told by `petteia.experiments.verdicts`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from petteia.core.arrays import Floats

PRIOR = 0.5
TOLERANCE = 1e-9
"""by which the logarithms of equal probabilities may differ as computed"""

Counts = tuple[int, int, int]
"""Wins, draws and losses."""


class Agreement(NamedTuple):
    """How likely published counts are."""

    log_likelihood: float
    """natural logarithm of the probability of these counts"""
    p_value: float
    """probability of these counts and all that are not more likely"""


def agreement(ours: Counts, published: Counts) -> Agreement:
    """How likely the published counts are, given ours."""
    from scipy.special import gammaln

    seen = np.array(ours, np.float64) + PRIOR
    counts, games = np.array(published), sum(published)
    likelihood = gammaln(games + 1) + np.sum(counts * np.log(seen / seen.sum()) - gammaln(counts + 1))
    logs = _log_probabilities(seen, games)
    here = logs[published[:2]]
    return Agreement(float(likelihood), min(1.0, float(np.exp(logs[logs <= here + TOLERANCE]).sum())))


def _log_probabilities(seen: Floats, games: int) -> Floats:
    """Logarithms of the Dirichlet-multinomial probabilities of all that so many games can have.

    `seen` are the parameters for wins, draws and losses, float64[3]; returns float64[games + 1, games + 1], a row for
    each number of wins, a column for each of draws; minus infinity where they are more than the games.
    """
    from scipy.special import gammaln

    number = np.arange(games + 1)
    wins, draws, losses = (gammaln(each + number) - gammaln(each) - gammaln(number + 1) for each in seen)
    left = games - number[:, None] - number
    constant = gammaln(games + 1) + gammaln(seen.sum()) - gammaln(seen.sum() + games)
    logarithms: Floats = np.where(left >= 0, wins[:, None] + draws + losses[left] + constant, -np.inf)
    return logarithms
