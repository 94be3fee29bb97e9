"""Reading positions that users give as a string, a state or a position object, with one-line error messages."""

from __future__ import annotations

import operator
from typing import Protocol, TypeVar, runtime_checkable

from petteia.core.errors import InvalidError
from petteia.core.names import format_game
from petteia.core.protocol import Rules, State, check_start, format_state, initial, parse_state

GameState = TypeVar("GameState", bound=State)
"""The class of a game's states."""


@runtime_checkable
class Placed(Protocol):
    """The type of position objects, such as the result of `petteia.position`: a state with the rules of its game."""

    @property
    def rules(self) -> Rules:
        """The rules of the game."""

    @property
    def state(self) -> State:
        """The state of the game in this position."""


def same_rules(one: Rules, other: Rules) -> bool:
    """Return whether `one` and `other` are equal rules of the same game."""
    return one is other or (type(one) is type(other) and one == other)


def read_position(rules: Rules, position: str | State | Placed | None) -> State:
    """Return the state of `position`, which is a string, a state, a position object, or None for the initial position.

    Raises InvalidError if the position is malformed, or impossible under `rules`.
    """
    if position is None:
        try:
            check_start(rules)
        except ValueError as error:
            raise InvalidError(f"{format_game(rules)}: {error}; give a position") from None
        return initial(rules)
    if isinstance(position, Placed):
        if not same_rules(position.rules, rules):
            raise InvalidError(f"position: belongs to {format_game(position.rules)}, not to {format_game(rules)}")
        return read_position(rules, position.state)
    text = position if isinstance(position, str) else _written(rules, position)
    try:
        state = parse_state(rules, text)
    except ValueError as error:
        raise InvalidError(str(error)) from None
    if not isinstance(position, str) and tuple(state) != tuple(position):
        raise InvalidError(f"position {position!r}: not a position of the game; {text!r} is read as {state!r}")
    return state


def strict(rules: Rules, text: str, state: GameState) -> GameState:
    """Check that `text` is the standard notation of `state`, and return `state`.

    A method `parse_state` that ends with a call of `strict` rejects every nonstandard notation of a state. For example,
    the method rejects `007 first`, because the standard notation is `7 first`.

    Args:
        rules: the rules of the game
        text: the notation of the position
        state: the state that `parse_state` has read from `text`

    Raises:
        ValueError: `format_state` returns a different string for `state`

    """
    if (written := format_state(rules, state)) != text:
        raise ValueError(f"position {text!r}: must be written {written!r}")
    return state


def _written(rules: Rules, position: State) -> str:
    """Return the notation of the state `position`. Raises InvalidError if the state is impossible under these rules."""
    cls = type(initial(rules))
    if type(position) is not cls:
        raise InvalidError(f"position {position!r}: must be text or a {cls.__name__}")
    for field, value in zip(position._fields, position, strict=True):
        try:
            is_right = 0 <= operator.index(value) < 1 << 63
        except TypeError:
            is_right = False
        if not is_right:
            raise InvalidError(f"position {position!r}: {field} must be a whole number in 0..2^63-1")
    try:
        return format_state(rules, cls(*map(operator.index, position)))
    except Exception as error:  # a game may raise anything for an invalid state
        reason = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(":")
        raise InvalidError(f"position {position!r}: cannot be written as text ({reason})") from None
