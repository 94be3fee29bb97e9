"""Connect Four, and a small feature set for it: discs fall into columns; who has four in a line wins.

A position is written column by column from the left, each from below: `x` first, `o` second, such as `xo,,x,o,,,`. Who
moves is a matter of the discs. A move is a column, `1` to `7`. A full board without a line is a draw.

Lines by shifts of the whole board: J. Tromp's Fhourstones, 1996.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from petteia.core.bits import popcount
from petteia.core.kernel import inline
from petteia.core.protocol import Buffer, Limits
from petteia.features.feature_set import features

WIDTH, HEIGHT = 7, 6
COLUMN = HEIGHT + 1
"""bits of a column: one above the top stays empty, so that no line runs on into the next column"""
STEPS = (1, COLUMN, COLUMN - 1, COLUMN + 1)
FLOOR = sum(1 << COLUMN * column for column in range(WIDTH))
CENTRE = (1 << HEIGHT) - 1 << COLUMN * (WIDTH // 2)
DIRECTIONS = ((0, 1), (1, 0), (1, -1), (1, 1))
LINES = tuple(
    sum(1 << COLUMN * (x + i * dx) + y + i * dy for i in range(4))
    for dx, dy in DIRECTIONS
    for x in range(WIDTH)
    for y in range(HEIGHT)
    if x + 3 * dx < WIDTH and 0 <= y + 3 * dy < HEIGHT
)
"""The sets of four places in a line."""


class Discs(NamedTuple):
    """A state: bit 7 x + y is the place in column x and row y."""

    first: int
    second: int


@inline
def has_line(discs: int) -> bool:
    """Whether four of them are in a line."""
    for step in STEPS:
        pairs = discs & discs >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


@inline
def mover(state: Discs) -> int:
    """Who moves."""
    return popcount(state.first | state.second) % 2


class ConnectFour(NamedTuple):
    """The rules."""

    def initial(rules) -> Discs:
        return Discs(0, 0)

    def to_move(rules, state: Discs) -> int:
        return mover(state)

    def moves(rules, state: Discs, out: Buffer) -> int:
        filled = state.first | state.second
        count = 0
        for column in range(WIDTH):
            if not filled >> COLUMN * column + HEIGHT - 1 & 1:
                out[count] = column
                count += 1
        return count

    def play(rules, state: Discs, move: int) -> Discs:
        filled = state.first | state.second
        disc = (filled + (1 << COLUMN * move)) & ~filled & ((1 << COLUMN) - 1 << COLUMN * move)
        if mover(state) == 0:
            return Discs(state.first | disc, state.second)
        return Discs(state.first, state.second | disc)

    def is_over(rules, state: Discs) -> bool:
        last = state.second if mover(state) == 0 else state.first
        return has_line(last) or popcount(state.first | state.second) == WIDTH * HEIGHT

    def margin(rules, state: Discs) -> int:
        return int(has_line(state.first)) - int(has_line(state.second))

    def key(rules, state: Discs) -> int:
        """A one above the discs of each column, and below it ones where the first player's are."""
        return (state.first | state.second) + state.first + FLOOR

    def injective(rules) -> bool:
        return True

    def limits(rules) -> Limits:
        return Limits(moves=WIDTH, codes=WIDTH, plies=WIDTH * HEIGHT)

    def content_kinds(rules) -> int:
        return 3

    def contents(rules, state: Discs, out: Buffer) -> int:
        """What is at each place, column by column, each from below: nothing (0), first (1), second (2)."""
        for place in range(WIDTH * HEIGHT):
            bit = COLUMN * (place // HEIGHT) + place % HEIGHT
            out[place] = (state.first >> bit & 1) + 2 * (state.second >> bit & 1)
        return WIDTH * HEIGHT

    def format_state(rules, state: Discs) -> str:
        words = []
        for column in range(WIDTH):
            places = [COLUMN * column + row for row in range(HEIGHT)]
            first, second = (
                ["x" if state.first >> p & 1 else "" for p in places],
                [state.second >> p & 1 for p in places],
            )
            words.append("".join(x or "o" * o for x, o in zip(first, second, strict=True)))
        return ",".join(words)

    def parse_state(rules, text: str) -> Discs:
        columns = text.split(",")
        if len(columns) != WIDTH:
            raise ValueError(f"position {text!r}: has {len(columns)} columns, not {WIDTH}")
        found = [0, 0]
        for x, column in enumerate(columns):
            if len(column) > HEIGHT or set(column) - set("xo"):
                raise ValueError(f"position {text!r}: column {x + 1} must be up to {HEIGHT} of x and o")
            for y, disc in enumerate(column):
                found["xo".index(disc)] |= 1 << COLUMN * x + y
        more = found[0].bit_count() - found[1].bit_count()
        if more not in (0, 1):
            raise ValueError(f"position {text!r}: the first player must have as many discs as the second, or one more")
        state = Discs(*found)
        if has_line(found[1 if more else 0]):  # of who moves next
            raise ValueError(f"position {text!r}: play went on after a line of four")
        return state

    def format_move(rules, state: Discs, move: int) -> str:
        return str(move + 1)


class Lines(NamedTuple):
    """How many lines a player can still fill and has two or three discs in, and its discs in the centre column."""

    def names(feature_set, rules: ConnectFour) -> tuple[str, ...]:
        kinds = ("two", "three", "centre")
        return (*(f"{kind}.{side}" for kind in kinds for side in ("first", "second")), "constant")

    def size(feature_set, rules: ConnectFour) -> int:
        return 7

    def features(feature_set, rules: ConnectFour, state: Discs, index: Any, value: Any) -> int:
        for i in range(7):
            index[i] = i
            value[i] = 0.0
        for line in LINES:
            first = popcount(state.first & line)
            second = popcount(state.second & line)
            if second == 0 and 2 <= first <= 3:
                value[2 * (first - 2)] += 1.0
            elif first == 0 and 2 <= second <= 3:
                value[2 * (second - 2) + 1] += 1.0
        value[4] = float(popcount(state.first & CENTRE))
        value[5] = float(popcount(state.second & CENTRE))
        value[6] = 1.0
        return 7


class Shares(NamedTuple):
    """The same as shares of all lines: small numbers, in which one step size is another."""

    def names(feature_set, rules: ConnectFour) -> tuple[str, ...]:
        return Lines().names(rules)

    def size(feature_set, rules: ConnectFour) -> int:
        return 7

    def features(feature_set, rules: ConnectFour, state: Discs, index: Any, value: Any) -> int:
        count = features(Lines(), rules, state, index, value)
        for i in range(count):
            value[i] /= len(LINES)
        return count
