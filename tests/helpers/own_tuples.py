"""Tuples as users list them, and games that tell what is on their squares; most do something that must be noticed."""

from __future__ import annotations

from typing import Any, NamedTuple

from petteia.core.protocol import Buffer, Limits, Rules
from petteia.games.tic_tac_toe import LINES as MASKS
from petteia.games.tic_tac_toe import SQUARES, Marks, TicTacToe

LINES = tuple(tuple(square for square in range(SQUARES) if line >> square & 1) for line in MASKS)


class Lines(NamedTuple):
    """All lines of tic-tac-toe."""

    def tuples(feature_set, rules: Rules) -> Any:
        return LINES


class Board(NamedTuple):
    """All squares at once: a table of positions."""

    def tuples(feature_set, rules: Rules) -> Any:
        return [tuple(range(SQUARES))]


class OffTheBoard(NamedTuple):
    def tuples(feature_set, rules: Rules) -> Any:
        return [(0, 1), (7, 9)]


class Twice(NamedTuple):
    def tuples(feature_set, rules: Rules) -> Any:
        return [(0, 1, 0)]


class Empty(NamedTuple):
    def tuples(feature_set, rules: Rules) -> Any:
        return [(0, 1), ()]


class Nothing(NamedTuple):
    def tuples(feature_set, rules: Rules) -> Any:
        return []


class NoList(NamedTuple):
    def tuples(feature_set, rules: Rules) -> Any:
        return 3


class NoNumbers(NamedTuple):
    def tuples(feature_set, rules: Rules) -> Any:
        return ["a1"]


class Large(NamedTuple):
    def tuples(feature_set, rules: Rules) -> Any:
        return [tuple(range(12))]


class Raises(NamedTuple):
    def tuples(feature_set, rules: Rules) -> Any:
        return [(1 // 0,)]


class TwoWays(NamedTuple):
    def tuples(feature_set, rules: Rules) -> Any:
        return [(0, 1)]

    def size(feature_set, rules: Rules) -> int:
        return 9


class OtherParameters(NamedTuple):
    def tuples(self, rules: Rules) -> Any:
        return [(0, 1)]


def turned(marks: int) -> int:
    """A set of squares, turned by a quarter."""
    return sum(1 << (square % 3 * 3 + 2 - square // 3) for square in range(SQUARES) if marks >> square & 1)


class Turned(TicTacToe):
    """Knows a quarter turn and its opposite, and not what they make together: half a turn."""

    def images(rules) -> int:
        return 3

    def image(rules, state: Marks, i: int) -> Marks:
        for _ in range((0, 1, 3)[i]):
            state = Marks(turned(state.crosses), turned(state.noughts), state.side)
        return state


class Exchanged(TicTacToe):
    """An image that changes contents."""

    def images(rules) -> int:
        return 2

    def image(rules, state: Marks, i: int) -> Marks:
        return Marks(state.noughts, state.crosses, state.side) if i else state


class Merged(TicTacToe):
    """An image that brings two squares to the same."""

    def images(rules) -> int:
        return 2

    def image(rules, state: Marks, i: int) -> Marks:
        last = 1 << SQUARES - 1
        if i == 0:
            return state
        crosses = state.crosses & ~last | (state.crosses & 1) << SQUARES - 1
        return Marks(crosses, state.noughts & ~last | (state.noughts & 1) << SQUARES - 1, state.side)


class Later(TicTacToe):
    """An image that is one rearrangement at first, and another one where the board is nearly full."""

    def images(rules) -> int:
        return 2

    def image(rules, state: Marks, i: int) -> Marks:
        for _ in range(i * (3 if (state.crosses | state.noughts).bit_count() > SQUARES - 2 else 1)):
            state = Marks(turned(state.crosses), turned(state.noughts), state.side)
        return state


class OutOfRange(TicTacToe):
    def content_kinds(rules) -> int:
        return 2


class Shrinks(TicTacToe):
    """A square less where all are taken."""

    def contents(rules, state: Marks, out: Buffer) -> int:
        for square in range(SQUARES):
            out[square] = (state.crosses >> square & 1) + 2 * (state.noughts >> square & 1)
        return SQUARES - 1 if state.crosses | state.noughts == 0b111111111 else SQUARES


class TooMany(TicTacToe):
    def contents(rules, state: Marks, out: Buffer) -> int:
        return 5000


class NoKinds(NamedTuple):
    """`contents` without `content_kinds`."""

    initial = TicTacToe.initial
    to_move = TicTacToe.to_move
    moves = TicTacToe.moves
    play = TicTacToe.play
    is_over = TicTacToe.is_over
    margin = TicTacToe.margin
    key = TicTacToe.key
    injective = TicTacToe.injective
    limits = TicTacToe.limits
    format_state = TicTacToe.format_state
    parse_state = TicTacToe.parse_state
    format_move = TicTacToe.format_move
    contents = TicTacToe.contents


class Picked(NamedTuple):
    first: int
    second: int


class Prizes(NamedTuple):
    """Each player picks a prize of 1 to 3 points, and the other's are taken off the own ones."""

    def initial(rules) -> Picked:
        return Picked(0, 0)

    def to_move(rules, state: Picked) -> int:
        return 1 if state.first > 0 else 0

    def moves(rules, state: Picked, out: Buffer) -> int:
        for i in range(3):
            out[i] = i + 1
        return 3

    def play(rules, state: Picked, move: int) -> Picked:
        return Picked(state.first, move) if state.first > 0 else Picked(move, 0)

    def is_over(rules, state: Picked) -> bool:
        return state.second > 0

    def margin(rules, state: Picked) -> int:
        return state.first - state.second

    def key(rules, state: Picked) -> int:
        return state.first | state.second << 2

    def injective(rules) -> bool:
        return True

    def limits(rules) -> Limits:
        return Limits(3, 4, 2)

    def content_kinds(rules) -> int:
        return 4

    def contents(rules, state: Picked, out: Buffer) -> int:
        out[0], out[1] = state.first, state.second
        return 2

    def format_state(rules, state: Picked) -> str:
        return f"{state.first}{state.second}"

    def parse_state(rules, text: str) -> Picked:
        if len(text) != 2 or {*text} - {*"0123"} or (text[0] == "0" and text[1] != "0"):
            raise ValueError(f"position {text!r}: must look like '10', what both have picked")
        return Picked(int(text[0]), int(text[1]))

    def format_move(rules, state: Picked, move: int) -> str:
        return str(move)


class BothPrizes(NamedTuple):
    """Of `Prizes`: a table of positions."""

    def tuples(feature_set, rules: Rules) -> Any:
        return [(0, 1)]
