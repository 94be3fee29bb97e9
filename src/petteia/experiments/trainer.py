"""What a training works with, whatever is learned: something that learns from games, plays, and can be saved."""

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
    """A point of a learning curve: games without learning, of one side. Where both learn, each has its own points."""

    games: int
    """games learned from so far"""
    wins: int
    """games won"""
    draws: int
    """games drawn"""
    losses: int
    """games lost"""
    score: float
    """wins and half the draws, as a share of the games"""
    low: float
    """lower bound of the 95 % interval of the score"""
    high: float
    """upper bound"""
    states: int | None
    """rows in the table: states in which a learner has been to move; None where nothing is kept in a table"""
    side: int
    """the seat that was measured"""
    followed: tuple[float, ...] = ()
    """learned values of the moves that are followed"""
    norm: float | None = None
    """Euclidean length of the weights; None where there are none"""

    def row(self) -> dict[str, Any]:
        """The point as the journal has it: without what there is none of."""
        return {name: value for name, value in self._asdict().items() if value is not None and value != ()}


_POINT = TypeAdapter(Point)


class Learned(NamedTuple):
    """What a point tells of what was learned, besides how it plays."""

    states: int | None = None
    """rows in the table; None where nothing is kept in a table"""
    norm: float | None = None
    """Euclidean length of the weights; None where there are none"""


class Trainer(ABC):
    """Learns from games, one after the other; each depends on its number, the seed, and those before it."""

    done: int
    """games it has learned from"""

    def __init__(self, run: Run, rules: Rules, settings: Settings) -> None:
        self.run = run
        self.rules = rules
        states = [parse_state(rules, text) for text in settings.positions]
        self.start: Start = states[0] if len(states) == 1 else OneOf(tuple(states))
        self._measured_from: State = states[0]
        self._settings = settings
        words = random.keys(run.seed, 8)
        self.keys = RngKeys(words[6], *words[:3])
        """of the games of learning"""
        self.key = words[7]
        """of whatever is drawn before the first"""
        self._evaluation = RngKeys(0, *words[3:6])
        self.measure = same_policy(run.path, settings.against, settings.evaluate_against_hash, rules, settings.others)
        """who plays against it in the games without learning"""

    @abstractmethod
    def learn(self, count: int) -> None:
        """Learn from the next `count` games."""

    @property
    @abstractmethod
    def asks(self) -> tuple[object, ...]:
        """The policies that choose moves while it learns, and what else may hold a search."""

    @abstractmethod
    def save(self) -> None:
        """Write what was learned into the run folder."""

    @abstractmethod
    def policy(self) -> Policy:
        """Plays as well as it can by what was learned so far."""

    @abstractmethod
    def unlearned(self) -> tuple[str, Policy]:
        """The player that it could have been without learning: text form and policy."""

    @abstractmethod
    def learned(self) -> Learned:
        """What was learned so far, in numbers."""

    @abstractmethod
    def value(self, position: str, move: str) -> float:
        """The learned value of a move, to its mover."""

    def evaluate(self) -> list[Point]:
        """A point for each side that learns, from games without learning."""
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
    """The points in the journal of a training, or the first `count`; InvalidError unless they are the first it has."""
    points = []
    for number, row in enumerate(journal.read()[:count]):
        games = min((number // len(settings.seats) + 1) * settings.every, settings.games)
        try:
            point = _POINT.validate_python({"states": None, **row})
        except ValidationError:
            point = None
        place = (games, settings.seats[number % len(settings.seats)], len(settings.follow))
        if point is None or (point.games, point.side, len(point.followed)) != place or number >= _all_points(settings):
            raise InvalidError(f"{journal.path}, line {number + 1}: is not a point after {games:,} games")
        points.append(point)
    return points


def _all_points(settings: Settings) -> int:
    return points_until(settings.games, settings)


def points_until(done: int, settings: Settings) -> int:
    """How many points there are after `done` games."""
    at_the_end = 1 if done == settings.games and done % settings.every else 0
    return (done // settings.every + at_the_end) * len(settings.seats)
