"""Positions of the Game of the Amazons: the fields of a state, and the notation.

The module `amazons` describes the notation of positions and moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from petteia.core.kernel import inline
from petteia.core.protocol import Rules
from petteia.games.queens import (
    LARGEST,
    SQUARES,
    Squares,
    beside,
    board,
    is_empty,
    lowest,
    only,
    union,
    without,
    without_lowest,
)

WHITE, BLACK = 0, 1
MAX_AMAZONS, MAX_RABBITS = 4, 99
FILES = "abcdefghij"
RELEASE = SQUARES**3
"""The difference between the codes of a move that releases a rabbit and the same move without a release."""
RELEASED = "!"
"""The suffix in the notation of a move that releases a rabbit."""

NOTHING, WHITE_AMAZON, BLACK_AMAZON, BLOCKED = range(4)
INJECTIVE_SQUARES = 31
"""The maximum number of squares of a board whose keys have two bits per square."""
ONE_SQUARE = r"\S+ [wb] \S+ (- )?[a-j]\d{1,2}!"
"""A pattern that matches a position with an arrow that is about to run, but without the arrow that was shot last."""
MIRRORED, TURNED_OVER, TRANSPOSED = 1, 2, 4


class Position(NamedTuple):
    """A state: the squares of the amazons and arrows, the side to move, and the rabbits as one integer."""

    white_low: int
    """White's amazons on ranks 1 to 5, as in `Squares`"""
    white_high: int
    """White's amazons on ranks 6 to 10"""
    black_low: int
    """Black's amazons on ranks 1 to 5"""
    black_high: int
    """Black's amazons on ranks 6 to 10"""
    blocked_low: int
    """arrows on ranks 1 to 5"""
    blocked_high: int
    """arrows on ranks 6 to 10"""
    side: int
    """WHITE or BLACK; if an arrow is about to run, the side that moves afterwards"""
    rabbits: int = 0
    """the fields of `Rabbits` as one word, see `packed`; 0 in rules without rabbits"""


class Rabbits(NamedTuple):
    """The data on rabbits in a state: how many each player has left, the arrow shot last, and the arrow about to run.

    When a player releases a rabbit, the arrow that the opponent shot last runs to an adjacent square.
    """

    white: int
    """the number of rabbits that White has left"""
    black: int
    """the number of rabbits that Black has left"""
    shot: int
    """the square of the arrow that was shot last, plus 1; 0 if there is none, and in rules without rabbits"""
    running: int
    """the square of the arrow that is about to run, plus 1; 0 if there is none"""


RABBIT_BITS = 7
"""The number of bits for each number in `Position.rabbits`. The numbers are at most 1 + SQUARES."""


@inline
def packed(rabbits: Rabbits) -> int:
    """Pack the four numbers of a `Rabbits` tuple into one integer, with the number `running` in its lowest bits."""
    word = rabbits.white << RABBIT_BITS | rabbits.black
    return (word << RABBIT_BITS | rabbits.shot) << RABBIT_BITS | rabbits.running


@inline
def rabbits_of(state: Position) -> Rabbits:
    """Unpack the rabbit fields of a state. This is the inverse of `packed`."""
    word, field = state.rabbits, (1 << RABBIT_BITS) - 1
    return Rabbits(word >> 3 * RABBIT_BITS, word >> 2 * RABBIT_BITS & field, word >> RABBIT_BITS & field, word & field)


@inline
def running_arrow(state: Position) -> int:
    """Return 1 plus the square of the arrow that must run because a rabbit was released, or 0 if no arrow must run."""
    return state.rabbits & (1 << RABBIT_BITS) - 1


@inline
def amazons_of(state: Position, side: int) -> Squares:
    """The squares of a player's amazons."""
    if side == WHITE:
        return Squares(state.white_low, state.white_high)
    return Squares(state.black_low, state.black_high)


@inline
def blocked(state: Position) -> Squares:
    """The set of squares that are blocked by arrows."""
    return Squares(state.blocked_low, state.blocked_high)


@inline
def assembled(sets: tuple[Squares, Squares, Squares], side: int, rabbits: Rabbits) -> Position:
    """Create a state. `sets` contains the squares of White's amazons, of Black's amazons and of the arrows."""
    white, black, arrows = sets
    return Position(white.low, white.high, black.low, black.high, arrows.low, arrows.high, side, packed(rabbits))


@inline
def free_squares(rules: Rules, state: Position) -> Squares:
    """The squares without amazons and arrows."""
    low = state.white_low | state.black_low | state.blocked_low
    high = state.white_high | state.black_high | state.blocked_high
    return without(board(rules.width, rules.height), Squares(low, high))


@inline
def image_square(rules: Rules, square: int, i: int) -> int:
    """Return the square to which symmetry number `i` of the board maps `square`."""
    file, rank = square % LARGEST, square // LARGEST
    if i & MIRRORED:
        file = rules.width - 1 - file
    if i & TURNED_OVER:
        rank = rules.height - 1 - rank
    return file * LARGEST + rank if i & TRANSPOSED else rank * LARGEST + file


@inline
def image_of(rules: Rules, squares: Squares, i: int) -> Squares:
    """Return the set of squares to which symmetry number `i` of the board maps the set `squares`."""
    result = Squares(0, 0)
    while not is_empty(squares):
        result = union(result, only(image_square(rules, lowest(squares), i)))
        squares = without_lowest(squares)
    return result


@inline
def start_squares(width: int, height: int) -> tuple[Squares, Squares]:
    """The squares on which White's and Black's amazons start."""
    file, rank = (width - 1) // 3, (height - 1) // 3
    top = LARGEST * (height - 1)
    white = union(
        union(only(file), only(width - 1 - file)), union(only(LARGEST * rank), only(LARGEST * rank + width - 1))
    )
    high = LARGEST * (height - 1 - rank)
    black = union(union(only(top + file), only(top + width - 1 - file)), union(only(high), only(high + width - 1)))
    return white, black


def squares_of(squares: Squares) -> Iterator[int]:
    """Yield the number of each square in a set, in ascending order."""
    while not is_empty(squares):
        yield lowest(squares)
        squares = without_lowest(squares)


def square_name(square: int) -> str:
    """The name of a square: its file and its rank."""
    return f"{FILES[square % LARGEST]}{square // LARGEST + 1}"


def _square(rules: Rules, name: str) -> int:
    """The number of the square with this name. Raises a ValueError if the board has no such square."""
    file, rank = FILES.find(name[0]), int(name[1:]) - 1
    if not (0 <= file < rules.width and 0 <= rank < rules.height):
        raise ValueError(f"there is no square {name} on a {rules.width}x{rules.height} board")
    return LARGEST * rank + file


def read_position(rules: Rules, text: str) -> Position:
    """Parse a position from its notation. Raises ValueError if the notation is malformed."""
    extra = r" (\d{1,2}),(\d{1,2}) (-|[a-j]\d{1,2})(?: ([a-j]\d{1,2})!)?" if rules.rabbits else "(){4}"
    match = re.fullmatch(f"([0-9wbx/]+) ([wb]){extra}", text, re.ASCII)
    if rules.rabbits and re.fullmatch(ONE_SQUARE, text, re.ASCII):
        raise ValueError("the square of the last arrow must precede the square of the running arrow, as in 'e5 g7!'")
    if not match:
        start = rules._replace(width=LARGEST, height=LARGEST)
        raise ValueError(f"must look like {start.format_state(start.initial())!r}")
    sets = _read_rows(rules, match[1])
    for name, letter in (("White", "w"), ("Black", "b")):
        if not 1 <= len(sets[letter]) <= MAX_AMAZONS:
            raise ValueError(f"{name} has {len(sets[letter])} amazons; each side must have 1 to {MAX_AMAZONS}")
    white, black, arrows = (_set(sets[letter]) for letter in "wbx")
    side = "wb".index(match[2])
    state = Position(white.low, white.high, black.low, black.high, arrows.low, arrows.high, side)
    if rules.rabbits == 0:
        return state
    if max(int(match[3]), int(match[4])) > rules.rabbits:
        raise ValueError(
            f"the players have {match[3]} and {match[4]} rabbits left; each may have at most {rules.rabbits}"
        )
    last, running = (0 if name in ("-", None) else 1 + _square(rules, name) for name in match.group(5, 6))
    for square, name in ((last, match[5]), (running, match[6])):
        if square and square - 1 not in sets["x"]:
            raise ValueError(f"no arrow has landed on {name}")
    state = state._replace(rabbits=packed(Rabbits(int(match[3]), int(match[4]), last, running)))
    if running and running == last:
        raise ValueError("the arrow that a rabbit is about to move must not be the last arrow")
    if running and is_empty(beside(only(running - 1), free_squares(rules, state))):
        raise ValueError(f"no square next to the arrow on {match[6]} is free, so a rabbit cannot move this arrow")
    return state


def _read_rows(rules: Rules, text: str) -> dict[str, list[int]]:
    """Parse the rows of a position. Return the squares of white amazons (`w`), black amazons (`b`) and arrows (`x`)."""
    sets: dict[str, list[int]] = {"w": [], "b": [], "x": []}
    rows = text.split("/")
    if len(rows) != rules.height:
        raise ValueError(f"the board has {len(rows)} rows; it must have {rules.height}")
    for rank, row in zip(reversed(range(rules.height)), rows, strict=True):
        file = 0
        for run in re.findall(r"[0-9]+|[wbx]", row):
            if run in sets:
                sets[run].append(LARGEST * rank + file)
            file += 1 if run in sets else int(run)
        if file != rules.width:
            raise ValueError(f"row {row!r} has {file} squares; each row must have {rules.width}")
    return sets


def _set(squares: list[int]) -> Squares:
    result = Squares(0, 0)
    for square in squares:
        result = union(result, only(square))
    return result
