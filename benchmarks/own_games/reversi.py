"""Reversi on a board of six by six squares, and a feature set for it: who has more discs in the end wins.

A move puts a disc on an empty square such that the other's discs stand in an unbroken line between it and a disc of
one's own; all such lines are turned over. Who cannot move passes; the game is over when neither can. The first player
begins.

A position is written row by row from the top, `x` first, `o` second, `.` empty, and who moves:
`....../....../..ox../..xo../....../...... x`. A move is written `c2` (rows from the top), or `pass`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from petteia.core.bits import popcount, trailing_zeros
from petteia.core.kernel import inline
from petteia.core.protocol import Buffer, Limits

SIZE = 6
STRIDE = SIZE + 1
"""bits of a row: one beyond its end stays empty, so that no line runs on into the next row"""
BOARD = sum((1 << SIZE) - 1 << STRIDE * row for row in range(SIZE))
STEPS = (1, STRIDE - 1, STRIDE, STRIDE + 1)
PASS = STRIDE * SIZE
CORNERS = sum(1 << STRIDE * y + x for x in (0, SIZE - 1) for y in (0, SIZE - 1))
TERNARY = tuple(sum(3**i for i in range(SIZE) if row >> i & 1) for row in range(1 << SIZE))
"""The number that a set of squares of a row is in base 3."""
ROW = (1 << SIZE) - 1


class Board(NamedTuple):
    """A state: bit 7 y + x is the square in column x and row y, from the top."""

    first: int
    second: int
    side: int


@inline
def places(own: int, other: int) -> int:
    """The squares on which a player can put a disc."""
    empty = BOARD & ~(own | other)
    found = 0
    for step in STEPS:
        line = own << step & other
        back = own >> step & other
        for _ in range(SIZE - 3):
            line |= line << step & other
            back |= back >> step & other
        found |= line << step | back >> step
    return found & empty


@inline
def turned(own: int, other: int, disc: int) -> int:
    """The discs that are turned over by a new one."""
    found = 0
    for step in STEPS:
        line = disc << step & other
        back = disc >> step & other
        for _ in range(SIZE - 3):
            line |= line << step & other
            back |= back >> step & other
        if line << step & own:
            found |= line
        if back >> step & own:
            found |= back
    return found


class Reversi(NamedTuple):
    """The rules."""

    def initial(rules) -> Board:
        middle = STRIDE * (SIZE // 2) + SIZE // 2
        return Board(1 << middle - STRIDE | 1 << middle - 1, 1 << middle - STRIDE - 1 | 1 << middle, 0)

    def to_move(rules, state: Board) -> int:
        return state.side

    def moves(rules, state: Board, out: Buffer) -> int:
        own = state.first if state.side == 0 else state.second
        to = places(own, state.first ^ state.second ^ own)
        if to == 0:
            out[0] = PASS
            return 1
        count = 0
        while to:
            out[count] = trailing_zeros(to)
            count += 1
            to &= to - 1
        return count

    def play(rules, state: Board, move: int) -> Board:
        if move == PASS:
            return Board(state.first, state.second, 1 - state.side)
        disc = 1 << move
        if state.side == 0:
            flipped = turned(state.first, state.second, disc)
            return Board(state.first | flipped | disc, state.second ^ flipped, 1)
        flipped = turned(state.second, state.first, disc)
        return Board(state.first ^ flipped, state.second | flipped | disc, 0)

    def is_over(rules, state: Board) -> bool:
        return places(state.first, state.second) == 0 and places(state.second, state.first) == 0

    def margin(rules, state: Board) -> int:
        return popcount(state.first) - popcount(state.second)

    def final_score(rules, state: Board) -> tuple[int, int, str]:
        """The discs of both players."""
        return popcount(state.first), popcount(state.second), "discs"

    def key(rules, state: Board) -> int:
        """The board as a number in base 3, and the side."""
        number = 0
        for row in range(SIZE):
            first = state.first >> STRIDE * row & ROW
            second = state.second >> STRIDE * row & ROW
            number = number * 3**SIZE + TERNARY[first] + 2 * TERNARY[second]
        return 2 * number + state.side

    def injective(rules) -> bool:
        return True

    def limits(rules) -> Limits:
        """A pass comes before a disc, and after the last one none."""
        return Limits(moves=SIZE * SIZE, codes=PASS + 1, plies=2 * SIZE * SIZE)

    def content_kinds(rules) -> int:
        return 3

    def contents(rules, state: Board, out: Buffer) -> int:
        """What is on each square, row by row: nothing (0), first (1), second (2)."""
        for square in range(SIZE * SIZE):
            bit = STRIDE * (square // SIZE) + square % SIZE
            out[square] = (state.first >> bit & 1) + 2 * (state.second >> bit & 1)
        return SIZE * SIZE

    def format_state(rules, state: Board) -> str:
        rows = []
        for y in range(SIZE):
            signs = [state.first >> STRIDE * y + x & 1 | (state.second >> STRIDE * y + x & 1) << 1 for x in range(SIZE)]
            rows.append("".join(".xo"[sign] for sign in signs))
        return f"{'/'.join(rows)} {'xo'[state.side]}"

    def parse_state(rules, text: str) -> Board:
        board, _, side = text.partition(" ")
        rows = board.split("/")
        if side not in ("x", "o") or len(rows) != SIZE or any(len(r) != SIZE or set(r) - set(".xo") for r in rows):
            raise ValueError(f"position {text!r}: must look like '....../....../..ox../..xo../....../...... x'")
        signs = ".".join(rows)  # a bit beyond the end of each row
        first, second = (sum(1 << i for i, sign in enumerate(signs) if sign == disc) for disc in "xo")
        return Board(first, second, "xo".index(side))

    def format_move(rules, state: Board, move: int) -> str:
        return "pass" if move == PASS else f"{'abcdef'[move % STRIDE]}{move // STRIDE + 1}"


class Squares(NamedTuple):
    """Whose disc stands on each square (1, -1 or 0), and by how many moves, and corners, the first player has more."""

    def names(feature_set, rules: Reversi) -> tuple[str, ...]:
        squares = tuple(f"square.{'abcdef'[x]}{y + 1}" for y in range(SIZE) for x in range(SIZE))
        return (*squares, "mobility", "corners", "constant")

    def size(feature_set, rules: Reversi) -> int:
        return SIZE * SIZE + 3

    def features(feature_set, rules: Reversi, state: Board, index: Any, value: Any) -> int:
        count = 0
        for y in range(SIZE):
            for x in range(SIZE):
                square = STRIDE * y + x
                index[count] = count
                value[count] = float((state.first >> square & 1) - (state.second >> square & 1))
                count += 1
        for i in range(3):
            index[count + i] = count + i
        first = popcount(places(state.first, state.second))
        value[count] = float(first - popcount(places(state.second, state.first)))
        value[count + 1] = float(popcount(state.first & CORNERS) - popcount(state.second & CORNERS))
        value[count + 2] = 1.0
        return count + 3
