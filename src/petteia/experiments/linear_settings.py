"""The settings of a training of a value that is linear in features.

The opponents of a training come in stages: `greedy:depth=2 for 100000, then self` meets greedy in the first 100,000
games and itself in all others. `self` plays by the weights as they are, without exploring; `self:every=10000` by those
of the last round ten thousand games. It knows ends: a game won is worth more to it than any features.

Defaults were chosen by experiment (`benchmarks/choose_defaults.py`, docs/choosing-parameters.md): Monte Carlo with many
random moves, in self-play of both sides, with ends known; and a step size that is a part of the error, whatever the
features are measured in.

The weights are kept on the way, so that every plot and every earlier player can be made afterwards: those it begins
with, after every hundredth game, after each of the last 2000, and after each of a thousand games around every one of
the `marks`. Of sets of more than ten thousand weights only the last are kept, and the mean of those after every
thousandth game of the second half.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from pydantic import Field, model_validator

from petteia.checking.sample import explain
from petteia.core.arrays import Bools, Floats
from petteia.core.errors import InvalidError, UsageError
from petteia.core.protocol import Rules, has_chance, limits, parse_state
from petteia.experiments.domains import MOST_GAMES
from petteia.experiments.options import MARKS, Reward, Traces, TrainingOptions, Turns
from petteia.experiments.settings import (
    BETWEEN,
    Settings,
    followed,
    hashed,
    policy_hash,
    seat_of,
    starts_of,
    within,
)
from petteia.features.feature_set import FeatureSet, most_active, size
from petteia.features.feature_sets import feature_set_for, read_feature_set
from petteia.features.grammar import canonical
from petteia.features.magnitude import mean_square_length
from petteia.learn.linear import BOTH, BY_SEARCH, BY_STEPS, LEARN_EXPLORED, RANDOM_SIDE, UPDATE_RULES
from petteia.learn.schedules import Schedule, schedule
from petteia.learned.linear_file import AROUND, EVERY, KIND, LATEST, MOST_WEIGHTS, load_linear
from petteia.learned.report_weights import report_weights
from petteia.players.settings import learned_weights

LinearLearnerName = Literal["q", "sarsa", "td", "monte-carlo", "rootstrap", "rootstrap-after"]
SIDES = {"random": RANDOM_SIDE, "both": BOTH}

SELF = re.compile(r"self(?::every=([0-9]{1,12}))?", re.ASCII)
STAGE = re.compile(r"(.+) for ([0-9]{1,12})", re.ASCII)
UNPARTED = re.compile(r" for [0-9]+(?:,| then\b)", re.ASCII)
REPORT = "report"
MOST_KEPT = 1 << 27
"""numbers in a history: a gigabyte"""
MOST_WEIGHT = 100.0
AT_ONCE = 10_000
"""games in a call: so many weights are waiting to be kept"""
STANDARDISING_GAMES = 1000
LEARNER: LinearLearnerName = "monte-carlo"
WITH_TRACES: LinearLearnerName = "sarsa"
"""where lambda is given: Monte Carlo has no traces, those of Q-learning end with every random move"""
EPSILON = 0.5
FIRST_PART, LAST_PART = 0.01, 0.0001
"""of its error by which a step moves a value, in the first and in the last game"""


class Stage(NamedTuple):
    """A part of a training: games against one opponent."""

    opponent: str
    """the text form of a player, or `self`"""
    end: int
    """number of games at which the next stage begins"""

    @property
    def every(self) -> int | None:
        """Games after which an opponent that is the learner itself is renewed, 0 for at once; None if it is not."""
        match = SELF.fullmatch(self.opponent)
        return None if match is None else int(match[1] or 0)


class LinearSettings(Settings):
    """The resolved settings of a training of a linear value: `configuration` in its run.json."""

    kind = "train-linear"
    holds = KIND
    plays_as = "theta"

    features: str
    """text form of the feature set"""
    learner: LinearLearnerName
    side: Literal[0, 1, "random", "both"]
    """the seat that learns: either, drawn for each game, or both, each ply a step"""
    opponent: str
    """the stages"""
    opponent_hashes: list[str]
    """of what the opponent of each stage knows; empty where it is the learner"""
    epsilon: str
    """schedule of the probability of a random action"""
    lambda_: float = within("lambda_")
    """how long traces last"""
    traces: Traces
    turns: Turns
    """what an action is"""
    weights: str
    """those that it begins with: a number, `report`, a run or a file"""
    weights_hash: str
    depth: int = within("depth")
    """plies that it looks ahead when it chooses"""
    win_reward: float = within("win_reward")
    """the reward of a game won, or of each point of the margin"""
    draw_reward: float = within("draw_reward")
    """the reward of a game drawn, to the side that learns"""
    reward: Reward = "result"
    knows_ends: bool
    learn_explored: bool
    play_out: bool
    standardise: bool
    marks: list[Annotated[int, Field(ge=1, le=MOST_GAMES)]]

    @model_validator(mode="after")
    def _fits(self) -> LinearSettings:
        """What is written as text can be read, and there is a hash for each opponent."""
        read = (self.rate, self.exploration, self.stages)
        if len(self.opponent_hashes) != len(read[-1]):
            raise ValueError(f"opponent {self.opponent!r}: has {len(self.opponent_hashes)} hashes, not one for each")
        return self

    @property
    def name(self) -> str:
        """What the learner is called."""
        return f"linear-{self.learner}"

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that learn."""
        return (0, 1) if self.side in ("random", "both") else (int(self.side),)

    @property
    def players(self) -> tuple[str, ...]:
        """The opponents, and who measures."""
        return (*(stage.opponent for stage in self.stages if stage.every is None), self.evaluate_against)

    def learned(self, rules: Rules) -> FeatureSet:
        """The feature set whose weights are learned."""
        return read_feature_set(rules, self.features)

    @property
    def learns(self) -> int:
        """`side` as the learner takes it."""
        return SIDES[self.side] if isinstance(self.side, str) else self.side

    @property
    def draw_worth(self) -> float:
        """The reward of a game drawn, to player 0."""
        return -self.draw_reward if self.side == 1 else self.draw_reward

    @property
    def stages(self) -> list[Stage]:
        """The stages of the training, one for each opponent."""
        return parse_stages(self.opponent, self.games)

    @property
    def point(self) -> float | None:
        """What a point of the margin is worth; None where it is learned from who has won."""
        return self.win_reward if self.reward == "margin" else None

    @property
    def rate(self) -> Schedule:
        """The schedule of alpha."""
        return schedule(self.alpha, "alpha")

    @property
    def exploration(self) -> Schedule:
        """The schedule of epsilon."""
        return schedule(self.epsilon, "epsilon")

    def kept(self, first: int, count: int) -> Bools:
        """Whether the weights after games first+1..first+count are kept."""
        games = np.arange(first + 1, first + count + 1)
        around = [(mark - AROUND <= games) & (games < mark + AROUND) for mark in self.marks]
        mask: Bools = np.any([games % EVERY == 0, games > self.games - LATEST, *around], axis=0)
        return mask

    def __str__(self) -> str:
        margins = ", from margins" if self.reward == "margin" else ""
        traces = f", lambda {self.lambda_:g} ({self.traces})" if self.lambda_ else ""
        chains = ", by chains" if self.turns == "chain" else ""
        return (
            f"{self.learner} of {self.features} against {self.opponent}, side {self.side}, alpha {self.alpha}, "
            f"gamma {self.gamma:g}, epsilon {self.epsilon}{traces}{margins}{chains}{self.from_several}"
        )


def parse_stages(text: str, games: int) -> list[Stage]:
    """The stages that `text` describes; UsageError for another form, and stages that do not fit the games."""
    stages = []
    begin = 0
    parts = text.split(", then ")
    for number, part in enumerate(parts):
        match = STAGE.fullmatch(part)
        if match is None and UNPARTED.search(part):
            raise UsageError(f"opponent {text!r}: between stages stands ', then ', as in 'random for 1000, then self'")
        if match is None and number < len(parts) - 1:
            raise UsageError(
                f"opponent {text!r}: stage {number + 1} must say how long it is, as in 'random for 1000, then self'"
            )
        length = games - begin if match is None else int(match[2])
        if length < 1:
            left = "has no games" if match else f"begins after all {games:,} games"
            raise UsageError(f"opponent {text!r}: stage {number + 1} {left}; a stage has 1 or more")
        begin += length
        who = part if match is None else match[1]
        if who.startswith("self:") and not SELF.fullmatch(who):
            raise UsageError(f"opponent {text!r}: of options self has only every, as in self:every=10000")
        stages.append(Stage(who, begin))
    if begin != games:
        raise UsageError(f"opponent {text!r}: the stages have {begin:,} games, the training {games:,}")
    return stages


def configure_linear(rules: Rules, given: TrainingOptions) -> LinearSettings:
    """The settings, resolved; options and errors are those of `petteia.train`."""
    opponent, lambda_ = given["opponent"], given["lambda_"]
    learner = given.get("learner", WITH_TRACES if lambda_ > 0.0 else LEARNER)
    if ":" in learner:
        raise UsageError(f"learner {learner}: an update rule of your own is of tables; leave the features out")
    if learner not in UPDATE_RULES:
        raise UsageError(f"learner {learner!r}: with features it must be one of {', '.join(UPDATE_RULES)}")
    by_search = UPDATE_RULES[learner] in BY_SEARCH
    if (given["depth"] > 1 or by_search) and given["turns"] == "chain":
        wrong = f"learner {learner}" if by_search else "depth"
        raise UsageError(f"{wrong}: a search looks ahead by plies; leave out {wrong}, or turns=chain")
    if by_search and has_chance(rules):
        raise UsageError(
            f"learner {learner}: chance moves in the game, which what it learns from does not look through"
        )
    if UPDATE_RULES[learner] not in BY_STEPS and lambda_ > 0.0:
        with_traces = " or ".join(name for name, rule in UPDATE_RULES.items() if rule in BY_STEPS)
        raise UsageError(f"lambda: {learner} has no traces; choose learner {with_traces}, or leave it out")
    features, standardise = canonical(given["features"]), given["standardise"]
    feature_set = feature_set_for(rules, features)
    seat = seat_of(rules, given.get("side", "both" if opponent == "self" else "random"), "random", "both")
    seats = (0, 1) if isinstance(seat, str) else (seat,)
    if given["draw_reward"] and isinstance(seat, str):
        raise UsageError(f"draw_reward: is that of one side, and here side is {seat}; choose a side, or leave it out")
    if given["draw_reward"] and given["reward"] == "margin":
        raise UsageError("draw_reward: by the margin a draw is worth 0; leave it out, or reward=margin")
    measures, games = given.get("evaluate_against", "greedy"), given["games"]
    first = first_weights(rules, features, size(feature_set, rules), given["weights"], standardise=standardise)
    starts = starts_of(rules, given.get("position"))
    alpha = given.get("alpha")
    if alpha is None:
        alpha = step_size(rules, feature_set, starts, standardise=standardise)
    resolved: dict[str, Any] = {
        **given,
        "features": features,
        "learner": learner,
        "side": seat,
        "opponent_hashes": [
            hashed(stage.opponent, rules, seats) if stage.every is None else ""
            for stage in parse_stages(opponent, games)
        ],
        "evaluate_against": measures,
        "evaluate_against_hash": hashed(measures, rules, seats),
        "position": starts,
        "alpha": str(schedule(alpha, "alpha")),
        "epsilon": str(schedule(given.get("epsilon", EPSILON), "epsilon")),
        "weights": str(given["weights"]),
        "weights_hash": policy_hash((first,)),
        "learn_explored": given.get("learn_explored", UPDATE_RULES[learner] in LEARN_EXPLORED),
        "follow": followed(rules, seats, given["follow"]),
    }
    settings = LinearSettings(**resolved)
    _check_stages(settings)
    if len(first) > MOST_WEIGHTS:
        _check_large(settings, len(first))
    kept = games // EVERY + LATEST + 2 * AROUND * sum(mark < games + AROUND for mark in settings.marks)
    if len(first) <= MOST_WEIGHTS and kept * len(first) > MOST_KEPT:
        raise UsageError(f"features {features}: {len(first):,} weights, kept {kept:,} times, are too many; learn less")
    max_plies = settings.max_plies
    active = len(first) if standardise else most_active(feature_set, rules)
    if learner == "monte-carlo" and min(max_plies, limits(rules).plies or max_plies) * active > MOST_KEPT:
        raise UsageError(
            f"max_plies {max_plies:,}: Monte Carlo remembers whole games, and these are too long for {active:,} "
            "features; say less, or choose learner sarsa"
        )
    return settings


def _check_large(settings: LinearSettings, count: int) -> None:
    """Raise a UsageError where more is asked for than the last of so many weights."""
    kept = f"{settings.features} has {count:,} weights; of more than {MOST_WEIGHTS:,} only the last are kept"
    for stage in settings.stages:
        if stage.every:
            raise UsageError(f"opponent {stage.opponent!r}: {kept}, none to be renewed from; say self")
    if tuple(settings.marks) != MARKS:
        raise UsageError(f"mark: {kept}; leave it out")


def _check_stages(settings: LinearSettings) -> None:
    for stage in settings.stages:
        if stage.every is not None and (stage.every % EVERY or (stage.every == 0 and stage.opponent != "self")):
            raise UsageError(f"opponent {stage.opponent!r}: every must be {EVERY} games, or a multiple of that")
        if stage.every and stage.every >= settings.games:
            raise UsageError(
                f"opponent {stage.opponent!r}: is never renewed in a training of {settings.games:,} games; say less"
            )
        if settings.side == "both" and stage.opponent != "self":
            raise UsageError(f"opponent {stage.opponent!r}: where both sides learn they meet each other; choose a side")


def step_size(rules: Rules, feature_set: FeatureSet, starts: str, *, standardise: bool) -> str:
    """The schedule of alpha that moves a value by FIRST_PART of its error at first, and by LAST_PART at last."""
    states = [parse_state(rules, text) for text in starts.split(BETWEEN)]
    try:
        length = size(feature_set, rules) if standardise else mean_square_length(rules, feature_set, states)
    except Exception as error:  # a user's features can raise anything
        raise UsageError(f"features: {explain(rules, error)}") from None
    first = min(FIRST_PART / length, 1.0) if length > 0.0 else FIRST_PART
    return f"{first:.2g}..{first * LAST_PART / FIRST_PART:.2g}".replace("e-0", "e-")


def first_weights(rules: Rules, features: str, count: int, given: float | str, *, standardise: bool) -> Floats:
    """The weights to begin with, [count]; only numbers fit features that are standardised.

    Raises UsageError for those of other features, or a number out of range; NotFoundError if there is no such run or
    file, InvalidError if it is damaged, or of other features.
    """
    unscaled = f"weights {given!r}: are those of features as they are; leave out standardise"
    if given == REPORT:
        if features != REPORT:
            raise UsageError(f"weights {given!r}: are those of features {REPORT!r}, not of {features!r}")
        if standardise:
            raise UsageError(unscaled)
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
            raise UsageError(unscaled) from None
        return learned.weights
    if not abs(number) <= MOST_WEIGHT:
        raise UsageError(f"weights {number:g}: must be in {-MOST_WEIGHT:g}..{MOST_WEIGHT:g}")
    return np.full(count, number)
