r"""Hare and Hounds, also known as the French military game: three hounds try to trap a hare.

The board has eleven squares and 22 edges. Squares are numbered by column from the hounds' side, from top to bottom:

          1 --- 4 --- 7
        / | \   |   / | \
      0 - 2 --- 5 --- 8 - 10
        \ | /   |   \ | /
          3 --- 6 --- 9

A turn is one step along an edge to an empty square. The hounds (player 0) move right, diagonally right or vertically,
but never left. The hare (player 1) moves in any direction. The hounds win if the hare is to move and cannot. The hare
wins in three cases: it has escaped; the hounds have made `stall` vertical moves in a row (even if the last of these
moves traps the hare); or the hounds are to move and cannot.

Sources: the rules are those of the small board in Winning Ways (Berlekamp, Conway, Guy 1982, chapter 21, "The French
Military Hunt"), and of a Swedish bachelor's thesis on Q-learning for this game. The thesis takes the stalling rule from
Wikipedia. The thesis does not say which side begins, or what happens if the hounds cannot move. Here the hounds begin,
and they lose if they cannot move.

A position is written `0,1,3/10 hounds 0`: the hounds' squares in ascending order, the hare's square, the side to move,
and the number of successive vertical moves of the hounds. A move is written `3-6`.
"""

from __future__ import annotations

import re
from typing import Annotated, NamedTuple

from petteia.core.bits import popcount, trailing_zeros
from petteia.core.kernel import inline
from petteia.core.options import Range, Words
from petteia.core.protocol import Buffer, Limits, is_over

HOUNDS, HARE = 0, 1
PAST, LEVEL, END = 0, 1, 2
SQUARES = 11
START = 0b1011  # hounds on 0, 1 and 3

EDGES = (
    (1, 4), (4, 7), (0, 2), (2, 5), (5, 8), (8, 10), (3, 6), (6, 9),  # rows
    (1, 2), (2, 3), (4, 5), (5, 6), (7, 8), (8, 9),  # columns
    (0, 1), (0, 3), (7, 10), (9, 10),  # ends
    (1, 5), (3, 5), (5, 7), (5, 9),  # diagonals of the centre
)  # fmt: skip
COLUMN = tuple((square + 2) // 3 for square in range(SQUARES))
NEIGHBOURS = tuple(
    sum(1 << (b if a == square else a) for a, b in EDGES if square in (a, b)) for square in range(SQUARES)
)
"""For each square, the set of squares (bit i is square i) to which the hare can move."""
FORWARD = tuple(
    sum(1 << to for to in range(SQUARES) if NEIGHBOURS[square] >> to & 1 and COLUMN[to] >= COLUMN[square])
    for square in range(SQUARES)
)
"""For each square, the set of squares to which a hound can move."""

TOP, BOTTOM = 0b00010010010, 0b01001001000
MIDDLE = 0b10100100101

MAX_MOVES = 9  # of three hounds; a hare has at most 8
PLACEMENTS = 1320  # 165 sets of hounds, 8 squares for the hare
FORWARD_STEPS = 8  # from the rearmost squares (columns 0, 1, 1) to the foremost ones (3, 3, 4)


class Position(NamedTuple):
    """A state: the pieces' squares, the side to move, and the number of successive vertical moves of the hounds."""

    hounds: int
    """the set of the hounds' three squares: bit i is square i"""
    hare: int
    """the hare's square, 0..10"""
    side: int
    """HOUNDS or HARE"""
    stalled: int
    """the number of successive vertical moves of the hounds, 0..stall; always 0 under rules with stall=0"""


@inline
def allowed(state: Position, square: int) -> int:
    """The set of empty squares to which the side to move can move from `square`."""
    if state.side == HOUNDS:
        return FORWARD[square] & ~(state.hounds | 1 << state.hare)
    return NEIGHBOURS[square] & ~state.hounds


@inline
def has_escaped(rules: HareAndHounds, state: Position) -> bool:
    """Whether the hare has escaped from the hounds, as the option `escape` defines it."""
    if rules.escape == END:
        return state.hare == 0
    last = COLUMN[trailing_zeros(state.hounds)]
    return COLUMN[state.hare] < last + (1 if rules.escape == LEVEL else 0)


@inline
def number_of_moves(state: Position) -> int:
    """The number of legal moves of the side to move."""
    if state.side == HARE:
        return popcount(allowed(state, state.hare))
    hounds = state.hounds
    total = 0
    while hounds:
        total += popcount(allowed(state, trailing_zeros(hounds)))
        hounds &= hounds - 1
    return total


@inline
def is_stuck(state: Position) -> bool:
    """Whether the side to move has no legal move."""
    if state.side == HARE:
        return allowed(state, state.hare) == 0
    hounds = state.hounds
    while hounds:
        if allowed(state, trailing_zeros(hounds)):
            return False
        hounds &= hounds - 1
    return True


@inline
def nth_set(number: int) -> int:
    """The set with index `number` (0..164) in the list of all sets of three squares, sorted as integers."""
    hounds = 0b111
    for _ in range(number):
        lowest = hounds & -hounds
        ripple = hounds + lowest
        hounds = ripple | (hounds ^ ripple) >> 2 + trailing_zeros(lowest)
    return hounds


class HareAndHounds(NamedTuple):
    """The rules of Hare and Hounds. Options: the side that begins, the hare's start square, `stall` and `escape`.

    With the option `stall`, the hounds lose after this number of successive vertical moves; 0 means no limit. The
    option `escape` defines when the hare escapes. With `past`, the hare must have passed all hounds. With `level`, the
    hare also escapes if it is in the same column as the rearmost hound. With `end`, the hare must be on square 0.
    """

    first: Annotated[int, Words("hounds", "hare")] = HOUNDS
    hare: Annotated[int, Range(0, 10)] = 10
    stall: Annotated[int, Range(0, 100)] = 10
    escape: Annotated[int, Words("past", "level", "end")] = PAST

    def initial(rules) -> Position:
        return Position(START, rules.hare, rules.first, 0)

    def to_move(rules, state: Position) -> int:
        return state.side

    def moves(rules, state: Position, out: Buffer) -> int:
        count = 0
        pieces = state.hounds if state.side == HOUNDS else 1 << state.hare
        while pieces:
            origin = trailing_zeros(pieces)
            targets = allowed(state, origin)
            while targets:
                out[count] = origin * SQUARES + trailing_zeros(targets)
                count += 1
                targets &= targets - 1
            pieces &= pieces - 1
        return count

    def play(rules, state: Position, move: int) -> Position:
        origin = move // SQUARES
        target = move % SQUARES
        if state.side == HARE:
            return Position(state.hounds, target, HOUNDS, state.stalled)
        stalled = 0
        if rules.stall > 0 and COLUMN[origin] == COLUMN[target]:
            stalled = state.stalled + 1
        return Position(state.hounds ^ (1 << origin | 1 << target), state.hare, HARE, stalled)

    def is_over(rules, state: Position) -> bool:
        if rules.stall > 0 and state.stalled == rules.stall:
            return True
        return has_escaped(rules, state) or is_stuck(state)

    def margin(rules, state: Position) -> int:
        if state.side == HOUNDS or has_escaped(rules, state):
            return -1
        return -1 if rules.stall > 0 and state.stalled == rules.stall else 1

    def key(rules, state: Position) -> int:
        return state.hounds | state.hare << 11 | state.side << 15 | state.stalled << 16

    def injective(rules) -> bool:
        """Whether different states always have different keys. They do, as each field has its own bits in the key."""
        return True

    def limits(rules) -> Limits:
        """Return the `Limits` of the game: the maximum numbers of moves and plies, and the number of move codes.

        If `stall` is above 0, the number of plies is limited, because the hounds never move left, and lose after
        `stall` vertical moves in a row. The hounds make at most `stall` - 1 vertical moves before each forward step,
        and at most `stall` vertical moves after the last forward step.
        """
        turns = FORWARD_STEPS * rules.stall + rules.stall
        return Limits(MAX_MOVES, SQUARES * SQUARES, 2 * turns + 1 if rules.stall > 0 else 0)

    def count(rules, state: Position) -> int:
        return number_of_moves(state)

    def step_codes(rules) -> int:
        return SQUARES

    def steps(rules, state: Position, move: int, out: Buffer) -> int:
        """Write the two steps of a move to `out`: the square that the piece leaves, and the square that it enters."""
        out[0], out[1] = divmod(move, SQUARES)
        return 2

    def images(rules) -> int:
        return 2

    def image(rules, state: Position, i: int) -> Position:
        """Return the state to which symmetry `i` maps `state`. Symmetry 1 exchanges the top and bottom rows."""
        if i == 0:
            return state
        hounds = state.hounds & MIDDLE | (state.hounds & TOP) << 2 | (state.hounds & BOTTOM) >> 2
        hare = 1 << state.hare
        hare = hare & MIDDLE | (hare & TOP) << 2 | (hare & BOTTOM) >> 2
        return Position(hounds, trailing_zeros(hare), state.side, state.stalled)

    def image_move(rules, move: int, i: int) -> int:
        if i == 0:
            return move
        origin, target = 1 << move // SQUARES, 1 << move % SQUARES
        origin = origin & MIDDLE | (origin & TOP) << 2 | (origin & BOTTOM) >> 2
        target = target & MIDDLE | (target & TOP) << 2 | (target & BOTTOM) >> 2
        return trailing_zeros(origin) * SQUARES + trailing_zeros(target)

    def content_kinds(rules) -> int:
        """The number of possible contents of a square: empty, a hound, or the hare."""
        return 3

    def contents(rules, state: Position, out: Buffer) -> int:
        """Write the content of each square to `out`: 0 if it is empty, 1 for a hound, 2 for the hare.

        The number of successive vertical moves of the hounds is not written.
        """
        for square in range(SQUARES):
            out[square] = state.hounds >> square & 1
        out[state.hare] = 2
        return SQUARES

    def positions(rules) -> int:
        """Return the number of positions in the game's numbering, which includes unreachable positions.

        A position consists of the pieces' squares, the side to move, and the number of successive vertical moves of the
        hounds. This number is in 0..stall-1 if the hounds are to move, and in 0..stall if the hare is to move. If
        `stall` is 0, this number is always 0.
        """
        return PLACEMENTS * (max(rules.stall, 1) + rules.stall + 1)

    def position(rules, i: int) -> Position:
        counter = i // PLACEMENTS
        hounds = nth_set(i % PLACEMENTS // 8)
        hare = 0
        skip = i % 8
        while skip > 0 or hounds >> hare & 1:
            skip -= 1 - (hounds >> hare & 1)
            hare += 1
        if counter < max(rules.stall, 1):
            return Position(hounds, hare, HOUNDS, counter)
        return Position(hounds, hare, HARE, counter - max(rules.stall, 1))

    def format_state(rules, state: Position) -> str:
        hounds = ",".join(str(square) for square in range(SQUARES) if state.hounds >> square & 1)
        return f"{hounds}/{state.hare} {('hounds', 'hare')[state.side]} {state.stalled}"

    def parse_state(rules, text: str) -> Position:
        number = "(0|[1-9][0-9]{0,2})"
        match = re.fullmatch(f"{number},{number},{number}/{number} (hounds|hare) {number}", text, re.ASCII)
        if not match:
            raise ValueError(f"position {text!r}: must look like '0,1,3/10 hounds 0'")
        squares = [int(match[i]) for i in (1, 2, 3)]
        hare, side, stalled = int(match[4]), ("hounds", "hare").index(match[5]), int(match[6])
        if max(*squares, hare) >= SQUARES:
            raise ValueError(f"position {text!r}: square {max(*squares, hare)} is not on the board; must be in 0..10")
        if not squares[0] < squares[1] < squares[2]:
            raise ValueError(f"position {text!r}: the hounds must stand on three squares in ascending order")
        if hare in squares:
            raise ValueError(f"position {text!r}: a hound and the hare both stand on square {hare}")
        maximum = max(rules.stall - 1, 0) if side == HOUNDS else rules.stall
        if stalled > maximum:
            raise ValueError(
                f"position {text!r}: the stalling count must be in 0..{maximum}, because the {match[5]} must move"
            )
        return Position(sum(1 << square for square in squares), hare, side, stalled)

    def format_move(rules, state: Position, move: int) -> str:
        return f"{move // SQUARES}-{move % SQUARES}"

    def seats(rules) -> tuple[str, str]:
        return ("hounds", "hare")

    def validate(rules) -> None:
        if START >> rules.hare & 1:
            raise ValueError(f"hare={rules.hare}: a hound starts on this square; the hare must start on 2 or 4..10")
        if is_over(rules, rules.initial()):
            raise ValueError(f"hare={rules.hare}: the hare has escaped before the first move")
