"""Features of Kalah for linear value functions, taken from a report on reinforcement learning.

Both feature sets describe the board by 19 features: nine features of South, the same nine features of North, and the
difference of the stores. `Potentials` has 20 features: the 19 features of the board and `constant`, which is always 1.
`ReportFeatures` has 40 features. It has the 19 features of the board twice, once for positions with South to move and
once for positions with North to move. The 19 features for the other side to move are zero. The other two features are
`player`, which is 1 if North is to move and otherwise 0, and `constant`.

Each feature is scaled to -1..1 by its maximum. Numbers of stones are divided by the number of all stones, and numbers
of moves by the number of pits in a row.

The nine features of a side describe its possible moves. They are computed as if this side were to move:

- `can_get_another_move`: 1 if a move of the side ends in the side's store
- `is_passing_store`: 1 if a move reaches or passes the side's store
- `opposite_empty`: the largest number of stones of the other side in a pit opposite an empty pit of this side
- `captures`: the number of moves that capture
- `can_fill_all_empties`: 1 if a move leaves no pit of the other side empty
- `max_capture_amount`: the largest number of stones that a capture brings to the side's store
- `play_options`: the number of moves
- `last_pit_empty`: 1 if the pit next to the side's store is empty
- `can_win_in_1_turn`: 1 if a move wins at once: the side's store then contains more than half of all stones, or the
  game is over and the side has more stones
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.arrays import Floats, Ints
from petteia.core.bits import popcount, shift_right, trailing_zeros
from petteia.core.kernel import called, inline
from petteia.core.protocol import is_over, margin, play
from petteia.games.kalah import (
    EMPTY,
    MAX_PITS,
    SOUTH,
    TOPS,
    WITHOUT_CAPTURER,
    Kalah,
    Position,
    first_pits,
    occupied,
    pit_of,
    stones,
)

SIDES = ("south", "north")
POTENTIALS = (
    "can_get_another_move",
    "is_passing_store",
    "opposite_empty",
    "captures",
    "can_fill_all_empties",
    "max_capture_amount",
    "play_options",
    "last_pit_empty",
    "can_win_in_1_turn",
)
BLOCK_NAMES = (*(f"{side}.{each}" for side in SIDES for each in POTENTIALS), "store_difference")
BLOCK = len(BLOCK_NAMES)
TOP = 0x80
PLACES = 0x06050403020100
"""The number of each pit, one per byte."""
EVEN_BYTES, EVEN_TWOS, EVEN_FOURS = 0x00FF00FF00FF00FF, 0x0000FFFF0000FFFF, 0x00000000FFFFFFFF


class Potential(NamedTuple):
    """The nine features of a side in Kalah before scaling, computed as if this side were to move."""

    again: int
    """the feature `can_get_another_move`"""
    passing: int
    """the feature `is_passing_store`"""
    opposite: int
    """the feature `opposite_empty`, in stones"""
    captures: int
    """the feature `captures`, in moves"""
    fills: int
    """the feature `can_fill_all_empties`"""
    maximum: int
    """the feature `max_capture_amount`, in stones"""
    options: int
    """the feature `play_options`, in moves"""
    last_empty: int
    """the feature `last_pit_empty`"""
    wins: int
    """the feature `can_win_in_1_turn`"""


@called
def wins_by_an_end(rules: Kalah, own: int, other: int, store: int) -> bool:
    """Return whether a move of the side with the pits `own` and the store `store` ends the game and wins it.

    A game can end only when a row contains no stones. A move can empty at most one pit of the player's row, namely the
    pit from which the stones are sown. A move can empty at most one pit of the opponent's row, namely the pit that is
    captured. So a move can end the game only if one of the rows has at most one pit with stones.
    """
    mine, theirs = occupied(own), occupied(other)
    if mine & (mine - 1) and theirs & (theirs - 1):
        return False
    # The rules are symmetric, so the side is treated as South.
    left = 2 * rules.pits * rules.seeds - store - stones(own) - stones(other)
    state = Position(own, other, store, left, SOUTH)
    while mine:
        after = play(rules, state, trailing_zeros(mine) >> 3)
        mine &= mine - 1
        if is_over(rules, after) and margin(rules, after) > 0:
            return True
    return False


@inline
def potential_by_pits(rules: Kalah, own: int, other: int, store: int) -> Potential:
    """Compute the nine features of a side one pit at a time, for positions that `potential_of` cannot process.

    The function `potential_of` computes all pits at once by bit operations. It does not support sowings that go once
    around the board, or pits with more than 127 stones.
    """
    pits = rules.pits
    ring = 2 * pits + 1
    again = passing = opposite = captures = fills = maximum = options = wins = 0
    for pit in range(pits):
        sown = pit_of(own, pit)
        if sown == 0:
            opposite = max(opposite, pit_of(other, pits - 1 - pit))
            continue
        options += 1
        laps = 0
        if sown >= ring:
            laps = sown // ring
            sown -= laps * ring
        last = pit + sown
        gain = laps
        reached = 0
        if last >= pits or laps > 0:
            passing = 1
        if last >= pits:
            gain += 1
            reached = min(last - pits, pits)
        if last == pits:
            again = 1
        taken = 0
        if last < pits or last >= ring:
            target = last if last < pits else last - ring
            if laps == 1 if target == pit else pit_of(own, target) + laps == 0:
                facing = pits - 1 - target
                taken = pit_of(other, facing) + laps + (1 if facing < reached else 0)
                if taken > 0 or rules.capture == EMPTY:
                    captures += 1
                    amount = taken + (0 if rules.capture == WITHOUT_CAPTURER else 1)
                    maximum = max(maximum, amount)
                    gain += amount
        if taken == 0 and (laps > 0 or popcount(occupied(other + first_pits(reached))) == pits):
            fills = 1
        if store + gain > pits * rules.seeds:
            wins = 1
    if wins == 0 and wins_by_an_end(rules, own, other, store):
        wins = 1
    last_empty = 1 if pit_of(own, pits - 1) == 0 else 0
    return Potential(again, passing, opposite, captures, fills, maximum, options, last_empty, wins)


@inline
def reversed_row(row: int, pits: int) -> int:
    """Return a row with its pits in reverse order, so that each pit is in the place of the opposite pit."""
    twos = (row & EVEN_BYTES) << 8 | row >> 8 & EVEN_BYTES
    fours = (twos & EVEN_TWOS) << 16 | shift_right(twos, 16) & EVEN_TWOS
    return shift_right((fours & EVEN_FOURS) << 32 | shift_right(fours, 32), 8 * (MAX_PITS + 1 - pits))


@inline
def whole(tops: int) -> int:
    """Return an integer in which each byte is 0xFF if the highest bit of the byte is set in `tops`, otherwise 0."""
    return (tops << 1) - (tops >> 7)


@inline
def potential_of(rules: Kalah, own: int, other: int, store: int) -> Potential:
    """Return the nine unscaled features of the side with the pits `own` and the store `store`.

    The function processes all pits at once, with one byte per pit and few branches. This is four times as fast as a
    loop over the pits. To represent a set of pits, the function sets the highest bit of the byte of each pit in the
    set.
    """
    pits = rules.pits
    ring = 2 * pits + 1
    one = first_pits(pits)
    if (own | own + (TOP - ring) * one) & TOPS:
        return potential_by_pits(rules, own, other, store)
    tops = one << 7
    filled = occupied(own)
    empty = filled ^ tops
    options = popcount(filled)
    last = own + PLACES
    # Adding TOP - n to a byte below TOP sets its highest bit if the byte is n or more.
    beyond = last + (TOP - pits) * one & filled
    again = 1 if last + (TOP - pits - 1) * one & filled != beyond else 0
    passing = 1 if beyond else 0

    facing = reversed_row(other, pits)
    capturer = 0 if rules.capture == WITHOUT_CAPTURER else 1
    prized = empty & (tops if rules.capture == EMPTY else occupied(facing))
    prizes = (facing & whole(prized)) + capturer * (prized >> 7)
    seen = facing & whole(empty)
    landings = last | empty  # empty pits get numbers larger than all others
    opposite = captures = maximum = 0
    for pit in range(MAX_PITS):
        opposite = max(opposite, pit_of(seen, pit))
        prize = pit_of(prizes, min(pit_of(landings, pit), MAX_PITS))
        captures += 1 if prize > 0 else 0
        maximum = max(maximum, prize)
    gain = max(maximum, passing)

    # The few moves that sow a whole lap also capture a stone that they have just sown.
    around = last + (TOP - ring) * one & filled
    captures_around = 0
    while around:
        target = pit_of(last, trailing_zeros(around) >> 3) - ring
        if pit_of(own, target) == 0:
            prize = pit_of(facing, target) + 1 + capturer
            captures_around += 1
            maximum = max(maximum, prize)
            gain = max(gain, prize + 1)
        around &= around - 1
    captures += captures_around

    holes = occupied(other) ^ tops
    holes |= holes >> 8
    holes |= holes >> 16
    holes |= holes >> 32
    farthest = popcount(holes)  # the farthest empty pit of the other side; a sowing that reaches it fills all
    if farthest == 0:
        fills = 1 if options > captures else 0
    else:
        fills = 1 if popcount(last + (TOP - pits - farthest) * one & filled) > captures_around else 0
    wins = 1 if (options > 0 and store + gain > pits * rules.seeds) or wins_by_an_end(rules, own, other, store) else 0
    last_empty = 1 if pit_of(own, pits - 1) == 0 else 0
    return Potential(again, passing, opposite, captures, fills, maximum, options, last_empty, wins)


@inline
def write_potential(rules: Kalah, potential: Potential, value: Floats, at: int) -> None:
    """Write the nine scaled features of one side into `value`, float64[size], from index `at` on."""
    stone = 1.0 / (2 * rules.pits * rules.seeds)
    move = 1.0 / rules.pits
    value[at] = potential.again
    value[at + 1] = potential.passing
    value[at + 2] = potential.opposite * stone
    value[at + 3] = potential.captures * move
    value[at + 4] = potential.fills
    value[at + 5] = potential.maximum * stone
    value[at + 6] = potential.options * move
    value[at + 7] = potential.last_empty
    value[at + 8] = potential.wins


@inline
def write_block(rules: Kalah, state: Position, value: Floats) -> None:
    """Write the 19 features that describe the board into the first entries of `value`."""
    write_potential(rules, potential_of(rules, state.south, state.north, state.south_store), value, 0)
    write_potential(rules, potential_of(rules, state.north, state.south, state.north_store), value, len(POTENTIALS))
    value[BLOCK - 1] = (state.south_store - state.north_store) / (2 * rules.pits * rules.seeds)


class Potentials(NamedTuple):
    """A feature set of 20 features that describe the board. Their values do not depend on the side to move."""

    def names(feature_set, rules: Kalah) -> tuple[str, ...]:
        """Return the names of the features, such as `north.captures`."""
        return (*BLOCK_NAMES, "constant")

    def size(feature_set, rules: Kalah) -> int:
        """Return the number of features, 20."""
        return BLOCK + 1

    def features(feature_set, rules: Kalah, state: Position, index: Ints, value: Floats) -> int:
        """Write the indices and values of all 20 features of `state`, and return 20."""
        write_block(rules, state, value)
        value[BLOCK] = 1.0
        for i in range(BLOCK + 1):
            index[i] = i
        return BLOCK + 1


class ReportFeatures(NamedTuple):
    """A feature set of 40 features: 19 board features for each side to move, the side to move, and a constant."""

    def names(feature_set, rules: Kalah) -> tuple[str, ...]:
        """Return the names of the features, such as `south_to_move.north.captures`."""
        blocks = [f"{mover}_to_move.{name}" for mover in SIDES for name in BLOCK_NAMES]
        return (*blocks, "player", "constant")

    def size(feature_set, rules: Kalah) -> int:
        """Return the number of features, 40."""
        return 2 * BLOCK + 2

    def features(feature_set, rules: Kalah, state: Position, index: Ints, value: Floats) -> int:
        """Write the 19 board features for the side to move, `player` and `constant`, and return their number, 21."""
        place = BLOCK * state.side
        for i in range(BLOCK):
            index[i] = place + i
        write_block(rules, state, value)
        index[BLOCK] = 2 * BLOCK
        value[BLOCK] = state.side
        index[BLOCK + 1] = 2 * BLOCK + 1
        value[BLOCK + 1] = 1.0
        return BLOCK + 2
