"""Why some weights never settle: whether their features are rare, or others nearly make up for them.

How much a weight swings is the difference between its largest and smallest value over the last games of a training.
Beside it stand, for each feature: how often it is not zero, and its variance inflation factor, 1 / (1 - R^2), R^2 being
how much of its variance the other features of its block explain (Belsley, Kuh, Welsch 1980, "Regression diagnostics").
Both are measured in positions of games between learned players from random openings.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from petteia.core.protocol import Rules, draw_move, initial, is_over, limits, play
from petteia.core.random import keys, stream, uniform
from petteia.features.feature_set import FeatureSet, features, names, size
from petteia.policies.linear_file import LearnedWeights
from petteia.policies.policy import Policy, choose, workspace

LAST = 50_000
"""games over which a weight swings"""
RANDOM = 0.3
"""share of random moves in the games whose positions are looked at"""
LARGEST = 1e6
"""shown for a feature that the others explain in full"""


class Restless(NamedTuple):
    """A feature, and how its weight swings."""

    feature: str
    swing: float
    """mean over the trainings"""
    frequency: float
    """share of the positions in which it is not zero"""
    inflation: float
    """variance inflation factor; 1: no other feature tells anything about it"""


class Settling(NamedTuple):
    """What the swings go with."""

    rows: list[Restless]
    with_inflation: float
    """Spearman's correlation of swing and inflation"""
    with_frequency: float
    """that of swing and frequency"""


def swings(learned: LearnedWeights, last: int = LAST) -> NDArray[np.float64]:
    """Largest less smallest value of each weight over the last games, [size]."""
    late = learned.history[learned.history_games >= learned.games - last]
    found: NDArray[np.float64] = late.max(axis=0) - late.min(axis=0)
    return found


def positions(rules: Rules, feature_set: FeatureSet, policy: Policy, games: int, seed: int) -> NDArray[np.float64]:
    """The features of the positions in games of a policy against itself, now and then random; [positions, size]."""
    (key,) = keys(seed, 1)
    work, width, rows = workspace(rules), size(feature_set, rules), []
    buffer = np.zeros(limits(rules).moves, np.int64)
    numbers, values = np.zeros(width, np.int64), np.zeros(width)
    for game in range(games):
        random, state = np.array([stream(key, game)]), initial(rules)
        while not is_over(rules, state):
            row = np.zeros(width)
            count = features(feature_set, rules, state, numbers, values)
            row[numbers[:count]] = values[:count]
            rows.append(row)
            tries = uniform(random) < RANDOM
            move = draw_move(rules, state, random, buffer) if tries else choose(policy, rules, state, random, work)
            state = play(rules, state, int(move))
    return np.array(rows)


def inflation(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """The variance inflation factor of each column among the others, in the rows where its block applies; [size]."""
    found = np.ones(table.shape[1])
    for column in range(table.shape[1]):
        if np.ptp(table[:, column]) == 0.0:
            continue
        rows = table[table[:, column] != 0.0]
        varying = [other for other in range(table.shape[1]) if other != column and np.ptp(rows[:, other]) > 0.0]
        if len(rows) <= len(varying) or np.ptp(rows[:, column]) == 0.0:
            rows = table
            varying = [other for other in range(table.shape[1]) if other != column and np.ptp(rows[:, other]) > 0.0]
        target = rows[:, column] - rows[:, column].mean()
        others = rows[:, varying] - rows[:, varying].mean(axis=0)
        left = target - others @ np.linalg.lstsq(others, target, rcond=None)[0]
        share = float((left @ left) / (target @ target))
        found[column] = min(1.0 / share if share > 0.0 else LARGEST, LARGEST)
    return found


def look(
    rules: Rules, feature_set: FeatureSet, policy: Policy, learned: Sequence[LearnedWeights], games: int, seed: int
) -> Settling:
    """How the weights of these trainings swing, and what that goes with."""
    from scipy.stats import spearmanr

    table = positions(rules, feature_set, policy, games, seed)
    swing = np.mean([swings(each) for each in learned], axis=0)
    frequency, inflated = (table != 0.0).mean(axis=0), inflation(table)
    rows = [
        Restless(name, *map(float, numbers))
        for name, *numbers in zip(names(feature_set, rules), swing, frequency, inflated, strict=True)
    ]
    return Settling(
        sorted(rows, key=lambda row: -row.swing),
        float(spearmanr(swing, inflated).statistic),
        float(spearmanr(swing, frequency).statistic),
    )
