"""The 40 features of Kalah of a report on reinforcement learning, for values that are linear in them.

A block of 19 describes the board when South is to move, another one when North is; the block that does not apply is all
zeros. A block holds nine features of South, the same nine of North, and the difference of the stores. Of the two that
are left, `player` is 1 when North is to move, and `constant` is always 1. Each is scaled to -1..1 by the most that it
can be: numbers of stones by that of all stones, numbers of moves by that of the pits in a row.

The nine look at what a side could do if it were to move:

- `can_get_another_move`: 1 if a move ends in its store
- `is_passing_store`: 1 if a move reaches its store, or goes beyond
- `opposite_empty`: the most stones of the other side that lie opposite an empty pit of this side
- `captures`: how many moves capture
- `can_fill_all_empties`: 1 if a move leaves no pit of the other side empty
- `max_capture_amount`: the most stones that a move brings to the store by capturing
- `play_options`: how many moves there are
- `last_pit_empty`: 1 if the pit next to its store is empty
- `can_win_in_1_turn`: 1 if a move brings more than half of all stones to its store
"""

from __future__ import annotations

from typing import Any, NamedTuple

from petteia.core.bits import popcount
from petteia.core.kernel import inline
from petteia.games.kalah import EMPTY, MOST_PITS, WITHOUT_CAPTURER, Kalah, Position, first_pits, occupied, pit_of

SIDES = ("south", "north")
POTENTIALS = (
    *("can_get_another_move", "is_passing_store", "opposite_empty", "captures", "can_fill_all_empties"),
    *("max_capture_amount", "play_options", "last_pit_empty", "can_win_in_1_turn"),
)
BLOCK = 2 * len(POTENTIALS) + 1
RECIPROCAL = 1 << 16
"""numbers up to 255 are divided by one up to 15 by multiplying with this many parts of one, rounded up"""


class Potential(NamedTuple):
    """What a side could do if it were to move."""

    again: int
    passing: int
    opposite: int
    captures: int
    fills: int
    most: int
    options: int
    last_empty: int
    wins: int


@inline
def potential_of(rules: Kalah, own: int, other: int, store: int) -> Potential:
    """The potential of the side whose pits and store are `own` and `store`.

    A loop without branches over a fixed number of pits, of which those beyond the row are empty: the compiler makes
    vectors of it, three times as fast as one that asks each pit what it can do.
    """
    pits = rules.pits
    ring = 2 * pits + 1
    reciprocal = RECIPROCAL // ring + 1
    holes = occupied(other) ^ first_pits(pits) << 7
    capturer = 0 if rules.capture == WITHOUT_CAPTURER else 1
    least = 0 if rules.capture == EMPTY else 1
    again = passing = opposite = captures = fills = most = gained = 0
    for pit in range(MOST_PITS + 1):
        opposite = max(opposite, pit_of(other, pit) * (pit_of(own, max(pits - 1 - pit, 0)) == 0))
        sown = pit_of(own, pit)
        moves = 1 if sown > 0 else 0
        laps = sown * reciprocal >> 16
        last = pit + sown - laps * ring
        beyond = moves & (last >= pits)
        comes_round = moves & (last >= ring)
        target = last - ring * comes_round
        was_empty = moves & (laps == 0) & (pit_of(own, min(target, MOST_PITS)) == 0) | (sown == ring)
        facing = pit_of(other, max(pits - 1 - target, 0)) + laps + comes_round
        takes = was_empty & (target < pits) & (facing >= least)
        taken = facing * takes
        amount = taken + capturer * takes
        captures += takes
        most = max(most, amount)
        gained = max(gained, laps + beyond + amount)
        passing |= beyond | (laps > 0)
        again |= moves & (last == pits)
        reached = min(max(last - pits, 0), pits)
        fills |= moves & (taken == 0) & ((laps > 0) | (holes >> 8 * reached == 0))
    options = popcount(occupied(own))
    last_empty = 1 if pit_of(own, pits - 1) == 0 else 0
    wins = 1 if options > 0 and store + gained > pits * rules.seeds else 0
    return Potential(again, passing, opposite, captures, fills, most, options, last_empty, wins)


@inline
def write_potential(rules: Kalah, found: Potential, value: Any, at: int) -> None:
    """Write the nine features, scaled, into the entries from `at` on."""
    stone = 1.0 / (2 * rules.pits * rules.seeds)
    move = 1.0 / rules.pits
    value[at] = found.again
    value[at + 1] = found.passing
    value[at + 2] = found.opposite * stone
    value[at + 3] = found.captures * move
    value[at + 4] = found.fills
    value[at + 5] = found.most * stone
    value[at + 6] = found.options * move
    value[at + 7] = found.last_empty
    value[at + 8] = found.wins


class ReportFeatures(NamedTuple):
    """The 40 features."""

    def names(feature_set, rules: Kalah) -> tuple[str, ...]:
        """Such as `south_to_move.north.captures`."""
        blocks = [
            f"{mover}_to_move.{name}"
            for mover in SIDES
            for name in (*(f"{side}.{each}" for side in SIDES for each in POTENTIALS), "store_difference")
        ]
        return (*blocks, "player", "constant")

    def size(feature_set, rules: Kalah) -> int:
        """40."""
        return 2 * BLOCK + 2

    def features(feature_set, rules: Kalah, state: Position, index: Any, value: Any) -> int:
        """Those of the block that applies, `player` and `constant`: always 21."""
        place = BLOCK * state.side
        for i in range(BLOCK):
            index[i] = place + i
        write_potential(rules, potential_of(rules, state.south, state.north, state.south_store), value, 0)
        write_potential(rules, potential_of(rules, state.north, state.south, state.north_store), value, len(POTENTIALS))
        value[BLOCK - 1] = (state.south_store - state.north_store) / (2 * rules.pits * rules.seeds)
        index[BLOCK] = 2 * BLOCK
        value[BLOCK] = state.side
        index[BLOCK + 1] = 2 * BLOCK + 1
        value[BLOCK + 1] = 1.0
        return BLOCK + 2
