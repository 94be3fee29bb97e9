"""Direct search for weights: no learning from moves, only whole matches that say how good a vector of weights is.

The noisy cross-entropy method draws a population of vectors around a mean, each weight with its own deviation, lets all
of them play, and moves mean and deviations to those of the best. A little is added to the deviations, less and less of
it, so that the search does not close in too soon: what is left without it are copies of one vector, and nothing is
searched any more. So it fades over the search, however long that is.

Source: Szita and Lorincz 2006, "Learning Tetris using the noisy cross-entropy method", Neural Computation 18.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from petteia.core.arrays import Floats

POPULATION, ELITE = 60, 12
NOISE, NOISY = 0.05, 0.8
"""added to the variances at first, less and less, and the share of the generations after which nothing is"""


class Generation(NamedTuple):
    """The result of a generation of vectors."""

    mean: Floats
    """the mean around which the next one is drawn, [size]"""
    deviation: Floats
    """the standard deviation of each weight around it, [size]"""
    best: float
    """the best score in it, which luck has chosen as well as skill"""
    elite: float
    """the mean score of its elite"""


def search_weights(
    score: Callable[[Floats, int], float],
    start: Floats,
    *,
    spread: float,
    generations: int,
    seed: int,
    jobs: int = 1,
    done: Sequence[Generation] = (),
    advance: Callable[[Generation], None] = lambda generation: None,
) -> list[Generation]:
    """Search for weights of high score.

    Args:
        score: of a vector of weights, float64[size], in the generation of this number: vectors of one generation
            should meet the same random numbers
        start: the first mean, float64[size]
        spread: the first standard deviation of each weight
        generations: how many, 1 or more
        seed: of what is drawn
        jobs: threads that score vectors; the result is the same
        done: the first generations of a search that was interrupted, with the same arguments; it goes on after them
        advance: is told of each generation when it is done

    Returns:
        All generations; the mean of the last is what was found.

    """
    random = np.random.default_rng(seed)
    mean, deviation = (done[-1].mean, done[-1].deviation) if done else (start.copy(), np.full(len(start), spread))
    results = [*done]
    with ThreadPoolExecutor(jobs) as pool:
        for number in range(generations):
            drawn = random.standard_normal((POPULATION, len(start)))
            if number < len(done):  # only its random numbers are needed again
                continue
            vectors = mean + deviation * drawn
            scores = np.array(list(pool.map(score, vectors, itertools.repeat(number))))
            elite = vectors[np.argsort(-scores, kind="stable")[:ELITE]]
            noise = NOISE * spread**2 * max(0.0, 1.0 - number / (NOISY * generations))
            mean, deviation = elite.mean(axis=0), np.sqrt(elite.var(axis=0) + noise)
            results.append(Generation(mean, deviation, float(scores.max()), float(np.sort(scores)[-ELITE:].mean())))
            advance(results[-1])
    return results
