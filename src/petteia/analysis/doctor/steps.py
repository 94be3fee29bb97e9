"""The step sizes of a training run, and how much the learned values change."""

from __future__ import annotations

import functools
import re

import numpy as np

from petteia.analysis.doctor.remains import Remains, UnexaminedError, root_mean_square
from petteia.core.arrays import Floats
from petteia.core.errors import PetteiaError
from petteia.experiments.linear_settings import LinearSettings, first_weights, step_size
from petteia.experiments.training import TRAINERS
from petteia.features.feature_sets import feature_set_for
from petteia.learn.linear import learns_explored
from petteia.learn.linear_targets import LINEAR_TARGETS

GO_ON = 5_000
"""The number of games by which an unfinished training run is continued in memory, to see whether it diverges."""


class Steps(Remains):
    """The step sizes of a training run, with measurements of how much the learned values change."""

    @functools.cached_property
    def alphas(self) -> Floats:
        """The step size in each game, including the games that are still to be played; float64[games]."""
        rate = self.linear.rate if isinstance(self.settings, LinearSettings) else self.tabular.rate.schedule
        return rate.over(0, self.settings.games, self.settings.games)

    @property
    def last_gamma(self) -> float:
        """The discount factor in the last game."""
        return float(self.settings.discount.over(self.settings.games - 1, 1, self.settings.games)[0])

    @property
    def usual_alpha(self) -> str:
        """The default learning rate for the features of this run, as a string."""
        known = feature_set_for(self.rules, self.linear.learner.features)
        return step_size(self.rules, known, self.settings.position, standardise=self.linear.learner.standardise)

    @functools.cached_property
    def last_part(self) -> float:
        """The fraction of a value's error that one update corrects, averaged over the last tenth of the games."""
        return float(np.mean(self.alphas[-max(len(self.alphas) // 10, 1) :])) * self.features.square_length

    @functools.cached_property
    def travelled(self) -> float:
        """The fraction of a value's error that one update corrects, summed over all updates of the run."""
        of_all = learns_explored(self.linear.learner) or LINEAR_TARGETS[self.linear.learner.aim].by_search
        learned = 1.0 if of_all else 1.0 - self.linear.exploration.over(0, len(self.alphas), self.settings.games)
        return float(np.sum(self.alphas * learned)) * self.features.square_length * self.steps

    @functools.cached_property
    def first_values(self) -> Floats:
        """The value of each sampled position under the initial weights."""
        history, games, learner = self.weights.history, self.weights.history_games, self.linear.learner
        if len(games) and games[0] == 0:
            return self.features.values(history[0])
        try:
            count = len(self.weights.weights)
            first = first_weights(self.rules, learner.features, count, learner.weights, standardise=learner.standardise)
        except PetteiaError as error:
            raise UnexaminedError(f"the initial weights are missing: {error}") from None
        return self.features.values(first)

    @functools.cached_property
    def last_values(self) -> Floats:
        """The value of each sampled position under the last saved weights."""
        return self.features.values(self.weights.weights)

    @functools.cached_property
    def swing(self) -> float:
        """The standard deviation of the value of a position over the saved weights of the last tenth of the games."""
        known = self.weights
        late = np.flatnonzero(known.history_games >= known.games * 0.9)
        if len(late) < 5:
            raise UnexaminedError("too few weights were saved in the last tenth of the games")
        chosen = late[np.linspace(0, len(late) - 1, min(len(late), 30)).astype(int)]
        values = np.array([self.features.values(known.history[place]) for place in chosen])
        return root_mean_square(values - values.mean(axis=0))

    @functools.cached_property
    def divergence(self) -> str | None:
        """The game in which learning diverges if an unfinished run continues; its number as a string.

        To find this game, the run is continued in memory for up to `GO_ON` games. The result is None if learning does
        not diverge in these games, or if the run is finished.
        """
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
