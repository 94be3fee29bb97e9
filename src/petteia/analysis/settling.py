"""Measure whether learned weights converge, and how this depends on the frequency and collinearity of the features.

The swing of a weight is the difference between its largest and smallest value in the last games of a training run. The
module compares the swing of each weight with the frequency of its feature, and with the collinearity of this feature
(`petteia.analysis.collinearity`).
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from petteia.analysis.collinearity import RANDOM_MOVES, SAMPLED_GAMES, frequencies, inflation, sample_features
from petteia.core.arrays import Floats
from petteia.core.errors import UsageError
from petteia.core.protocol import initial, seats
from petteia.features.feature_set import names
from petteia.players import player
from petteia.players.settings import learned_weights, rules_learned
from petteia.records.weights import of_kind
from petteia.value_functions.linear_file import KIND, LearnedWeights, feature_set_of, load_linear

LAST = 50_000
"""The default number of games at the end of a training run over which swings are measured."""


class WeightSwing(NamedTuple):
    """How much the weight of a feature varies at the end of training, and how collinear and frequent the feature is."""

    feature: str
    """the name of the feature"""
    swing: float
    """largest minus smallest weight over the last games, averaged over the training runs"""
    frequency: float
    """the share of positions in which the feature is not zero"""
    inflation: float
    """the uncentred variance inflation factor of the feature; 1 if it is independent of all others"""


class Settling(NamedTuple):
    """How much all weights vary at the end of training, and how this correlates with properties of their features."""

    rows: list[WeightSwing]
    """the features, in descending order of their swing"""
    with_inflation: float
    """Spearman's correlation of swing and inflation"""
    with_frequency: float
    """Spearman's correlation of swing and frequency"""


def settling(
    *agents: str | Path,
    last: int = LAST,
    games: int = SAMPLED_GAMES,
    random_moves: float = RANDOM_MOVES,
    seed: int = 0,
) -> Settling:
    """Measure whether the weights of rare or collinear features vary more at the end of training than other weights.

    Args:
        agents: training runs or weights files, all for the same game and with the same features
        last: the number of games at the end of each training run in which the swing of the weights is measured, 1 or
            more. The swing is the difference between the largest and the smallest value of a weight
        games: the number of games in which the features are sampled; the first agent plays them against itself with its
            last weights
        random_moves: the share of random moves in the self-play games, 0..1
        seed: the seed of the self-play games, 0..2^63-1

    Returns:
        A row for each feature, and two rank correlations. One correlates the swing of the weights with the frequency of
        their features, the other with the collinearity of their features.

    Raises:
        UsageError: no agent, agents that differ in game or features, or a number out of range
        NotFoundError: a run or file that does not exist
        InvalidError: a file that is damaged, or contains no weights of features

    Examples:
        >>> learner = petteia.LinearLearner("report")
        >>> runs = [petteia.train("kalah:leftovers=nobody", learner, games=500, seed=seed).run.path for seed in (1, 2)]
        >>> settling = petteia.settling(*runs, last=200, games=20)
        >>> settling.rows[0].feature, round(settling.rows[0].swing, 3)
        ('constant', 0.113)

    """
    from scipy.stats import spearmanr

    if not agents:
        raise UsageError("agents: none was given; give at least one run or weights file")
    if last < 1:
        raise UsageError(f"last={last}: must be 1 or more")
    held = [learned_weights(agent) for agent in agents]
    rules = rules_learned(of_kind(held[0], KIND))
    learned = [load_linear(each, rules) for each in held]
    for agent, each in zip(agents, learned, strict=True):
        if each.features != learned[0].features:
            raise UsageError(
                f"{agent} has the features {each.features}, but {agents[0]} has {learned[0].features}; "
                "give agents with the same features"
            )
    feature_set = feature_set_of(learned[0], rules)
    first = player(f"theta:agent=({agents[0]}),weights=last", rules)
    seen = sample_features(
        rules, feature_set, first, games=games, random_moves=random_moves, start=initial(rules), seed=seed
    )
    labels = names(feature_set, rules)
    swing = np.mean([swings(each, last) for each in learned], axis=0)
    frequency, inflated = frequencies(seen), inflation(seen, labels, seats(rules))
    rows = [
        WeightSwing(label, *map(float, figures))
        for label, *figures in zip(labels, swing, frequency, inflated, strict=True)
    ]
    return Settling(
        rows=sorted(rows, key=lambda row: -row.swing),
        with_inflation=float(spearmanr(swing, inflated).statistic),
        with_frequency=float(spearmanr(swing, frequency).statistic),
    )


def swings(learned: LearnedWeights, last: int = LAST) -> Floats:
    """Return the largest minus the smallest value of each weight in the last `last` games, float64[size]."""
    late = learned.history[learned.history_games >= learned.games - last]
    ranges: Floats = late.max(axis=0) - late.min(axis=0)
    return ranges
