"""Standardised feature sets, whose features have mean 0 and standard deviation 1 in random games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from petteia.core.arrays import Floats, Ints
from petteia.core.errors import UsageError
from petteia.core.kernel import inline, kernel
from petteia.core.protocol import (
    CHANCE,
    Rules,
    State,
    chances,
    draw_move,
    has_chance,
    initial,
    is_over,
    limits,
    play,
    to_move,
)
from petteia.core.random import RandomState, draw_index, stream
from petteia.features.feature_set import FeatureSet, features, max_active, names, size

MAX_PLIES = 1000
"""The maximum length of a random game."""
STEADY = 1e-9
"""The largest standard deviation of a feature that counts as constant."""
NOWHERE = -1


@inline
def spread_out(index: Ints, value: Floats, count: int, size: int) -> None:
    """Convert `count` sparse features to dense arrays in place: entry i then contains the value of feature i.

    `index` and `value` are arrays with at least `size` entries. At the call, their first `count` entries contain the
    indices and the values of the sparse features. In the dense arrays, all other features are zero.

    The conversion needs no second array. It moves each sparse feature to the array entry with the feature's index. If
    another sparse feature occupies this entry, the conversion moves that feature next.
    """
    for i in range(count, size):
        index[i] = NOWHERE
    for i in range(count):
        feature, amount = index[i], value[i]
        if feature != i:
            index[i] = NOWHERE
            while feature != NOWHERE:
                next_feature, next_amount = index[feature], value[feature]
                index[feature], value[feature] = feature, amount
                feature, amount = next_feature, next_amount
    for i in range(size):
        if index[i] == NOWHERE:
            index[i], value[i] = i, 0.0


class Standardised(NamedTuple):
    """A feature set with standardised features: each feature minus its centre, divided by its scale."""

    feature_set: FeatureSet
    """the set whose features are standardised"""
    centre: Floats
    """the number that is subtracted from each feature, [size]"""
    scale: Floats
    """the number by which each feature is then divided, [size]"""

    def names(feature_set, rules: Rules) -> tuple[str, ...]:
        """Return the names of the features, which standardisation does not change."""
        return names(feature_set.feature_set, rules)

    def size(feature_set, rules: Rules) -> int:
        """Return the number of features, which standardisation does not change."""
        return size(feature_set.feature_set, rules)

    def max_active(feature_set, rules: Rules) -> int:
        """Return the length that the arrays `index` and `value` must have in a call of the method `features`.

        The arrays first contain the sparse features of the original feature set, and then one entry for every feature.
        The result is the larger of the two numbers of entries.
        """
        return max(size(feature_set.feature_set, rules), max_active(feature_set.feature_set, rules))

    def features(feature_set, rules: Rules, state: State, index: Ints, value: Floats) -> int:
        """Write all features, shifted and scaled, and return their count."""
        count = features(feature_set.feature_set, rules, state, index, value)
        maximum = size(feature_set.feature_set, rules)
        spread_out(index, value, count, maximum)
        for i in range(maximum):
            value[i] = (value[i] - feature_set.centre[i]) / feature_set.scale[i]
        return maximum


class Moments(NamedTuple):
    """The mean and the standard deviation of each feature of a feature set, in positions of random games."""

    mean: Floats
    """the mean of each feature, 0 for constant features, [size]"""
    deviation: Floats
    """the standard deviation of each feature, 1 for constant features, [size]"""


class Sums(NamedTuple):
    """The sum and the sum of squares of each feature over many positions, with scratch arrays."""

    values: Floats
    """the sum of the values of each feature, [size]"""
    squares: Floats
    """the sum of the squares of these values, [size]"""
    numbers: Ints
    """scratch: the numbers of the features of a position, [max_active]"""
    written: Floats
    """scratch: the values of these features, [max_active]"""
    moves: Ints
    """scratch: moves or chance outcomes, [limits.moves]"""
    probabilities: Floats
    """scratch: probabilities of chance outcomes, [limits.moves]"""


@kernel(purpose="standardising")
def _add_games(
    feature_set: FeatureSet,
    rules: Rules,
    start: State,
    key: int,
    first: int,
    games: int,
    step: int,
    sums: Sums,
    random: RandomState,
) -> int:
    """Add the features of all non-terminal positions of random games to `sums`, and return the number of positions.

    The games are numbered, and each game uses the random numbers that belong to its number. The function plays every
    `step`-th game, from game `first` to game `games` - 1.
    """
    positions = 0
    for game in range(first, games, step):
        random[0] = stream(key, game)
        state = start
        plies = 0
        while plies < MAX_PLIES and not is_over(rules, state):
            for i in range(features(feature_set, rules, state, sums.numbers, sums.written)):
                sums.values[sums.numbers[i]] += sums.written[i]
                sums.squares[sums.numbers[i]] += sums.written[i] * sums.written[i]
            if has_chance(rules) and to_move(rules, state) == CHANCE:
                count = chances(rules, state, sums.moves, sums.probabilities)
                move = int(sums.moves[draw_index(random, sums.probabilities, count)])
            else:
                move = draw_move(rules, state, random, sums.moves)
            state = play(rules, state, move)
            plies += 1
        positions += plies
    return positions


def measure(
    rules: Rules, feature_set: FeatureSet, *, games: int = 1000, key: int = 0, starts: Sequence[State] | None = None
) -> Moments:
    """Return the mean and the standard deviation of each feature in the non-terminal positions of random games.

    Args:
        rules: the rules of the games
        feature_set: the feature set to measure
        games: number of games, 1 or more
        key: key of the random numbers; the same key gives the same games
        starts: states in which the games start, in turn; default: the initial state

    Raises:
        UsageError: `games` is less than 1, or all starts are finished games

    """
    begins = [initial(rules)] if starts is None else starts
    if games < 1:
        raise UsageError(f"games={games}: must be 1 or more")
    if all(is_over(rules, start) for start in begins[:games]):
        raise UsageError("the game is over in every start, so features have no means; give a non-terminal state")
    zeros, ones = np.zeros(size(feature_set, rules)), np.ones(size(feature_set, rules))
    sums, positions = _add_up(rules, Standardised(feature_set, zeros, ones), begins, games, key)
    mean = sums.values / positions
    # A second pass, because the mean of squares minus the square of the mean would lose its digits by rounding.
    sums, positions = _add_up(rules, Standardised(feature_set, mean, ones), begins, games, key)
    deviation = np.sqrt(sums.squares / positions)
    varies = deviation > STEADY
    return Moments(np.where(varies, mean, 0.0), np.where(varies, deviation, 1.0))


def _add_up(rules: Rules, feature_set: Standardised, starts: Sequence[State], games: int, key: int) -> tuple[Sums, int]:
    count, maximum, active = size(feature_set, rules), limits(rules).moves, max_active(feature_set, rules)
    sums = Sums(
        values=np.zeros(count),
        squares=np.zeros(count),
        numbers=np.zeros(active, np.int64),
        written=np.zeros(active),
        moves=np.zeros(maximum, np.int64),
        probabilities=np.zeros(maximum),
    )
    positions = sum(
        _add_games(feature_set, rules, start, int(key), place, int(games), len(starts), sums, np.zeros(1, np.int64))
        for place, start in enumerate(starts)
    )
    return sums, positions


def standardised(
    rules: Rules, feature_set: FeatureSet, *, games: int = 1000, key: int = 0, starts: Sequence[State] | None = None
) -> Standardised:
    """Return a feature set with scaled features, which have mean 0 and standard deviation 1 in random games.

    Constant features remain unchanged. The arguments and errors are described under `measure`.
    """
    return Standardised(feature_set, *measure(rules, feature_set, games=games, key=key, starts=starts))
