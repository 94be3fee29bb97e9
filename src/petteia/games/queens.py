"""Sets of squares on boards up to 10x10, and the moves of chess queens on them.

A set of squares consists of two words with five rows each. A row has eleven bits, of which the last represents no
square. A shift moves squares beyond an edge to these unused bits, and a mask then clears the bits. Squares are numbered
10 * rank + file from the lower left corner, on boards of any size.
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.bits import popcount, trailing_zeros
from petteia.core.kernel import inline

LARGEST = 10
SQUARES = LARGEST * LARGEST
STRIDE = 11
"""The number of bits from a square to the square above: ten files, and an unused bit at the end of each row."""
WORD_ROWS = 5
WORD = WORD_ROWS * STRIDE
"""The number of used bits in a word. The first word contains ranks 1 to 5, the second word ranks 6 to 10."""
STEPS = (1, STRIDE - 1, STRIDE, STRIDE + 1)
"""The numbers of bits to the next square on the right, and to the three neighbours above."""
ROWS = tuple(sum(1 << STRIDE * row for row in range(rows)) for rows in range(WORD_ROWS + 1))
"""For each number of rows, the leftmost squares of the first rows of a word."""


class Squares(NamedTuple):
    """A set of squares. Each square is one bit in one of two 64-bit words, which contain five ranks each.

    In its word, a square is the bit with the number `STRIDE` * rank + file. The first rank of each word counts as 0.
    """

    low: int
    """the squares on ranks 1 to 5"""
    high: int
    """the squares on ranks 6 to 10"""


@inline
def union(one: Squares, other: Squares) -> Squares:
    """The squares in at least one of two sets."""
    return Squares(one.low | other.low, one.high | other.high)


@inline
def common(one: Squares, other: Squares) -> Squares:
    """The squares in both sets."""
    return Squares(one.low & other.low, one.high & other.high)


@inline
def without(one: Squares, other: Squares) -> Squares:
    """The squares of the first set that are not in the second set."""
    return Squares(one.low & ~other.low, one.high & ~other.high)


@inline
def is_empty(squares: Squares) -> bool:
    """Whether a set has no squares."""
    return (squares.low | squares.high) == 0


@inline
def size_of(squares: Squares) -> int:
    """The number of squares in a set."""
    return popcount(squares.low) + popcount(squares.high)


@inline
def bit_of(square: int) -> int:
    """The index of the bit that represents a square, counted over both words of a set."""
    return square + square // LARGEST


@inline
def square_at(bit: int) -> int:
    """The square that the bit with this index represents. Bits are counted over both words of a set."""
    return bit - bit // STRIDE


@inline
def only(square: int) -> Squares:
    """The set with one square, whose number is 10 * rank + file."""
    bit = bit_of(square)
    if bit < WORD:
        return Squares(1 << bit, 0)
    return Squares(0, 1 << bit - WORD)


@inline
def lowest(squares: Squares) -> int:
    """The number of the first square, by rank and then by file, in a set that is not empty."""
    if squares.low != 0:
        return square_at(trailing_zeros(squares.low))
    return square_at(WORD + trailing_zeros(squares.high))


@inline
def without_lowest(squares: Squares) -> Squares:
    """The set without the square that `lowest` returns."""
    if squares.low != 0:
        return Squares(squares.low & squares.low - 1, squares.high)
    return Squares(0, squares.high & squares.high - 1)


@inline
def up(squares: Squares, bits: int, within: Squares) -> Squares:
    """The set shifted up by `bits` bits. Squares outside `within` are removed."""
    carried = squares.low >> WORD - bits
    return Squares(squares.low << bits & within.low, (squares.high << bits | carried) & within.high)


@inline
def down(squares: Squares, bits: int, within: Squares) -> Squares:
    """The set shifted down by `bits` bits. Squares outside `within` are removed."""
    carried = squares.high << WORD - bits
    return Squares((squares.low >> bits | carried) & within.low, squares.high >> bits & within.high)


@inline
def beside(squares: Squares, within: Squares) -> Squares:
    """The squares of `within` that are in the set or next to a square of the set."""
    low = squares.low | squares.low << 1 | squares.low >> 1
    high = squares.high | squares.high << 1 | squares.high >> 1
    last = WORD - STRIDE  # the beginning of the last row of a word
    return Squares(
        (low | low << STRIDE | low >> STRIDE | high << last) & within.low,
        (high | high << STRIDE | high >> STRIDE | low >> last) & within.high,
    )


@inline
def connected(squares: Squares, free: Squares) -> Squares:
    """The free squares that are connected with the set by paths of free squares."""
    found = beside(squares, free)
    while True:
        wider = union(found, beside(found, free))
        if wider.low == found.low and wider.high == found.high:
            return found
        found = wider


@inline
def reach(squares: Squares, free: Squares) -> Squares:
    """The free squares that chess queens can reach in one move from the squares of a set.

    In each direction, lines of free squares are extended in four stages, to at most two, four, eight and nine squares.
    The code uses plain ints for words and a loop over the directions, so that the compiler processes four directions at
    a time. This increases the speed from 3.1 to 4.8 million evaluations of queen distance per second.
    """
    low, high = squares.low, squares.high
    free_low, free_high = free.low, free.high
    reached_low = reached_high = 0
    for i in range(len(STEPS)):
        step = STRIDE - 2 + i if i > 0 else 1  # equals STEPS[i], which the compiler would not process four at a time
        carry, step_2, step_4 = WORD - step, 2 * step, 4 * step
        carry_2, carry_4 = WORD - step_2, WORD - step_4

        two_low = free_low & free_low << step
        two_high = free_high & (free_high << step | free_low >> carry)
        four_low = two_low & two_low << step_2
        four_high = two_high & (two_high << step_2 | two_low >> carry_2)
        ray_low = free_low & low << step
        ray_high = free_high & (high << step | low >> carry)
        next_low = ray_low | free_low & ray_low << step
        next_high = ray_high | free_high & (ray_high << step | ray_low >> carry)
        ray_low = next_low | two_low & next_low << step_2
        ray_high = next_high | two_high & (next_high << step_2 | next_low >> carry_2)
        next_low = ray_low | four_low & ray_low << step_4
        next_high = ray_high | four_high & (ray_high << step_4 | ray_low >> carry_4)
        reached_low |= next_low | free_low & next_low << step
        reached_high |= next_high | free_high & (next_high << step | next_low >> carry)

        two_low = free_low & (free_low >> step | free_high << carry)
        two_high = free_high & free_high >> step
        four_low = two_low & (two_low >> step_2 | two_high << carry_2)
        four_high = two_high & two_high >> step_2
        ray_low = free_low & (low >> step | high << carry)
        ray_high = free_high & high >> step
        next_low = ray_low | free_low & (ray_low >> step | ray_high << carry)
        next_high = ray_high | free_high & ray_high >> step
        ray_low = next_low | two_low & (next_low >> step_2 | next_high << carry_2)
        ray_high = next_high | two_high & next_high >> step_2
        next_low = ray_low | four_low & (ray_low >> step_4 | ray_high << carry_4)
        next_high = ray_high | four_high & ray_high >> step_4
        reached_low |= next_low | free_low & (next_low >> step | next_high << carry)
        reached_high |= next_high | free_high & next_high >> step
    return Squares(reached_low, reached_high)


@inline
def shots(targets: Squares, free: Squares) -> int:
    """Return the number of possible shots of an arrow from the squares `targets`, summed over these squares.

    The function follows the arrows from all squares in `targets` at once. In each iteration, every arrow advances by
    one square in its direction.
    """
    count = 0
    east = west = north = south = north_east = north_west = south_east = south_west = targets
    while True:
        east, west = up(east, 1, free), down(west, 1, free)
        north, south = up(north, STRIDE, free), down(south, STRIDE, free)
        north_east, south_west = up(north_east, STRIDE + 1, free), down(south_west, STRIDE + 1, free)
        north_west, south_east = up(north_west, STRIDE - 1, free), down(south_east, STRIDE - 1, free)
        straight = size_of(east) + size_of(west) + size_of(north) + size_of(south)
        oblique = size_of(north_east) + size_of(north_west) + size_of(south_east) + size_of(south_west)
        if straight + oblique == 0:
            return count
        count += straight + oblique


@inline
def one_of(squares: Squares, i: int) -> int:
    """The number of the square with index `i` (from 0) in a set. The order is by rank, and then by file."""
    for _ in range(i):
        squares = without_lowest(squares)
    return lowest(squares)


@inline
def shot_number(targets: Squares, free: Squares, i: int) -> int:
    """The code of the shot with index `i` (from 0) among all possible shots of an arrow from the squares `targets`.

    The code of a shot is SQUARES times the square from which the arrow is shot, plus the square where the arrow lands.
    """
    for step in STEPS:
        for forward in (True, False):
            distance = 0
            flying = targets
            while True:
                flying = up(flying, step, free) if forward else down(flying, step, free)
                if is_empty(flying):
                    break
                distance += step if forward else -step
                count = size_of(flying)
                if i < count:
                    arrow = one_of(flying, i)
                    return square_at(bit_of(arrow) - distance) * SQUARES + arrow
                i -= count
    return 0


@inline
def max_reached(width: int, height: int) -> int:
    """The maximum number of squares that a chess queen can reach in one move on a board of this size."""
    return width + height - 2 + 2 * (min(width, height) - 1)


@inline
def board(width: int, height: int) -> Squares:
    """The set of all squares of a board of this size."""
    row = (1 << width) - 1
    return Squares(row * ROWS[min(height, WORD_ROWS)], row * ROWS[max(height - WORD_ROWS, 0)])
