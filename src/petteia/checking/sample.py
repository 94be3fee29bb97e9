"""A sample of random games for the conformance checks. The games are played and checked in plain Python.

Violations of the protocol are raised as `ConformanceError`. Its message is one line with the game, the position, the
move, and the expected result.
"""

from __future__ import annotations

import functools
import math
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple, TypeVar

from petteia.core.errors import PetteiaError
from petteia.core.options import format_options
from petteia.core.protocol import (
    CHANCE,
    UNEVEN,
    Limits,
    Rules,
    State,
    chances,
    format_move,
    format_state,
    has_chance,
    images,
    initial,
    is_over,
    limits,
    moves,
    play,
    to_move,
)
from petteia.core.random import RandomState, below, draw_index, stream

Item = TypeVar("Item")

LARGEST = (1 << 63) - 1
GUARD = 64  # extra entries of buffers, so that too many moves are detected and do not overwrite other memory
MAX_PLIES = 1000  # maximum length of a sample game if the game declares no limit
LONGEST = 10_000  # maximum length of any sample game in plies
MAX_IMAGES = 10_000
MAX_MOVES = 1_000_000  # largest reasonable size of a buffer for moves

DIFFER = "the keys must differ, because injective(rules) is True"
"""the message about equal keys of different states, for rules that declare keys to be injective"""


PARTS = ": give each entry a separate field, or some bits of one int"
INSTEAD: dict[type, str] = {
    **dict.fromkeys((dict, list, set, tuple, bytearray), PARTS),
    str: ": number the possible texts, and write the text in format_state",
    bool: ": convert it with int(...)",
    float: ": divide with //, or convert it with int(...)",
}
"""The remedies for fields that are not ints, by type."""


class ConformanceError(PetteiaError):
    """Raised if a game violates the protocol."""


class Visit(NamedTuple):
    """A state of a game, with the results of the game's methods in this state."""

    state: State
    """the state"""
    over: bool
    """whether the game is over"""
    side: int
    """the player to move; -1 if the game is over"""
    moves: tuple[int, ...]
    """codes of the legal moves, or of the outcomes at a chance node"""
    probabilities: tuple[float, ...]
    """probabilities of the outcomes; empty if a player is to move"""


class Game(NamedTuple):
    """A random game with its states and moves."""

    visits: tuple[Visit, ...]
    """the visited states, from the first to the last"""
    moves: tuple[int, ...]
    """the moves and chance outcomes that lead from each visited state to the next"""

    @property
    def ended(self) -> bool:
        """Whether the game was played to its end."""
        return self.visits[-1].over


@dataclass(frozen=True)
class Sample:
    """Random games that were played to check the rules."""

    rules: Rules
    games: tuple[Game, ...]
    troubles: tuple[str, ...]
    """the reasons why games could not be played to their ends, one line each"""
    globals: dict[str, str]
    """the global values used by the game's functions, as text, before the first game"""

    @property
    def trouble(self) -> str | None:
        """The first reason why a game could not be played to its end; None if there is none."""
        return next(iter(self.troubles), None)

    @functools.cached_property
    def visits(self) -> tuple[Visit, ...]:
        """All distinct states of the games in order of first occurrence, with the results of the game's methods."""
        return tuple({visit.state: visit for game in self.games for visit in game.visits}.values())


def draw_sample(rules: Rules, games: int = 100, seed: int = 0) -> Sample:
    """Play `games` random games under `rules`, and return them together with the errors that occurred.

    An error ends only the game in which it occurs. The sample contains the states of this game before the error.
    """
    before = globals_of(type(rules))
    played: list[Game] = []
    troubles: dict[str, None] = {}
    for number in range(games):
        visits: list[Visit] = []
        moves: list[int] = []
        try:
            _play(rules, [stream(seed, number)], visits, moves)
        except Exception as error:  # custom rules can raise anything
            troubles[explain(rules, error)] = None
        if visits:
            played.append(Game(tuple(visits), tuple(moves[: len(visits) - 1])))
    if not troubles and not any(game.ended for game in played):
        troubles[f"{where(rules)}: none of {games} random games ended within {MAX_PLIES} plies"] = None
    return Sample(rules, tuple(played), tuple(troubles), before)


def check_start(rules: Rules) -> Visit:
    """Return the initial state of a game, with the results of the game's methods in this state.

    Raises ConformanceError if the initial state violates the protocol, or if the game is over before its first move.
    """
    state = initial(rules)
    check_state(state, "initial", rules)
    visit = examine(rules, state)
    if visit.over:
        raise ConformanceError(
            f"{where(rules, state)}: the game is over before its first move; it must start with a move"
        )
    return visit


def play_game(rules: Rules, random: RandomState, start: State | None = None) -> Game:
    """Play a random game, from `start` if given, and check each state.

    Raises ConformanceError if a state or the game's length violates the protocol.
    """
    visits: list[Visit] = []
    played: list[int] = []
    _play(rules, random, visits, played, start)
    return Game(tuple(visits), tuple(played))


def _play(
    rules: Rules, random: RandomState, visits: list[Visit], played: list[int], start: State | None = None
) -> None:
    """Play a random game. Append each state to `visits`, and the code of each move to `played`.

    If an error is raised, `visits` and `played` contain the game up to the error.
    """
    visits.append(check_start(rules) if start is None else examine(rules, start))
    longest = limits(rules).plies
    while not visits[-1].over and len(played) < min(longest or MAX_PLIES, LONGEST):
        _, _, side, codes, probabilities = visits[-1]
        index = draw_index(random, probabilities, len(codes)) if side == CHANCE else below(random, len(codes))
        played.append(codes[index])
        visits.append(examine(rules, successor(rules, visits[-1].state, codes[index])))
    if len(played) == longest and not visits[-1].over:
        place = where(rules, visits[-1].state)
        raise ConformanceError(f"{place}: the game is not over after the {longest} plies of limits(rules)")


def successor(rules: Rules, state: State, move: int) -> State:
    """Return the state after `move`.

    Raises ConformanceError if the returned state is invalid, or its class differs from that of `state`.
    """
    after = play(rules, state, move)
    if type(after) is not type(state):
        raise ConformanceError(
            f"{where(rules, state, move)}: play returned {after!r}; must be a {type(state).__name__}"
        )
    try:
        _check_fields(after)
    except ConformanceError as error:
        raise ConformanceError(f"{where(rules, state, move)}: after play {error}") from None
    return after


def examine(rules: Rules, state: State) -> Visit:
    """Call the methods of `rules` for `state` and return their results. Raises ConformanceError if one is invalid."""
    try:
        return _examine(rules, state)
    except ConformanceError as error:
        raise ConformanceError(f"{where(rules, state)}: {error}") from None


def _examine(rules: Rules, state: State) -> Visit:
    _check_fields(state)
    over = is_over(rules, state)
    if type(over) is not bool:
        raise ConformanceError(f"is_over returned {over!r}; must be True or False")
    if over:
        return Visit(state, True, -1, (), ())
    side = check_int(to_move(rules, state), "to_move returned")
    if side not in (0, 1, CHANCE):
        raise ConformanceError(f"to_move returned {side}; must be 0, 1 or {CHANCE} (chance)")
    if side == CHANCE and has_chance(rules) is not True:
        expected = "must be True where chance can move. Without has_chance, define chances"
        fact = f"to_move returned {CHANCE} (chance), but has_chance returned {has_chance(rules)!r}"
        raise ConformanceError(f"{fact}; {expected}")
    maximum = check_limits(rules)
    out: list[Any] = [None] * (maximum.moves + GUARD)
    weights: list[Any] = [None] * len(out)
    name = "chances" if side == CHANCE else "moves"
    listed = chances(rules, state, out, weights) if side == CHANCE else moves(rules, state, out)
    number = check_int(listed, f"{name} returned")
    if not 1 <= number <= maximum.moves:
        expected = f"at least 1, as is_over is False, and at most limits(rules).moves = {maximum.moves}"
        raise ConformanceError(f"{name} returned {number}; must be {expected}")
    codes: tuple[int, ...] = tuple(out[:number])
    for code in codes:
        if check_int(code, f"{name} listed") >= maximum.codes:
            raise ConformanceError(
                f"{name} listed code {code}; must be in 0..{maximum.codes - 1}, as limits(rules) says"
            )
    if len(set(codes)) < number:
        raise ConformanceError(f"{name} listed {list(codes)}; all codes must be different")
    shares: tuple[float, ...] = tuple(weights[:number]) if side == CHANCE else ()
    for share in shares:
        if type(share) is not float or not 0.0 < share <= 1.0:
            raise ConformanceError(f"chances listed probability {share!r}; must be a float above 0 and at most 1")
    if shares and abs(math.fsum(shares) - 1.0) > UNEVEN:
        raise ConformanceError(f"the probabilities add up to {math.fsum(shares)}; must be 1, to within {UNEVEN:g}")
    return Visit(state, False, side, codes, shares)


def _check_fields(state: State) -> None:
    if not (isinstance(state, tuple) and hasattr(state, "_fields")):
        raise ConformanceError(f"the state is {state!r}; must be a NamedTuple of ints")
    for field, value in zip(state._fields, state, strict=True):
        try:
            check_int(value, f"state field {field} is")
        except ConformanceError as error:
            raise ConformanceError(f"{error}{INSTEAD.get(type(value), '')}") from None


def check_state(state: State, maker: str, *place: Any) -> None:
    """Raise ConformanceError unless `state` is a NamedTuple of ints in 0..2^63-1.

    `maker` is the name of the method that returned the state, such as `parse_state`. The error message begins with
    `where(*place)`, which describes the game and the position.
    """
    try:
        _check_fields(state)
    except ConformanceError as error:
        raise ConformanceError(f"{where(*place)}: {maker}: {error}") from None


def check_int(value: Any, what: str, *place: Any, minimum: int = 0) -> int:
    """Return `value` if it is an int from `minimum` to 2^63 - 1. Otherwise raise ConformanceError.

    If `place` is given, the error message begins with `where(*place)`, which describes the game, the position and the
    move. The message continues with `what`, for example with `moves returned`.
    """
    if type(value) is int and minimum <= value <= LARGEST:
        return value
    wrong = f"{value}; must be in {minimum}..2^63-1"
    if type(value) is not int:
        wrong = f"{value!r}, of type {type(value).__name__}; must be an int"
    begin = f"{where(*place)}: " if place else ""
    raise ConformanceError(f"{begin}{what} {wrong}")


def check_limits(rules: Rules) -> Limits:
    """Return `limits(rules)`. Raises ConformanceError if it is invalid."""
    declared = limits(rules)
    if type(declared) is not Limits:
        raise ConformanceError(f"limits returned {declared!r}; must be Limits(moves, codes, plies)")
    for name, value in zip(Limits._fields, declared, strict=True):
        check_int(value, f"limits(rules).{name} is")
    if not 1 <= declared.moves <= MAX_MOVES:
        raise ConformanceError(f"limits(rules).moves is {declared.moves}; must be in 1..{MAX_MOVES}")
    return declared


def check_images(rules: Rules) -> int:
    """Return `images(rules)`, the number of symmetries. Raises ConformanceError if it is invalid."""
    number = check_int(images(rules), "images returned", rules)
    if not 1 <= number <= MAX_IMAGES:
        expected = f"in 1..{MAX_IMAGES}, as the identity is one of them"
        raise ConformanceError(f"{where(rules)}: images returned {number}; must be {expected}")
    return number


def same_key(rules: Rules, number: int, other: State) -> str:
    """Return the part of an error message that reports that the state `other` also has the key `number`."""
    return f"key {number} is also that of {format_state(rules, other)!r}"


def where(rules: Rules, state: State | None = None, move: int | None = None) -> str:
    """Return the beginning of an error message: the game, followed by the position and the move if they are given."""
    options = format_options(rules)
    text = type(rules).__name__ + (f":{options}" if options else "")
    if state is not None:
        text += f", position {_written(format_state, rules, state)}"
    if move is not None:
        text += f", move {_written(format_move, rules, state, move)}"
    return text


def _written(form: Any, *arguments: Any) -> str:
    try:
        text = form(*arguments)
    except Exception:  # the notation is checked separately
        text = None
    return repr(text if isinstance(text, str) else arguments[-1])


def explain(rules: Rules, error: Exception) -> str:
    """Describe an error in one line. The message of a ConformanceError is returned unchanged.

    If petteia did not raise the error itself, the description names the position, and the function, file and line that
    raised the error. The position is the value of the variable `state` in the innermost function of the traceback that
    has such a variable.
    """
    if isinstance(error, ConformanceError):
        return str(error)
    frames = list(traceback.walk_tb(error.__traceback__))
    states = [frame.f_locals["state"] for frame, _ in frames if isinstance(frame.f_locals.get("state"), tuple)]
    modules = {base.__module__ for base in type(rules).__mro__}
    own = [each for each in frames if each[0].f_globals.get("__name__") in modules]
    frame, line = (own or frames)[-1]
    place = f"{frame.f_code.co_name} ({Path(frame.f_code.co_filename).name}, line {line})"
    begin = where(rules, states[-1] if states else None)
    if isinstance(error, PetteiaError):
        return f"{begin}: {error}"
    message = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(":")
    return f"{begin}: {place} raised {message}"


def globals_of(cls: type) -> dict[str, str]:
    """Return the global variables that a game's functions may read, by name, with their values as strings.

    Only values that may change are included, such as numbers, lists and dictionaries. The class attributes of the game
    are included, too. If two calls of this function return different values, the game has changed a global variable or
    a class attribute between the calls.
    """
    functions = [each for base in cls.__mro__ for each in vars(base).values() if isinstance(each, FunctionType)]
    values: dict[str, str] = {}
    for scope in [function.__globals__ for function in functions]:
        near = [each for each in scope.values() if isinstance(each, FunctionType) and each.__globals__ is scope]
        for code in {each.__code__ for each in (*functions, *near) if each.__globals__ is scope}:
            values |= {name: repr(scope[name]) for name in code.co_names if _can_change(scope.get(name))}
    for base in cls.__mro__:
        values |= {f"{base.__name__}.{name}": repr(each) for name, each in vars(base).items() if _can_change(each)}
    return values


def _can_change(value: Any) -> bool:
    return isinstance(value, int | float | list | dict | set | bytearray) and not isinstance(value, bool)


def pick_evenly(items: Sequence[Item], count: int) -> list[Item]:
    """Return at most `count` of the items, evenly spaced, including the first and the last."""
    if len(items) <= count:
        return list(items)
    return [items[place * (len(items) - 1) // (count - 1)] for place in range(count)]
