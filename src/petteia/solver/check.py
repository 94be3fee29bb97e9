"""A check that the table of a solved game is correct, with code that is independent of the solver.

A table is correct if each position is consistent with its successors:

- A finished position has its final margin as value, and the distance 0.
- Any other position has the value of its best move.
- The distance of a position with a value other than 0 is computed from its best moves, which keep the value. If the
  player to move wins, the distance is one more than the shortest distance after these moves. If the player to move
  loses, the distance is one more than the longest distance after these moves.

If all positions are consistent, the winner can reduce the distance with every move until the game ends. So no win
depends on a cycle of positions. Neither player can obtain a better result than the value in the table, because no move
leads to a better value. In a position with the value 0, each player can avoid a loss forever. Games with chance nodes
need a different proof, which is in `expectation_check`.
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
    WRONG_KEY: "is not found by its key",
    WRONG_MARGIN: "is terminal, but has another margin or a distance above 0",
    NO_MOVE: "is not terminal, but has no move",
    INCOMPLETE: "has a move to a position that is not in the table",
    WRONG_VALUE: "has a different value according to its moves",
    WRONG_DISTANCE: "has a different distance according to its moves",
}
AT_ONCE = 1 << 15
"""The number of positions that are checked before the next test for an interrupt."""


class Claims(NamedTuple):
    """The table of a solved game, as arrays whose rows are sorted by key."""

    keys: Ints
    """the keys of the positions, in ascending order, [rows]"""
    states: Ints
    """fields of the states, [rows, fields]"""
    values: Ints32 | Floats
    """final margin under perfect play, or its expected value, from the perspective of player 0, [rows]"""
    distances: Ints32
    """plies to the end under perfect play, [rows]"""


@inline
def place_of(rules: Rules, state: State, keys: Ints) -> int:
    """Search the sorted `keys` for the key of `state` or of a symmetric state. Return its index, or -1."""
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
    """Check one row of the table of a solved game. Return a key of `FAULTS`, or SOUND if the row is correct.

    `out`, int64[limits.moves], is scratch space.
    """
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
    """Check the rows `first` to `end` - 1 of a table. Return the first wrong row and its fault, or `end` and SOUND.

    `out`, int64[limits.moves], is scratch space.
    """
    for row in range(first, end):
        fault = _fault(rules, like, claims, row, out)
        if fault != SOUND:
            return row, fault
    return end, SOUND


@kernel(purpose="checking a solution")
def _first_missing(rules: Rules, keys: Ints, first: int, end: int) -> int:
    """Search the positions with the numbers `first` to `end` - 1 for one that is missing in `keys`.

    Return the number of the first missing position, or `end` if all these positions are in `keys`.
    """
    for number in range(first, end):
        if place_of(rules, position(rules, number), keys) < 0:
            return number
    return end


def claims_of(keys: Ints, states: Ints, values: Ints32 | Floats, distances: Ints32) -> Claims:
    """Sort the rows of a table by key, and return the sorted arrays."""
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
    """Return a one-line description of a fault of a table, or None if the table is correct.

    If the game defines a numbering of its positions, the table must contain all numbered positions. `like` is any state
    of the game, used as a prototype to unpack the stored states. The other arguments are the columns of a `Tablebase`.
    """
    claims = claims_of(keys, states, values, distances)
    rows, out = len(keys), np.zeros(limits(rules).moves, np.int64)
    for first in range(0, rows, AT_ONCE):
        check_stop()
        end = min(first + AT_ONCE, rows)
        row, fault = _first_fault(rules, like, claims, first, end, out)
        if fault != SOUND:
            text = format_state(rules, unpack(like, claims.states[row]))
            return f"{text!r}, with {_claim(claims, row)} in the table, {FAULTS[fault]}"
    return find_missing(rules, claims.keys)


def find_missing(rules: Rules, keys: Ints) -> str | None:
    """Return a one-line message if the sorted `keys` of a table lack a position of the game, and otherwise None.

    The game's numbering of its positions determines which positions must be in the table. If the game defines no
    numbering, nothing is checked.
    """
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
