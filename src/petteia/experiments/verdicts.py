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
BORROWED = 4.0
"""trainings that the mean scatter of all cells counts for in that of each"""
LEAST_VARIANCE = 1e-4
"""of the shares in a cell, so that cells in which all agree count no more than others"""


def verdicts(probabilities: Sequence[float]) -> list[str]:
    """AGREES, ODD or DIFFERS for each cell of a table, from how probable it is to be so far out by chance."""
    ordered = sorted(probabilities)
    limits = [RARE * (rank + 1) / len(ordered) for rank in range(len(ordered))]
    bound = max((each for each, limit in zip(ordered, limits, strict=True) if each <= limit), default=-1.0)
    return [DIFFERS if each <= bound else ODD if each < RARE else AGREES for each in probabilities]


def oddness_of_table(ours: Floats, games: int, original: Floats, of_games: int) -> float:
    """How probable it is that a training lies as far from the rest as the original does: 1 / (n + 1) or more.

    All are compared by the same number of games: of whoever has more, as many are drawn. The distance is the mean over
    cells of the squared distance from the mean of the rest, in units of their variance, of which a part is that of all
    cells, as a few trainings tell little of a cell's own.

    Args:
        ours: the scores of our trainings, float64[trainings, cells]
        games: of each of these scores
        original: the scores of the original, float64[cells]
        of_games: games of each of these

    """
    both = min(games, of_games)
    scores = np.vstack([_thinned(original[None], of_games, both), _thinned(ours, games, both)])
    number = len(scores)
    rest = number - 1
    means = (scores.sum(axis=0) - scores) / rest
    squares = (scores**2).sum(axis=0) - scores**2
    variances = (squares - rest * means**2).clip(0.0) / (rest - 1)
    common = variances.mean(axis=1, keepdims=True)
    moderated = (BORROWED * common + (rest - 1) * variances) / (BORROWED + rest - 1) + LEAST_VARIANCE
    distances = ((scores - means) ** 2 / moderated).mean(axis=1)
    return float((1 + np.count_nonzero(distances[1:] >= distances[0])) / number)


def _thinned(scores: Floats, games: int, wanted: int) -> Floats:
    """The scores in so many games, drawn from all; half points are halves of games that are won."""
    if games == wanted:
        return scores
    won = np.round(scores * games).astype(np.int64)
    drawn = np.random.default_rng(0).hypergeometric(won, games - won, wanted)
    return np.asarray(drawn / wanted, np.float64)
