"""Why some weights never settle: whether their features are rare, or others nearly make up for them.

How much a weight swings is the difference between its largest and smallest value over the last games of a training.
Beside it stand, for each feature: how often it is not zero, and its uncentred variance inflation factor, 1 / (1 - R^2).
R^2 is the share of the sum of its squares (not of its variance) that the other features explain, in the positions in
which its block applies. Squares are what counts for a learner that sees features as they are: nothing is subtracted
from them, and the constant is a feature like others, which something that hardly varies makes up for. So the factor is
that of the diagonal of the inverse of the matrix of second moments, by which errors of weights spread. Sources:
Belsley, Kuh, Welsch 1980, "Regression diagnostics"; Belsley 1984, "Demeaning conditioning diagnostics through
centering".

Both are measured in positions of games that a learned player plays against itself from the start, three moves in ten
being random ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from petteia.core.protocol import Rules, draw_move, initial, is_over, limits, play, to_move
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
BLOCKS = {"south_to_move": 0, "north_to_move": 1}
"""the side that is to move where the features of a block apply; other features apply everywhere"""


class Restless(NamedTuple):
    """A feature, and how its weight swings."""

    feature: str
    swing: float
    """mean over the trainings"""
    frequency: float
    """share of the positions in which it is not zero"""
    inflation: float
    """uncentred variance inflation factor; 1: no other feature tells anything about it"""


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


class Positions(NamedTuple):
    """Positions, one after the other."""

    table: NDArray[np.float64]
    """their features, [positions, size]"""
    movers: NDArray[np.int64]
    """the side that is to move in each"""


def positions(rules: Rules, feature_set: FeatureSet, policy: Policy, games: int, seed: int) -> Positions:
    """The positions in games of a policy against itself, now and then random."""
    (key,) = keys(seed, 1)
    work, width, rows, movers = workspace(rules), size(feature_set, rules), [], []
    buffer = np.zeros(limits(rules).moves, np.int64)
    numbers, values = np.zeros(width, np.int64), np.zeros(width)
    for game in range(games):
        random, state = np.array([stream(key, game)]), initial(rules)
        while not is_over(rules, state):
            row = np.zeros(width)
            count = features(feature_set, rules, state, numbers, values)
            row[numbers[:count]] = values[:count]
            rows.append(row)
            movers.append(to_move(rules, state))
            tries = uniform(random) < RANDOM
            move = draw_move(rules, state, random, buffer) if tries else choose(policy, rules, state, random, work)
            state = play(rules, state, int(move))
    return Positions(np.array(rows), np.array(movers))


def inflation(seen: Positions, labels: Sequence[str]) -> NDArray[np.float64]:
    """The uncentred variance inflation factor of each feature, so called, where its block applies; [size].

    A feature that is never seen has none: 1.
    """
    found = np.ones(len(labels))
    for column, label in enumerate(labels):
        side = BLOCKS.get(label.partition(".")[0])
        rows = seen.table if side is None else seen.table[seen.movers == side]
        target, others = rows[:, column], np.delete(rows, column, axis=1)
        squares = target @ target
        if squares > 0.0:
            left = target - others @ np.linalg.lstsq(others, target, rcond=None)[0]
            found[column] = min(squares / max(left @ left, squares / LARGEST), LARGEST)
    return found


def look(
    rules: Rules, feature_set: FeatureSet, policy: Policy, learned: Sequence[LearnedWeights], games: int, seed: int
) -> Settling:
    """How the weights of these trainings swing, and what that goes with."""
    from scipy.stats import spearmanr

    seen, labels = positions(rules, feature_set, policy, games, seed), names(feature_set, rules)
    swing = np.mean([swings(each) for each in learned], axis=0)
    frequency, inflated = (seen.table != 0.0).mean(axis=0), inflation(seen, labels)
    rows = [
        Restless(name, *map(float, numbers)) for name, *numbers in zip(labels, swing, frequency, inflated, strict=True)
    ]
    return Settling(
        sorted(rows, key=lambda row: -row.swing),
        float(spearmanr(swing, inflated).statistic),
        float(spearmanr(swing, frequency).statistic),
    )
