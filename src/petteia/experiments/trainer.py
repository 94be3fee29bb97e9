"""The base class of trainers. A trainer learns from games, evaluates the learner, and saves the learned values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy as np
from pydantic import TypeAdapter, ValidationError

from petteia.arena.statistics import score_interval
from petteia.core import random
from petteia.core.errors import InvalidError
from petteia.core.protocol import Rules, State, parse_state
from petteia.experiments.options import EVALUATION_GAMES
from petteia.experiments.settings import Settings, same_policy
from petteia.learn.starts import OneOf, Start
from petteia.policies.play_games import MARGIN, RngKeys, play_games
from petteia.policies.policy import Policy
from petteia.records.journal import Journal
from petteia.records.runs import Run


class Point(NamedTuple):
    """A point of a learning curve: the results of one side in the evaluation games.

    If both sides learn in a training run, each side has its own learning curve, and thus its own points.
    """

    games: int
    """the number of games learned from so far"""
    wins: int
    """the number of games won"""
    draws: int
    """the number of games drawn"""
    losses: int
    """the number of games lost"""
    score: float
    """the score: wins and half of the draws, as a share of the games"""
    low: float
    """lower bound of the 95 % interval of the score"""
    high: float
    """upper bound of the interval"""
    states: int | None
    """the number of rows in the table, which are the visited states; None without a table"""
    side: int
    """the seat of the learner in the evaluation"""
    followed: tuple[float, ...] = ()
    """the learned values of the followed moves"""
    norm: float | None = None
    """the Euclidean norm of the weights; None without weights"""

    def row(self) -> dict[str, Any]:
        """The point as a row of the journal, without values that are None or empty."""
        return {name: value for name, value in self._asdict().items() if value is not None and value != ()}


_POINT = TypeAdapter(Point)


class Learned(NamedTuple):
    """The size of the learned values at a point of a learning curve: a number of table rows, or the norm of weights."""

    states: int | None = None
    """the number of rows in the table; None without a table"""
    norm: float | None = None
    """the Euclidean norm of the weights; None without weights"""


class Trainer(ABC):
    """The base class of objects that learn from training games, one game after the other.

    A training game depends only on its number, on the seed, and on the games before it.
    """

    done: int
    """the number of games learned from"""

    def __init__(self, run: Run, rules: Rules, settings: Settings) -> None:
        self.run = run
        self.rules = rules
        states = [parse_state(rules, text) for text in settings.positions]
        self.start: Start = states[0] if len(states) == 1 else OneOf(tuple(states))
        self._measured_from: State = states[0]
        self._settings = settings
        words = random.keys(run.seed, 8)
        self.keys = RngKeys(words[6], *words[:3])
        """the key of the random numbers of training games"""
        self.key = words[7]
        """the key of the random numbers drawn before the first game"""
        self._evaluation = RngKeys(0, *words[3:6])
        self.measure = same_policy(run.path, settings.against, settings.evaluate_against_hash, rules, settings.others)
        """the opponent in the evaluation games"""

    @abstractmethod
    def learn(self, count: int) -> None:
        """Learn from the next `count` games."""

    @property
    @abstractmethod
    def asks(self) -> tuple[object, ...]:
        """The objects, such as policies, that choose moves in training games. Some of them may run a search."""

    @abstractmethod
    def save(self) -> None:
        """Save the learned values to the run folder."""

    @abstractmethod
    def policy(self) -> Policy:
        """The policy that plays by the learned values without exploration."""

    @abstractmethod
    def unlearned(self) -> tuple[str, Policy]:
        """Return the name and the policy of a player that does not learn, for comparison with the learner."""

    @abstractmethod
    def learned(self) -> Learned:
        """The number of visited states, or the norm of the learned weights."""

    @abstractmethod
    def value(self, position: str, move: str) -> float:
        """The learned value of a move, from the perspective of the player who makes it."""

    def evaluate(self) -> list[Point]:
        """Play evaluation games, and return a point of the learning curve for each side that learns."""
        settings = self._settings
        points = []
        followed = tuple(self.value(*each) for each in settings.follow)
        policy, learned = self.policy(), self.learned()
        for number, seat in enumerate(settings.seats, points_until(self.done - 1, settings)):
            results = play_games(
                self.rules,
                self._measured_from,
                policy,
                self.measure,
                games=settings.evaluation_games(self.done),
                keys=self._evaluation,
                seats=(seat, seat),
                max_plies=settings.max_plies,
                first_game=number * (settings.evaluation.games or EVALUATION_GAMES),
            )
            margins = results[:, MARGIN] * (1 if seat == 0 else -1)
            interval = score_interval((np.sign(margins) + 1.0) / 2.0)
            wins, draws = int((margins > 0).sum()), int((margins == 0).sum())
            counts = (wins, draws, len(margins) - wins - draws)
            points.append(Point(self.done, *counts, *interval, learned.states, seat, followed, learned.norm))
        return points


def read_points(journal: Journal, settings: Settings, count: int | None = None) -> list[Point]:
    """Read all points of the learning curves from the journal of a training run, or only the first `count` points.

    Raises InvalidError if a point is missing from the journal, or damaged.
    """
    points = []
    for number, row in enumerate(journal.read()[:count]):
        games = min((number // len(settings.seats) + 1) * settings.every, settings.games)
        try:
            point = _POINT.validate_python({"states": None, **row})
        except ValidationError:
            point = None
        place = (games, settings.seats[number % len(settings.seats)], len(settings.follow))
        if point is None or (point.games, point.side, len(point.followed)) != place or number >= _all_points(settings):
            raise InvalidError(
                f"{journal.path}, line {number + 1}: damaged; expected the point of the learning curve after "
                f"{games:,} games"
            )
        points.append(point)
    return points


def _all_points(settings: Settings) -> int:
    return points_until(settings.games, settings)


def points_until(done: int, settings: Settings) -> int:
    """Return the number of points of all learning curves after `done` training games.

    If both sides learn, the points of both learning curves are counted.
    """
    at_the_end = 1 if done == settings.games and done % settings.every else 0
    return (done // settings.every + at_the_end) * len(settings.seats)
