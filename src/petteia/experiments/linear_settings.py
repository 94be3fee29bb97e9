"""The settings of a training run that learns a linear value function: a weighted sum of features.

A training run can have several opponents, one after another (`petteia.experiments.stages`). An opponent can be a copy
of the learner. For such an opponent, the value of a finished game is its result, not the learned value. If the reward
depends only on the winner, this opponent therefore prefers a win to any position with a learned value.

The default options were chosen by experiment (`benchmarks/choose_defaults.py`, docs/choosing-parameters.md). They are
Monte Carlo targets, many random moves and self-play of both sides. By default, when the learner chooses a move, the
value of a finished game is its result, not the learned value.

By default, an update corrects a certain fraction of the error in a value. The fraction decreases during the training
run. The step size is computed from the fraction and the features, so the fraction does not depend on the units of the
features.

The history of the weights is saved for plots, and for players that use earlier weights. The history contains the
initial weights, the weights after every hundredth game, and the weights after each of the last 2000 games. The option
`marks` lists further game numbers. For each number in `marks`, the history also contains the weights after each of the
thousand games around this number.

If there are more than ten thousand weights, no history is saved. Only two weight vectors are then saved: the last one
and an average. The average is over the weight vectors after every thousandth game in the second half of the training
run.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from petteia.checking.sample import explain
from petteia.core.arrays import Bools, Floats
from petteia.core.errors import InvalidError, UsageError
from petteia.core.options import TEXT
from petteia.core.protocol import Rules, has_chance, limits, parse_state
from petteia.experiments.options import TrainingOptions, called, wrong
from petteia.experiments.settings import BETWEEN, Settings, common, policy_hash, seat_of, starts_of
from petteia.features.feature_set import FeatureSet, max_active, size
from petteia.features.feature_sets import feature_set_for, read_feature_set
from petteia.features.grammar import canonical
from petteia.features.magnitude import mean_square_length
from petteia.learn.learners import MARKS, LinearLearner
from petteia.learn.linear import BOTH, RANDOM_SIDE, learns_explored
from petteia.learn.linear_targets import LINEAR_TARGETS
from petteia.learn.schedules import Schedule, schedule
from petteia.players.settings import learned_weights
from petteia.value_functions.linear_file import AROUND, EVERY, KIND, LATEST, MAX_WEIGHTS, load_linear
from petteia.value_functions.report_weights import report_weights

SIDES = {"random": RANDOM_SIDE, "both": BOTH}

REPORT = "report"
MAX_KEPT = 1 << 27
"""the maximum number of weights in a history of weight vectors; they take a gigabyte"""
MAX_WEIGHT = 100.0
AT_ONCE = 10_000
"""the maximum number of games per call of the learner, which keeps the weights after each of these games in memory"""
STANDARDISING_GAMES = 1000
FIRST_PART, LAST_PART = 0.01, 0.0001
"""the fraction of a value's error that a step corrects, in the first game and in the last game"""


@dataclass(frozen=True, kw_only=True)
class LinearSettings(Settings):
    """The resolved settings of a training run that learns a linear value function."""

    kind = "train-linear"
    holds = KIND
    plays_as = "theta"
    sides = SIDES

    learner: LinearLearner
    weights_hash: Annotated[str, TEXT]
    """the hash of the initial weights"""

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.rate  # raises if this text is malformed
        if self.learner.aim not in LINEAR_TARGETS:
            raise unknown_target(self.learner.aim)

    @property
    def name(self) -> str:
        """The name of the learner."""
        return f"linear-{self.learner.aim}"

    def learned(self, rules: Rules) -> FeatureSet:
        """The feature set for which weights are learned."""
        return read_feature_set(rules, self.learner.features)

    @property
    def point(self) -> float | None:
        """The reward per point of the margin; None if the reward depends only on the winner."""
        return self.learner.win_reward if self.learner.reward == "margin" else None

    @property
    def rate(self) -> Schedule:
        """The schedule of the step size alpha."""
        return schedule(str(self.learner.alpha), called("alpha"))

    @property
    def exploration(self) -> Schedule:
        """The schedule of the exploration rate epsilon."""
        return schedule(self.learner.epsilon, called("epsilon"))

    def kept(self, first: int, count: int) -> Bools:
        """Return whether the weights are saved after each of the games first+1, ..., first+count; bool[count]."""
        games = np.arange(first + 1, first + count + 1)
        around = [(mark - AROUND <= games) & (games < mark + AROUND) for mark in self.learner.marks]
        mask: Bools = np.any([games % EVERY == 0, games > self.games - LATEST, *around], axis=0)
        return mask

    def __str__(self) -> str:
        learner = self.learner
        margins = ", from margins" if learner.reward == "margin" else ""
        traces = f", lambda {learner.lambda_:g} ({learner.traces})" if learner.lambda_ else ""
        chains = ", by chains" if learner.turns == "chain" else ""
        return (
            f"{learner.target} of {learner.features} against {self.opponent}, side {self.side}, alpha {learner.alpha}, "
            f"gamma {learner.gamma}, epsilon {learner.epsilon}{traces}{margins}{chains}{self.from_several}"
        )


def unknown_target(target: str) -> UsageError:
    """Return the error for an unknown target of linear learning."""
    return wrong("learner", f"with features it must be one of {', '.join(LINEAR_TARGETS)}", target)


def configure_linear(rules: Rules, given: TrainingOptions, learner: LinearLearner) -> LinearSettings:
    """Check the options of a training run with features, and return its settings. For errors see `petteia.train`."""
    opponent = "self" if given.opponent is None else given.opponent
    side = seat_of(rules, given.side if given.side is not None else "both" if opponent == "self" else "random", *SIDES)
    _check_target(rules, learner)
    if learner.draw_reward and isinstance(side, str):
        raise wrong("draw_reward", f"works only if one side learns, but side is {side}; choose a side, or leave it out")
    if learner.draw_reward and learner.reward == "margin":
        raise wrong("draw_reward", f"does not work with {called('reward')} margin; leave one of them out")
    features = canonical(learner.features)
    feature_set = feature_set_for(rules, features)
    first = first_weights(rules, features, size(feature_set, rules), learner.weights, standardise=learner.standardise)
    starts, alpha = starts_of(rules, given.position), learner.alpha
    if alpha is None:
        alpha = step_size(rules, feature_set, starts, standardise=learner.standardise)
    learner = replace(
        learner,
        features=features,
        target=learner.aim,
        alpha=str(schedule(alpha, called("alpha"))),
        gamma=str(schedule(learner.gamma, called("gamma"))),
        epsilon=str(schedule(learner.epsilon, called("epsilon"))),
        weights=str(learner.weights),
        learn_explored=learns_explored(learner),
    )
    settings = LinearSettings(
        learner=learner,
        weights_hash=policy_hash((first,)),
        **common(rules, given, side, opponent, "greedy"),
    )
    _check_stages(settings)
    _check_amount(rules, feature_set, settings, len(first))
    return settings


def _check_target(rules: Rules, learner: LinearLearner) -> None:
    """Raise a UsageError if the target is unknown or does not support the other options."""
    target = learner.aim
    if ":" in target:
        raise wrong("learner", f"a custom update rule works only with tables; leave out {called('features')}", target)
    if target not in LINEAR_TARGETS:
        raise unknown_target(target)
    by_search = LINEAR_TARGETS[target].by_search
    if (learner.depth > 1 or by_search) and learner.turns == "chain":
        what = f"{called('learner')} {target}" if by_search else called("depth")
        raise UsageError(f"{what}: does not work with {called('turns')} chain; leave one of them out")
    if by_search and has_chance(rules):
        raise wrong("learner", "the game has chance, which this target does not support; choose another target", target)
    if not LINEAR_TARGETS[target].by_steps and learner.lambda_ > 0.0:
        with_traces = " or ".join(name for name, each in LINEAR_TARGETS.items() if each.by_steps)
        raise wrong("lambda_", f"{target} has no traces; choose {called('learner')} {with_traces}, or leave it out")


def _check_amount(rules: Rules, feature_set: FeatureSet, settings: LinearSettings, count: int) -> None:
    """Raise a UsageError if the saved weights or the stored training games would need too much memory."""
    learner = settings.learner
    if count > MAX_WEIGHTS:
        _check_large(settings, count)
    kept = settings.games // EVERY + LATEST + 2 * AROUND * sum(mark < settings.games + AROUND for mark in learner.marks)
    if count <= MAX_WEIGHTS and kept * count > MAX_KEPT:
        raise wrong(
            "features",
            f"{count:,} weights, saved {kept:,} times, need too much memory; use fewer features",
            learner.features,
        )
    longest = min(settings.max_plies, limits(rules).plies or settings.max_plies)
    active = count if learner.standardise else max_active(feature_set, rules)
    if LINEAR_TARGETS[learner.aim].by_end and longest * active > MAX_KEPT:
        words = f"{learner.aim} stores whole games, which are too large with {active:,} features; use fewer plies, or"
        raise wrong("max_plies", f"{words} choose {called('learner')} sarsa", settings.max_plies)


def _check_large(settings: LinearSettings, count: int) -> None:
    """Raise a UsageError if an option needs earlier weights, which are not saved because there are too many weights.

    If a feature set has more than MAX_WEIGHTS weights, no history of the weights is saved. The learner then cannot play
    against earlier copies of itself, and the option `marks` cannot be used.
    """
    kept = f"{settings.learner.features} has {count:,} weights; above {MAX_WEIGHTS:,}, only the last weights are saved"
    for stage in settings.stages:
        if stage.every:
            raise wrong("opponent", f"{kept}, so that copies cannot be renewed; use self", stage.opponent)
    if settings.learner.marks != MARKS:
        raise wrong("marks", f"{kept}; leave it out")


def _check_stages(settings: LinearSettings) -> None:
    for stage in settings.stages:
        if stage.every is not None and (stage.every % EVERY or (stage.every == 0 and stage.opponent != "self")):
            raise wrong("opponent", f"every must be a multiple of {EVERY} games", stage.opponent)
        if stage.every and stage.every >= settings.games:
            raise wrong(
                "opponent",
                f"is never renewed in {settings.games:,} games; give a smaller number",
                stage.opponent,
            )
        if settings.side == "both" and stage.opponent != "self":
            raise wrong("opponent", "both sides learn and play against each other; choose a side", stage.opponent)


def step_size(rules: Rules, feature_set: FeatureSet, starts: str, *, standardise: bool) -> str:
    """Return the default schedule of the step size alpha, as a string.

    The first updates of a training run correct the fraction FIRST_PART of the error in a value. The last updates
    correct the fraction LAST_PART.
    """
    states = [parse_state(rules, text) for text in starts.split(BETWEEN)]
    try:
        length = size(feature_set, rules) if standardise else mean_square_length(rules, feature_set, states)
    except Exception as error:  # custom features can raise any error
        raise wrong("features", f"{explain(rules, error)}") from None
    first = min(FIRST_PART / length, 1.0) if length > 0.0 else FIRST_PART
    return f"{first:.2g}..{first * LAST_PART / FIRST_PART:.2g}".replace("e-0", "e-")


def first_weights(rules: Rules, features: str, count: int, given: float | str, *, standardise: bool) -> Floats:
    """Return the initial weights, float64[count].

    `given` is a number, the name of a run or file with learned weights, or `report` for the published weights. For
    standardised features, `given` must be a number.

    Raises UsageError if the published weights do not fit `features`, or if a number is out of range. Raises
    NotFoundError if the run or file that `given` names does not exist. Raises InvalidError if the run or file is
    damaged or has other features.
    """
    unscaled = wrong("weights", f"need features without standardisation; leave out {called('standardise')}", given)
    if given == REPORT:
        if features != REPORT:
            raise wrong("weights", f"belong to features {REPORT!r}, not to {features!r}", given)
        if standardise:
            raise unscaled
        return report_weights()
    try:
        number = float(given)
    except ValueError:
        held = learned_weights(str(given))
        path, learned = held.path, load_linear(held, rules)
        if learned.features != features:
            raise InvalidError(
                f"{path}: the weights belong to features {learned.features!r}, not to {features!r}"
            ) from None
        if learned.centre is not None:
            raise InvalidError(f"{path}: the weights belong to standardised features; give other weights") from None
        if standardise:
            raise unscaled from None
        return learned.weights
    if not abs(number) <= MAX_WEIGHT:
        raise wrong("weights", f"must be in {-MAX_WEIGHT:g}..{MAX_WEIGHT:g}", number)
    return np.full(count, number)
