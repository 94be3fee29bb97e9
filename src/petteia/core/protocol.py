"""The protocol of a game: the verbs that every algorithm calls.

A game is a class: a `NamedTuple` whose fields are the options of its rules (ints), so that a variant of a game is a
value. Its methods are the verbs below, with `rules` in the place of `self` and with exactly these parameter names. A
state is a `NamedTuple` of ints as well, so it is copied for free, hashes, and cannot be mutated. State fields, options,
move codes and keys are ints in 0..2^63-1.

Algorithms never call a method. They call the functions of this module, which look the method up by the type of
`rules`: in plain Python when they run, in compiled code when it is compiled. So a game is written once and every
algorithm on it runs at compiled speed.

A game must give: initial, to_move, moves, play, is_over, margin, key, injective, limits, format_state, parse_state,
format_move. All else has a default or is optional (`provides` tells).

The protocol is one thing, so it stays in one file of more than 400 lines.
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
"""A game's rules: an instance of a class as described above."""
State = Any
"""A state of a game: a NamedTuple of ints."""
Buffer = Any
"""Where verbs write lists of numbers: an array (in plain Python any list) of at least `limits(rules).moves`."""

CHANCE = 2
"""What `to_move` returns where chance moves."""
MAX_SQUARES = 1024
"""How many numbers there is room for where `contents` and `observe` write them."""
MAX_STEPS = 8
"""How many numbers there is room for where `steps` writes them."""

MAX_NAMED = 50
"""moves that a message names"""
ANY_MARGIN = 1 << 62
"""beyond all margins"""

VERBS: dict[str, Callable[..., Any]] = {}
"""The verbs by name: what a game may define."""

PLAIN = (
    *("format_state", "parse_state", "format_move", "parse_move", "seats", "validate"),
    *("check_start", "shape", "step_codes", "observe"),
)
"""The verbs that are never compiled."""


class Limits(NamedTuple):
    """Sizes that a game promises to keep."""

    moves: int
    """most moves (or chance outcomes) in a state"""
    codes: int
    """move codes are 0..codes-1"""
    plies: int
    """most plies in a game from any state, chance outcomes included; 0: unbounded"""


def provides(rules: Rules, name: str) -> bool:
    """Whether the game defines the verb `name` itself."""
    return method(type(rules), name) is not None


def verb(default: Callable[P, R]) -> Callable[P, R]:
    """A verb: the method of this name of the rules' class; `default` itself if the class does not define it."""
    name = default.__name__
    generic = dispatched(lambda cls: method(cls, name) or default)(default)
    VERBS[name] = generic
    return generic


# Rules. Compiled in every algorithm.


@verb
def initial(rules: Rules) -> State:
    """The state at the start of a game."""
    raise TypeError("the game does not define initial")


@verb
def to_move(rules: Rules, state: State) -> int:
    """Who moves: 0, 1 or CHANCE. Turns need not alternate."""
    raise TypeError("the game does not define to_move")


@verb
def moves(rules: Rules, state: State, out: Buffer) -> int:
    """Write the codes of the legal moves into `out` and return how many there are; at least one unless it is over."""
    raise TypeError("the game does not define moves")


@verb
def play(rules: Rules, state: State, move: int) -> State:
    """The state after a legal move or chance outcome; undefined for any other code."""
    raise TypeError("the game does not define play")


@verb
def is_over(rules: Rules, state: State) -> bool:
    """Whether the game has ended."""
    raise TypeError("the game does not define is_over")


@verb
def margin(rules: Rules, state: State) -> int:
    """Of a finished game: by how much player 0 has won; +1, 0, -1 in a game without a score.

    Where it can be asked of any position, search goes by it if nothing else is known; see `features/margin_so_far.py`.
    """
    raise TypeError("the game does not define margin")


@verb
def key(rules: Rules, state: State) -> int:
    """A 63-bit number of the state; a hash unless `injective(rules)`."""
    raise TypeError("the game does not define key")


@verb
def injective(rules: Rules) -> bool:
    """Whether different states of these rules always have different keys; exact solving demands it."""
    raise TypeError("the game does not define injective")


@verb
def limits(rules: Rules) -> Limits:
    """The sizes that these rules keep to."""
    raise TypeError("the game does not define limits")


# Chance.

UNEVEN = 1e-9
"""by how much the probabilities of all outcomes may miss 1 in sum"""


@verb
def chances(rules: Rules, state: State, moves: Buffer, probabilities: Buffer) -> int:
    """Where chance moves: write its outcomes and their probabilities (which sum to 1); return how many there are."""
    return 0


def _never(rules: Rules) -> bool:
    return False


def _always(rules: Rules) -> bool:
    return True


@dispatched(lambda cls: method(cls, "has_chance") or (_always if method(cls, "chances") else _never))
def has_chance(rules: Rules) -> bool:
    """Whether chance can move under these rules. Unless defined: whether the class defines `chances`."""
    raise TypeError


VERBS["has_chance"] = has_chance


# Optional: for speed, for exactness.


@verb
def decided(rules: Rules, state: State) -> bool:
    """Whether the sign of the final margin is certain and is that of `margin` now. Unless defined: at the end only."""
    return is_over(rules, state)


@verb
def margin_range(rules: Rules, state: State) -> tuple[int, int]:
    """Two bounds of the final margin of a state that is not over. Unless defined, nothing is known.

    Player 0 can get at least the first, whatever the opponent does; player 1 can keep it to the second at most.
    """
    return (-ANY_MARGIN, ANY_MARGIN)


@verb
def relative(rules: Rules, state: State) -> tuple[State, int]:
    """In a game with a score: a state that is not over from its mover's view, without the score, and that score.

    The state that is returned has the same moves, and player 0 to move. Whatever follows, its final margin and the
    score add up to the final margin, the mover's. No default; `prove` then counts states that differ in score as one.
    """
    raise TypeError("the game does not define relative")


@verb
def count(rules: Rules, state: State) -> int:
    """The number of legal moves of a state that is not over, without listing them. No default: see `count_moves`."""
    raise TypeError("the game does not define count")


@verb
def move_set(rules: Rules, state: State) -> int:
    """The legal moves of a state that is not over as a set: bit m is 1 where move m is legal.

    For games whose move codes are 0..62, and whose `moves` lists them in ascending order. No default: see `moves_left`.
    """
    raise TypeError("the game does not define move_set")


@verb
def move_kinds(rules: Rules) -> int:
    """The number of kinds of moves; unless defined, each move is a kind by itself."""
    return limits(rules).codes


@verb
def move_kind(rules: Rules, move: int) -> int:
    """The kind of a move, in 0..move_kinds(rules)-1: search remembers how good moves were by their kinds."""
    return move


@verb
def random_move(rules: Rules, state: State, random: RandomState) -> int:
    """A legal move, each equally likely. No default: see `draw_move`."""
    raise TypeError("the game does not define random_move")


@verb
def swapped(rules: Rules, state: State) -> State:
    """The state with the players exchanged. No default."""
    raise TypeError("the game does not define swapped")


@verb
def images(rules: Rules) -> int:
    """The number of symmetries, the identity (number 0) included."""
    return 1


@verb
def image(rules: Rules, state: State, i: int) -> State:
    """The state under symmetry `i`."""
    return state


@verb
def image_move(rules: Rules, move: int, i: int) -> int:
    """The move under symmetry `i`, such that play(image(s), image_move(m)) = image(play(s, m))."""
    return move


@verb
def content_kinds(rules: Rules) -> int:
    """How many kinds of contents a square can have. No default; it goes with `contents`."""
    raise TypeError("the game does not define content_kinds")


@verb
def contents(rules: Rules, state: State, out: Buffer) -> int:
    """Write what is on each square, in 0..content_kinds(rules)-1, into `out`; return how many squares there are.

    That number is the same for all states, and at most `MAX_SQUARES`, for which `out` has room. A symmetry of the game
    moves contents from square to square and leaves them what they are. No default: what can be learned from the
    contents of several squares together (`features/tuples.py`) needs it.
    """
    raise TypeError("the game does not define contents")


@verb
def positions(rules: Rules) -> int:
    """The number of all positions. No default."""
    raise TypeError("the game does not define positions")


@verb
def position(rules: Rules, i: int) -> State:
    """Position number `i` of 0..positions(rules)-1. No default."""
    raise TypeError("the game does not define position")


@verb
def max_positions(rules: Rules) -> int:
    """How many positions there can be at most, reachable or not; 0: not known."""
    return 0


# Text. Plain Python only.


@verb
def format_state(rules: Rules, state: State) -> str:
    """The state as one line of text."""
    raise TypeError("the game does not define format_state")


@verb
def parse_state(rules: Rules, text: str) -> State:
    """The state that `format_state` writes as `text`; a ValueError that says what is wrong and where for any other."""
    raise TypeError("the game does not define parse_state")


@verb
def format_move(rules: Rules, state: State, move: int) -> str:
    """The legal move, or chance outcome, as text without spaces."""
    raise TypeError("the game does not define format_move")


@verb
def parse_move(rules: Rules, state: State, text: str) -> int:
    """The legal move, or chance outcome, that `format_move` writes as `text`; a ValueError for any other."""
    return named_move(rules, state, text)


def named_move(rules: Rules, state: State, text: str) -> int:
    """What `parse_move` returns unless the game defines it; a game that does can call this for most texts."""
    names = {format_move(rules, state, move): move for move in legal(rules, state)}
    if text in names:
        return names[text]
    if not names:
        raise ValueError(f"move {text!r}: the game is over in {format_state(rules, state)!r}")
    listed = list(names)[:MAX_NAMED]
    more = f" and {len(names) - MAX_NAMED:,} more" if len(names) > MAX_NAMED else ""
    raise ValueError(
        f"move {text!r} is not legal in {format_state(rules, state)!r}; legal are {' '.join(listed)}{more}"
    )


@verb
def seats(rules: Rules) -> tuple[str, str]:
    """What players 0 and 1 are called, a word each."""
    return ("first", "second")


@verb
def validate(rules: Rules) -> None:
    """Raise a ValueError if the options, each in its range, do not go together."""


@verb
def check_start(rules: Rules) -> None:
    """Raise a ValueError that says why if there is no first position under these options: then one must be given."""


@verb
def shape(rules: Rules) -> tuple[int, int]:
    """How many rows and columns the squares of `contents` form, listed row by row from the upper left.

    No default. A game that has it, `contents` and `steps` gets a board to click without a drawing of its own.
    """
    raise TypeError("the game does not define shape")


# Moves and states as numbers, for other libraries. Plain Python only.


@verb
def step_codes(rules: Rules) -> int:
    """The number of different steps, which are numbered from 0. No default; it goes with `steps`."""
    raise TypeError("the game does not define step_codes")


@verb
def steps(rules: Rules, state: State, move: int, out: Buffer) -> int:
    """Write a legal move as a few steps into `out`, which has room for `MAX_STEPS`; return how many there are.

    A step is the number of a square or, from the number of squares on, of a word such as pass. Different legal moves
    have different steps, and those of one never begin with all those of another. No default: environments of games with
    many move codes need it.
    """
    raise TypeError("the game does not define steps")


@verb
def observe(rules: Rules, state: State, side: int, out: Buffer) -> int:
    """Write numbers that describe the state as player `side` (0 or 1) sees it into `out`; return how many there are.

    That number is the same for all states, and at most `MAX_SQUARES`, for which `out` has room. No default: without it
    environments show what `contents` writes.
    """
    raise TypeError("the game does not define observe")


# What algorithms call where a game may have a faster way of its own.


def _counted(rules: Rules, state: State, out: Buffer) -> int:
    return count(rules, state)


@dispatched(lambda cls: _counted if method(cls, "count") else method(cls, "moves") or moves)
def count_moves(rules: Rules, state: State, out: Buffer) -> int:
    """The number of legal moves: by `count` if the game has it, else by listing them into `out`."""
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
    """What tells which moves are left to look at, all of them as yet; 0 when there is none left.

    It is their set if the game has `move_set`, else their number, with the moves listed in `out`: see `next_move`.
    """
    raise TypeError


@dispatched(lambda cls: _lowest if method(cls, "move_set") else _listed)
def next_move(rules: Rules, left: int, i: int, out: Buffer) -> int:
    """The next of the moves that are left, after `i` of them have been looked at."""
    raise TypeError


@dispatched(lambda cls: _without_lowest if method(cls, "move_set") else _one_less)
def without_next(rules: Rules, left: int) -> int:
    """What is left when the next move has been looked at."""
    raise TypeError


def _drawn(rules: Rules, state: State, random: RandomState, out: Buffer) -> int:
    return random_move(rules, state, random)


def _drawn_from_list(rules: Rules, state: State, random: RandomState, out: Buffer) -> int:
    return int(out[below(random, moves(rules, state, out))])


@dispatched(lambda cls: _drawn if method(cls, "random_move") else _drawn_from_list)
def draw_move(rules: Rules, state: State, random: RandomState, out: Buffer) -> int:
    """A legal move, each equally likely: by `random_move` if the game has it, else by listing them into `out`."""
    raise TypeError


def _with_score(rules: Rules, state: State) -> tuple[State, int]:
    return state, 0


@dispatched(lambda cls: method(cls, "relative") or _with_score)
def without_score(rules: Rules, state: State) -> tuple[State, int]:
    """What `relative` says if the game has it, else the state as it is, and 0."""
    raise TypeError


def legal(rules: Rules, state: State) -> list[int]:
    """The codes of the legal moves, or of the chance outcomes where chance moves; none if the game is over.

    Raises an InvalidError if there are none although it is not over, or more than `limits` promises.
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
    """Raise an InvalidError unless so many moves of a state that is not over are at least one, and within `limits`."""
    maximum = limits(rules).moves
    if not 1 <= count <= maximum:
        cls = type(rules)
        raise InvalidError(
            f"{cls.__name__}, position {format_state(rules, state)!r}: {count} moves; must be 1..{maximum}, as it is"
            f" not over and by limits(rules); to see what is wrong: petteia check {cls.__module__}:{cls.__qualname__}"
        )
