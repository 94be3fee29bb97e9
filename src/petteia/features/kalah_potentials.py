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
from petteia.features.feature_set import add
from petteia.games.kalah import EMPTY, NORTH, WITHOUT_CAPTURER, Kalah, Position, first_pits, occupied, pit_of

SIDES = ("south", "north")
POTENTIALS = (
    *("can_get_another_move", "is_passing_store", "opposite_empty", "captures", "can_fill_all_empties"),
    *("max_capture_amount", "play_options", "last_pit_empty", "can_win_in_1_turn"),
)
BLOCK = 2 * len(POTENTIALS) + 1


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
    """The potential of the side whose pits and store are `own` and `store`."""
    pits = rules.pits
    ring = 2 * pits + 1
    again = passing = opposite = captures = fills = most = options = wins = 0
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
                    most = max(most, amount)
                    gain += amount
        if taken == 0 and (laps > 0 or popcount(occupied(other + first_pits(reached))) == pits):
            fills = 1
        if store + gain > pits * rules.seeds:
            wins = 1
    last_empty = 1 if pit_of(own, pits - 1) == 0 else 0
    return Potential(again, passing, opposite, captures, fills, most, options, last_empty, wins)


@inline
def write_potential(rules: Kalah, found: Potential, index: Any, value: Any, count: int, place: int) -> int:
    """Add the nine features, scaled, from number `place` on."""
    stone = 1.0 / (2 * rules.pits * rules.seeds)
    move = 1.0 / rules.pits
    count = add(index, value, count, place, float(found.again))
    count = add(index, value, count, place + 1, float(found.passing))
    count = add(index, value, count, place + 2, found.opposite * stone)
    count = add(index, value, count, place + 3, found.captures * move)
    count = add(index, value, count, place + 4, float(found.fills))
    count = add(index, value, count, place + 5, found.most * stone)
    count = add(index, value, count, place + 6, found.options * move)
    count = add(index, value, count, place + 7, float(found.last_empty))
    return add(index, value, count, place + 8, float(found.wins))


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
        """At most 21 of them are not zero."""
        place = BLOCK * state.side
        south = potential_of(rules, state.south, state.north, state.south_store)
        north = potential_of(rules, state.north, state.south, state.north_store)
        count = write_potential(rules, south, index, value, 0, place)
        count = write_potential(rules, north, index, value, count, place + 9)
        ahead = (state.south_store - state.north_store) / (2 * rules.pits * rules.seeds)
        count = add(index, value, count, place + 18, ahead)
        if state.side == NORTH:
            count = add(index, value, count, 2 * BLOCK, 1.0)
        return add(index, value, count, 2 * BLOCK + 1, 1.0)
