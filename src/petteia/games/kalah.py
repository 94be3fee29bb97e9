r"""Kalah, a Mancala game with two rows of pits and two stores: the player with more stones in the store wins.

North's pits, in sowing order, run from right to left, South's from left to right, each towards its player's store:

             6   5   4   3   2   1        North
    store                            store
             1   2   3   4   5   6        South

A turn sows all stones of one own pit one by one into the pits that follow, the own store included, the opponent's
store skipped. A last stone in the own store gives another turn. A last stone in an own pit that was empty captures the
stones in the pit opposite:

- `capture=nonempty`: if there are any, they go to the own store together with the capturing stone;
- `capture=empty`: the capturing stone goes to the own store even if there are none;
- `capture=without_capturer`: if there are any, they go to the own store, and the capturing stone stays where it is,
  as the text of the report on Mancala reads; its table of matches refutes this.

The game is over when the player to move has no stone in its pits (`end=mover`), or already when either row is empty
(`end=either`). Stones that are left then belong to the owner of the pit (`leftovers=owner`), or count for nobody.

A ply is one sowing; so one player can own several plies in a row. Rows are words of eight bits a pit, and a sowing adds
a word to each row, however many stones it has. No pit may therefore ever hold more than 255 stones, which is why
2 * pits * seeds must not be larger.

Sources: Irving, Donkers, Uiterwijk 2000, "Solving Kalah", ICGA Journal 23 (capture=empty, end=either); Russell and
others, whose programs play capture=nonempty; a report of a workshop on reinforcement learning, whose text has
capture=nonempty, end=mover, leftovers=nobody.

A position is written `4,4,4,4,4,4,0/4,4,4,4,4,4,0 s`: South's pits in sowing order and its store, North's, and the side
to move. A move is the number of a pit in its owner's sowing order: 1 is the farthest from the own store.
"""

from __future__ import annotations

import re
from typing import Annotated, NamedTuple

from petteia.core.bits import mix, popcount, shift_right, trailing_zeros, wrapping_add, wrapping_multiply
from petteia.core.kernel import inline
from petteia.core.options import Range, Words
from petteia.core.protocol import Buffer, Limits, injective, is_over
from petteia.core.random import RandomState, below

SOUTH, NORTH = 0, 1
NONEMPTY, EMPTY, WITHOUT_CAPTURER = 0, 1, 2
MOVER, EITHER = 0, 1
OWNER, NOBODY = 0, 1

PIT = 0xFF
MAX_PITS, MAX_STONES = 7, 255
MANY = (1 << 63) - 1
ONES = 0x01010101010101
"""one stone in each of seven pits"""
TOPS = 0x80808080808080
BELOW_TOPS = 0x7F7F7F7F7F7F7F
TOLD = 7
"""stones in a pit up to which its contents tell how many they are"""
GATHER = 0x0102040810204080
"""A product with this brings the lowest bits of all bytes side by side, into the highest byte."""


class Position(NamedTuple):
    """A state: the stones in the pits and stores, and whose turn it is."""

    south: int
    """South's pits in sowing order: bits 8i..8i+7 are pit i, counted from 0"""
    north: int
    """North's pits"""
    south_store: int
    """stones in South's store"""
    north_store: int
    """stones in North's store"""
    side: int
    """SOUTH or NORTH"""


@inline
def first_pits(count: int) -> int:
    """One stone in each of the first `count` (0..7) pits."""
    return ONES & ((1 << 8 * count) - 1)


@inline
def stones(row: int) -> int:
    """How many stones lie in the pits of a row."""
    return shift_right(wrapping_multiply(row, ONES), 48) & PIT


@inline
def occupied(row: int) -> int:
    """The highest bit of each pit that is not empty."""
    return ((row & BELOW_TOPS) + BELOW_TOPS | row) & TOPS


@inline
def pit_of(row: int, pit: int) -> int:
    """How many stones lie in pit `pit` of a row."""
    return row >> 8 * pit & PIT


@inline
def ways_to_lie(total: int, hollows: int) -> int:
    """Positions in which so many stones lie anywhere in pits and stores, either side to move; MANY if there are more.

    Twice the binomial coefficient of total + hollows - 1 over hollows - 1.
    """
    ways = 2
    for i in range(1, hollows):
        if ways > MANY // (total + i):
            return MANY
        ways = ways * (total + i) // i
    return ways


class Kalah(NamedTuple):
    """The rules: how large the board is, what is captured, when it ends, and whose the stones are that are left."""

    pits: Annotated[int, Range(1, MAX_PITS)] = 6
    seeds: Annotated[int, Range(1, MAX_STONES // 2)] = 4
    capture: Annotated[int, Words("nonempty", "empty", "without_capturer")] = NONEMPTY
    end: Annotated[int, Words("mover", "either")] = MOVER
    leftovers: Annotated[int, Words("owner", "nobody")] = OWNER

    def initial(rules) -> Position:
        row = first_pits(rules.pits) * rules.seeds
        return Position(row, row, 0, 0, SOUTH)

    def to_move(rules, state: Position) -> int:
        return state.side

    def moves(rules, state: Position, out: Buffer) -> int:
        left = occupied(state.south if state.side == SOUTH else state.north)
        count = 0
        while left:
            out[count] = trailing_zeros(left) >> 3
            count += 1
            left &= left - 1
        return count

    def play(rules, state: Position, move: int) -> Position:
        """Has few branches: no processor can foresee where a sowing ends, and to add zeros costs less than mistakes."""
        side = state.side
        exchange = (state.south ^ state.north) & -side
        own = state.south ^ exchange
        other = state.north ^ exchange
        store = 0
        pits = rules.pits
        ring = 2 * pits + 1
        sown = pit_of(own, move)
        own ^= sown << 8 * move
        if sown >= ring:
            laps = sown // ring
            own += laps * first_pits(pits)
            other += laps * first_pits(pits)
            store += laps
            sown -= laps * ring
        # The places 0..pits-1 are the own pits, then come the store, the other pits, and the own pits again.
        last = move + sown
        own += first_pits(min(last + 1, pits)) ^ first_pits(move + 1)
        store += 1 if last >= pits else 0
        other += first_pits(max(min(last - pits, pits), 0))
        own += first_pits(max(last - 2 * pits, 0))
        next_side = side if last == pits else 1 - side
        last -= ring if last >= ring else 0
        if pit_of(own, min(last, MAX_PITS)) == 1:  # beyond the own pits there are none
            opposite = 8 * (pits - 1 - last)
            taken = other >> opposite & PIT
            if taken > 0 or rules.capture == EMPTY:
                other ^= taken << opposite
                store += taken
                if rules.capture != WITHOUT_CAPTURER:
                    own ^= 1 << 8 * last
                    store += 1
        exchange = (own ^ other) & -side
        norths = store & -side
        return Position(
            own ^ exchange, other ^ exchange, state.south_store + store - norths, state.north_store + norths, next_side
        )

    def is_over(rules, state: Position) -> bool:
        if rules.end == EITHER:
            return state.south == 0 or state.north == 0
        return (state.south if state.side == SOUTH else state.north) == 0

    def margin(rules, state: Position) -> int:
        ahead = state.south_store - state.north_store
        if rules.leftovers == OWNER:
            ahead += stones(state.south) - stones(state.north)
        return ahead

    def final_score(rules, state: Position) -> tuple[int, int, str]:
        """The stones of both stores, and those left in the pits where they belong to their owners."""
        south, north = state.south_store, state.north_store
        if rules.leftovers == OWNER:
            south, north = south + stones(state.south), north + stones(state.north)
        return south, north, "stone" if max(south, north) == 1 else "stones"

    def decided(rules, state: Position) -> bool:
        """More than half of the stones are in one store; what is left cannot change who has more."""
        return max(state.south_store, state.north_store) > rules.pits * rules.seeds or is_over(rules, state)

    def margin_range(rules, state: Position) -> tuple[int, int]:
        """Either player may get all stones that are left."""
        ahead, left = state.south_store - state.north_store, stones(state.south) + stones(state.north)
        return ahead - left, ahead + left

    def relative(rules, state: Position) -> tuple[Position, int]:
        """The stores are empty, and their difference is the score."""
        ahead = state.south_store - state.north_store
        if state.side == SOUTH:
            return Position(state.south, state.north, 0, 0, SOUTH), ahead
        return Position(state.north, state.south, 0, 0, SOUTH), -ahead

    def key(rules, state: Position) -> int:
        """The stones of South's store and of each pit in unary, if they fit into a word; else a hash."""
        if not injective(rules):
            rows = mix(state.south) ^ wrapping_multiply(mix(wrapping_add(state.north, ONES)), 3)
            rest = state.south_store << 9 | state.north_store << 1 | state.side
            return mix(wrapping_add(rows, rest)) & (1 << 63) - 1
        south = (2 | state.side) << state.south_store
        north = 0
        for pit in range(rules.pits):
            south = (south << 1 | 1) << pit_of(state.south, pit)
            north = (north << 1 | 1) << pit_of(state.north, pit)
        return south << (rules.pits + stones(state.north)) | north

    def injective(rules) -> bool:
        """The key is a one, the bit of the side, a zero for each stone in South's store, then a one before each pit's.

        So the ones tell all numbers but that of North's store, which has the other stones.
        """
        return 2 * rules.pits * rules.seeds + 2 * rules.pits + 2 <= 63

    def limits(rules) -> Limits:
        """A sowing lets stones come nearer to the store on their side of the board, or brings stones to a store.

        Call the distance of a stone the number of steps to the end of its row. A sowing that does not reach the store
        lessens the sum of the distances, which is at most stones * pits at first. One that brings k stones to the store
        adds at most one stone to each pit k times, and to their distances k * pits * (pits + 1).
        """
        total = 2 * rules.pits * rules.seeds
        return Limits(rules.pits, rules.pits, total * (rules.pits + 1) ** 2)

    def max_positions(rules) -> int:
        return ways_to_lie(2 * rules.pits * rules.seeds, 2 * rules.pits + 2)

    def count(rules, state: Position) -> int:
        return popcount(occupied(state.south if state.side == SOUTH else state.north))

    def move_set(rules, state: Position) -> int:
        ones = occupied(state.south if state.side == SOUTH else state.north) >> 7
        return shift_right(wrapping_multiply(ones, GATHER), 56)

    def random_move(rules, state: Position, random: RandomState) -> int:
        left = occupied(state.south if state.side == SOUTH else state.north)
        skipped = below(random, popcount(left))
        up_to = wrapping_multiply(left >> 7, ONES)  # in each pit's bits: how many of `left` there are up to it
        return trailing_zeros(up_to + (PIT // 2 - skipped) * ONES & TOPS) >> 3

    def content_kinds(rules) -> int:
        """No stone, one, ... and `TOLD` or more."""
        return TOLD + 1

    def contents(rules, state: Position, out: Buffer) -> int:
        """The stones in each of South's pits, in sowing order, then in each of North's; `TOLD` stands for more, too."""
        pits = rules.pits
        for pit in range(pits):
            out[pit] = min(pit_of(state.south, pit), TOLD)
            out[pits + pit] = min(pit_of(state.north, pit), TOLD)
        return 2 * pits

    def swapped(rules, state: Position) -> Position:
        return Position(state.north, state.south, state.north_store, state.south_store, 1 - state.side)

    def format_state(rules, state: Position) -> str:
        rows = ((state.south, state.south_store), (state.north, state.north_store))
        texts = [",".join(str(n) for n in (*_pits(rules, row), store)) for row, store in rows]
        return f"{'/'.join(texts)} {'sn'[state.side]}"

    def parse_state(rules, text: str) -> Position:
        number = "(?:0|[1-9][0-9]{0,8})"
        row = f"{number}(?:,{number})*"
        match = re.fullmatch(f"({row})/({row}) ([sn])", text, re.ASCII)
        if not match:
            raise ValueError(f"position {text!r}: must look like {rules.format_state(rules.initial())!r}")
        total = 2 * rules.pits * rules.seeds
        rows = []
        for name, numbers in zip(("South", "North"), match.groups(), strict=False):
            *pits, store = map(int, numbers.split(","))
            if len(pits) != rules.pits:
                raise ValueError(f"position {text!r}: {name} has {len(pits)} pits; must be {rules.pits}, and a store")
            if store > total:
                raise ValueError(f"position {text!r}: {name}'s store holds more than all {total} stones")
            rows.append((pits, store))
        if sum(sum(pits) + store for pits, store in rows) != total:
            has = sum(sum(pits) + store for pits, store in rows)
            raise ValueError(f"position {text!r}: the stones add up to {has}; must be {total}")
        south, north = (sum(count << 8 * pit for pit, count in enumerate(pits)) for pits, _ in rows)
        return Position(south, north, rows[0][1], rows[1][1], "sn".index(match[3]))

    def format_move(rules, state: Position, move: int) -> str:
        return str(move + 1)

    def seats(rules) -> tuple[str, str]:
        return ("south", "north")

    def validate(rules) -> None:
        if 2 * rules.pits * rules.seeds > MAX_STONES:
            maximum = MAX_STONES // (2 * rules.pits)
            raise ValueError(f"seeds={rules.seeds}: with {rules.pits} pits a side must be in 1..{maximum}")


def _pits(rules: Kalah, row: int) -> list[int]:
    """The stones of each pit of a row."""
    return [pit_of(row, pit) for pit in range(rules.pits)]
