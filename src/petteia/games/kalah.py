r"""Kalah, a Mancala game with two rows of pits and two stores: the player with more stones in the store wins.

The pits of both rows are numbered in sowing order, towards the store of their player:

             6   5   4   3   2   1        North
    store                            store
             1   2   3   4   5   6        South

In a turn, a player takes all stones of one of its pits. The stones are sown one by one into the following pits and the
player's store; the opponent's store is skipped. If the last stone falls into the store, the player moves again. If the
last stone falls into an empty pit of the player, it captures the stones in the opposite pit:

- `capture=nonempty`: if the opposite pit contains stones, they go to the store together with the capturing stone
- `capture=empty`: the capturing stone goes to the store even if the opposite pit is empty
- `capture=without_capturer`: the captured stones go to the store, and the capturing stone stays in its pit. The text of
  the workshop report (see Sources) has this rule, but the table of matches in the report contradicts it.

The game ends when the player to move has no stone in its pits (`end=mover`), or as soon as one row is empty
(`end=either`). The remaining stones belong to the owner of the pit (`leftovers=owner`), or to nobody.

A ply is one sowing. A player that moves again makes several plies in a row. Each row is stored in a word with eight
bits per pit. A sowing adds words to the rows, so its time does not depend on the number of stones. A pit can hold at
most 255 stones, so the total number of stones, 2 * pits * seeds, is limited to 255.

Sources: "Solving Kalah" by Irving, Donkers and Uiterwijk (ICGA Journal 23, 2000) describes `capture=empty` and
`end=either`. The programs of Russell and others play `capture=nonempty`. The text of a workshop report on reinforcement
learning describes `capture=without_capturer`, `end=mover` and `leftovers=nobody`.

A position is written `4,4,4,4,4,4,0/4,4,4,4,4,4,0 s`: South's pits in sowing order and its store, then North's, and the
side to move. A move is the number of a pit in sowing order: 1 is farthest from the player's store.
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
"""A row with one stone in each of seven pits."""
TOPS = 0x80808080808080
BELOW_TOPS = 0x7F7F7F7F7F7F7F
MAX_CONTENT = 7
"""The maximum number that `contents` writes for a pit. It also represents larger numbers of stones."""
GATHER = 0x0102040810204080
"""A factor that moves the lowest bits of all bytes side by side into the highest byte."""


class Position(NamedTuple):
    """A state: the stones in the pits and stores, and the side to move."""

    south: int
    """South's pits in sowing order: bits 8i..8i+7 are pit i, counted from 0"""
    north: int
    """North's pits in sowing order, in the same form"""
    south_store: int
    """the number of stones in South's store"""
    north_store: int
    """the number of stones in North's store"""
    side: int
    """SOUTH or NORTH"""


@inline
def first_pits(count: int) -> int:
    """A row with one stone in each of the first `count` (0..7) pits."""
    return ONES & ((1 << 8 * count) - 1)


@inline
def stones(row: int) -> int:
    """The number of stones in the pits of a row."""
    return shift_right(wrapping_multiply(row, ONES), 48) & PIT


@inline
def occupied(row: int) -> int:
    """A mask of the pits that contain stones: the highest bit of each such pit is set."""
    return ((row & BELOW_TOPS) + BELOW_TOPS | row) & TOPS


@inline
def pit_of(row: int, pit: int) -> int:
    """The number of stones in pit `pit` of a row."""
    return row >> 8 * pit & PIT


@inline
def ways_to_lie(total: int, hollows: int) -> int:
    """Return the number of states with `total` stones in `hollows` pits and stores, with either side to move.

    For each side to move, the stones can be distributed in (total + hollows - 1 choose hollows - 1) ways. If the
    calculation would exceed MANY, the function returns MANY.
    """
    ways = 2
    for i in range(1, hollows):
        if ways > MANY // (total + i):
            return MANY
        ways = ways * (total + i) // i
    return ways


class Kalah(NamedTuple):
    """The rules of Kalah: the board size, captures, the end of the game, and who gets the remaining stones."""

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
        """The state after a move.

        The code avoids branches, because processors would often mispredict them.
        """
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
        # The places 0..pits-1 are the mover's pits. The store, the opponent's pits, and the mover's pits again follow.
        last = move + sown
        own += first_pits(min(last + 1, pits)) ^ first_pits(move + 1)
        store += 1 if last >= pits else 0
        other += first_pits(max(min(last - pits, pits), 0))
        own += first_pits(max(last - 2 * pits, 0))
        next_side = side if last == pits else 1 - side
        last -= ring if last >= ring else 0
        if pit_of(own, min(last, MAX_PITS)) == 1:  # 0 beyond the mover's pits
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
        """Return the number of stones of each player, and the unit of these numbers.

        A player has the stones in its store. If `leftovers=owner`, the stones that remain in its pits are added.
        """
        south, north = state.south_store, state.north_store
        if rules.leftovers == OWNER:
            south, north = south + stones(state.south), north + stones(state.north)
        return south, north, "stone" if max(south, north) == 1 else "stones"

    def decided(rules, state: Position) -> bool:
        """Whether the result is certain: one store has more than half of all stones, or the game is over."""
        return max(state.south_store, state.north_store) > rules.pits * rules.seeds or is_over(rules, state)

    def margin_range(rules, state: Position) -> tuple[int, int]:
        """Return the bounds of the final margin: the margins if either player obtains all stones left in the pits."""
        ahead, left = state.south_store - state.north_store, stones(state.south) + stones(state.north)
        return ahead - left, ahead + left

    def relative(rules, state: Position) -> tuple[Position, int]:
        """Return `state` with empty stores, and by how many stones the player to move is ahead in the stores.

        In the returned state, South is the player to move. If North is to move in `state`, the two rows are exchanged.
        """
        ahead = state.south_store - state.north_store
        if state.side == SOUTH:
            return Position(state.south, state.north, 0, 0, SOUTH), ahead
        return Position(state.north, state.south, 0, 0, SOUTH), -ahead

    def key(rules, state: Position) -> int:
        """Return a key: the side to move, and unary numbers of the stones in South's store and in each pit.

        If the unary encoding does not fit into a word, the key is a hash.
        """
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
        """Whether different states always have different keys.

        Different states have different keys if all keys fit into 63 bits. The binary digits of a key are a one, the bit
        of the side to move, and one zero for each stone in South's store. Each pit then adds a one, and a zero for each
        stone in it. The ones separate the pits. North's store need not be encoded, because it contains all other
        stones.
        """
        return 2 * rules.pits * rules.seeds + 2 * rules.pits + 2 <= 63

    def limits(rules) -> Limits:
        """Return the `Limits` of the game: the maximum numbers of moves and plies, and the number of move codes.

        The number of plies is bounded, because each sowing moves stones closer to the end of their row, or into a
        store.

        The distance of a stone is the number of steps to the end of its row. Initially, the sum of all distances is at
        most stones * pits. Until a sowing reaches the store, it only reduces this sum. A sowing that puts k stones into
        the store then passes each pit at most k times. It therefore increases the sum by at most k * pits * (pits + 1).
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
        up_to = wrapping_multiply(left >> 7, ONES)  # for each pit, the number of pits in `left` up to it
        return trailing_zeros(up_to + (PIT // 2 - skipped) * ONES & TOPS) >> 3

    def content_kinds(rules) -> int:
        """The number of different entries in `contents`: 0 to `MAX_CONTENT`, which also stands for more stones."""
        return MAX_CONTENT + 1

    def contents(rules, state: Position, out: Buffer) -> int:
        """Write the number of stones in each pit, at most `MAX_CONTENT`.

        South's pits come first, then North's pits, each in sowing order.
        """
        pits = rules.pits
        for pit in range(pits):
            out[pit] = min(pit_of(state.south, pit), MAX_CONTENT)
            out[pits + pit] = min(pit_of(state.north, pit), MAX_CONTENT)
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
                raise ValueError(
                    f"position {text!r}: {name} has {len(pits)} pits; must have {rules.pits} pits and a store"
                )
            if store > total:
                raise ValueError(f"position {text!r}: {name}'s store contains more stones than the game has ({total})")
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
            raise ValueError(f"seeds={rules.seeds}: must be in 1..{maximum} if each side has {rules.pits} pits")


def _pits(rules: Kalah, row: int) -> list[int]:
    """The number of stones in each pit of a row."""
    return [pit_of(row, pit) for pit in range(rules.pits)]
