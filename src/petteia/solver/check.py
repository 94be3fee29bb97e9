"""A proof of a table, by one look at what follows from each of its positions. Shares no code with what made it.

A table is right if everything in it fits together: a finished position has its margin at distance 0, any other the best
value that a move of its mover leads to, no better move being left out; and a position whose value is not 0 has the
distance that follows from its moves of equal value: one more than the shortest if its mover gets ahead, one more than
the longest if the other does. Then whoever gets ahead can bring the end nearer with every move and so does reach it:
no win is true only because others, that rest on it, are. And nobody can do better, as no move leads to anything better.
Where the value is 0 both can keep it so for ever. Tables of games with chance have a proof of their own, in
`expectation_check`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from petteia.core.arrays import Floats, Ints, Ints32
from petteia.core.kernel import inline, kernel
from petteia.core.packing import unpack
from petteia.core.protocol import (
    Rules,
    State,
    format_state,
    image,
    images,
    is_over,
    key,
    limits,
    margin,
    moves,
    play,
    position,
    positions,
    provides,
    to_move,
)
from petteia.core.stop import check_stop

SOUND, WRONG_KEY, WRONG_MARGIN, NO_MOVE, INCOMPLETE, WRONG_VALUE, WRONG_DISTANCE = range(7)
FAULTS = {
    WRONG_KEY: "is not found under its key",
    WRONG_MARGIN: "is over, with another margin, or not at distance 0",
    NO_MOVE: "is not over, yet has no move",
    INCOMPLETE: "has a move to a position that is not in the table",
    WRONG_VALUE: "has moves whose best value is another",
    WRONG_DISTANCE: "has moves from which another distance follows",
}
AT_ONCE = 1 << 15
"""positions that are looked at before an interrupt is heard"""


class Claims(NamedTuple):
    """The columns of a table, ordered by key."""

    keys: Ints
    """the key of each position, ascending, [rows]"""
    states: Ints
    """fields of the states, [rows, fields]"""
    values: Ints32 | Floats
    """final margin under best play, player 0's, or its expectation, [rows]"""
    distances: Ints32
    """plies to the end under best play, [rows]"""


@inline
def place_of(rules: Rules, state: State, keys: Ints) -> int:
    """The place of `state`, or of an image of it, among the ascending `keys`, int64[rows]; -1 if it is not there."""
    for i in range(images(rules)):
        wanted = key(rules, image(rules, state, i))
        low = 0
        high = len(keys)
        while low < high:
            middle = (low + high) // 2
            if keys[middle] < wanted:
                low = middle + 1
            else:
                high = middle
        if low < len(keys) and keys[low] == wanted:
            return low
    return -1


@inline
def _fault(rules: Rules, like: State, claims: Claims, row: int, out: Ints) -> int:
    """What is wrong with a row: one of the numbers in `FAULTS`, or SOUND; `out`, int64[limits.moves], is scratch."""
    state = unpack(like, claims.states[row])
    value = claims.values[row]
    distance = claims.distances[row]
    if key(rules, state) != claims.keys[row] or (row > 0 and claims.keys[row - 1] == claims.keys[row]):
        return WRONG_KEY
    if is_over(rules, state):
        return SOUND if value == margin(rules, state) and distance == 0 else WRONG_MARGIN
    count = moves(rules, state, out)
    if count == 0:
        return NO_MOVE
    sign = 1 if to_move(rules, state) == 0 else -1
    reached = False
    shortest = longest = -1
    for i in range(count):
        child = place_of(rules, play(rules, state, int(out[i])), claims.keys)
        if child < 0:
            return INCOMPLETE
        if sign * claims.values[child] > sign * value:
            return WRONG_VALUE
        if claims.values[child] == value:
            after = claims.distances[child]
            shortest = min(shortest, after) if reached else after
            longest = max(longest, after) if reached else after
            reached = True
    if not reached:
        return WRONG_VALUE
    if value == 0:
        return SOUND if distance == -1 else WRONG_DISTANCE
    if distance != 1 + (shortest if sign * value > 0 else longest):
        return WRONG_DISTANCE
    return SOUND


@kernel(purpose="checking a solution")
def _first_fault(rules: Rules, like: State, claims: Claims, first: int, end: int, out: Ints) -> tuple[int, int]:
    """The first wrong row of `first` to `end` - 1 and what is wrong there; `end` if none is. `out` as in `_fault`."""
    for row in range(first, end):
        fault = _fault(rules, like, claims, row, out)
        if fault != SOUND:
            return row, fault
    return end, SOUND


@kernel(purpose="checking a solution")
def _first_missing(rules: Rules, keys: Ints, first: int, end: int) -> int:
    """The first position by number, from `first` to `end` - 1, whose key is not in `keys`; `end` if all are."""
    for number in range(first, end):
        if place_of(rules, position(rules, number), keys) < 0:
            return number
    return end


def claims_of(keys: Ints, states: Ints, values: Ints32 | Floats, distances: Ints32) -> Claims:
    """What a table claims, its columns in the order of their keys."""
    order, shown = np.argsort(keys), np.empty_like(states)
    for first in range(0, len(keys), AT_ONCE):
        check_stop()
        shown[first : first + AT_ONCE] = states[order[first : first + AT_ONCE]]
    return Claims(keys[order], shown, values[order], distances[order])


def find_fault(
    rules: Rules,
    like: State,
    keys: Ints,
    states: Ints,
    values: Ints32 | Floats,
    distances: Ints32,
) -> str | None:
    """One line on something that is wrong with a table; None if it is right, and complete where positions are numbered.

    `like` is any state of the game; the rest are the columns of a `Tablebase`, with their shapes.
    """
    claims = claims_of(keys, states, values, distances)
    rows, out = len(keys), np.zeros(limits(rules).moves, np.int64)
    for first in range(0, rows, AT_ONCE):
        check_stop()
        end = min(first + AT_ONCE, rows)
        row, fault = _first_fault(rules, like, claims, first, end, out)
        if fault != SOUND:
            text = format_state(rules, unpack(like, claims.states[row]))
            return f"{text!r}, to which the table gives {_claim(claims, row)}, {FAULTS[fault]}"
    return find_missing(rules, claims.keys)


def find_missing(rules: Rules, keys: Ints) -> str | None:
    """One line on a position by number whose key is not among the ascending `keys`; None if none is missing."""
    total = positions(rules) if provides(rules, "positions") and provides(rules, "position") else 0
    for first in range(0, total, AT_ONCE):
        check_stop()
        end = min(first + AT_ONCE, total)
        number = _first_missing(rules, keys, first, end)
        if number < end:
            return f"{format_state(rules, position(rules, number))!r} is not in the table"
    return None


def _claim(claims: Claims, row: int) -> str:
    return f"value {claims.values[row]} and distance {claims.distances[row]}"
