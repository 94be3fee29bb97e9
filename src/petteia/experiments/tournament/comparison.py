"""How well a published table agrees with ours: how likely its counts of wins, draws and losses are, if ours are right.

In each cell, wins, draws and losses are held to be drawn independently with fixed probabilities. Our games tell these
but roughly: as if each of the three had been seen half a time before (Jeffreys' prior), they have a Dirichlet
distribution. Half a game also keeps a result that never happened in our games from being impossible.

The log-likelihood of the published counts is that of a multinomial distribution with the means of these probabilities.
Whether they are a misfit is told by an exact test, which also takes into account how roughly ours are known: by the
probability, in the Dirichlet-multinomial distribution, of the published counts and all that are not more likely.

- `misfit`: so improbable that in a table that agrees everywhere 19 times in 20 there is no such cell (Bonferroni's
  correction for the number of cells);
- `doubtful`: improbable for a cell that is looked at alone; where all agrees, one cell in twenty is still so.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

PRIOR = 0.5
LEVEL = 0.05
"""of the tests: how often what agrees is said not to"""
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

    def verdict(self, cells: int) -> Literal["fits", "doubtful", "misfit"]:
        """What is to be thought of them, in a table of so many cells."""
        if self.p_value >= LEVEL:
            return "fits"
        return "doubtful" if self.p_value >= LEVEL / cells else "misfit"


def agreement(ours: Counts, published: Counts) -> Agreement:
    """How likely the published counts are, given ours."""
    seen = np.array(ours, np.float64) + PRIOR
    counts = np.array(published)
    likelihood = _ways(counts[:, None])[0] + float(np.sum(counts * np.log(seen / seen.sum())))
    logs = _log_probability(seen, _all_counts(sum(published)))
    here = _log_probability(seen, counts[:, None])[0]
    return Agreement(float(likelihood), min(1.0, float(np.exp(logs[logs <= here + TOLERANCE]).sum())))


def _all_counts(games: int) -> NDArray[np.int64]:
    """All that so many games can have, [3, n]."""
    wins, draws = np.meshgrid(np.arange(games + 1), np.arange(games + 1), indexing="ij")
    possible = wins + draws <= games
    return np.stack([wins, draws, games - wins - draws])[:, possible]


def _ways(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Of `counts`, [3, n]: the logarithm of the number of orders in which each of n can come about."""
    from scipy.special import gammaln

    found: NDArray[np.float64] = gammaln(counts.sum(axis=0) + 1) - gammaln(counts + 1).sum(axis=0)
    return found


def _log_probability(seen: NDArray[np.float64], counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Of `counts`, [3, n]: the logarithm of the Dirichlet-multinomial probability of each of n."""
    from scipy.special import gammaln

    before = seen[:, None]
    drawn = (gammaln(before + counts) - gammaln(before)).sum(axis=0)
    found: NDArray[np.float64] = _ways(counts) + drawn - gammaln(seen.sum() + counts.sum(axis=0)) + gammaln(seen.sum())
    return found
