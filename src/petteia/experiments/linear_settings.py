"""The settings of a training of a value that is linear in features.

The opponents come in stages (`petteia.experiments.stages`). The learner itself as an opponent knows ends: a game won is
worth more to it than any features.

Defaults were chosen by experiment (`benchmarks/choose_defaults.py`, docs/choosing-parameters.md): Monte Carlo with many
random moves, in self-play of both sides, with ends known; and a step size that is a part of the error, whatever the
features are measured in.

The weights are kept on the way, so that every plot and every earlier player can be made afterwards: those it begins
with, after every hundredth game, after each of the last 2000, and after each of a thousand games around every one of
the `marks`. Of sets of more than ten thousand weights only the last are kept, and the mean of those after every
thousandth game of the second half.
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
"""numbers in a history: a gigabyte"""
MAX_WEIGHT = 100.0
AT_ONCE = 10_000
"""games in a call: so many weights are waiting to be kept"""
STANDARDISING_GAMES = 1000
FIRST_PART, LAST_PART = 0.01, 0.0001
"""of its error by which a step moves a value, in the first and in the last game"""


@dataclass(frozen=True, kw_only=True)
class LinearSettings(Settings):
    """The resolved settings of a training of a linear value."""

    kind = "train-linear"
    holds = KIND
    plays_as = "theta"
    sides = SIDES

    learner: LinearLearner
    weights_hash: Annotated[str, TEXT]
    """of the weights that it begins with"""

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.rate  # what is written as text can be read
        if self.learner.aim not in LINEAR_TARGETS:
            raise unknown_target(self.learner.aim)

    @property
    def name(self) -> str:
        """What the learner is called."""
        return f"linear-{self.learner.aim}"

    def learned(self, rules: Rules) -> FeatureSet:
        """The feature set whose weights are learned."""
        return read_feature_set(rules, self.learner.features)

    @property
    def point(self) -> float | None:
        """What a point of the margin is worth; None where it is learned from who has won."""
        return self.learner.win_reward if self.learner.reward == "margin" else None

    @property
    def rate(self) -> Schedule:
        """The schedule of alpha."""
        return schedule(str(self.learner.alpha), called("alpha"))

    @property
    def exploration(self) -> Schedule:
        """The schedule of epsilon."""
        return schedule(self.learner.epsilon, called("epsilon"))

    def kept(self, first: int, count: int) -> Bools:
        """Whether the weights after games first+1..first+count are kept."""
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
    """What is wrong with a target that linear learning does not have."""
    return wrong("learner", f"with features it must be one of {', '.join(LINEAR_TARGETS)}", target)


def configure_linear(rules: Rules, given: TrainingOptions, learner: LinearLearner) -> LinearSettings:
    """The settings, resolved; errors are those of `petteia.train`."""
    opponent = "self" if given.opponent is None else given.opponent
    side = seat_of(rules, given.side if given.side is not None else "both" if opponent == "self" else "random", *SIDES)
    _check_target(rules, learner)
    if learner.draw_reward and isinstance(side, str):
        raise wrong("draw_reward", f"is that of one side, and here side is {side}; choose a side, or leave it out")
    if learner.draw_reward and learner.reward == "margin":
        raise wrong("draw_reward", f"by the margin a draw is worth 0; leave it out, or {called('reward')} margin")
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
    """Raise a UsageError unless the target is one of linear learning, and goes together with what else is given."""
    target = learner.aim
    if ":" in target:
        raise wrong("learner", f"an update rule of your own is of tables; leave out {called('features')}", target)
    if target not in LINEAR_TARGETS:
        raise unknown_target(target)
    by_search = LINEAR_TARGETS[target].by_search
    if (learner.depth > 1 or by_search) and learner.turns == "chain":
        what = f"{called('learner')} {target}" if by_search else called("depth")
        raise UsageError(f"{what}: a search looks ahead by plies; leave out {what}, or {called('turns')} chain")
    if by_search and has_chance(rules):
        raise wrong("learner", "chance moves in the game, which what it learns from does not look through", target)
    if not LINEAR_TARGETS[target].by_steps and learner.lambda_ > 0.0:
        with_traces = " or ".join(name for name, each in LINEAR_TARGETS.items() if each.by_steps)
        raise wrong("lambda_", f"{target} has no traces; choose {called('learner')} {with_traces}, or leave it out")


def _check_amount(rules: Rules, feature_set: FeatureSet, settings: LinearSettings, count: int) -> None:
    """Raise a UsageError where more would be kept than memory is for."""
    learner = settings.learner
    if count > MAX_WEIGHTS:
        _check_large(settings, count)
    kept = settings.games // EVERY + LATEST + 2 * AROUND * sum(mark < settings.games + AROUND for mark in learner.marks)
    if count <= MAX_WEIGHTS and kept * count > MAX_KEPT:
        raise wrong("features", f"{count:,} weights, kept {kept:,} times, are too many; learn less", learner.features)
    longest = min(settings.max_plies, limits(rules).plies or settings.max_plies)
    active = count if learner.standardise else max_active(feature_set, rules)
    if LINEAR_TARGETS[learner.aim].by_end and longest * active > MAX_KEPT:
        words = (
            f"{learner.aim} remembers whole games, and these are too long for {active:,} features; say less, or choose"
        )
        raise wrong("max_plies", f"{words} {called('learner')} sarsa", settings.max_plies)


def _check_large(settings: LinearSettings, count: int) -> None:
    """Raise a UsageError where more is asked for than the last of so many weights."""
    kept = f"{settings.learner.features} has {count:,} weights; of more than {MAX_WEIGHTS:,} only the last are kept"
    for stage in settings.stages:
        if stage.every:
            raise wrong("opponent", f"{kept}, none to be renewed from; say self", stage.opponent)
    if settings.learner.marks != MARKS:
        raise wrong("marks", f"{kept}; leave it out")


def _check_stages(settings: LinearSettings) -> None:
    for stage in settings.stages:
        if stage.every is not None and (stage.every % EVERY or (stage.every == 0 and stage.opponent != "self")):
            raise wrong("opponent", f"every must be {EVERY} games, or a multiple of that", stage.opponent)
        if stage.every and stage.every >= settings.games:
            raise wrong(
                "opponent", f"is never renewed in a training of {settings.games:,} games; say less", stage.opponent
            )
        if settings.side == "both" and stage.opponent != "self":
            raise wrong("opponent", "where both sides learn they meet each other; choose a side", stage.opponent)


def step_size(rules: Rules, feature_set: FeatureSet, starts: str, *, standardise: bool) -> str:
    """The schedule of alpha that moves a value by FIRST_PART of its error at first, and by LAST_PART at last."""
    states = [parse_state(rules, text) for text in starts.split(BETWEEN)]
    try:
        length = size(feature_set, rules) if standardise else mean_square_length(rules, feature_set, states)
    except Exception as error:  # a user's features can raise anything
        raise wrong("features", f"{explain(rules, error)}") from None
    first = min(FIRST_PART / length, 1.0) if length > 0.0 else FIRST_PART
    return f"{first:.2g}..{first * LAST_PART / FIRST_PART:.2g}".replace("e-0", "e-")


def first_weights(rules: Rules, features: str, count: int, given: float | str, *, standardise: bool) -> Floats:
    """The weights to begin with, [count]; only numbers fit features that are standardised.

    Raises UsageError for those of other features, or a number out of range; NotFoundError if there is no such run or
    file, InvalidError if it is damaged, or of other features.
    """
    unscaled = wrong("weights", f"are those of features as they are; leave out {called('standardise')}", given)
    if given == REPORT:
        if features != REPORT:
            raise wrong("weights", f"are those of features {REPORT!r}, not of {features!r}", given)
        if standardise:
            raise unscaled
        return report_weights()
    try:
        number = float(given)
    except ValueError:
        held = learned_weights(str(given))
        path, learned = held.path, load_linear(held, rules)
        if learned.features != features:
            raise InvalidError(f"{path}: has weights of features {learned.features!r}, not of {features!r}") from None
        if learned.centre is not None:
            raise InvalidError(f"{path}: has weights of features that were scaled; begin with others") from None
        if standardise:
            raise unscaled from None
        return learned.weights
    if not abs(number) <= MAX_WEIGHT:
        raise wrong("weights", f"must be in {-MAX_WEIGHT:g}..{MAX_WEIGHT:g}", number)
    return np.full(count, number)
