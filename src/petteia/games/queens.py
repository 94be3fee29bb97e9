"""Sets of squares of boards up to 10x10, and how queens of chess go on them.

A set is two words of five rows each. A row has eleven bits, of which the last is never a square: so whatever goes beyond
an edge is lost there. Squares have numbers, 10 * rank + file, from the lower left corner, on boards of any size.
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.bits import popcount, trailing_zeros
from petteia.core.kernel import inline

LARGEST = 10
SQUARES = LARGEST * LARGEST
STRIDE = 11
"""bits from a square to the one above: ten files, and one more that is never free, which ends every row"""
WORD_ROWS = 5
WORD = WORD_ROWS * STRIDE
"""bits of a word that are used; the first word has ranks 1 to 5, the second 6 to 10"""
STEPS = (1, STRIDE - 1, STRIDE, STRIDE + 1)
"""bits to the next square on the right, and to the three above"""
ROWS = tuple(sum(1 << STRIDE * row for row in range(rows)) for rows in range(WORD_ROWS + 1))
"""the leftmost square of the first so many rows of a word"""


class Squares(NamedTuple):
    """A set of squares: bit `STRIDE` * rank + file of a word is a square, ranks counted from 0 in each word."""

    low: int
    """those of ranks 1 to 5"""
    high: int
    """those of ranks 6 to 10"""


@inline
def union(one: Squares, other: Squares) -> Squares:
    """The squares of either set."""
    return Squares(one.low | other.low, one.high | other.high)


@inline
def common(one: Squares, other: Squares) -> Squares:
    """The squares of both sets."""
    return Squares(one.low & other.low, one.high & other.high)


@inline
def without(one: Squares, other: Squares) -> Squares:
    """The squares of the first set that are not in the other."""
    return Squares(one.low & ~other.low, one.high & ~other.high)


@inline
def is_empty(squares: Squares) -> bool:
    """Whether there are none."""
    return (squares.low | squares.high) == 0


@inline
def size_of(squares: Squares) -> int:
    """How many there are."""
    return popcount(squares.low) + popcount(squares.high)


@inline
def bit_of(square: int) -> int:
    """The bit of a square given by its number, counted through both words."""
    return square + square // LARGEST


@inline
def square_at(bit: int) -> int:
    """The number of the square that has this bit."""
    return bit - bit // STRIDE


@inline
def only(square: int) -> Squares:
    """The set of one square, given by its number, 10 * rank + file."""
    bit = bit_of(square)
    if bit < WORD:
        return Squares(1 << bit, 0)
    return Squares(0, 1 << bit - WORD)


@inline
def lowest(squares: Squares) -> int:
    """The number of the first square of a set that is not empty, by ranks."""
    if squares.low != 0:
        return square_at(trailing_zeros(squares.low))
    return square_at(WORD + trailing_zeros(squares.high))


@inline
def without_lowest(squares: Squares) -> Squares:
    """The set without its first square."""
    if squares.low != 0:
        return Squares(squares.low & squares.low - 1, squares.high)
    return Squares(0, squares.high & squares.high - 1)


@inline
def up(squares: Squares, bits: int, within: Squares) -> Squares:
    """The squares that lie so many bits after those of a set, as far as they are `within` another."""
    carried = squares.low >> WORD - bits
    return Squares(squares.low << bits & within.low, (squares.high << bits | carried) & within.high)


@inline
def down(squares: Squares, bits: int, within: Squares) -> Squares:
    """The squares that lie so many bits before those of a set, as far as they are `within` another."""
    carried = squares.high << WORD - bits
    return Squares((squares.low >> bits | carried) & within.low, squares.high >> bits & within.high)


@inline
def beside(squares: Squares, within: Squares) -> Squares:
    """The squares beside any of a set, as a king of chess goes, that are `within` another."""
    near = Squares(0, 0)
    for step in STEPS:
        near = union(near, union(up(squares, step, within), down(squares, step, within)))
    return near


@inline
def rays_up(squares: Squares, step: int, free: Squares) -> Squares:
    """The free squares that lie before the first one that is not, from squares of a set on in one direction.

    Lines are doubled as long as they may be, up to nine squares: those free for two, for four, for eight squares.
    """
    two = common(free, up(free, step, free))
    four = common(two, up(two, 2 * step, two))
    ray = up(squares, step, free)
    ray = union(ray, up(ray, step, free))
    ray = union(ray, up(ray, 2 * step, two))
    ray = union(ray, up(ray, 4 * step, four))
    return union(ray, up(ray, step, free))


@inline
def rays_down(squares: Squares, step: int, free: Squares) -> Squares:
    """The same in the opposite direction."""
    two = common(free, down(free, step, free))
    four = common(two, down(two, 2 * step, two))
    ray = down(squares, step, free)
    ray = union(ray, down(ray, step, free))
    ray = union(ray, down(ray, 2 * step, two))
    ray = union(ray, down(ray, 4 * step, four))
    return union(ray, down(ray, step, free))


@inline
def reach(squares: Squares, free: Squares) -> Squares:
    """The free squares to which queens of chess could go from those of a set."""
    reached = Squares(0, 0)
    for step in STEPS:
        reached = union(reached, union(rays_up(squares, step, free), rays_down(squares, step, free)))
    return reached


@inline
def shots(targets: Squares, free: Squares) -> int:
    """In how many ways an arrow can be shot from the squares of a set: all of them fly at once, square by square."""
    count = 0
    for step in STEPS:
        flying = up(targets, step, free)
        while not is_empty(flying):
            count += size_of(flying)
            flying = up(flying, step, free)
        flying = down(targets, step, free)
        while not is_empty(flying):
            count += size_of(flying)
            flying = down(flying, step, free)
    return count


@inline
def one_of(squares: Squares, i: int) -> int:
    """The number of square `i` of a set, by ranks, counted from 0."""
    for _ in range(i):
        squares = without_lowest(squares)
    return lowest(squares)


@inline
def shot_number(targets: Squares, free: Squares, i: int) -> int:
    """Number `i` of the `shots` from the squares of a set, as SQUARES times the target, and the arrow's square."""
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
def board(width: int, height: int) -> Squares:
    """The set of all squares."""
    row = (1 << width) - 1
    return Squares(row * ROWS[min(height, WORD_ROWS)], row * ROWS[max(height - WORD_ROWS, 0)])
