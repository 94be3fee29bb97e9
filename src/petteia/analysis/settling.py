"""Whether learned weights come to rest, and what those that do not have in common.

How much a weight swings is the difference between its largest and smallest value over the last games of a training.
Beside it stands what `petteia.analysis.collinearity` measures of its feature: whether it is rare, or others nearly make
up for it.
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
"""games over which weights swing, unless said"""


class WeightSwing(NamedTuple):
    """A feature, and how its weight swings."""

    feature: str
    """the name of the feature"""
    swing: float
    """largest less smallest weight over the last games, in the mean over the trainings"""
    frequency: float
    """share of the positions in which the feature is not zero"""
    inflation: float
    """its uncentred variance inflation factor; 1: no other feature tells anything about it"""


class Settling(NamedTuple):
    """How the weights of trainings swing, and what that goes with."""

    rows: list[WeightSwing]
    """the features, those first whose weights swing most"""
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
    """Measure how much weights swing at the end of trainings, and the rarity and collinearity of their features.

    Args:
        agents: runs, or weights files, of one recipe: of the same game and features; positions are those of games that
            the first plays against itself, by its last weights
        last: the games at the end of each training over which weights swing, 1 or more
        games: how many games are played for their positions
        random_moves: the share of moves in them that are random, 0..1
        seed: of these games, 0..2^63-1

    Returns:
        A row for each feature, and the two correlations.

    Raises:
        UsageError: no agent, agents that differ in game or features, a number out of range
        NotFoundError: there is no such run or file
        InvalidError: it is damaged, or does not hold weights of features

    Examples:
        >>> learner = petteia.LinearLearner("report")
        >>> runs = [petteia.train("kalah:leftovers=nobody", learner, games=500, seed=seed).run.path for seed in (1, 2)]
        >>> settling = petteia.settling(*runs, last=200, games=20)
        >>> settling.rows[0].feature, round(settling.rows[0].swing, 3)
        ('constant', 0.113)

    """
    from scipy.stats import spearmanr

    if not agents:
        raise UsageError("name one agent or more: runs, or weights files")
    if last < 1:
        raise UsageError(f"last={last}: must be 1 or more")
    held = [learned_weights(agent) for agent in agents]
    rules = rules_learned(of_kind(held[0], KIND))
    learned = [load_linear(each, rules) for each in held]
    for agent, each in zip(agents, learned, strict=True):
        if each.features != learned[0].features:
            raise UsageError(f"{agent}: has learned for {each.features}, {agents[0]} for {learned[0].features}")
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
    """Largest less smallest value of each weight over the last games, [size]."""
    late = learned.history[learned.history_games >= learned.games - last]
    ranges: Floats = late.max(axis=0) - late.min(axis=0)
    return ranges
