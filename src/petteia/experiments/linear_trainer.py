"""Train a value function that is linear in features, with the settings of `linear_settings`."""

from __future__ import annotations

import numpy as np

from petteia.core.arrays import Floats
from petteia.core.errors import InvalidError, PetteiaError
from petteia.core.protocol import Rules, has_chance, parse_move, parse_state, play, to_move
from petteia.experiments.linear_settings import (
    AT_ONCE,
    STANDARDISING_GAMES,
    LinearSettings,
    first_weights,
)
from petteia.experiments.settings import policy_hash, policy_of, same_policy
from petteia.experiments.stages import Stage, stage_of
from petteia.experiments.trainer import Learned, Trainer
from petteia.features.feature_set import FeatureSet, size
from petteia.features.feature_sets import feature_set_for
from petteia.features.linear import linear, units_for, weighted_sum
from petteia.features.standardised import measure
from petteia.learn.linear import DIVERGED, learn_games, learner_for
from petteia.policies.afterstates import BestAfterstate, best_afterstate
from petteia.policies.policy import Policy, Uniform
from petteia.policies.search_policy import SearchPolicy, search_policy
from petteia.records.runs import Run
from petteia.search.alpha_beta import EXACT_DEPTH, ORDER, TIES
from petteia.search.ends import BY_MARGIN, BY_RESULT, DECIDED, EARLY
from petteia.value_functions.linear_file import (
    EVERY,
    MAX_WEIGHTS,
    MEAN_EVERY,
    LearnedWeights,
    feature_set_of,
    load_linear,
    save_linear,
)


class LinearTrainer(Trainer):
    """A trainer that learns the weights of a linear value function."""

    def __init__(self, run: Run, rules: Rules, settings: LinearSettings) -> None:
        super().__init__(run, rules, settings)
        self._linear_settings = settings
        self._known = self._checkpoint()
        self.done = self._known.games
        self._weights = self._known.weights
        self._history = [self._known.history]
        self._history_games = [self._known.history_games]
        self._mean = self._known.mean.copy()
        self._keeps_history = len(self._weights) <= MAX_WEIGHTS
        features = feature_set_of(self._known, rules)
        self._frozen = self._weights.copy()
        self._opponents = [
            self._opponent(stage, hashed, features)
            for stage, hashed in zip(settings.stages, settings.opponent_hashes, strict=True)
        ]
        self._learner = learner_for(
            rules,
            features,
            self._weights,
            settings.learner,
            side=settings.learns,
            max_plies=settings.max_plies,
        )
        self._chooser = self._search(features) if settings.learner.depth > 1 else None
        self._evaluated = linear(rules, features, self._weights)
        self._policy = self._plays_by(features, self._weights)

    def _checkpoint(self) -> LearnedWeights:
        """Load the last saved weights. If none have been saved yet, create the initial weights."""
        run, rules, settings = self.run, self.rules, self._linear_settings
        feature_set = feature_set_for(rules, settings.learner.features)
        if not run.weights.exists():
            first = first_weights(
                rules,
                settings.learner.features,
                size(feature_set, rules),
                settings.learner.weights,
                standardise=settings.learner.standardise,
            )
            if policy_hash((first,)) != settings.weights_hash:
                raise InvalidError(
                    f"{run.path}: the weights {settings.learner.weights} have changed since the run began"
                )
            keeps = len(first) <= MAX_WEIGHTS
            begun = LearnedWeights(
                settings.learner.features,
                first.copy(),
                first.copy(),
                history=first[None].copy() if keeps else np.zeros((0, len(first))),
                history_games=np.zeros(1 if keeps else 0, np.int64),
                games=0,
                turns=settings.learner.turns,
                point=settings.point,
                win=settings.learner.win_reward,
            )
            if not settings.learner.standardise:
                return begun
            starts = [parse_state(rules, text) for text in settings.positions]
            centre, scale = measure(rules, feature_set, games=STANDARDISING_GAMES, key=self.key, starts=starts)
            return begun._replace(centre=centre, scale=scale)
        checkpoint = load_linear(run.weights, rules)
        expected = [0, *np.flatnonzero(settings.kept(0, checkpoint.games)) + 1]
        if (
            (checkpoint.features, checkpoint.turns, checkpoint.centre is not None, checkpoint.point)
            != (settings.learner.features, settings.learner.turns, settings.learner.standardise, settings.point)
            or checkpoint.games > settings.games
            or not np.array_equal(checkpoint.history_games, expected if len(checkpoint.weights) <= MAX_WEIGHTS else [])
        ):
            raise InvalidError(
                f"{run.weights}: weights of another training run; restore the weights of this one, or begin a new run"
            )
        return checkpoint

    def _plays_by(self, features: FeatureSet, weights: Floats) -> BestAfterstate:
        settings = self._linear_settings
        return best_afterstate(
            self.rules, features, weights, by_chain=settings.learner.turns == "chain", point=settings.point
        )

    def _opponent(self, stage: Stage, hashed: str, features: FeatureSet) -> Policy:
        if self._linear_settings.side == "both":
            return Uniform()  # it never has to move
        if stage.every is None:
            return same_policy(self.run.path, stage.opponent, hashed, self.rules, self._linear_settings.others)
        return self._plays_by(features, self._weights if stage.every == 0 else self._frozen)

    def _search(self, features: FeatureSet) -> SearchPolicy:
        point, win = self._linear_settings.point, self._linear_settings.learner.win_reward
        ends = BY_MARGIN if point is not None else BY_RESULT if has_chance(self.rules) else EARLY | DECIDED
        evaluation = linear(
            self.rules,
            features,
            self._weights,
            point=point or (win if has_chance(self.rules) else 1.0),
            units=units_for(win if point is None and not has_chance(self.rules) else 1.0),
        )
        options = ends | EXACT_DEPTH | ORDER | TIES
        return search_policy(self.rules, evaluation, depth=self._linear_settings.learner.depth, options=options)

    def learn(self, count: int) -> None:
        """Learn from the next `count` games. Raises PetteiaError if learning diverges."""
        end, stages = self.done + count, self._linear_settings.stages
        while self.done < end:
            number = stage_of(stages, self.done)
            stage = stages[number]
            until = min(end, stage.end, self.done + AT_ONCE)
            if stage.every:
                self._frozen[:] = self._after(self.done // stage.every * stage.every)
                until = min(until, (self.done // stage.every + 1) * stage.every)
            if not self._keeps_history:
                until = min(until, (self.done // MEAN_EVERY + 1) * MEAN_EVERY)
            self._learn(until - self.done, self._opponents[number])
            if not self._keeps_history and self.done % MEAN_EVERY == 0 and (averaged := self._averaged()) > 0:
                before = self._mean if averaged > 1 else 0.0  # earlier weights are no part of the mean
                self._mean[:] = before + (self._weights - before) / averaged

    def _averaged(self) -> int:
        """Return the number of weight vectors that have been averaged so far. Only large feature sets use the average.

        The average is over the weight vectors after every thousandth game in the second half of the training run.
        """
        return self.done // MEAN_EVERY - self._linear_settings.games // 2 // MEAN_EVERY

    def _learn(self, count: int, opponent: Policy) -> None:
        settings, first = self._linear_settings, self.done
        keep = settings.kept(first, count) if self._keeps_history else np.zeros(count, np.bool_)
        diverged, kept = learn_games(
            self.rules,
            self.start,
            self._learner,
            opponent,
            alphas=settings.rate.over(first, count, settings.games),
            epsilons=settings.exploration.over(first, count, settings.games),
            gammas=settings.discount.over(first, count, settings.games),
            keys=self.keys,
            is_kept=keep,
            chooser=self._chooser,
            first_game=first,
            max_plies=settings.max_plies,
        )
        if diverged is not None:
            alpha = float(settings.rate.over(diverged, 1, settings.games)[0])
            less = ", or a smaller lambda" if settings.learner.lambda_ else ""
            raise PetteiaError(
                f"{self.run.path}: learning diverged in game {diverged + 1:,}: a value was off by more than "
                f"{DIVERGED:,.0f} wins; try a smaller alpha, such as {alpha / 10:g}{less}; "
                "remove this run, or choose another name"
            )
        self._history.append(kept)
        self._history_games.append(first + 1 + np.flatnonzero(keep))
        self.done += count

    def _after(self, games: int) -> Floats:
        """Return the weights after `games` training games. Raises InvalidError if they were not saved."""
        for numbers, kept in zip(self._history_games, self._history, strict=True):
            place = np.searchsorted(numbers, games)
            if place < len(numbers) and numbers[place] == games:
                weights: Floats = kept[place]
                return weights
        raise InvalidError(f"{self.run.weights}: its history lacks the weights after {games:,} games")

    @property
    def asks(self) -> tuple[object, ...]:
        """The objects that choose moves in training games: the learner, its search and its opponents' policies."""
        return (self._learner, self._chooser, *self._opponents)

    def save(self) -> None:
        """Save the weights and their history to the run folder."""
        history, games = np.concatenate(self._history), np.concatenate(self._history_games)
        self._history, self._history_games = [history], [games]
        counted = (games % EVERY == 0) & (games >= self.done // 2)
        mean = history[counted].mean(axis=0) if counted.any() else self._weights
        if not self._keeps_history and self._averaged() > 0:
            mean = self._mean
        known = self._known._replace(weights=self._weights, mean=mean, games=self.done)
        save_linear(self.run.weights, self.rules, known._replace(history=history, history_games=games), self.run.place)

    def policy(self) -> Policy:
        """The policy that makes the move with the best afterstate. The value of a finished game is its result."""
        return self._policy

    def unlearned(self) -> tuple[str, Policy]:
        """Return the name and the policy of `greedy`, a player that does not learn, for comparison with the learner."""
        return "greedy", policy_of("greedy", self.rules, self._linear_settings.seats)

    def learned(self) -> Learned:
        """The norm of the learned weights, which is recorded in the learning curve."""
        return Learned(norm=float(np.sqrt(np.square(self._weights).sum())))

    def value(self, position: str, move: str) -> float:
        """The learned value of a move, from the perspective of the player who makes it."""
        state = parse_state(self.rules, position)
        after = play(self.rules, state, parse_move(self.rules, state, move))
        worth = float(weighted_sum(self._evaluated, self.rules, after))
        return worth if to_move(self.rules, state) == 0 else -worth
