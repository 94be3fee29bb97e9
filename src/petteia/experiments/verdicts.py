"""What is to be thought of an original's figures, each beside ours, in a table of many cells and of a table as a whole.

In a table where all agrees, one cell in twenty is odd by chance. So a cell differs only where it stays odd when all are
looked at together: among the cells that differ, one in twenty is expected to be there by chance (Benjamini and Hochberg
1995). Small differences that point the same way in many cells are seen by none of them; they are in the distance of the
original from our trainings over all cells, held against that of each training from the rest.

Source: Benjamini and Hochberg 1995, "Controlling the false discovery rate: a practical and powerful approach to
multiple testing", Journal of the Royal Statistical Society B 57.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from petteia.core.arrays import Floats

AGREES, ODD, DIFFERS = "agrees", "odd", "differs"
RARE = 0.05
"""so improbable that it is odd"""
ENOUGH_FOR_A_TABLE = 19
"""trainings from which on one further can be told from all of them 19 times in 20"""


def verdicts(probabilities: Sequence[float]) -> list[str]:
    """AGREES, ODD or DIFFERS for each cell of a table, from how probable it is to be so far out by chance."""
    ordered = sorted(probabilities)
    limits = [RARE * (rank + 1) / len(ordered) for rank in range(len(ordered))]
    bound = max((each for each, limit in zip(ordered, limits, strict=True) if each <= limit), default=-1.0)
    return [DIFFERS if each <= bound else ODD if each < RARE else AGREES for each in probabilities]


def oddness_of_table(ours: Floats, games: int, original: Floats, of_games: int) -> float:
    """How probable it is that a training lies as far from the rest as the original does: 1 / (n + 1) or more.

    All are compared by the same number of games: of whoever has more, as many are drawn. The distance is the mean over
    cells of how far a score is from the median of the rest. Of 40 trainings of Kalah with 500,000 games, held against
    39 with 50,000 by 85 cells of 40 games, it told 30; squared distances in units of the cells' variances told 12 to
    23.

    Args:
        ours: the scores of our trainings, float64[trainings, cells]
        games: of each of these scores
        original: the scores of the original, float64[cells]
        of_games: games of each of these

    """
    both = min(games, of_games)
    scores = np.vstack([_thinned(original[None], of_games, both), _thinned(ours, games, both)])
    distances = [
        float(np.abs(each - np.median(np.delete(scores, number, axis=0), axis=0)).mean())
        for number, each in enumerate(scores)
    ]
    return sum(each >= distances[0] for each in distances) / len(scores)


def _thinned(scores: Floats, games: int, wanted: int) -> Floats:
    """The scores in so many games, drawn from all; half points are halves of games that are won."""
    if games == wanted:
        return scores
    won = np.round(scores * games).astype(np.int64)
    drawn = np.random.default_rng(0).hypergeometric(won, games - won, wanted)
    return np.asarray(drawn / wanted, np.float64)
