"""Verdicts on an original's figures compared with new ones, for single cells and for a whole table.

In a table that agrees completely, one cell in twenty is odd by chance. So a cell differs only if it is still odd after
a correction for the number of cells (Benjamini and Hochberg 1995). Of the cells that are called different, one in
twenty is expected to be odd only by chance. Small differences in the same direction in many cells are not significant
in any of them. They increase the distance of the original from the new trainings over all cells, which is compared with
the distance of each training from the rest.

Source: Benjamini and Hochberg 1995, "Controlling the false discovery rate: a practical and powerful approach to
multiple testing", Journal of the Royal Statistical Society B 57.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from petteia.core.arrays import Floats

AGREES, ODD, DIFFERS = "agrees", "odd", "differs"
RARE = 0.05
"""the probability below which a result is odd"""
ENOUGH_FOR_A_TABLE = 19
"""the minimum number of trainings from which a further one can be distinguished 19 times in 20"""


def verdicts(probabilities: Sequence[float]) -> list[str]:
    """The verdict AGREES, ODD or DIFFERS for each cell of a table, from its two-sided probability."""
    ordered = sorted(probabilities)
    limits = [RARE * (rank + 1) / len(ordered) for rank in range(len(ordered))]
    bound = max((each for each, limit in zip(ordered, limits, strict=True) if each <= limit), default=-1.0)
    return [DIFFERS if each <= bound else ODD if each < RARE else AGREES for each in probabilities]


def oddness_of_table(ours: Floats, games: int, original: Floats, of_games: int) -> float:
    """The probability that a training lies as far from the rest as the original: 1 / (n + 1) or more.

    All scores are compared with the same number of games; games are drawn from larger samples. The distance is the mean
    over cells of the absolute difference between a score and the median of all others. In a test with 40 trainings of
    Kalah with 500,000 games against 39 with 50,000, and 85 cells of 40 games, this distance detected 30 of the 40.
    Squared distances in units of the cells' variances detected 12 to 23.

    Args:
        ours: the scores of the new trainings, float64[trainings, cells]
        games: the number of games of each of these scores
        original: the scores of the original, float64[cells]
        of_games: the number of games of each of the original's scores

    """
    both = min(games, of_games)
    scores = np.vstack([_thinned(original[None], of_games, both), _thinned(ours, games, both)])
    distances = [
        float(np.abs(each - np.median(np.delete(scores, number, axis=0), axis=0)).mean())
        for number, each in enumerate(scores)
    ]
    return sum(each >= distances[0] for each in distances) / len(scores)


def _thinned(scores: Floats, games: int, wanted: int) -> Floats:
    """The scores in a random sample of the games; a half point is counted as half of a won game."""
    if games == wanted:
        return scores
    won = np.round(scores * games).astype(np.int64)
    drawn = np.random.default_rng(0).hypergeometric(won, games - won, wanted)
    return np.asarray(drawn / wanted, np.float64)
