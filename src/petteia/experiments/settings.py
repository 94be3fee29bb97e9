"""What every training is given, whatever it learns: the settings that all have, and how they are looked through."""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from petteia.core.errors import InvalidError, UsageError
from petteia.core.names import parse_seat
from petteia.core.protocol import Rules, State, format_state, initial, is_over, parse_move, parse_state, to_move
from petteia.experiments.options import OPTIONS
from petteia.players import player
from petteia.policies.policy import Policy

BETWEEN = "; "
"""stands between positions"""


def within(option: str) -> Any:
    """A field of settings that holds numbers which can be given for an option."""
    return Field(**OPTIONS[option].takes.bounds)


class Settings(BaseModel):
    """The resolved settings of a training that all kinds have."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)
    kind: ClassVar[str]
    """of the training, in its run.json"""
    holds: ClassVar[str]
    """kind of its weights file"""
    plays_as: ClassVar[str]
    """name of the player by these weights"""

    evaluate_against: str
    """text form of the player that measures"""
    evaluate_against_hash: str
    """of what it knows"""
    position: str
    """where games start: a state or several, with `; ` between them, one of which is drawn for each game"""
    games: int = within("games")
    alpha: str
    """learning rate"""
    gamma: float = within("gamma")
    evaluate_every: int = within("evaluate_every")
    """games of learning between two points of the curve"""
    evaluation_games: int = within("evaluation_games")
    """games without learning at each point"""
    max_plies: int = within("max_plies")
    follow: list[tuple[str, str]] = []
    """positions, each with a move, whose learned values are noted at every point"""

    @property
    @abstractmethod
    def name(self) -> str:
        """What the learner is called."""

    @property
    @abstractmethod
    def seats(self) -> tuple[int, ...]:
        """The seats that learn."""

    @property
    @abstractmethod
    def players(self) -> tuple[str, ...]:
        """The players that it meets, as text; itself is not among them."""

    def check(self, rules: Rules) -> None:
        """Raise an InvalidError unless what is written as text means something in the game."""
        starts_of(rules, self.position)
        followed(rules, self.seats, self.follow)

    def learned(self, rules: Rules) -> Any:
        """What is learned, beside the values of states: a value of a class that may be a user's own."""
        return None

    @property
    def positions(self) -> list[str]:
        """The states in which games start; the first is where it is measured."""
        return self.position.split(BETWEEN)

    @property
    def from_several(self) -> str:
        """Words on starts, where there are several."""
        count = len(self.positions)
        return f", from {count} positions" if count > 1 else ""

    @property
    def others(self) -> tuple[int, ...]:
        """The seats of who plays against them."""
        return others_of(self.seats)


def others_of(seats: tuple[int, ...]) -> tuple[int, ...]:
    """The seats in which opponents play: where both sides learn, each is measured."""
    return tuple(sorted(1 - seat for seat in seats))


def policy_of(text: str, rules: Rules, seats: tuple[int, ...]) -> Policy:
    """The policy of the player `text`, which must take these seats. Raises UsageError if it does not, or has none."""
    candidate = player(text, rules)
    if missing := set(seats) - set(candidate.seats):
        raise UsageError(
            f"opponent {text!r} cannot take the seat of player {min(missing)}; choose another, or another side"
        )
    policy = candidate.policy(rules)
    if policy is None:
        raise UsageError(
            f"opponent {text!r} has no compiled form; train against random, simple, q:agent=... or a policy of your own"
        )
    return policy


def hashed(opponent: str, rules: Rules, seats: tuple[int, ...]) -> str:
    """The hash of what a player knows who meets learners in these seats; errors as of `policy_of`."""
    return policy_hash(policy_of(opponent, rules, others_of(seats)))


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


def same_policy(where: object, text: str, hashed: str, rules: Rules, seats: tuple[int, ...]) -> Policy:
    """The policy of the player `text`, which must know what it knew; InvalidError if it does not."""
    policy = policy_of(text, rules, seats)
    if policy_hash(policy) != hashed:
        raise InvalidError(f"{where}: its opponent {text} has changed since it was begun")
    return policy


def seat_of(rules: Rules, side: int | str, *words: str) -> int | str:
    """The seat that `side` names, or itself if it is one of `words`; UsageError for any other."""
    if side in words:
        return side
    try:
        return parse_seat(rules, side)
    except UsageError as error:
        raise UsageError(f"{error}, or {' or '.join(words)}") from None


def starts_of(rules: Rules, position: str | State | None) -> str:
    """Where games start, as settings have it. Raises InvalidError for a text of no state, or where the game is over."""
    if position is None:
        return format_state(rules, initial(rules))
    starts = []
    for text in position.split(BETWEEN.strip()) if isinstance(position, str) else [format_state(rules, position)]:
        try:
            start = parse_state(rules, text.strip())
        except ValueError as error:
            raise InvalidError(str(error)) from None
        starts.append(format_state(rules, start))
        if is_over(rules, start):
            raise InvalidError(f"position {starts[-1]!r}: the game is over there; nothing can be learned")
    return BETWEEN.join(starts)


def followed(rules: Rules, seats: tuple[int, ...], follow: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Positions and moves whose values can be learned. Raises InvalidError for others."""
    return [_followed(rules, seats, *each) for each in follow]


def _followed(rules: Rules, seats: tuple[int, ...], position: str, move: str) -> tuple[str, str]:
    try:
        state = parse_state(rules, position)
        parse_move(rules, state, move)
    except ValueError as error:
        raise InvalidError(f"follow: {error}") from None
    if to_move(rules, state) not in seats:
        raise InvalidError(f"follow: in position {position!r} the side that learns is not to move")
    return format_state(rules, state), move
