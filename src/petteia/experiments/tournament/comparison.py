"""The agreement of a published table with played matches: the likelihood of the published wins, draws and losses.

In each cell, wins, draws and losses are assumed to be drawn independently with fixed probabilities. The played games
only estimate these probabilities. With half a game of each result added (Jeffreys' prior), the probabilities have a
Dirichlet distribution. So a result that never occurred in the played games is not impossible.

The log-likelihood of the published counts uses a multinomial distribution with the means of these probabilities. An
exact test, which accounts for the uncertainty of the probabilities, shows how unusual the counts are. Its p-value is
the probability of the published counts, and of all counts that are not more likely, in the Dirichlet-multinomial
distribution. `petteia.experiments.verdicts` judges the p-values of a table with many cells.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from petteia.core.arrays import Floats

PRIOR = 0.5
TOLERANCE = 1e-9
"""the largest difference between computed logarithms of equal probabilities"""

Counts = tuple[int, int, int]
"""the numbers of wins, draws and losses"""


class Agreement(NamedTuple):
    """The likelihood of published counts."""

    log_likelihood: float
    """the natural logarithm of the probability of these counts"""
    p_value: float
    """the probability of these counts and of all counts that are not more likely"""


def agreement(ours: Counts, published: Counts) -> Agreement:
    """Return the likelihood of published counts of wins, draws and losses, given the counts in the played games."""
    from scipy.special import gammaln

    seen = np.array(ours, np.float64) + PRIOR
    counts, games = np.array(published), sum(published)
    likelihood = gammaln(games + 1) + np.sum(counts * np.log(seen / seen.sum()) - gammaln(counts + 1))
    logs = _log_probabilities(seen, games)
    here = logs[published[:2]]
    return Agreement(float(likelihood), min(1.0, float(np.exp(logs[logs <= here + TOLERANCE]).sum())))


def _log_probabilities(seen: Floats, games: int) -> Floats:
    """Logarithms of the Dirichlet-multinomial probabilities of all results of `games` games.

    `seen` are the parameters for wins, draws and losses, float64[3]. Returns float64[games + 1, games + 1] with a row
    for each number of wins and a column for each number of draws; minus infinity if their sum exceeds the number of
    games.
    """
    from scipy.special import gammaln

    number = np.arange(games + 1)
    wins, draws, losses = (gammaln(each + number) - gammaln(each) - gammaln(number + 1) for each in seen)
    left = games - number[:, None] - number
    constant = gammaln(games + 1) + gammaln(seen.sum()) - gammaln(seen.sum() + games)
    logarithms: Floats = np.where(left >= 0, wins[:, None] + draws + losses[left] + constant, -np.inf)
    return logarithms
