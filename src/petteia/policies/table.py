"""Values of state and move in a table, and the policy that plays by them.

A table holds a row for each state that it has met, in the order of meeting, and in a row a value for each legal move,
in the order in which the game lists them. Rows are found by the state's key through open addressing, so a game needs no
numbering of its states. Values are the mover's: the more, the better for the side to move.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from petteia.core import hashing
from petteia.core.hashing import enter_all, slot_of
from petteia.core.kernel import inline
from petteia.core.protocol import Rules, State, key, limits, moves
from petteia.core.random import RandomState, below, uniform
from petteia.policies.policy import Work

EMPTY = hashing.EMPTY
"""what `find` returns where there is no row"""
SMALLEST = 1 << 12


class Table(NamedTuple):
    """Rows of values, found by key."""

    slots: NDArray[np.int64]
    """the row whose key hashes here, or EMPTY; [a power of two, at least twice the capacity]"""
    keys: NDArray[np.int64]
    """key of each row, [capacity]"""
    values: NDArray[np.float64]
    """value of each move, [capacity, limits.moves]"""
    used: NDArray[np.int64]
    """number of rows in use, [1]"""


def empty_table(rules: Rules) -> Table:
    """A table without rows."""
    return _allocate(SMALLEST, limits(rules).moves)


def filled_table(keys: NDArray[np.int64], values: NDArray[np.float64], capacity: int = SMALLEST) -> Table:
    """The table whose rows are `keys` [rows] and `values` [rows, moves], as `rows` returns them.

    It has room for `capacity` rows, a power of two, or for the next larger that holds them all.
    """
    while capacity < len(keys):
        capacity *= 2
    table = _allocate(capacity, values.shape[1])
    table.keys[: len(keys)] = keys
    table.values[: len(keys)] = values
    table.used[0] = len(keys)
    enter_all(table.slots, table.keys[: len(keys)])
    return table


def rows(table: Table) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The keys [rows] and values [rows, moves] in use."""
    used = int(table.used[0])
    return table.keys[:used], table.values[:used]


def _allocate(capacity: int, width: int) -> Table:
    return Table(
        np.full(2 * capacity, EMPTY, np.int64),
        np.zeros(capacity, np.int64),
        np.zeros((capacity, width), np.float64),
        np.zeros(1, np.int64),
    )


def with_room(table: Table, count: int) -> Table:
    """`table`, or a larger copy if it has no room for `count` more rows."""
    used = int(table.used[0])
    capacity = len(table.keys)
    if used + count <= capacity:
        return table
    while used + count > capacity:
        capacity *= 2
    return filled_table(*rows(table), capacity)


@inline
def find(table: Table, key: int) -> int:
    """The row of the state with this key; EMPTY if it has none."""
    return int(table.slots[slot_of(table.slots, table.keys, key)])


@inline
def find_or_add(table: Table, key: int) -> int:
    """The row of the state with this key, a new one of zeros if it has none. There must be room."""
    slot = slot_of(table.slots, table.keys, key)
    row = int(table.slots[slot])
    if row == EMPTY:
        row = int(table.used[0])
        table.slots[slot] = row
        table.keys[row] = key
        table.used[0] = row + 1
    return row


@inline
def best_index(values: Any, count: int, random: RandomState) -> int:
    """The place of the largest of the first `count` values; each of several largest equally likely."""
    largest = values[0]
    ties = 1
    place = 0
    for i in range(1, count):
        if values[i] > largest:
            largest = values[i]
            ties = 1
            place = i
        elif values[i] == largest:
            ties += 1
    if ties > 1:
        skip = below(random, ties)
        while skip > 0:
            place += 1
            if values[place] == largest:
                skip -= 1
    return place


class TablePolicy(NamedTuple):
    """Plays the move of largest value, at random where it knows none; with probability `epsilon` any move."""

    table: Table
    epsilon: float = 0.0

    def choose(policy, rules: Rules, state: State, random: RandomState, work: Work) -> int:
        """A move by the table."""
        count = moves(rules, state, work.moves)
        row = find(policy.table, key(rules, state))
        if row == EMPTY or (policy.epsilon > 0.0 and uniform(random) < policy.epsilon):
            return int(work.moves[below(random, count)])
        return int(work.moves[best_index(policy.table.values[row], count, random)])
