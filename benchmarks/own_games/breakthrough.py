"""Breakthrough on a board of five columns and six rows, and a feature set for it: who reaches the far row wins.

Each player begins with two rows of pieces. A piece goes one step forward, straight or diagonally, to an empty square;
diagonally it also captures. Who reaches the last row, or captures every piece, wins. (D. Troyka, 2000.)

A position is written row by row from the top, second's side, `x` first, `o` second, `.` empty, and who moves:
`ooooo/ooooo/...../...../xxxxx/xxxxx x`. A move is written `a2b3`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from petteia.core.bits import popcount, trailing_zeros
from petteia.core.kernel import inline
from petteia.core.protocol import Buffer, Limits

WIDTH, HEIGHT = 5, 6
SQUARES = WIDTH * HEIGHT
ROW = (1 << WIDTH) - 1
BOARD = (1 << SQUARES) - 1
LEFT = sum(1 << WIDTH * row for row in range(HEIGHT))
RIGHT = LEFT << WIDTH - 1
TWO_ROWS = (1 << 2 * WIDTH) - 1
MAX_PLIES = 2 * 2 * (WIDTH * 4 + WIDTH * 5)
"""each piece goes forward with every move: it can do so four or five times"""


class Pieces(NamedTuple):
    """A state: bit 5 y + x is the square in column x and row y, row 0 the first player's."""

    first: int
    second: int
    side: int


@inline
def targets(state: Pieces, square: int) -> int:
    """The squares to which the piece of the side to move on `square` can go."""
    own = state.first if state.side == 0 else state.second
    piece = 1 << square
    beside = (piece & ~LEFT) >> 1 | (piece & ~RIGHT) << 1
    if state.side == 0:
        return (beside << WIDTH & ~own | piece << WIDTH & ~(own | state.second)) & BOARD
    return beside >> WIDTH & ~own | piece >> WIDTH & ~(own | state.first)


class Breakthrough(NamedTuple):
    """The rules."""

    def initial(rules) -> Pieces:
        return Pieces(TWO_ROWS, TWO_ROWS << SQUARES - 2 * WIDTH, 0)

    def to_move(rules, state: Pieces) -> int:
        return state.side

    def moves(rules, state: Pieces, out: Buffer) -> int:
        count = 0
        pieces = state.first if state.side == 0 else state.second
        while pieces:
            origin = trailing_zeros(pieces)
            to = targets(state, origin)
            while to:
                out[count] = origin * SQUARES + trailing_zeros(to)
                count += 1
                to &= to - 1
            pieces &= pieces - 1
        return count

    def play(rules, state: Pieces, move: int) -> Pieces:
        origin = 1 << move // SQUARES
        target = 1 << move % SQUARES
        if state.side == 0:
            return Pieces(state.first ^ origin | target, state.second & ~target, 1)
        return Pieces(state.first & ~target, state.second ^ origin | target, 0)

    def is_over(rules, state: Pieces) -> bool:
        through = state.first >> SQUARES - WIDTH | state.second & ROW
        return through != 0 or state.first == 0 or state.second == 0

    def margin(rules, state: Pieces) -> int:
        return 1 if state.first >> SQUARES - WIDTH or state.second == 0 else -1

    def key(rules, state: Pieces) -> int:
        return state.first | state.second << SQUARES | state.side << 2 * SQUARES

    def injective(rules) -> bool:
        return True

    def limits(rules) -> Limits:
        return Limits(moves=3 * 2 * WIDTH, codes=SQUARES * SQUARES, plies=MAX_PLIES)

    def content_kinds(rules) -> int:
        return 3

    def contents(rules, state: Pieces, out: Buffer) -> int:
        """What is on each square, row by row from the first player's: nothing (0), first (1), second (2)."""
        for square in range(SQUARES):
            out[square] = (state.first >> square & 1) + 2 * (state.second >> square & 1)
        return SQUARES

    def step_codes(rules) -> int:
        return SQUARES

    def steps(rules, state: Pieces, move: int, out: Buffer) -> int:
        """The square that the piece comes from, and the one that it goes to."""
        out[0], out[1] = divmod(move, SQUARES)
        return 2

    def format_state(rules, state: Pieces) -> str:
        rows = []
        for y in range(HEIGHT - 1, -1, -1):
            signs = [state.first >> WIDTH * y + x & 1 | (state.second >> WIDTH * y + x & 1) << 1 for x in range(WIDTH)]
            rows.append("".join(".xo"[sign] for sign in signs))
        return f"{'/'.join(rows)} {'xo'[state.side]}"

    def parse_state(rules, text: str) -> Pieces:
        board, _, side = text.partition(" ")
        rows = board.split("/")
        if side not in ("x", "o") or len(rows) != HEIGHT or any(len(r) != WIDTH or set(r) - set(".xo") for r in rows):
            raise ValueError(f"position {text!r}: must look like 'ooooo/ooooo/...../...../xxxxx/xxxxx x'")
        signs = "".join(reversed(rows))
        first, second = (sum(1 << i for i, sign in enumerate(signs) if sign == piece) for piece in "xo")
        if max(first.bit_count(), second.bit_count()) > 2 * WIDTH or first == second == 0:
            raise ValueError(f"position {text!r}: a player has up to {2 * WIDTH} pieces, and one of them has some")
        mover = "xo".index(side)
        arrived = (first >> SQUARES - WIDTH, second & ROW)
        if arrived[mover] or arrived[1 - mover].bit_count() > 1:
            raise ValueError(f"position {text!r}: play went on after a piece had reached the last row")
        if (first, second)[1 - mover] == 0:
            raise ValueError(f"position {text!r}: who has just moved has no piece")
        return Pieces(first, second, mover)

    def format_move(rules, state: Pieces, move: int) -> str:
        origin, target = divmod(move, SQUARES)
        return "".join(f"{'abcde'[square % WIDTH]}{square // WIDTH + 1}" for square in (origin, target))


class Advance(NamedTuple):
    """How many pieces each player has on each row, counted from its own side."""

    def names(feature_set, rules: Breakthrough) -> tuple[str, ...]:
        return tuple(f"{side}.row{row + 1}" for side in ("first", "second") for row in range(HEIGHT))

    def size(feature_set, rules: Breakthrough) -> int:
        return 2 * HEIGHT

    def features(feature_set, rules: Breakthrough, state: Pieces, index: Any, value: Any) -> int:
        for row in range(HEIGHT):
            index[row] = row
            value[row] = float(popcount(state.first >> WIDTH * row & ROW))
            index[HEIGHT + row] = HEIGHT + row
            value[HEIGHT + row] = float(popcount(state.second >> WIDTH * (HEIGHT - 1 - row) & ROW))
        return 2 * HEIGHT
