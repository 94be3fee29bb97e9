"""British Square: place more stones than the opponent, none of them next to an opponent's stone.

Two players take turns to place a stone on an empty square of a square board. The stone must not be orthogonally
adjacent to a stone of the opponent; diagonal neighbours do not count. Stones are never moved or taken. The player with
more stones at the end wins. The margin is the difference between the numbers of stones. The option `end` determines
when the game ends. With `both_blocked`, the game ends when neither player can place a stone; until then, a player that
cannot place a stone passes. With `first_blocked`, the game ends when the player to move cannot place a stone. With
`any_blocked`, the game ends when at least one player cannot place a stone.

Sources: the game was published by Gametime Games in 1978. It was played on 5x5 squares until both players were blocked,
and blocked players passed. The first player's first stone was barred from the centre (`centre_ban`; boards of even size
have no centre). A match had several rounds, each scored by the difference between the numbers of stones. A Greek term
project on temporal-difference learning ends the game as soon as the player to move is blocked, and has no ban:
`end=first_blocked,centre_ban=no`. Under these rules, no player passes, so the second player can never have more stones.

A position is written `...../...../..x../...../..... o`: the rows from the top, `x` for the first player's stones, `o`
for the second player's, and the side to move. A position may contain any number of stones of each player, even if the
position cannot arise in a game. A move is written as the file and the rank of a square, such as `c3`, counted from the
lower left corner. A pass is written `pass`.
"""

from __future__ import annotations

import re
from typing import Annotated, NamedTuple

from petteia.core.bits import mix, popcount, trailing_zeros, wrapping_multiply
from petteia.core.kernel import inline
from petteia.core.options import Range, Words
from petteia.core.protocol import Buffer, Limits
from petteia.core.random import RandomState, below

FIRST, SECOND = 0, 1
BOTH_BLOCKED, FIRST_BLOCKED, ANY_BLOCKED = 0, 1, 2
NO, YES = 0, 1
LARGEST = 7
INJECTIVE_BITS, INJECTIVE_DIGITS = 5, 6
"""The maximum size of boards whose keys have two bits per square, and of boards whose keys have one ternary digit."""

LEFT_FILE = tuple(sum(1 << size * rank for rank in range(size)) for size in range(LARGEST + 1))
"""For each board size, the squares of the leftmost file. Bit `size` * rank + file is a square, from the lower left."""
DIAGONAL = tuple(sum(1 << (size + 1) * rank for rank in range(size)) for size in range(LARGEST + 1))
"""For each board size, the squares on the diagonal (file equals rank)."""
DIGITS = tuple(sum((row >> file & 1) * 3**file for file in range(INJECTIVE_DIGITS)) for row in range(64))
"""For each set of squares in a row, the ternary number whose digits are 1 for these squares."""

IMAGES, MIRRORED, TURNED_OVER, TRANSPOSED = 8, 1, 2, 4
CONTENTS = 4


class Position(NamedTuple):
    """A state: the stones of both players, and the side to move."""

    first: int
    """the set of squares with stones of the first player"""
    second: int
    """the set of squares with stones of the second player"""
    side: int
    """FIRST or SECOND"""


@inline
def all_squares(size: int) -> int:
    """The set of all squares of a board of this size."""
    return (1 << size * size) - 1


@inline
def adjacent(squares: int, size: int) -> int:
    """The set of squares that are orthogonally adjacent to a square of `squares`.

    The result can contain bits beyond the upper edge of the board.
    """
    left = LEFT_FILE[size]
    return squares << size | squares >> size | (squares & ~(left << size - 1)) << 1 | (squares & ~left) >> 1


@inline
def open_squares(rules: BritishSquare, state: Position, side: int) -> int:
    """The set of squares on which the player `side` may place a stone."""
    size = rules.size
    other = state.second if side == FIRST else state.first
    squares = all_squares(size) & ~(state.first | state.second | adjacent(other, size))
    if side == FIRST and state.first == 0 and rules.centre_ban == YES and size & 1:
        squares &= ~(1 << size * size // 2)
    return squares


@inline
def mirrored(squares: int, size: int) -> int:
    """Flip a set of squares horizontally, so that left and right are exchanged."""
    left = LEFT_FILE[size]
    result = 0
    for file in range(size):
        result |= (squares >> file & left) << size - 1 - file
    return result


@inline
def turned_over(squares: int, size: int) -> int:
    """Flip a set of squares vertically, so that top and bottom are exchanged."""
    row = (1 << size) - 1
    result = 0
    for rank in range(size):
        result |= (squares >> rank * size & row) << (size - 1 - rank) * size
    return result


@inline
def transposed(squares: int, size: int) -> int:
    """Reflect a set of squares in the diagonal, which exchanges files and ranks."""
    result = squares & DIAGONAL[size]
    for steps in range(1, size):
        lower = (DIAGONAL[size] & (1 << (size - steps) * (size + 1)) - 1) << steps
        distance = steps * (size - 1)
        result |= (squares & lower) << distance | squares >> distance & lower
    return result


@inline
def transformed(squares: int, size: int, i: int) -> int:
    """Return the set of squares to which symmetry number `i` of the board maps the set `squares`."""
    if i & MIRRORED:
        squares = mirrored(squares, size)
    if i & TURNED_OVER:
        squares = turned_over(squares, size)
    if i & TRANSPOSED:
        squares = transposed(squares, size)
    return squares


class BritishSquare(NamedTuple):
    """The rules of British Square: the board size, the end of the game, and the ban on a first stone in the centre."""

    size: Annotated[int, Range(2, LARGEST)] = 5
    end: Annotated[int, Words("both_blocked", "first_blocked", "any_blocked")] = BOTH_BLOCKED
    centre_ban: Annotated[int, Words("no", "yes")] = YES

    def initial(rules) -> Position:
        return Position(0, 0, FIRST)

    def to_move(rules, state: Position) -> int:
        return state.side

    def moves(rules, state: Position, out: Buffer) -> int:
        squares = open_squares(rules, state, state.side)
        if squares == 0:
            out[0] = rules.size * rules.size
            return 1
        count = 0
        while squares:
            out[count] = trailing_zeros(squares)
            count += 1
            squares &= squares - 1
        return count

    def play(rules, state: Position, move: int) -> Position:
        stone = 1 << move & all_squares(rules.size)  # 0 for a pass
        if state.side == FIRST:
            return Position(state.first | stone, state.second, SECOND)
        return Position(state.first, state.second | stone, FIRST)

    def is_over(rules, state: Position) -> bool:
        if rules.end == FIRST_BLOCKED:
            return open_squares(rules, state, state.side) == 0
        first, second = open_squares(rules, state, FIRST), open_squares(rules, state, SECOND)
        return first | second == 0 if rules.end == BOTH_BLOCKED else first == 0 or second == 0

    def margin(rules, state: Position) -> int:
        """The first player's number of stones minus the second's. It is also defined for unfinished games."""
        return popcount(state.first) - popcount(state.second)

    def final_score(rules, state: Position) -> tuple[int, int, str]:
        """Return the number of stones of each player, and the unit of these numbers."""
        first, second = popcount(state.first), popcount(state.second)
        return first, second, "stone" if max(first, second) == 1 else "stones"

    def key(rules, state: Position) -> int:
        """A key with one bit per player and square.

        If one bit per player and square does not fit into a 64-bit word, the key has one ternary digit per square
        instead. If the digits do not fit either, the key is a hash.
        """
        size = rules.size
        if size <= INJECTIVE_BITS:
            return state.first | (state.second | state.side << size * size) << size * size
        if size > INJECTIVE_DIGITS:
            return mix(wrapping_multiply(mix(state.first), 3) ^ mix(state.second ^ state.side << 62)) & (1 << 63) - 1
        row = (1 << size) - 1
        digits = 0
        for rank in range(size):
            first, second = state.first >> rank * size & row, state.second >> rank * size & row
            digits = digits * 3**INJECTIVE_DIGITS + DIGITS[first] + 2 * DIGITS[second]
        return digits << 1 | state.side

    def injective(rules) -> bool:
        """Whether different states always have different keys. On the largest boards they do not: the key is a hash."""
        return rules.size <= INJECTIVE_DIGITS

    def limits(rules) -> Limits:
        """Return the `Limits` of the game. A game has at most two plies per square, as there are no successive passes.

        If the game ends when one player is blocked, there are no passes, and the game has at most one ply per square.
        """
        squares = rules.size * rules.size
        return Limits(squares, squares + 1, 2 * squares if rules.end == BOTH_BLOCKED else squares)

    def count(rules, state: Position) -> int:
        return max(popcount(open_squares(rules, state, state.side)), 1)

    def move_set(rules, state: Position) -> int:
        squares = open_squares(rules, state, state.side)
        return squares if squares else 1 << rules.size * rules.size

    def random_move(rules, state: Position, random: RandomState) -> int:
        squares = open_squares(rules, state, state.side)
        if squares == 0:
            return rules.size * rules.size
        for _ in range(below(random, popcount(squares))):
            squares &= squares - 1
        return trailing_zeros(squares)

    def images(rules) -> int:
        """The number of symmetries of a square board: the reflections and the rotations, including the identity."""
        return IMAGES

    def image(rules, state: Position, i: int) -> Position:
        size = rules.size
        return Position(transformed(state.first, size, i), transformed(state.second, size, i), state.side)

    def image_move(rules, move: int, i: int) -> int:
        if move == rules.size * rules.size:
            return move
        return trailing_zeros(transformed(1 << move, rules.size, i))

    def content_kinds(rules) -> int:
        return CONTENTS

    def contents(rules, state: Position, out: Buffer) -> int:
        """Write for each square which players may place a stone there: none (0), first (1), second (2) or both (3).

        These numbers and the side to move determine all legal moves in the rest of the game. The stones themselves are
        not written, because they affect only the score.
        """
        first, second = open_squares(rules, state, FIRST), open_squares(rules, state, SECOND)
        squares = rules.size * rules.size
        for square in range(squares):
            out[square] = (first >> square & 1) | (second >> square & 1) << 1
        return squares

    def format_state(rules, state: Position) -> str:
        size = rules.size
        squares = ["x" if state.first >> i & 1 else "o" if state.second >> i & 1 else "." for i in range(size * size)]
        rows = ("".join(squares[rank * size : (rank + 1) * size]) for rank in reversed(range(size)))
        return f"{'/'.join(rows)} {'xo'[state.side]}"

    def parse_state(rules, text: str) -> Position:
        size = rules.size
        if not re.fullmatch(f"(?:[.xo]{{{size}}}/){{{size - 1}}}[.xo]{{{size}}} [xo]", text, re.ASCII):
            example = f"{'/'.join(['.' * size] * size)} x"
            raise ValueError(
                f"position {text!r}: must look like {example!r}, with {size} rows of {size} squares (. x o) and the "
                "side to move"
            )
        squares = "".join(reversed(text[:-2].split("/")))
        first, second = (sum(1 << i for i, content in enumerate(squares) if content == mine) for mine in "xo")
        if side_by_side := adjacent(first, size) & second:
            square = trailing_zeros(side_by_side)
            raise ValueError(f"position {text!r}: the stone on {_name(square, size)} is next to an opponent's stone")
        return Position(first, second, "xo".index(text[-1]))

    def format_move(rules, state: Position, move: int) -> str:
        return "pass" if move == rules.size * rules.size else _name(move, rules.size)


def _name(square: int, size: int) -> str:
    """The name of a square: its file and its rank."""
    return f"{'abcdefg'[square % size]}{square // size + 1}"
