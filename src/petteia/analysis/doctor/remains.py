"""The settings and saved values of a training run, and random games from its start positions."""

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
from petteia.core.protocol import parse_state, seats, to_move
from petteia.experiments.linear_settings import LinearSettings
from petteia.experiments.table_settings import TableSettings
from petteia.experiments.trainer import Point
from petteia.experiments.training import Training
from petteia.features.feature_set import FeatureSet, names
from petteia.features.feature_sets import FEATURE_SETS
from petteia.features.turn import Turn
from petteia.learn.starts import AnyPosition, OneOf, Start
from petteia.policies.afterstates import best_afterstate
from petteia.policies.policy import Policy
from petteia.value_functions.linear_file import LearnedWeights, feature_set_of, load_linear
from petteia.value_functions.table import Table, TablePolicy, learned_values, row_state, rows
from petteia.value_functions.table_file import load_table

RESULTS = 2_000
"""The maximum number of positions from which features are correlated with the winner of the game."""


class UnexaminedError(Exception):
    """Raised if a check is not possible for a training run. The message gives the reason."""


class Curve(NamedTuple):
    """The learning curve of one side."""

    seat: int
    """the side"""
    points: list[Point]
    """the points of the curve"""

    @property
    def scores(self) -> Floats:
        """The scores at the points of a learning curve, float64[points]."""
        return np.array([point.score for point in self.points])


class Remains:
    """The saved data of a training run, and random games. If a file is missing, reading it raises UnexaminedError."""

    def __init__(self, training: Training) -> None:
        self.training = training
        self.rules = training.rules
        self.settings = training.configuration
        self.start = parse_state(self.rules, self.settings.positions[0])

    @property
    def linear(self) -> LinearSettings:
        """The settings of a run that learns weights of features. Raises AssertionError for any other run."""
        assert isinstance(self.settings, LinearSettings), "checks of weights are made for runs with weights"
        return self.settings

    @property
    def tabular(self) -> TableSettings:
        """The settings of a run that learns a table. Raises AssertionError for any other run."""
        assert isinstance(self.settings, TableSettings), "checks of tables are made for runs with a table"
        return self.settings

    def name(self, seat: int) -> str:
        """Return the name of a seat."""
        return seats(self.rules)[seat]

    # Curves.

    @functools.cached_property
    def points(self) -> list[Point]:
        """The points of the learning curves of all sides. Raises UnexaminedError if there are none."""
        points = self.training.points
        if not points:
            raise UnexaminedError("the learning curve of the run has no points yet")
        return points

    @functools.cached_property
    def curves(self) -> list[Curve]:
        """The learning curve of each side that learns."""
        return [Curve(seat, [each for each in self.points if each.side == seat]) for seat in self.settings.seats]

    # Random games.

    @functools.cached_property
    def random_play(self) -> RandomPlay:
        """A sample of random games that begin at the start positions of the training games."""
        states = [parse_state(self.rules, text) for text in self.settings.positions]
        start: Start = states[0] if len(states) == 1 else OneOf(tuple(states))
        if isinstance(self.settings, TableSettings) and self.settings.learner.explore_starts:
            start = AnyPosition()
        return play_randomly(self.rules, start, self.settings.max_plies)

    @functools.cached_property
    def steps(self) -> float:
        """The mean number of learning steps per game, estimated from random games.

        Each move of a learning side is one learning step. In self-play, the moves of both sides are learning steps.
        """
        halved = isinstance(self.settings, LinearSettings) and self.settings.side == "random"
        return self.random_play.decisions(self.settings.seats) / (2.0 if halved else 1.0)

    # Learned values.

    @functools.cached_property
    def done(self) -> int:
        """The number of training games that had been played when the learned values were last saved."""
        return self.training.games

    def check_far_enough(self) -> None:
        """Raise UnexaminedError if fewer than half of the training games have been played."""
        if self.done < self.settings.games / 2:
            raise UnexaminedError(f"the training has finished only {self.done:,} of {self.settings.games:,} games")

    @functools.cached_property
    def weights(self) -> LearnedWeights:
        """The saved weights."""
        if not self.training.run.weights.exists():
            raise UnexaminedError("no weights were saved")
        return load_linear(self.training.run.weights, self.rules)

    @functools.cached_property
    def table(self) -> Table:
        """The saved table."""
        if not self.training.run.weights.exists():
            raise UnexaminedError("no table was saved")
        return load_table(self.training.run.weights, self.rules).table

    @functools.cached_property
    def policy(self) -> Policy:
        """The policy that chooses moves by the saved values."""
        if isinstance(self.settings, TableSettings):
            return TablePolicy(self.table)
        return self._by_weights(self.weights.weights)

    def _by_weights(self, weights: Floats) -> Policy:
        return best_afterstate(self.rules, self.feature_set, weights, by_chain=self.linear.learner.turns == "chain")

    @functools.cached_property
    def feature_set(self) -> FeatureSet:
        """The feature set of the run. Standardised features have the same scale as in training."""
        if self.training.run.weights.exists():
            return feature_set_of(self.weights, self.rules)
        if self.linear.learner.standardise:
            raise UnexaminedError("no weights were saved, so the scale of the features is unknown")
        return self.linear.learned(self.rules)

    @functools.cached_property
    def feature_names(self) -> tuple[str, ...]:
        """The names of the features."""
        return names(self.feature_set, self.rules)

    @property
    def known_set(self) -> str:
        """The name of a built-in feature set for the game; an empty string if there is none."""
        return next((name for name, each in FEATURE_SETS.items() if each.game is type(self.rules)), "")

    @property
    def absent_phases(self) -> tuple[str, ...]:
        """The phases of the feature set `turn`, such as `south_to_move`, that occur in no afterstate of random games.

        Each phase means that a certain player is to move. Linear value functions are learned from afterstates. In many
        dice games, each afterstate is a chance node, in which no player is to move. Phases such as `south_to_move` are
        then absent, and the features of these phases are always 0.
        """
        phases = names(Turn(), self.rules)
        present = {to_move(self.rules, state) for state in spread(self.random_play.unfinished, POSITIONS)}
        return tuple(phase for mover, phase in enumerate(phases) if mover not in present)

    @functools.cached_property
    def features(self) -> FeatureSample:
        """The features of positions in random games."""
        states = spread(self.random_play.unfinished, POSITIONS)
        if not states:
            raise UnexaminedError("random games end after one move, so there are no positions with features")
        return sample_features(self.rules, self.feature_set, states)

    def correlations_with_winner(self, mover: int) -> Floats:
        """Return the correlation of each feature with the result of random games, in positions with `mover` to move."""
        met = self.random_play.turns_passed(self.rules, mover)
        chosen = met[:: len(met) // RESULTS + 1]
        if not chosen:
            raise UnexaminedError("random games end after one move, so there are no positions with features")
        states, results = zip(*chosen, strict=True)
        return sample_features(self.rules, self.feature_set, states).correlations(np.array(results, dtype=np.float64))

    @property
    def win(self) -> float:
        """The reward of a typical win.

        If rewards are margins, a typical win is a win by the mean margin of random games. Otherwise, all wins have the
        same reward.
        """
        points = self.random_play.points if self.linear.learner.reward == "margin" else 1.0
        return self.linear.learner.win_reward * points

    # Tables.

    @functools.cached_property
    def changes(self) -> Floats:
        """The absolute differences between the changed values in the table and the initial value of the table."""
        away = np.abs(rows(self.table)[1] - self.table.initial)
        return away[away > 0.0]

    @functools.cached_property
    def unvisited(self) -> float:
        """The share of the positions of random games that have no row in the table."""
        met = self.random_play.turns(self.settings.seats)
        return sum(not learned_values(self.rules, self.table, state) for state in met) / max(len(met), 1)

    def states_of_random_games(self, games: int) -> int:
        """Return the number of different states that a table would contain after `games` random games."""
        met = self.random_play.turns(self.settings.seats, games)
        return len({row_state(self.table.sharing, self.rules, state)[0] for state in met})


def root_mean_square(values: Floats) -> float:
    """Return the root mean square of the values; 0 if there are no values."""
    return float(np.sqrt(np.mean(np.square(values)))) if values.size else 0.0
