"""Tic-tac-toe. Experiments use it as a second game, to test whether a result also holds in another game.

The game is not in `GAMES`, so users name it by its module and class, like a custom game.

The player that first has three in a row, a column or a diagonal wins. A position is written `xo./.../... x`: the rows
from the top, and the side to move. A move is the number of a square, 1 to 9, row by row.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from petteia.core.kernel import inline
from petteia.core.protocol import Buffer, Limits

SQUARES = 9
FULL = 0b111111111
LINES = (
    0b000000111, 0b000111000, 0b111000000,  # rows
    0b001001001, 0b010010010, 0b100100100,  # columns
    0b100010001, 0b001010100,  # diagonals
)  # fmt: skip


class Marks(NamedTuple):
    """A state: the squares with crosses, the squares with noughts, and the side to move."""

    crosses: int
    """the set of squares with crosses: bit i is square i"""
    noughts: int
    side: int


@inline
def has_line(marks: int) -> bool:
    """Whether the squares `marks` contain three squares in a line."""
    for line in LINES:  # noqa: SIM110  # compiled
        if marks & line == line:
            return True
    return False


class TicTacToe(NamedTuple):
    """The rules of tic-tac-toe, which have no options."""

    def initial(rules) -> Marks:
        """The empty board."""
        return Marks(0, 0, 0)

    def to_move(rules, state: Marks) -> int:
        """The side to move; crosses are player 0."""
        return state.side

    def moves(rules, state: Marks, out: Buffer) -> int:
        """Write the numbers of the empty squares to `out`, and return how many there are."""
        count = 0
        for square in range(SQUARES):
            if not (state.crosses | state.noughts) >> square & 1:
                out[count] = square
                count += 1
        return count

    def play(rules, state: Marks, move: int) -> Marks:
        """The state after the player to move has marked the square."""
        if state.side == 0:
            return Marks(state.crosses | 1 << move, state.noughts, 1)
        return Marks(state.crosses, state.noughts | 1 << move, 0)

    def is_over(rules, state: Marks) -> bool:
        """Whether a player has three marks in a line, or the board is full."""
        return state.crosses | state.noughts == FULL or has_line(state.crosses) or has_line(state.noughts)

    def margin(rules, state: Marks) -> int:
        """The margin: 1 if crosses have three in a line, -1 if noughts have three in a line, and 0 for a draw."""
        return (1 if has_line(state.crosses) else 0) - (1 if has_line(state.noughts) else 0)

    def key(rules, state: Marks) -> int:
        """A key of the state, in which each field has its own bits."""
        return state.crosses | state.noughts << SQUARES | state.side << 2 * SQUARES

    def injective(rules) -> bool:
        """Whether different states always have different keys."""
        return True

    def limits(rules) -> Limits:
        """Return the `Limits` of the game: at most one move for each square."""
        return Limits(SQUARES, SQUARES, SQUARES)

    def content_kinds(rules) -> int:
        """The number of possible contents of a square: empty, a cross or a nought."""
        return 3

    def contents(rules, state: Marks, out: Buffer) -> int:
        """Write the content of each square: empty, a cross or a nought."""
        for square in range(SQUARES):
            out[square] = (state.crosses >> square & 1) + 2 * (state.noughts >> square & 1)
        return SQUARES

    def format_state(rules, state: Marks) -> str:
        """The rows and the side to move as text."""
        marks = "".join(
            "x" if state.crosses >> square & 1 else "o" if state.noughts >> square & 1 else "."
            for square in range(SQUARES)
        )
        return f"{marks[:3]}/{marks[3:6]}/{marks[6:]} {'xo'[state.side]}"

    def parse_state(rules, text: str) -> Marks:
        """Parse a state from the text that `format_state` writes. The side to move must match the number of marks."""
        if not re.fullmatch("([xo.]{3}/){2}[xo.]{3} [xo]", text):
            raise ValueError(f"position {text!r}: must look like 'xo./.../... x'")
        board, side = text[:-2].replace("/", ""), "xo".index(text[-1])
        crosses, noughts = (sum(1 << square for square in range(SQUARES) if board[square] == mark) for mark in "xo")
        if crosses.bit_count() - noughts.bit_count() != side:
            raise ValueError(f"position {text!r}: the numbers of x and o are impossible with {text[-1]} to move")
        if has_line(noughts if side else crosses):
            raise ValueError(f"position {text!r}: {text[-1]} has won, so {text[-1]} cannot be the player to move")
        return Marks(crosses, noughts, side)

    def format_move(rules, state: Marks, move: int) -> str:
        """The number of the square to be marked, counted from 1."""
        return str(move + 1)

    def seats(rules) -> tuple[str, str]:
        """The names of the players; crosses begin."""
        return ("crosses", "noughts")
