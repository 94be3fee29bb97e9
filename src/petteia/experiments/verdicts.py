"""Judge whether published scores agree with new scores, for each cell of a table and for the whole table.

Each cell of the table has a p-value for its published score. Even if the same program made the published table, about
one cell in twenty has a p-value below 1/20 by chance.

A cell is said to *differ* only if its p-value is still significant after a correction for the number of cells
(Benjamini and Hochberg 1995). With this correction, the expected share of false positives among the cells that are said
to differ is at most 1/20. A cell is called *borderline* if its p-value is below 1/20, but not significant after the
correction.

Small differences in many cells may not be significant in any single cell. Therefore the whole table is tested, too. The
test computes the distance of the published table from the new training runs. It compares this distance with the
distance of each new training run from all others.

Source: Benjamini and Hochberg 1995, "Controlling the false discovery rate: a practical and powerful approach to
multiple testing", Journal of the Royal Statistical Society B 57.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from petteia.core.arrays import Floats

AGREES, BORDERLINE, DIFFERS = "agrees", "borderline", "differs"
RARE = 0.05
"""the level of significance"""
ENOUGH_FOR_A_TABLE = 19
"""the minimum number of training runs from which a further one can be distinguished 19 times in 20"""


def verdicts(probabilities: Sequence[float]) -> list[str]:
    """Judge each cell of a table by its two-sided p-value: AGREES, BORDERLINE or DIFFERS."""
    ordered = sorted(probabilities)
    limits = [RARE * (rank + 1) / len(ordered) for rank in range(len(ordered))]
    bound = max((each for each, limit in zip(ordered, limits, strict=True) if each <= limit), default=-1.0)
    return [DIFFERS if each <= bound else BORDERLINE if each < RARE else AGREES for each in probabilities]


def oddness_of_table(ours: Floats, games: int, original: Floats, of_games: int) -> float:
    """Test a whole published table against new training runs of the same experiment, and return the p-value.

    The published table and the n new training runs together are n + 1 lists of scores. For each list, its distance from
    the other n lists is computed. The distance is the mean, over all cells, of the absolute difference between the
    score in this list and the median score in the other lists. The p-value is the share of the n + 1 distances that are
    at least as large as the distance of the published table. The p-value is at least 1 / (n + 1), because the published
    table itself is included.

    Scores can be compared only if they come from the same number of games. Therefore games are drawn at random from the
    larger of the two samples.

    The absolute difference was chosen by a test with 85 cells, each with 40 games of Kalah. Each of 40 training runs of
    500,000 games was compared with 39 training runs of 50,000 games. With absolute differences, 30 of the 40 longer
    training runs were detected. With squared differences, divided by the variances of the cells, only 12 to 23 of them
    were detected.

    Args:
        ours: the scores of the new training runs, float64[runs, cells]
        games: the number of games in which each new score was measured
        original: the published scores, float64[cells]
        of_games: the number of games in which each published score was measured

    """
    both = min(games, of_games)
    scores = np.vstack([_thinned(original[None], of_games, both), _thinned(ours, games, both)])
    distances = [
        float(np.abs(each - np.median(np.delete(scores, number, axis=0), axis=0)).mean())
        for number, each in enumerate(scores)
    ]
    return sum(each >= distances[0] for each in distances) / len(scores)


def _thinned(scores: Floats, games: int, wanted: int) -> Floats:
    """Subsample each score: draw `wanted` of its `games` games at random, and return the score in these games.

    The subsample consists only of wins and losses. The points of each score are first rounded to a whole number of
    wins, and all other games count as losses.
    """
    if games == wanted:
        return scores
    won = np.round(scores * games).astype(np.int64)
    drawn = np.random.default_rng(0).hypergeometric(won, games - won, wanted)
    return np.asarray(drawn / wanted, np.float64)
