"""Verdicts on whether published scores agree with new scores, for single cells and for a whole table.

A cell is called *odd* (significant on its own) if its p-value is below 1/20. Even if the published table was made by
the same program, one cell in twenty is odd by chance. So a cell is said to differ only if it is significant after a
correction for the number of cells (Benjamini and Hochberg 1995). With this correction, at most one in twenty of the
cells that are said to differ is expected to be odd by chance.

Small differences in many cells may not be significant in any single cell. Therefore the distance of the whole published
table from the new training runs is computed, too. The distance of the published table is compared with the distance of
each new training run from the others.

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
"""the minimum number of training runs from which a further one can be distinguished 19 times in 20"""


def verdicts(probabilities: Sequence[float]) -> list[str]:
    """Return the verdict AGREES, ODD or DIFFERS for each cell of a table, given its two-sided p-value."""
    ordered = sorted(probabilities)
    limits = [RARE * (rank + 1) / len(ordered) for rank in range(len(ordered))]
    bound = max((each for each, limit in zip(ordered, limits, strict=True) if each <= limit), default=-1.0)
    return [DIFFERS if each <= bound else ODD if each < RARE else AGREES for each in probabilities]


def oddness_of_table(ours: Floats, games: int, original: Floats, of_games: int) -> float:
    """Return a p-value of a whole published table: how unusual it is among n training runs of the same experiment.

    The distance of a training run from the others is the mean over cells of the absolute difference between its score
    and the median score of the others. The published run and the n new training runs all have such a distance. The
    p-value is the share of runs whose distance is at least that of the published run. It is at least 1 / (n + 1),
    because the published run itself is included.

    Scores can be compared only if they come from the same number of games. Therefore games are drawn at random from the
    larger of the two samples.

    The absolute difference was chosen by a test with 85 cells of 40 games of Kalah. Each of 40 training runs with
    500,000 games was compared with 39 training runs with 50,000 games. The absolute difference detected 30 of the 40
    training runs. Squared differences in units of the cells' variances detected 12 to 23.

    Args:
        ours: the scores of the new training runs, float64[trainings, cells]
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
    """Reduce the number of games behind each score to `wanted`, by a random sample of the games.

    The number of points in `games` games is rounded to a whole number of wins.
    """
    if games == wanted:
        return scores
    won = np.round(scores * games).astype(np.int64)
    drawn = np.random.default_rng(0).hypergeometric(won, games - won, wanted)
    return np.asarray(drawn / wanted, np.float64)
