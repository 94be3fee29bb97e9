"""Collinearity of features: how well each feature is predicted by the other features of its set.

If the other features predict a feature well, the learned weight of the feature is uncertain. Two measures are computed
for each feature. The first is the share of positions in which the feature is not zero. The second is the uncentred
variance inflation factor, `1 / (1 - R^2)`. R^2 comes from a linear regression of the feature on the other features.
Without centring, R^2 is the explained share of the sum of squares of the feature, not of its variance.

The means of the features are not subtracted, because the learner does not subtract them either. The constant feature is
treated like the other features. If a feature applies only when one side is to move, its factor is computed only from
positions with this side to move. The factor shows how uncertain a weight is. If values are fitted to the features by
least squares, the variance of each weight is proportional to the factor of its feature.

Sources: Belsley, Kuh, Welsch 1980, "Regression diagnostics"; Belsley 1984, "Demeaning conditioning diagnostics through
centering".

The positions come from games in which one player plays both sides. A given share of the moves is random.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from petteia.arena.alternate import legal_move
from petteia.arena.openings import start_state
from petteia.core.arrays import Floats, Ints
from petteia.core.decision import Limit
from petteia.core.errors import UsageError
from petteia.core.names import format_game
from petteia.core.protocol import CHANCE, Rules, State, draw_move, is_over, limits, play, seats, to_move
from petteia.core.random import RandomState, checked_seed, keys, stream, uniform
from petteia.features.feature_set import FeatureSet, features, max_active, names, size
from petteia.features.feature_sets import feature_set_for
from petteia.games import game as rules_of
from petteia.players import Player, player
from petteia.players.foreign import ForeignPolicyPlayer
from petteia.policies.play_games import MAX_PLIES, play_chance
from petteia.policies.policy import begin, choose, workspace

SAMPLED_GAMES, RANDOM_MOVES = 400, 0.3
"""The number of sampled games, and the share of random moves in them, by default."""
LARGEST = 1e6
"""The inflation factor of a feature that is an exact linear combination of the other features."""
UNLIMITED = Limit()


class Collinearity(NamedTuple):
    """How often a feature is not zero, and how well the other features of the same feature set predict this feature."""

    feature: str
    """the name of the feature"""
    frequency: float
    """the share of positions in which the feature is not zero"""
    inflation: float
    """the uncentred variance inflation factor; 1 if the feature is independent of all others"""


def collinearity(
    game: str | Rules,
    feature_set: str | FeatureSet,
    *,
    subject: str | Any = "random",
    games: int = SAMPLED_GAMES,
    random_moves: float = RANDOM_MOVES,
    position: str | State | None = None,
    seed: int = 0,
) -> list[Collinearity]:
    """Measure how well each feature of a feature set is predicted by the other features of the set.

    The features are computed in the positions of self-play games. Some features have names that contain `NAME_to_move`,
    where NAME is a seat. The variance inflation factor of such a feature is computed only from positions with this seat
    to move. For all other features, all positions are used.

    Args:
        game: the rules, as an object or a string
        feature_set: the features, as an object or a string
        subject: the player that plays both sides of the sampled games, as a string, a player object or a policy
        games: the number of games
        random_moves: the share of random moves in the sampled games, 0..1
        position: the start position of all games, as a state or a string; default: the initial position
        seed: the seed of all random numbers, 0..2^63-1

    Returns:
        A row for each feature, in the order of the feature set.

    Raises:
        UsageError: an unknown game, feature set or player; a player for one side only; or a number out of range
        NotFoundError: a module, class, run or file that does not exist
        InvalidError: an impossible position, or a file for another game
        PetteiaError: a player that fails or makes an illegal move

    Examples:
        >>> rows = petteia.collinearity("kalah:leftovers=nobody", "report", games=20)
        >>> rows[0].feature, round(rows[0].inflation, 2)
        ('south_to_move.south.can_get_another_move', 2.3)

    """
    rules = rules_of(game)
    known = feature_set_for(rules, feature_set)
    start = start_state(rules, position)
    seen = sample_features(
        rules, known, player(subject, rules), games=games, random_moves=random_moves, start=start, seed=seed
    )
    labels = names(known, rules)
    figures = zip(labels, frequencies(seen), inflation(seen, labels, seats(rules)), strict=True)
    return [Collinearity(label, float(often), float(inflated)) for label, often, inflated in figures]


class FeatureSample(NamedTuple):
    """The values of the features in a sequence of positions, and the side to move in each position."""

    table: Floats
    """the values of the features, [positions, size]"""
    movers: Ints
    """the side to move in each position, [positions]"""


def sample_features(
    rules: Rules,
    feature_set: FeatureSet,
    subject: Player,
    *,
    games: int,
    random_moves: float,
    start: State,
    seed: int,
) -> FeatureSample:
    """Play games of a player against itself, with some random moves. Return the features before each move."""
    if games < 1:
        raise UsageError(f"games={games}: must be 1 or more")
    if not 0.0 <= random_moves <= 1.0:
        raise UsageError(f"random_moves={random_moves}: must be in 0..1")
    if len(subject.seats) < 2:
        raise UsageError(f"player {subject.name} plays one side only; choose a player for both sides")
    (key,) = keys(checked_seed(seed), 1)
    work, width, rows, movers = workspace(rules), size(feature_set, rules), [], []
    buffer = np.zeros(limits(rules).moves, np.int64)
    active = max_active(feature_set, rules)
    numbers, values = np.zeros(active, np.int64), np.zeros(active)
    for game in range(games):
        random, state = np.array([stream(key, game)]), start
        chosen = _chooser(rules, subject, random)
        for _ in range(MAX_PLIES):
            if is_over(rules, state):
                break
            if to_move(rules, state) == CHANCE:
                state = play_chance(rules, state, random, work)
                continue
            row = np.zeros(width)
            count = features(feature_set, rules, state, numbers, values)
            row[numbers[:count]] = values[:count]
            rows.append(row)
            movers.append(to_move(rules, state))
            is_random = uniform(random) < random_moves
            move = int(draw_move(rules, state, random, buffer)) if is_random else chosen(state)
            state = play(rules, state, move)
    if not rows:
        raise UsageError(f"{format_game(rules)}: no player has a move in any position of the games")
    return FeatureSample(np.array(rows), np.array(movers))


def _chooser(rules: Rules, subject: Player, random: RandomState) -> Callable[[State], int]:
    """Start a new game for the player `subject`, and return a function that maps a state to the player's move."""
    policy = None if isinstance(subject, ForeignPolicyPlayer) else subject.policy(rules)
    if policy is None:
        subject.new_game(rules, int(random[0]))
        return lambda state: legal_move(rules, subject, state, subject.choose(state, UNLIMITED).move)
    begin(policy, rules, random)
    work = workspace(rules)
    return lambda state: int(choose(policy, rules, state, random, work))


def frequencies(seen: FeatureSample) -> Floats:
    """Return the share of positions in which each feature is not zero, float64[size]."""
    return np.asarray((seen.table != 0.0).mean(axis=0))


def inflation(seen: FeatureSample, labels: Sequence[str], seat_names: Sequence[str]) -> Floats:
    """Return the uncentred variance inflation factor of each feature, float64[size].

    If a feature applies only when one side is to move, its variance inflation factor is computed only from positions
    with this side to move. If the feature is zero in all positions that are used, its variance inflation factor is 1.
    """
    factors = np.ones(len(labels))
    for column, label in enumerate(labels):
        side = side_of(label, seat_names)
        rows = seen.table if side is None else seen.table[seen.movers == side]
        target, others = rows[:, column], np.delete(rows, column, axis=1)
        squares = target @ target
        if squares > 0.0:
            left = target - others @ np.linalg.lstsq(others, target, rcond=None)[0]
            factors[column] = min(squares / max(left @ left, squares / LARGEST), LARGEST)
    return factors


def side_of(label: str, seat_names: Sequence[str]) -> int | None:
    """Return the side, 0 or 1, that the name of a feature contains; None if the name contains no side.

    `label` is the name of the feature. It contains a side if one of its parts is the name of the side followed by
    `_to_move`, as in `south_to_move.captures`. The variance inflation factor of this feature is computed only from
    positions with this side to move.
    """
    parts = label.split(".")
    return next((side for side, name in enumerate(seat_names) if f"{name}_to_move" in parts), None)
