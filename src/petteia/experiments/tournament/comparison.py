"""Compare published numbers of wins, draws and losses with new games between the same players.

The games of a match are assumed to be independent, with fixed probabilities of a win, a draw and a loss. A match is a
cell of the table: a first player against a second player. The probabilities are estimated from the new games, with half
a game of each result added (Jeffreys' prior). The estimate is a Dirichlet distribution of the probabilities. A result
(win, draw or loss) that did not occur in the new games thus has a positive probability, too.

The log-likelihood of the published counts uses a multinomial distribution with the means of the estimated
probabilities. An exact test shows how unusual the counts are, and accounts for the uncertainty of the probabilities.
Its p-value is the total probability of all counts that are at most as likely as the published counts, under the
Dirichlet-multinomial distribution. `petteia.experiments.verdicts` judges the p-values of a table with many cells.
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
    """The likelihood of published counts of wins, draws and losses, and their p-value."""

    log_likelihood: float
    """the natural logarithm of the probability of these counts"""
    p_value: float
    """the total probability of all counts that are at most as likely as these counts"""


def agreement(ours: Counts, published: Counts) -> Agreement:
    """Return the likelihood and the p-value of published wins, draws and losses, given the counts in new games."""
    from scipy.special import gammaln

    seen = np.array(ours, np.float64) + PRIOR
    counts, games = np.array(published), sum(published)
    likelihood = gammaln(games + 1) + np.sum(counts * np.log(seen / seen.sum()) - gammaln(counts + 1))
    logs = _log_probabilities(seen, games)
    here = logs[published[:2]]
    return Agreement(float(likelihood), min(1.0, float(np.exp(logs[logs <= here + TOLERANCE]).sum())))


def _log_probabilities(seen: Floats, games: int) -> Floats:
    """Compute the Dirichlet-multinomial log-probabilities of all counts of wins, draws and losses in `games` games.

    `seen`, float64[3], contains the parameters of the Dirichlet distribution for wins, draws and losses. Returns
    float64[games + 1, games + 1] with a row for each number of wins and a column for each number of draws. If the sum
    of wins and draws exceeds the number of games, the entry is minus infinity.
    """
    from scipy.special import gammaln

    number = np.arange(games + 1)
    wins, draws, losses = (gammaln(each + number) - gammaln(each) - gammaln(number + 1) for each in seen)
    left = games - number[:, None] - number
    constant = gammaln(games + 1) + gammaln(seen.sum()) - gammaln(seen.sum() + games)
    logarithms: Floats = np.where(left >= 0, wins[:, None] + draws + losses[left] + constant, -np.inf)
    return logarithms
