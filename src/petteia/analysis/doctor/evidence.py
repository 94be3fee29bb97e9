"""All that is measured of a run, each thing when it is first asked for."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from petteia.analysis.doctor.judging import (
    GAMES,
    Order,
    Played,
    Values,
    by_search,
    by_table,
    meet,
    order_of_moves,
    solved,
)
from petteia.analysis.doctor.sampling import (
    POSITIONS,
    FeatureSample,
    RandomPlay,
    play_randomly,
    sample_features,
    spread,
)
from petteia.core.arrays import Floats
from petteia.core.errors import PetteiaError, UsageError
from petteia.core.protocol import decided, has_chance, legal, parse_state, play, seats, to_move
from petteia.experiments.linear_settings import LinearSettings, first_weights, step_size
from petteia.experiments.settings import policy_of
from petteia.experiments.table_settings import TableSettings
from petteia.experiments.trainer import Point
from petteia.experiments.training import TRAINERS, Training
from petteia.features.feature_set import FeatureSet, features, names, size
from petteia.features.feature_sets import feature_set_for
from petteia.learn.linear import learns_explored
from petteia.learn.linear_targets import LINEAR_TARGETS
from petteia.learn.starts import AnyPosition, OneOf, Start
from petteia.learned.linear_file import LearnedWeights, feature_set_of, load_linear
from petteia.learned.table import Table, TablePolicy, learned_values, rows, shown
from petteia.learned.table_file import load_table
from petteia.policies.afterstates import best_afterstate
from petteia.policies.policy import Policy, Uniform, probabilities, tells_probabilities, workspace
from petteia.solver.tablebase import Tablebase

GO_ON = 5_000
"""games by which an unfinished training goes on, in memory, to see whether it diverges"""
TRIED_STATES = 100
"""states in which an opponent is asked whether it draws its moves"""


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


class Evidence:
    """What can be measured of a run. Whatever cannot is an UnexaminedError."""

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

    @property
    def win(self) -> float:
        """What a won game is worth to a learner of weights, where points count that of the mean: the unit of values."""
        points = self.random_play.points if self.linear.learner.reward == "margin" else 1.0
        return self.linear.learner.win_reward * points

    # How far steps go.

    @functools.cached_property
    def alphas(self) -> Floats:
        """The step size in each of the games, those to come included."""
        rate = self.linear.rate if isinstance(self.settings, LinearSettings) else self.tabular.rate.schedule
        return rate.over(0, self.settings.games, self.settings.games)

    @property
    def usual_alpha(self) -> str:
        """The step size that learning with these features has unless another is chosen."""
        known = feature_set_for(self.rules, self.linear.learner.features)
        return step_size(self.rules, known, self.settings.position, standardise=self.linear.learner.standardise)

    @functools.cached_property
    def last_part(self) -> float:
        """The part of its error by which a step moves a value in the last games."""
        return float(np.mean(self.alphas[-max(len(self.alphas) // 10, 1) :])) * self.features.square_length

    @functools.cached_property
    def travelled(self) -> float:
        """The parts of all steps that values were moved by, added up."""
        of_all = learns_explored(self.linear.learner) or LINEAR_TARGETS[self.linear.learner.aim].by_search
        learned = 1.0 if of_all else 1.0 - self.linear.exploration.over(0, len(self.alphas), self.settings.games)
        return float(np.sum(self.alphas * learned)) * self.features.square_length * self.steps

    @functools.cached_property
    def first_values(self) -> Floats:
        """The values of positions by the weights that learning began with."""
        history, games, is_ = self.weights.history, self.weights.history_games, self.linear.learner
        if len(games) and games[0] == 0:
            return self.features.values(history[0])
        try:
            count = len(self.weights.weights)
            first = first_weights(self.rules, is_.features, count, is_.weights, standardise=is_.standardise)
        except PetteiaError as error:
            raise UnexaminedError(f"the weights that it began with are gone: {error}") from None
        return self.features.values(first)

    @functools.cached_property
    def last_values(self) -> Floats:
        """The values of positions by the weights that were saved last."""
        return self.features.values(self.weights.weights)

    @functools.cached_property
    def swing(self) -> float:
        """By how much the value of a position changes from one to another of the last weights: standard deviation."""
        known = self.weights
        late = np.flatnonzero(known.history_games >= known.games * 0.9)
        if len(late) < 5:
            raise UnexaminedError("there are too few games to see whether values swing")
        chosen = late[np.linspace(0, len(late) - 1, min(len(late), 30)).astype(int)]
        values = np.array([self.features.values(known.history[place]) for place in chosen])
        return root_mean_square(values - values.mean(axis=0))

    @functools.cached_property
    def divergence(self) -> str | None:
        """The game in which an unfinished training diverges if it goes on; None if it does not, or has finished."""
        if self.training.is_finished:
            return None
        configuration = self.training.configuration
        trainer = TRAINERS[type(configuration)](self.training.run, self.rules, configuration)
        journal = self.training.points
        reached = max(trainer.done, journal[-1].games if journal else 0)
        try:
            trainer.learn(min(reached + GO_ON, configuration.games) - trainer.done)
        except PetteiaError as error:
            found = re.search(r"learning diverged in game ([0-9,]+)", str(error))
            if found is None:
                raise UnexaminedError(str(error)) from None
            return found[1]
        return None

    # Players.

    @functools.cached_property
    def opponents(self) -> dict[str, Policy]:
        """Who is met in learning, by text; the learner itself is not among them."""
        if isinstance(self.settings, TableSettings):
            texts = [] if self.settings.side == "both" else [self.settings.opponent]
        else:
            texts = [stage.opponent for stage in self.settings.stages if stage.every is None]
        return {text: policy_of(text, self.rules, self.settings.others) for text in texts}

    def unlearned(self, text: str, seat: int) -> Played:
        """How random moves do against the player that this text names."""
        if text == "random":
            played = self.random_play
            return Played(played.score(seat), played.wins(seat), played.stopped, len(played.games))
        return self._meet(Uniform(), policy_of(text, self.rules, self.settings.others), seat)

    def learned(self, text: str, seat: int) -> Played:
        """How what was learned does against an opponent of learning."""
        return self._meet(self.policy, self.opponents[text], seat)

    @functools.cached_property
    def measured(self) -> list[Played]:
        """How what was learned does against the player that measures, in each seat that learns."""
        other = policy_of(self.settings.against, self.rules, self.settings.others)
        return [self._meet(self.policy, other, seat) for seat in self.settings.seats]

    @functools.cached_property
    def gain(self) -> tuple[float, float]:
        """What was learned against who measures, and the same with no more than what needs no learning: the scores.

        Without weights that is whoever knows ends and else plays any move, without a table any move.
        """
        text, sides = self.settings.against, self.settings.seats
        if isinstance(self.settings, TableSettings):
            without = [self.unlearned(text, seat).score for seat in sides]
        else:
            other = policy_of(text, self.rules, self.settings.others)
            nothing = self._by_weights(np.zeros(size(self.feature_set, self.rules)))
            without = [self._meet(nothing, other, seat).score for seat in sides]
        return float(np.mean([each.score for each in self.measured])), float(np.mean(without))

    @functools.cached_property
    def repeated(self) -> float:
        """The share of games of learning that repeat others, if all goes on as at the end and nobody explores."""
        met = [(each, seat) for each in self.opponents.values() for seat in self.settings.seats]
        games = [self._meet(self.policy, other, seat) for other, seat in met or [(self.policy, 0)]]
        return 1.0 - max(each.different for each in games) / GAMES

    def _meet(self, one: Policy, other: Policy, seat: int) -> Played:
        return meet(self.rules, self.start, one, other, seat, self.settings.max_plies)

    def draws_lots(self, text: str) -> bool:
        """Whether an opponent plays by chance, in positions of random games."""
        policy, work = self.opponents[text], workspace(self.rules)
        if not tells_probabilities(policy):
            raise UnexaminedError(f"the opponent {text} does not tell how likely it makes its moves")
        for state in spread(self.random_play.turns(self.settings.others), TRIED_STATES):
            out = np.zeros(len(work.moves))
            count = probabilities(policy, self.rules, state, 1.0, out, work)
            if count > 1 and out[:count].max() < 0.999:
                return True
        return False

    # Tables.

    @functools.cached_property
    def changes(self) -> Floats:
        """How far each value of a table is from what it began with, of moves whose value has changed."""
        away = np.abs(rows(self.table)[1] - self.table.initial)
        return away[away > 0.0]

    def states_of_random_games(self, games: int) -> int:
        """How many rows a table would have of so many random games."""
        met = self.random_play.turns(self.settings.seats, games)
        return len({shown(self.table.sharing, self.rules, state)[0] for state in met})

    # What moves are worth.

    @functools.cached_property
    def solution(self) -> Tablebase | None:
        """The table of the solved game; None if it is too large, or cannot be solved."""
        return solved(self.rules, self.start)

    @functools.cached_property
    def order(self) -> tuple[Order, str]:
        """How far learned values order moves as they should, and what they were held against."""
        if isinstance(self.settings, LinearSettings) and self.settings.learner.turns == "chain":
            raise UnexaminedError("it values whole turns, not single moves")
        table = self.solution
        if table is None and has_chance(self.rules):
            raise UnexaminedError("the game has chance and was not solved, so nothing tells what its moves are worth")
        try:
            known, against = (
                (by_table(self.rules, table), "best play") if table else (by_search(self.rules), "a search")
            )
        except UsageError as error:
            raise UnexaminedError(str(error)) from None
        met = self.random_play.turns(self.settings.seats)
        values = self._values_of_table if isinstance(self.settings, TableSettings) else self._values_by_weights()
        found = order_of_moves(values, known, spread(met, 1_500))
        if found is None:
            raise UnexaminedError("there are too few positions in which it matters what is played")
        return found, against

    def _values_of_table(self, state: object) -> Values:
        """Of a state, if all its moves have been tried."""
        values = learned_values(self.rules, self.table, state)
        return values if all(each != self.table.initial for each in values.values()) else {}

    def _values_by_weights(self) -> Callable[[object], Values]:
        rules, feature_set, weights = self.rules, self.feature_set, self.weights.weights
        index, value = np.zeros(size(feature_set, rules), np.int64), np.zeros(size(feature_set, rules))

        def of(state: object) -> Values:
            sign, values = 1 - 2 * to_move(rules, state), Values()
            for move in legal(rules, state):
                after = play(rules, state, move)
                if not decided(rules, after):  # players know ends without having learned
                    count = features(feature_set, rules, after, index, value)
                    values[move] = sign * float(weights[index[:count]] @ value[:count])
            return values

        return of


def root_mean_square(values: Floats) -> float:
    """The root of the mean of the squares."""
    return float(np.sqrt(np.mean(np.square(values)))) if values.size else 0.0
