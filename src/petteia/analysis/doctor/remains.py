"""What a run has left: its settings, its curve, what it saved; and random games that begin as its own do."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

from petteia.analysis.doctor.sampling import (
    POSITIONS,
    FeatureSample,
    RandomPlay,
    play_randomly,
    sample_features,
    spread,
)
from petteia.core.arrays import Floats
from petteia.core.protocol import parse_state, seats
from petteia.experiments.linear_settings import LinearSettings
from petteia.experiments.table_settings import TableSettings
from petteia.experiments.trainer import Point
from petteia.experiments.training import Training
from petteia.features.feature_set import FeatureSet, names
from petteia.learn.starts import AnyPosition, OneOf, Start
from petteia.policies.afterstates import best_afterstate
from petteia.policies.policy import Policy
from petteia.value_functions.linear_file import LearnedWeights, feature_set_of, load_linear
from petteia.value_functions.table import Table, TablePolicy, row_state, rows
from petteia.value_functions.table_file import load_table

RESULTS = 2_000
"""positions, at most, in which features are compared with who has won in the end"""


class UnexaminedError(Exception):
    """Something that cannot be examined in this run; the message says why."""


class Curve(NamedTuple):
    """The learning curve of a side."""

    seat: int
    """the side"""
    points: list[Point]
    """its points"""

    @property
    def scores(self) -> Floats:
        """The scores, [points]."""
        return np.array([point.score for point in self.points])


class Remains:
    """What a run has left. Whatever it has not is an UnexaminedError."""

    def __init__(self, training: Training) -> None:
        self.training = training
        self.rules = training.rules
        self.settings = training.configuration
        self.start = parse_state(self.rules, self.settings.positions[0])

    @property
    def linear(self) -> LinearSettings:
        """The settings of a run that learns weights."""
        assert isinstance(self.settings, LinearSettings), "faults of weights are looked for where there are weights"
        return self.settings

    @property
    def tabular(self) -> TableSettings:
        """The settings of a run that learns a table."""
        assert isinstance(self.settings, TableSettings), "faults of tables are looked for where there is a table"
        return self.settings

    def name(self, seat: int) -> str:
        """What the player of this seat is called."""
        return seats(self.rules)[seat]

    # Curves.

    @functools.cached_property
    def points(self) -> list[Point]:
        """The points of all curves; at least one."""
        points = self.training.points
        if not points:
            raise UnexaminedError("the run has no point of its curve yet")
        return points

    @functools.cached_property
    def curves(self) -> list[Curve]:
        """The curve of each side that learns."""
        return [Curve(seat, [each for each in self.points if each.side == seat]) for seat in self.settings.seats]

    # Random games.

    @functools.cached_property
    def random_play(self) -> RandomPlay:
        """Random games that begin as those of learning."""
        states = [parse_state(self.rules, text) for text in self.settings.positions]
        start: Start = states[0] if len(states) == 1 else OneOf(tuple(states))
        if isinstance(self.settings, TableSettings) and self.settings.learner.explore_starts:
            start = AnyPosition()
        return play_randomly(self.rules, start, self.settings.max_plies)

    @functools.cached_property
    def steps(self) -> float:
        """How many steps a learner takes in a random game, in the mean: its own moves, or all where both learn."""
        halved = isinstance(self.settings, LinearSettings) and self.settings.side == "random"
        return self.random_play.decisions(self.settings.seats) / (2.0 if halved else 1.0)

    # What was learned.

    @functools.cached_property
    def done(self) -> int:
        """Games that what is saved has been learned from."""
        return self.training.games

    def check_far_enough(self) -> None:
        """Raise an UnexaminedError where less than half of the games have been learned from."""
        if self.done < self.settings.games / 2:
            raise UnexaminedError(f"it has learned from {self.done:,} games of {self.settings.games:,} only")

    @functools.cached_property
    def weights(self) -> LearnedWeights:
        """The weights that were saved."""
        if not self.training.run.weights.exists():
            raise UnexaminedError("no weights were saved")
        return load_linear(self.training.run.weights, self.rules)

    @functools.cached_property
    def table(self) -> Table:
        """The table that was saved."""
        if not self.training.run.weights.exists():
            raise UnexaminedError("no table was saved")
        return load_table(self.training.run.weights, self.rules).table

    @functools.cached_property
    def policy(self) -> Policy:
        """Plays by what was saved."""
        if isinstance(self.settings, TableSettings):
            return TablePolicy(self.table)
        return self._by_weights(self.weights.weights)

    def _by_weights(self, weights: Floats) -> Policy:
        return best_afterstate(self.rules, self.feature_set, weights, by_chain=self.linear.learner.turns == "chain")

    @functools.cached_property
    def feature_set(self) -> FeatureSet:
        """The features that are weighed, scaled as they were in learning."""
        if self.training.run.weights.exists():
            return feature_set_of(self.weights, self.rules)
        if self.linear.learner.standardise:
            raise UnexaminedError("no weights were saved, nor how features were scaled")
        return self.linear.learned(self.rules)

    @functools.cached_property
    def feature_names(self) -> tuple[str, ...]:
        """What the features are called."""
        return names(self.feature_set, self.rules)

    @functools.cached_property
    def features(self) -> FeatureSample:
        """The features of positions of random games."""
        states = spread(self.random_play.unfinished, POSITIONS)
        if not states:
            raise UnexaminedError("random games are over after a move")
        return sample_features(self.rules, self.feature_set, states)

    def told_when_moving(self, mover: int) -> Floats:
        """The correlation of each feature with who has won, in positions of random games in which this player moves."""
        met = self.random_play.turns_passed(self.rules, mover)
        chosen = met[:: len(met) // RESULTS + 1]
        if not chosen:
            raise UnexaminedError("random games are over after a move")
        states, results = zip(*chosen, strict=True)
        return sample_features(self.rules, self.feature_set, states).correlations(np.array(results, dtype=np.float64))

    @property
    def win(self) -> float:
        """What a won game is worth to a learner of weights, where points count that of the mean: the unit of values."""
        points = self.random_play.points if self.linear.learner.reward == "margin" else 1.0
        return self.linear.learner.win_reward * points

    # Tables.

    @functools.cached_property
    def changes(self) -> Floats:
        """How far each value of a table is from what it began with, of moves whose value has changed."""
        away = np.abs(rows(self.table)[1] - self.table.initial)
        return away[away > 0.0]

    def states_of_random_games(self, games: int) -> int:
        """How many rows a table would have of so many random games."""
        met = self.random_play.turns(self.settings.seats, games)
        return len({row_state(self.table.sharing, self.rules, state)[0] for state in met})


def root_mean_square(values: Floats) -> float:
    """The root of the mean of the squares."""
    return float(np.sqrt(np.mean(np.square(values)))) if values.size else 0.0
