"""The protocol of a game: the methods through which all algorithms use the game.

A game is a `NamedTuple` class. Its fields are the options of the rules (ints), so each variant of a game is an
instance. Its methods have the names and the parameters of the functions below, with `rules` instead of `self`. A state
is a `NamedTuple` of ints, too. So states are immutable and hashable, and never need to be copied. State fields,
options, move codes and keys are ints in 0..2^63-1.

Algorithms never call a method of a game directly. They call the functions of this module, which look up the method by
the type of `rules`. Plain Python looks up the method at each call. Compiled code looks up the method only once, during
compilation. So a game is written once in Python, and every algorithm plays it at the speed of compiled code.

A game must define: initial, to_move, moves, play, is_over, margin, key, injective, limits, format_state, parse_state,
format_move. Every other method has a default or is optional (see `provides`).

The protocol stays in one file of more than 400 lines because its parts belong together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, ParamSpec, TypeVar

from petteia.core.bits import trailing_zeros
from petteia.core.dispatch import dispatched as dispatched
from petteia.core.dispatch import method as method
from petteia.core.errors import InvalidError
from petteia.core.random import RandomState, below

P = ParamSpec("P")
R = TypeVar("R")
Rules = Any
"""The rules of a game: an instance of a class as described above."""
State = Any
"""A state of a game: a NamedTuple of ints."""
Buffer = Any
"""An array (in plain Python also a list) of at least `limits(rules).moves` items, into which methods write numbers."""

CHANCE = 2
"""The number that `to_move` returns at a chance node."""
MAX_SQUARES = 1024
"""The length of the lists for `contents` and `observe`."""
MAX_STEPS = 8
"""The length of the list into which `steps` writes."""

MAX_NAMED = 50
"""The maximum number of moves that an error message lists."""
ANY_MARGIN = 1 << 62
"""A number that is greater than every margin."""

METHODS: dict[str, Callable[..., Any]] = {}
"""The methods that a game may define, by name."""

PLAIN = (
    *("format_state", "parse_state", "format_move", "parse_move", "seats", "validate"),
    *("check_start", "shape", "step_codes", "observe", "final_score"),
)
"""The methods that are never compiled."""


class Limits(NamedTuple):
    """The limits of a game: the maximum number of moves in a state, of plies in a game, and of different move codes.

    No state may have more than `moves` legal moves or chance outcomes, and every move code must be below `codes`.
    Unless `plies` is 0, no game may have more than `plies` plies.
    """

    moves: int
    """the maximum number of moves (or chance outcomes) in a state"""
    codes: int
    """the number of move codes; the codes are 0..codes-1"""
    plies: int
    """the maximum number of plies in a game from any state, including chance outcomes; 0 if games can be endless"""


def provides(rules: Rules, name: str) -> bool:
    """Return whether the class of the game defines the method `name`."""
    return method(type(rules), name) is not None


def game_method(default: Callable[P, R]) -> Callable[P, R]:
    """Decorator for a method of the protocol. If a game does not define the method, `default` is used instead."""
    name = default.__name__
    generic = dispatched(lambda cls: method(cls, name) or default)(default)
    METHODS[name] = generic
    return generic


# Rules, which are compiled in every algorithm.


@game_method
def initial(rules: Rules) -> State:
    """Return the initial state of a game."""
    raise TypeError("the game does not define the method initial")


@game_method
def to_move(rules: Rules, state: State) -> int:
    """Return the player to move: 0, 1 or CHANCE. A player may have several turns in a row."""
    raise TypeError("the game does not define the method to_move")


@game_method
def moves(rules: Rules, state: State, out: Buffer) -> int:
    """Write the codes of the legal moves into `out` and return their number.

    If the game is not over, there is at least one legal move.
    """
    raise TypeError("the game does not define the method moves")


@game_method
def play(rules: Rules, state: State, move: int) -> State:
    """Return the state after a legal move or a chance outcome. The result is undefined if `move` is not legal."""
    raise TypeError("the game does not define the method play")


@game_method
def is_over(rules: Rules, state: State) -> bool:
    """Return whether the game has ended."""
    raise TypeError("the game does not define the method is_over")


@game_method
def margin(rules: Rules, state: State) -> int:
    """Return the final margin from the perspective of player 0. In a game without a score, it is +1, 0 or -1.

    In a game with a score, `margin` may also accept non-terminal states. A search without another evaluation then
    evaluates states by `margin` (see `features/margin_so_far.py`).
    """
    raise TypeError("the game does not define the method margin")


@game_method
def key(rules: Rules, state: State) -> int:
    """Return the key of the state, a number in 0..2^63-1.

    If `injective(rules)` is True, different states have different keys. Otherwise the key is a hash of the state.
    """
    raise TypeError("the game does not define the method key")


@game_method
def injective(rules: Rules) -> bool:
    """Return whether different states always have different keys under these rules. Exact solving requires this."""
    raise TypeError("the game does not define the method injective")


@game_method
def limits(rules: Rules) -> Limits:
    """Return the `Limits` of the game: the maximum number of moves in a state, of move codes and of plies."""
    raise TypeError("the game does not define the method limits")


# Chance.

UNEVEN = 1e-9
"""The maximum difference between 1 and the sum of the probabilities of all outcomes."""


@game_method
def chances(rules: Rules, state: State, moves: Buffer, probabilities: Buffer) -> int:
    """Write the outcomes of a chance node and their probabilities, which sum to 1. Return the number of outcomes."""
    return 0


def _never(rules: Rules) -> bool:
    return False


def _always(rules: Rules) -> bool:
    return True


@dispatched(lambda cls: method(cls, "has_chance") or (_always if method(cls, "chances") else _never))
def has_chance(rules: Rules) -> bool:
    """Return whether games under these rules can have chance nodes.

    The default is True if the class defines `chances`, and otherwise False.
    """
    raise TypeError


METHODS["has_chance"] = has_chance


# Optional methods, for speed and exactness.


@game_method
def decided(rules: Rules, state: State) -> bool:
    """Return whether the sign of the final margin is certain.

    If the sign of the final margin is certain, `margin(rules, state)` must already have this sign, even if `state` is
    not terminal. By default, the sign of the final margin is certain only when the game is over.
    """
    return is_over(rules, state)


@game_method
def margin_range(rules: Rules, state: State) -> tuple[int, int]:
    """Return a lower and an upper bound on the final margin from a non-terminal state. By default, there is no bound.

    Against any play of the opponent, player 0 can reach at least the lower bound. Player 1 can hold the margin to at
    most the upper bound.
    """
    return (-ANY_MARGIN, ANY_MARGIN)


@game_method
def relative(rules: Rules, state: State) -> tuple[State, int]:
    """Return `state` without its score and with player 0 to move, and the score of the player to move in `state`.

    If a game defines this method, `prove` treats states that differ only in score as one state. The returned state must
    have the same legal moves as `state`. Suppose that the same moves are played from both states until the game is
    over. The final margin from `state` must then equal the returned score plus the final margin from the returned
    state. Both margins are from the perspective of the player to move in `state`. The method has no default.
    """
    raise TypeError("the game does not define the method relative")


@game_method
def count(rules: Rules, state: State) -> int:
    """Return the number of legal moves in a non-terminal state, without listing the moves.

    The method has no default. Without it, `count_moves` lists the moves and counts them.
    """
    raise TypeError("the game does not define the method count")


@game_method
def move_set(rules: Rules, state: State) -> int:
    """Return the legal moves in a non-terminal state as a bit set. Bit m is 1 if move m is legal.

    The method requires that move codes are 0..62 and that `moves` lists them in ascending order. The method has no
    default. Without it, `moves_left` lists the moves.
    """
    raise TypeError("the game does not define the method move_set")


@game_method
def move_kinds(rules: Rules) -> int:
    """Return the number of kinds of moves for the history heuristic. By default, each move code is a kind."""
    return limits(rules).codes


@game_method
def move_kind(rules: Rules, move: int) -> int:
    """Return the kind of a move, in 0..move_kinds(rules)-1.

    The history heuristic tries a move early if moves of the same kind have caused cut-offs in other positions.
    """
    return move


@game_method
def random_move(rules: Rules, state: State, random: RandomState) -> int:
    """Return a legal move, drawn uniformly at random. The method has no default; see `draw_move`."""
    raise TypeError("the game does not define the method random_move")


@game_method
def swapped(rules: Rules, state: State) -> State:
    """Return `state` with the roles of the two players exchanged. The method has no default."""
    raise TypeError("the game does not define the method swapped")


@game_method
def images(rules: Rules) -> int:
    """Return the number of symmetries of the game, including the identity, which is number 0."""
    return 1


@game_method
def image(rules: Rules, state: State, i: int) -> State:
    """Return the image of the state under symmetry `i`."""
    return state


@game_method
def image_move(rules: Rules, move: int, i: int) -> int:
    """Return the image of the move under symmetry `i`: play(image(s), image_move(m)) equals image(play(s, m))."""
    return move


@game_method
def content_kinds(rules: Rules) -> int:
    """Return the number of possible contents of a square.

    The method has no default. A game that defines `contents` must also define `content_kinds`.
    """
    raise TypeError("the game does not define the method content_kinds")


@game_method
def contents(rules: Rules, state: State, out: Buffer) -> int:
    """Write the content of each square, in 0..content_kinds(rules)-1, into `out`. Return the number of squares.

    The number of squares is the same for all states. It is at most `MAX_SQUARES`, the length of `out`. A symmetry of
    the game may move the contents to other squares, but must not change the contents themselves. The method has no
    default. N-tuple networks (`features/tuples.py`) require it.
    """
    raise TypeError("the game does not define the method contents")


@game_method
def positions(rules: Rules) -> int:
    """Return the number of all positions of the game. The method has no default."""
    raise TypeError("the game does not define the method positions")


@game_method
def position(rules: Rules, i: int) -> State:
    """Return the position with number `i` in 0..positions(rules)-1. The method has no default."""
    raise TypeError("the game does not define the method position")


@game_method
def max_positions(rules: Rules) -> int:
    """Return an upper bound on the number of positions (reachable or not), or 0 if no bound is known."""
    return 0


# Methods for text, which run only as plain Python.


@game_method
def format_state(rules: Rules, state: State) -> str:
    """Return the notation of the state, which is one line of text."""
    raise TypeError("the game does not define the method format_state")


@game_method
def parse_state(rules: Rules, text: str) -> State:
    """Parse `text`, the notation of a state, and return the state. This is the inverse of `format_state`.

    Raises ValueError if `text` is not the notation of a state. The message states the error and its position in `text`.
    """
    raise TypeError("the game does not define the method parse_state")


@game_method
def format_move(rules: Rules, state: State, move: int) -> str:
    """Return the notation of a legal move or chance outcome, which is a string without spaces."""
    raise TypeError("the game does not define the method format_move")


@game_method
def parse_move(rules: Rules, state: State, text: str) -> int:
    """Return the code of the legal move or chance outcome with the notation `text`.

    Raises ValueError if no legal move or chance outcome has the notation `text`.
    """
    return named_move(rules, state, text)


def named_move(rules: Rules, state: State, text: str) -> int:
    """Return the legal move with the notation `text`. This is the default implementation of `parse_move`.

    A custom `parse_move` can call this function for moves that are written in the standard notation of `format_move`.
    """
    names = {format_move(rules, state, move): move for move in legal(rules, state)}
    if text in names:
        return names[text]
    if not names:
        raise ValueError(f"move {text!r}: the game is over in {format_state(rules, state)!r}")
    listed = list(names)[:MAX_NAMED]
    more = f" and {len(names) - MAX_NAMED:,} more" if len(names) > MAX_NAMED else ""
    raise ValueError(
        f"move {text!r} is not legal in {format_state(rules, state)!r}; choose from {' '.join(listed)}{more}"
    )


@game_method
def seats(rules: Rules) -> tuple[str, str]:
    """Return the names of players 0 and 1, one word each."""
    return ("first", "second")


@game_method
def final_score(rules: Rules, state: State) -> tuple[int, int, str]:
    """Return the points of players 0 and 1 at the end of the game and their unit, such as `(27, 21, "stones")`.

    The margin is the difference of the points. The method has no default. Without it, results contain only the margin.
    """
    raise TypeError("the game does not define the method final_score")


@game_method
def validate(rules: Rules) -> None:
    """Raise ValueError if the options are incompatible, although each option by itself is in its range."""


@game_method
def check_start(rules: Rules) -> None:
    """Raise ValueError with the reason if these rules have no initial position. Users must then give a position."""


@game_method
def shape(rules: Rules) -> tuple[int, int]:
    """Return the number of rows and the number of columns of the board.

    `contents` lists the squares row by row from the upper left.

    The method has no default. A game that defines `shape`, `contents` and `steps` is shown as a clickable board. It
    does not need to define a drawing.
    """
    raise TypeError("the game does not define the method shape")


# Moves and states as numbers for other libraries, which run only as plain Python.


@game_method
def step_codes(rules: Rules) -> int:
    """Return the number of step codes. A step of a move, such as a square, has a code in 0..step_codes(rules)-1.

    The method has no default. A game that defines `steps` must also define `step_codes`.
    """
    raise TypeError("the game does not define the method step_codes")


@game_method
def steps(rules: Rules, state: State, move: int, out: Buffer) -> int:
    """Write the steps of a legal move, such as its squares, into `out` (of length `MAX_STEPS`). Return their number.

    A step is the number of a square, or a larger number for a word such as pass. The steps of a legal move are never a
    prefix of the steps of another legal move. The method has no default. Reinforcement learning environments require it
    for games with many move codes.
    """
    raise TypeError("the game does not define the method steps")


@game_method
def observe(rules: Rules, state: State, side: int, out: Buffer) -> int:
    """Write to `out`, as numbers, what player `side` (0 or 1) observes in the state.

    Return the number of written values, which is the same for all states, and at most `MAX_SQUARES`, the length of
    `out`. A game need not define this method. Without it, environments return the `contents` as the observation.
    """
    raise TypeError("the game does not define the method observe")


# Functions for algorithms that use a faster method if the game defines it.


def _counted(rules: Rules, state: State, out: Buffer) -> int:
    return count(rules, state)


@dispatched(lambda cls: _counted if method(cls, "count") else method(cls, "moves") or moves)
def count_moves(rules: Rules, state: State, out: Buffer) -> int:
    """Return the number of legal moves. Use `count` if the game defines it, or else list the moves in `out`."""
    raise TypeError


def _set(rules: Rules, state: State, out: Buffer) -> int:
    return move_set(rules, state)


def _lowest(rules: Rules, left: int, i: int, out: Buffer) -> int:
    return trailing_zeros(left)


def _listed(rules: Rules, left: int, i: int, out: Buffer) -> int:
    return int(out[i])


def _without_lowest(rules: Rules, left: int) -> int:
    return left & left - 1


def _one_less(rules: Rules, left: int) -> int:
    return left - 1


@dispatched(lambda cls: _set if method(cls, "move_set") else method(cls, "moves") or moves)
def moves_left(rules: Rules, state: State, out: Buffer) -> int:
    """Return an int that represents the legal moves, for a loop with `next_move` and `without_next`.

    If the game defines `move_set`, the returned int is the bit set of the legal moves. Otherwise the function writes
    the moves to `out` and returns their number. In both cases, 0 means that there is no move.
    """
    raise TypeError


@dispatched(lambda cls: _lowest if method(cls, "move_set") else _listed)
def next_move(rules: Rules, left: int, i: int, out: Buffer) -> int:
    """Return the next of the remaining moves, which the int `left` represents. `i` moves have already been visited."""
    raise TypeError


@dispatched(lambda cls: _without_lowest if method(cls, "move_set") else _one_less)
def without_next(rules: Rules, left: int) -> int:
    """Return the int that represents the remaining moves after the next move has been removed from `left`."""
    raise TypeError


def _drawn(rules: Rules, state: State, random: RandomState, out: Buffer) -> int:
    return random_move(rules, state, random)


def _drawn_from_list(rules: Rules, state: State, random: RandomState, out: Buffer) -> int:
    return int(out[below(random, moves(rules, state, out))])


@dispatched(lambda cls: _drawn if method(cls, "random_move") else _drawn_from_list)
def draw_move(rules: Rules, state: State, random: RandomState, out: Buffer) -> int:
    """Return a legal move, drawn uniformly at random.

    The move is drawn by `random_move` if the game defines it, and otherwise from a list of the moves.
    """
    raise TypeError


def _with_score(rules: Rules, state: State) -> tuple[State, int]:
    return state, 0


@dispatched(lambda cls: method(cls, "relative") or _with_score)
def without_score(rules: Rules, state: State) -> tuple[State, int]:
    """Return the state without its score, and the score, as defined by `relative`. By default, return `state` and 0."""
    raise TypeError


def legal(rules: Rules, state: State) -> list[int]:
    """Return the codes of the legal moves, or of the outcomes at a chance node. The list is empty if the game is over.

    Raises InvalidError if the game is not over and has no moves, or if it has more moves than `limits` allows.
    """
    if is_over(rules, state):
        return []
    out = [0] * limits(rules).moves
    if to_move(rules, state) == CHANCE:
        count = chances(rules, state, out, [0.0] * len(out))
    else:
        count = moves(rules, state, out)
    check_count(rules, state, count)
    return out[:count]


def check_count(rules: Rules, state: State, count: int) -> None:
    """Raise InvalidError unless `count`, the number of moves in a non-terminal state, is in 1..limits(rules).moves."""
    maximum = limits(rules).moves
    if not 1 <= count <= maximum:
        cls = type(rules)
        raise InvalidError(
            f"{cls.__name__}, position {format_state(rules, state)!r}: moves returned {count} moves;"
            f" must be 1 to {maximum}, because the game is not over and limits(rules) allows no more; for details run:"
            f" petteia check {cls.__module__}:{cls.__qualname__}"
        )


def score_of(rules: Rules, state: State) -> tuple[int, int, str] | None:
    """Return the `final_score` of a finished game; None if the game does not define it.

    Raises InvalidError unless `final_score` returns two ints and a string.
    """
    if not provides(rules, "final_score"):
        return None
    score: Any = final_score(rules, state)
    if isinstance(score, tuple) and [*map(type, score)] == [int, int, str] and score[2].isprintable():
        return score[0], score[1], score[2]
    right = "two whole numbers and the name of the points, such as (7, 6, 'stones')"
    raise InvalidError(f"{format_state(rules, state)!r}: final_score returned {score!r}; must be {right}")
