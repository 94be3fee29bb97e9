"""The noisy cross-entropy method: a search for good weights that uses only the results of games, not single moves.

The method draws a population of weight vectors from a normal distribution, with a mean and a standard deviation for
each weight. The score of a vector is its result in games. The means and the standard deviations of the best vectors
then replace the previous ones. Noise is added to the variances, because the search would otherwise converge too early
to copies of one vector. The noise decays to 0 over the first 80 % of the generations.

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
"""The noise that is added to the variances in the first generation, and the share of generations over which it decays
to 0."""


class Generation(NamedTuple):
    """The result of one generation in the cross-entropy method."""

    mean: Floats
    """the mean around which the next generation is drawn, [size]"""
    deviation: Floats
    """the standard deviation of each weight around the mean, [size]"""
    best: float
    """the best score of the generation; it is biased upwards, as the maximum of noisy scores"""
    elite: float
    """the mean score of the elite, the best vectors"""


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
    """Search for a vector of weights with a high score, and return all generations of the search.

    Args:
        score: a function that takes a weight vector, float64[size], and the number of its generation, and returns the
            score of the vector; it should use the same random numbers for all vectors of a generation
        start: the mean of the first generation, float64[size]
        spread: the standard deviation of each weight in the first generation
        generations: number of generations, 1 or more
        seed: the seed of the random vectors
        jobs: number of threads that score vectors; it does not change the result
        done: the generations that an interrupted search with the same arguments has finished; the search continues
            after them
        advance: a function that is called with each new generation

    Returns:
        All generations. The mean of the last generation is the result of the search.

    """
    random = np.random.default_rng(seed)
    mean, deviation = (done[-1].mean, done[-1].deviation) if done else (start.copy(), np.full(len(start), spread))
    results = [*done]
    with ThreadPoolExecutor(jobs) as pool:
        for number in range(generations):
            drawn = random.standard_normal((POPULATION, len(start)))
            if number < len(done):  # draw its random numbers, but do not score it again
                continue
            vectors = mean + deviation * drawn
            scores = np.array(list(pool.map(score, vectors, itertools.repeat(number))))
            elite = vectors[np.argsort(-scores, kind="stable")[:ELITE]]
            noise = NOISE * spread**2 * max(0.0, 1.0 - number / (NOISY * generations))
            mean, deviation = elite.mean(axis=0), np.sqrt(elite.var(axis=0) + noise)
            results.append(Generation(mean, deviation, float(scores.max()), float(np.sort(scores)[-ELITE:].mean())))
            advance(results[-1])
    return results
