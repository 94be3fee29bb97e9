"""Direct search for weights finds what is good, and the same with any number of jobs."""

from __future__ import annotations

import numpy as np
import pytest

from petteia.learn.cross_entropy import ELITE, POPULATION, search_weights

GOAL = np.array([1.0, -2.0, 0.5, 0.0])


def near_goal(weights, generation):
    return -float(np.square(weights - GOAL).sum())


def test_it_finds_the_best_weights():
    found = search_weights(near_goal, np.zeros(4), spread=1.0, generations=150, seed=1)
    assert np.abs(found[-1].mean - GOAL).max() < 0.02
    assert found[-1].elite > found[0].elite
    assert all(each.best >= each.elite for each in found)


def test_jobs_change_nothing():
    one, two = (search_weights(near_goal, np.zeros(4), spread=1.0, generations=5, seed=1, jobs=jobs) for jobs in (1, 2))
    assert [each.mean.tolist() for each in one] == [each.mean.tolist() for each in two]


@pytest.mark.parametrize("kept", [1, 4])
def test_an_interrupted_search_goes_on(kept):
    whole = search_weights(near_goal, np.zeros(4), spread=1.0, generations=5, seed=1)
    told = []
    rest = search_weights(
        near_goal, np.zeros(4), spread=1.0, generations=5, seed=1, done=whole[:kept], advance=told.append
    )
    assert told == rest[kept:]
    assert [each.mean.tolist() for each in rest] == [each.mean.tolist() for each in whole]
    assert [each[2:] for each in rest] == [each[2:] for each in whole]


def test_a_generation_is_the_mean_of_its_elite():
    asked = []

    def noted(weights, generation):
        asked.append((generation, weights.copy()))
        return near_goal(weights, generation)

    (first,) = search_weights(noted, np.zeros(4), spread=1.0, generations=1, seed=3)
    best = sorted((each for _, each in asked), key=lambda each: -near_goal(each, 0))[:ELITE]
    assert len(asked) == POPULATION
    assert np.allclose(first.mean, np.mean(best, axis=0))


def test_it_goes_on_searching_however_long_it_is():
    def near_a_goal_that_moves(weights, generation):
        return near_goal(weights if generation < 300 else -weights, generation)

    found = search_weights(near_a_goal_that_moves, np.zeros(4), spread=1.0, generations=600, seed=1)
    assert np.abs(found[299].mean - GOAL).max() < 0.2
    assert np.abs(found[-1].mean + GOAL).max() < 0.02
