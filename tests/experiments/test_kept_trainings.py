"""What is said of training runs, tried on 40 that were kept of each kind: how often it is wrong, and how often it
tells.

`data/kept_trainings.json` has half points: of Kalah, theta of each of 40 training runs (the tables of theta of
`petteia report mancala --seeds 40`) after 500,000 and after 50,000 games; of Hare and Hounds, the last point of each
learning curve (`petteia report hare-and-hounds --seeds 40`).
"""

from __future__ import annotations

import json
from typing import NamedTuple

import numpy as np
import pytest
from folders import TESTS

from petteia.arena.statistics import contrast_interval
from petteia.experiments.scatter import Sample, mean_of_trainings, oddness, spreads_of
from petteia.experiments.verdicts import RARE, oddness_of_table

KEPT = json.loads((TESTS / "data" / "kept_trainings.json").read_text())
SHORT, LONG, HARE = "mancala, 50,000 games", "mancala", "hare-and-hounds"
TRAININGS, PRINTED_GAMES, ROUNDS = 40, 100, 25
ENOUGH = [5, 10, 20, 39]


class Kept(NamedTuple):
    """Scores, float64[trainings, cells], each of so many games."""

    scores: np.ndarray
    games: int


def kept(name: str) -> Kept:
    games, cells = KEPT[name]["games"], KEPT[name]["cells"]
    return Kept(np.array([*cells.values()]).T / (2 * games), games)


def fewer(random: np.random.Generator, score: float, games: int, wanted: int = PRINTED_GAMES) -> float:
    won = round(score * games)
    return random.hypergeometric(won, games - won, wanted) / wanted


class Told(NamedTuple):
    """How often an original seems to differ: where it is one of ours, of each cell; where it is 35 to 45 points off."""

    false: np.ndarray
    power: float
    width: float
    """of the interval of the mean"""


def resampled(name: str, trainings: int) -> Told:
    """An original and training runs of ours are drawn from the same 40; or it is drawn from those of another cell."""
    scores, games = kept(name)
    cells, random = scores.shape[1], np.random.default_rng(trainings)
    means = scores.mean(axis=0)
    pairs = [(a, b) for a in range(cells) for b in range(cells) if 0.35 <= abs(means[a] - means[b]) <= 0.45]
    false, told, widths = np.zeros(cells), [], []
    for _ in range(ROUNDS):
        original, *ours = random.permutation(TRAININGS)[: trainings + 1]
        samples = [Sample(tuple(scores[ours, cell].tolist()), games) for cell in range(cells)]
        spreads = spreads_of(samples)
        for cell, sample in enumerate(samples):
            printed = fewer(random, scores[original, cell], games)
            false[cell] += oddness(sample, printed, PRINTED_GAMES, spreads) < RARE
            interval = mean_of_trainings(sample, spreads)
            widths.append(interval.high - interval.low)
        for index in random.permutation(len(pairs))[:40]:
            cell, other = pairs[index]
            printed = fewer(random, scores[original, other], games)
            told.append(oddness(samples[cell], printed, PRINTED_GAMES, spreads) < RARE)
    return Told(false / ROUNDS, float(np.mean(told)) if told else 1.0, float(np.mean(widths)))


@pytest.mark.slow
@pytest.mark.parametrize("trainings", ENOUGH)
@pytest.mark.parametrize("name", [LONG, HARE])
def test_what_is_a_training_of_ours_seldom_differs(name: str, trainings: int) -> None:
    found = resampled(name, trainings)
    print(f"{name}, {trainings}: {found.false.mean():.3f} {found.power:.3f} {found.width:.3f}")
    assert found.false.mean() <= 0.05
    assert np.quantile(found.false, 0.9) <= 0.12


@pytest.mark.slow
def test_more_trainings_tell_more() -> None:
    few, many = resampled(LONG, 5), resampled(LONG, 39)
    assert few.power >= 0.6 * many.power
    assert many.width < 0.5 * few.width


@pytest.mark.slow
@pytest.mark.parametrize("trainings", [10, 20, 40])
def test_contrasts_of_recipes(trainings: int) -> None:
    scores, _ = kept(LONG)
    random, means = np.random.default_rng(1), scores.mean(axis=0)
    wrong, told = [], {0.4: [], 0.2: []}
    for _ in range(4000):
        one, other = random.integers(scores.shape[1], size=2)
        ours, same, theirs = (random.choice(scores[:, cell], trainings) for cell in (one, one, other))
        _, low, high = contrast_interval([(1.0, ours), (-1.0, same)])
        wrong.append(not low <= 0.0 <= high)
        _, low, high = contrast_interval([(1.0, ours), (-1.0, theirs)])
        for size, found in told.items():
            if abs(abs(means[one] - means[other]) - size) < 0.05:
                found.append(not low <= 0.0 <= high)
    print(trainings, np.mean(wrong), {size: np.mean(found) for size, found in told.items()})
    assert np.mean(wrong) <= 0.06
    assert np.mean(told[0.4]) >= 0.85
    assert np.mean(told[0.2]) >= {10: 0.35, 20: 0.65, 40: 0.85}[trainings]


@pytest.mark.slow
def test_a_table_as_a_whole_tells_longer_trainings() -> None:
    long, short = kept(LONG), kept(SHORT)
    same = [oddness_of_table(np.delete(long.scores, i, 0), 200, long.scores[i], 200) <= RARE for i in range(TRAININGS)]
    told = [oddness_of_table(short.scores[:39], 40, long.scores[i], 200) <= RARE for i in range(TRAININGS)]
    print(np.mean(same), np.mean(told))
    assert np.mean(same) <= 0.06
    assert np.mean(told) >= 0.7
