"""Random games under the rules of a run, played in plain Python, and the features of their positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from petteia.core.arrays import Floats, Ints
from petteia.core.protocol import CHANCE, Rules, State, draw_move, is_over, legal, limits, margin, play, to_move
from petteia.core.random import stream
from petteia.features.feature_set import FeatureSet, features, size
from petteia.learn.starts import Start, draw_start
from petteia.policies.play_games import play_chance
from petteia.policies.policy import workspace

GAMES, MAX_PLIES, MIN_GAMES = 400, 20_000, 20
"""The number of random games, the limit on their total plies, and the number of games played despite this limit."""
POSITIONS = 500
"""The maximum number of positions whose features are computed."""
MIN_LENGTH = 1e-9
"""The length below which a centred vector counts as zero, because of rounding errors."""
KEY = 20_260_101
"""The key of all random numbers. It is constant, so that the same run always gives the same diagnosis."""


class RandomGame(NamedTuple):
    """A game in which both players make random moves."""

    states: tuple[State, ...]
    """the states in which a player had to move"""
    movers: tuple[int, ...]
    """the player to move in each of these states"""
    afterstates: tuple[State, ...]
    """the states after the players' moves, except finished games"""
    margin: int | None
    """the final margin; None if the game was stopped"""

    @property
    def result(self) -> int | None:
        """1 if player 0 has won, -1 if player 1 has, 0 for a draw; None if the game was stopped."""
        return None if self.margin is None else int(np.sign(self.margin))


class RandomPlay(NamedTuple):
    """A sequence of games in which both players make random moves."""

    games: tuple[RandomGame, ...]
    """the games"""

    @property
    def stopped(self) -> float:
        """The share of the games that were stopped before their end."""
        return sum(game.result is None for game in self.games) / len(self.games)

    @property
    def draws(self) -> float:
        """The share of the games that were drawn."""
        return sum(game.result == 0 for game in self.games) / len(self.games)

    @property
    def points(self) -> float:
        """The mean margin of a win, in points; 1 if no game was won."""
        won = [abs(game.margin) for game in self.games if game.margin]
        return float(np.mean(won)) if won else 1.0

    def wins(self, seat: int) -> float:
        """Return the share of the games that the player in the seat `seat` wins."""
        return sum(game.result == 1 - 2 * seat for game in self.games) / len(self.games)

    def score(self, seat: int) -> float:
        """Return the score of the player in the seat `seat`. A drawn or stopped game counts as half a win."""
        return self.wins(seat) + (1.0 - self.wins(0) - self.wins(1)) / 2.0

    def decisions(self, seats: Sequence[int]) -> float:
        """Return the mean number of moves per game that the players in `seats` make."""
        return len(self.turns(seats)) / len(self.games)

    def turns(self, seats: Sequence[int], games: int | None = None) -> list[State]:
        """Return the states in which a player in `seats` is to move, in the order of play.

        If `games` is given, only states of the first `games` random games are returned.
        """
        chosen = self.games if games is None else self.games[:games]
        return [
            state for game in chosen for state, mover in zip(game.states, game.movers, strict=True) if mover in seats
        ]

    def turns_passed(self, rules: Rules, mover: int) -> list[tuple[State, int]]:
        """Return the afterstates after which `mover` moves next, each with the result of its game.

        Stopped games are ignored. If chance nodes come between the afterstate and the next move, the first possible
        outcome is assumed at each of them.
        """
        found = list[tuple[State, int]]()
        for game in self.games:
            if game.result is None:
                continue
            found += [(state, game.result) for state in game.afterstates if next_player(rules, state) == mover]
        return found

    @property
    def unfinished(self) -> list[State]:
        """The non-terminal afterstates of all games. Linear learning estimates the values of these positions."""
        return [state for game in self.games for state in game.afterstates]


def play_randomly(rules: Rules, start: Start, max_plies: int) -> RandomPlay:
    """Play games with random moves from given start positions. A game is stopped after `max_plies` plies."""
    buffer, work, games, plies = np.zeros(limits(rules).moves, np.int64), workspace(rules), list[RandomGame](), 0
    while len(games) < GAMES and (plies < MAX_PLIES or len(games) < MIN_GAMES):
        random = np.array([stream(KEY, len(games))])
        state, states, movers, played = draw_start(start, rules, random), list[State](), list[int](), 0
        afterstates = list[State]()
        while not is_over(rules, state) and played < max_plies:
            mover = to_move(rules, state)
            if mover == CHANCE:
                state = play_chance(rules, state, random, work)
            else:
                states.append(state)
                movers.append(int(mover))
                state = play(rules, state, int(draw_move(rules, state, random, buffer)))
                if not is_over(rules, state):
                    afterstates.append(state)
            played += 1
        final = margin(rules, state) if is_over(rules, state) else None
        games.append(RandomGame(tuple(states), tuple(movers), tuple(afterstates), final))
        plies += played
    return RandomPlay(tuple(games))


def next_player(rules: Rules, state: State) -> int:
    """Return the player who moves next, after any chance nodes before this move; CHANCE if the game ends first.

    At each chance node, the first possible outcome is assumed.
    """
    while not is_over(rules, state) and to_move(rules, state) == CHANCE:
        state = play(rules, state, legal(rules, state)[0])
    return CHANCE if is_over(rules, state) else to_move(rules, state)


def spread(states: Sequence[State], maximum: int) -> list[State]:
    """Return at most `maximum` different states, spread evenly over the sequence `states`."""
    different = list(dict.fromkeys(states))
    count = min(maximum, len(different))
    return [different[place * len(different) // count] for place in range(count)]


class FeatureSample(NamedTuple):
    """The features of positions, as a sparse matrix, because a feature set can have 100,000 features."""

    matrix: csr_array
    """the values of the features, [positions, size]"""
    by_feature: dict[int, tuple[Ints, Floats]]
    """the positions in which each feature is not 0, and its values there"""
    left_out: tuple[int, ...]
    """the features that are never computed, if all others are computed in every position"""

    @property
    def square_length(self) -> float:
        """The mean squared length of the feature vectors of the positions."""
        squares: float = np.square(self.matrix.data).sum()
        return float(squares / max(self.matrix.shape[0], 1))

    def values(self, weights: Floats) -> Floats:
        """Return the value of each position under the weights `weights`, float64[positions]."""
        return np.asarray(self.matrix @ weights)

    def correlations(self, with_: Floats) -> Floats:
        """Return the correlation of each feature with the quantity `with_`, float64[features].

        `with_`, float64[positions], contains the quantity in each position. If the feature or the quantity is constant,
        the correlation is 0.
        """
        rows = self.matrix.toarray()
        away, other = rows - rows.mean(axis=0), with_ - with_.mean()
        length = np.sqrt(np.square(away).sum(axis=0) * np.square(other).sum())
        return np.asarray(other @ away / np.where(length > MIN_LENGTH, length, np.inf))

    def constants(self) -> list[int]:
        """Return the constant features: each of them has one value, other than 0, in all positions."""
        everywhere = self.matrix.shape[0]
        return [
            feature
            for feature, (rows, values) in self.by_feature.items()
            if len(rows) == everywhere and np.ptp(values) <= 1e-9 * abs(values[0])
        ]

    def is_floor_of_shares(self, feature: int) -> bool:
        """Return whether a feature is always 0 or -1, as if a fractional value were rounded down by mistake.

        If a feature is -1 in all positions, the result is False.
        """
        rows, values = self.by_feature.get(feature, (np.zeros(0, np.int64), np.zeros(0)))
        return len(rows) < self.matrix.shape[0] and bool((values == -1.0).all())

    def twins(self, minimum: int) -> list[tuple[int, int]]:
        """Return the pairs of features in which one feature is a constant multiple of the other.

        Only features that are different from 0 in at least `minimum` positions are compared.
        """
        first, twins = dict[bytes, int](), []
        for feature, (rows, values) in self.by_feature.items():
            if len(rows) < minimum:
                continue
            shape = rows.tobytes() + np.round(values / values[0], 9).tobytes()
            if shape in first:
                twins.append((first[shape], feature))
            else:
                first[shape] = feature
        return twins


def sample_features(rules: Rules, feature_set: FeatureSet, states: Sequence[State]) -> FeatureSample:
    """Compute the features of the given states."""
    width = size(feature_set, rules)
    index, value = np.zeros(width, np.int64), np.zeros(width)
    columns, entries, ends = list[Ints](), list[Floats](), [0]
    computed = set[frozenset[int]]()
    for state in states:
        count = features(feature_set, rules, state, index, value)
        computed.add(frozenset(index[:count].tolist()))
        seen = np.flatnonzero(value[:count])
        columns.append(index[seen])
        entries.append(value[seen])
        ends.append(ends[-1] + len(seen))
    numbers = np.concatenate(columns) if columns else np.zeros(0, np.int64)
    data = np.concatenate(entries) if entries else np.zeros(0)
    matrix = csr_array((data, numbers, np.array(ends)), shape=(len(states), width))
    rows = np.repeat(np.arange(len(states)), np.diff(ends))
    order = np.argsort(numbers, kind="stable")
    cuts = np.flatnonzero(np.diff(numbers[order])) + 1
    by_feature = {int(numbers[part[0]]): (rows[part], data[part]) for part in np.split(order, cuts) if len(part)}
    left_out = sorted({*range(width)}.difference(*computed)) if len(computed) == 1 else []
    return FeatureSample(matrix, by_feature, tuple(left_out))
