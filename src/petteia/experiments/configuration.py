"""What a training is given: its settings, looked through and resolved, so that they settle with a seed what it does."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict

from petteia.core.errors import InvalidError, UsageError
from petteia.core.protocol import (
    Rules,
    State,
    format_state,
    images,
    initial,
    is_over,
    parse_move,
    parse_state,
    provides,
    to_move,
)
from petteia.games import game as rules_of
from petteia.games import parse_seat
from petteia.learn.exploration import EpsilonGreedy, Softmax
from petteia.learn.schedules import Schedule, schedule
from petteia.learn.step_sizes import LearningRate, learning_rate
from petteia.learn.tabular import BOTH, table_for
from petteia.learn.targets import TARGETS, Learner
from petteia.players import player
from petteia.policies.duel import MAX_PLIES
from petteia.policies.policy import Policy
from petteia.policies.table import FOLDED, UNSHARED, Table

LearnerName = Literal["q", "sarsa", "expected-sarsa", "double-q", "monte-carlo"]
MOST_GAMES = 10**12
MOST_PLIES = 10**6
"""in a game of learning: for so many a table always has room"""
HIGHEST = 100.0
"""temperature, and value of moves never tried; rewards are -1..1"""
EPSILON = 0.5
"""unless there is a temperature"""


class Configuration(BaseModel):
    """The resolved settings of a training: `configuration` in its run.json."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    learner: LearnerName
    side: Literal[0, 1, "both"]
    """the seat that learns"""
    opponent: str
    """text form of the player in the other seat; it only measures where both learn"""
    opponent_hash: str
    """of what the opponent knows, so that a resumed training meets the same one"""
    evaluate_against: str
    """text form of the player that measures"""
    evaluate_against_hash: str
    position: str
    """where every game starts"""
    explore_starts: bool = False
    """whether games of learning start anywhere instead"""
    games: int
    alpha: str
    """learning rate"""
    gamma: float
    epsilon: str | None
    """schedule of the probability of a random move"""
    temperature: str | None
    """schedule of the temperature of softmax, in the place of epsilon"""
    initial: float
    """value of moves never tried"""
    fold: bool
    """whether states that are images of each other share their values"""
    evaluate_every: int
    """games of learning between two points of the curve"""
    evaluation_games: int
    """games without learning at each point, by the largest values"""
    max_plies: int
    follow: list[tuple[str, str]] = []
    """positions, each with a move, whose learned values are noted at every point"""

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that learn."""
        return (0, 1) if self.side == "both" else (self.side,)

    @property
    def others(self) -> tuple[int, ...]:
        """The seats of who plays against them."""
        return others_of(self.side)

    @property
    def learns(self) -> int:
        """`side` as the learner takes it."""
        return BOTH if self.side == "both" else self.side

    @property
    def rate(self) -> LearningRate:
        """The learning rate."""
        return learning_rate(self.alpha)

    @property
    def exploration(self) -> Schedule:
        """Of epsilon or of the temperature."""
        if self.temperature is not None:
            return schedule(self.temperature, "temperature", most=HIGHEST)
        return schedule(self.epsilon or 0.0, "epsilon")

    @property
    def rule(self) -> Learner:
        """How values change and moves are chosen."""
        explores = EpsilonGreedy() if self.temperature is None else Softmax()
        return Learner(TARGETS[self.learner], self.rate.step, explores)

    def empty_table(self, rules: Rules) -> Table:
        """The table that a training begins with."""
        return table_for(rules, self.rule, initial=self.initial, sharing=FOLDED if self.fold else UNSHARED)

    def __str__(self) -> str:
        explores = f"epsilon {self.epsilon}" if self.temperature is None else f"temperature {self.temperature}"
        start = f", initial {self.initial:g}" if self.initial else ""
        return (
            f"{self.learner} against {self.opponent if self.side != 'both' else 'itself'}, side {self.side}, "
            f"alpha {self.alpha}, gamma {self.gamma:g}, {explores}{start}{', folded' if self.fold else ''}"
            f"{', starts anywhere' if self.explore_starts else ''}"
        )


def configure(
    game: str | Rules,
    *,
    learner: LearnerName = "q",
    opponent: str = "random",
    side: int | str = 0,
    games: int = 100_000,
    alpha: float | str = 0.1,
    gamma: float = 0.9,
    epsilon: float | str | None = None,
    temperature: float | str | None = None,
    initial: float = 0.0,
    fold: bool = False,
    evaluate_every: int | None = None,
    evaluation_games: int = 500,
    evaluate_against: str | None = None,
    position: str | State | None = None,
    explore_starts: bool = False,
    max_plies: int = MAX_PLIES,
    follow: Sequence[tuple[str, str]] = (),
) -> tuple[Rules, Configuration]:
    """The rules, and the settings resolved; arguments and errors are those of `petteia.train`."""
    rules = rules_of(game)
    if learner not in TARGETS:
        raise UsageError(f"there is no learner {learner!r}; known are {', '.join(TARGETS)}")
    every = max(games // 100, 1) if evaluate_every is None else evaluate_every
    counts = {"games": games, "evaluation_games": evaluation_games, "evaluate_every": every}
    for what, count, most in (*((*each, MOST_GAMES) for each in counts.items()), ("max_plies", max_plies, MOST_PLIES)):
        if not 1 <= count <= most:
            raise UsageError(f"{what} {count}: must be in 1..{most}")
    _check_number("gamma", gamma, 0.0, 1.0)
    _check_number("initial", initial, -HIGHEST, HIGHEST)
    if epsilon is not None and temperature is not None:
        raise UsageError("epsilon and temperature are two ways to explore; give one of them")
    if fold and images(rules) < 2:
        raise UsageError("fold: the game has no symmetries by which states could share their values")
    if explore_starts and not (provides(rules, "positions") and provides(rules, "position")):
        raise UsageError("explore_starts: the game does not number its positions, so none can be drawn; leave it out")
    seat = _seat(rules, side)
    others = others_of(seat)
    measures = opponent if evaluate_against is None else evaluate_against
    start = _start(rules, position)
    if temperature is None:
        explores = {"epsilon": str(schedule(EPSILON if epsilon is None else epsilon, "epsilon")), "temperature": None}
    else:
        explores = {"epsilon": None, "temperature": str(schedule(temperature, "temperature", most=HIGHEST))}
    return rules, Configuration(
        learner=learner,
        side=seat,
        opponent=opponent,
        opponent_hash=policy_hash(policy_of(opponent, rules, others)),
        evaluate_against=measures,
        evaluate_against_hash=policy_hash(policy_of(measures, rules, others)),
        position=format_state(rules, start),
        explore_starts=bool(explore_starts),
        games=games,
        alpha=str(learning_rate(alpha)),
        gamma=float(gamma),
        **explores,
        initial=float(initial),
        fold=bool(fold),
        evaluate_every=every,
        evaluation_games=evaluation_games,
        max_plies=max_plies,
        follow=[_followed(rules, seat, *each) for each in follow],
    )


def others_of(side: Literal[0, 1, "both"]) -> tuple[int, ...]:
    """The seats in which opponents play: where both sides learn, each is measured."""
    return (0, 1) if side == "both" else (1 - side,)


def policy_of(text: str, rules: Rules, seats: tuple[int, ...]) -> Policy:
    """The policy of the player `text`, which must take these seats. Raises UsageError if it does not, or has none."""
    found = player(text, rules)
    if missing := set(seats) - set(found.seats):
        raise UsageError(
            f"opponent {text!r} cannot take the seat of player {min(missing)}; choose another, or another side"
        )
    policy = found.policy(rules)
    if policy is None:
        raise UsageError(
            f"opponent {text!r} has no compiled form; train against random, simple, q:agent=... or a policy of your own"
        )
    return policy


def policy_hash(policy: Policy) -> str:
    """Of all numbers in the policy, and of the names of its types, at any depth."""
    digest = hashlib.sha256()
    waiting: list[Any] = [policy]
    while waiting:
        each = waiting.pop(0)
        if isinstance(each, tuple):
            digest.update(type(each).__name__.encode())
            waiting = [*each, *waiting]
        else:
            digest.update(np.ascontiguousarray(each).tobytes())
    return digest.hexdigest()


def _seat(rules: Rules, side: int | str) -> Literal[0, 1, "both"]:
    if side == "both":
        return "both"
    try:
        return parse_seat(rules, side)
    except UsageError as error:
        raise UsageError(f"{error}, or both") from None


def _start(rules: Rules, position: str | State | None) -> State:
    if position is None:
        return initial(rules)
    try:
        start = parse_state(rules, position) if isinstance(position, str) else position
    except ValueError as error:
        raise InvalidError(str(error)) from None
    if is_over(rules, start):
        raise InvalidError(f"position {format_state(rules, start)!r}: the game is over there; nothing can be learned")
    return start


def _followed(rules: Rules, seat: Literal[0, 1, "both"], position: str, move: str) -> tuple[str, str]:
    """A position and a move whose value can be learned. Raises InvalidError for any other."""
    try:
        state = parse_state(rules, position)
        parse_move(rules, state, move)
    except ValueError as error:
        raise InvalidError(f"follow: {error}") from None
    if seat not in (to_move(rules, state), "both"):
        raise InvalidError(f"follow: in position {position!r} the side that learns is not to move")
    return format_state(rules, state), move


def _check_number(what: str, number: float, least: float, most: float) -> None:
    if not (math.isfinite(number) and least <= number <= most):
        raise UsageError(f"{what} {number:g}: must be in {least:g}..{most:g}")
