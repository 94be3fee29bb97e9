"""Tables of state-action values, and a policy that plays moves with the largest values.

A table contains a row for each visited state, in the order of the first visits. A row contains a value for each legal
move, in the order in which the game lists the moves. The table finds a row by a key that differs for different states
(`distinct_key`), in a hash table with open addressing. So a game does not need to number its states. Values are from
the perspective of the side to move: a larger value is better for this side.

Symmetric states share a row if the field `sharing` of the table is `BY_SYMMETRY`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from petteia.core import hashing
from petteia.core.arrays import Floats, Ints
from petteia.core.errors import PetteiaError
from petteia.core.hashing import build_index, slot_of
from petteia.core.kernel import inline
from petteia.core.memory import memory_left
from petteia.core.packing import distinct_key
from petteia.core.protocol import (
    Buffer,
    Rules,
    State,
    dispatched,
    image,
    image_move,
    images,
    legal,
    limits,
    method,
    moves,
)
from petteia.core.random import RandomState, below, uniform
from petteia.core.symmetry import canonical
from petteia.policies.policy import Scratch

EMPTY = hashing.EMPTY
"""The result of `find` if there is no row for the state."""
SMALLEST = 1 << 12


class NoSymmetry(NamedTuple):
    """A table option: each state has a separate row, even if it is symmetric to another state."""

    def row_state(sharing, rules: Rules, state: State) -> tuple[State, int]:
        """Return `state`, which represents itself in the table, and 0, the number of the identity symmetry."""
        return state, 0

    def actual_move(sharing, rules: Rules, move: int, symmetry: int) -> int:
        """Return `move` unchanged, because each state represents itself in the table."""
        return move


class BySymmetry(NamedTuple):
    """A table option: symmetric states share one row, which is stored under the smallest of their keys."""

    def row_state(sharing, rules: Rules, state: State) -> tuple[State, int]:
        """Return the state that represents `state` in the table, and the symmetry from this representative to `state`.

        The representative of a set of symmetric states is the state with the smallest key. If no symmetry of the game
        maps the representative to `state`, the method returns `state` itself and 0, the number of the identity.
        """
        representative = canonical(rules, state)
        symmetry = 0
        while symmetry < images(rules) and image(rules, representative, symmetry) != state:
            symmetry += 1
        if symmetry == images(rules):
            representative = state
            symmetry = 0
        return representative, symmetry

    def actual_move(sharing, rules: Rules, move: int, symmetry: int) -> int:
        """Convert a move of the representative of a state to the corresponding move of the state itself."""
        return image_move(rules, move, symmetry)


Sharing = NoSymmetry | BySymmetry
NO_SYMMETRY, BY_SYMMETRY = NoSymmetry(), BySymmetry()


def _undefined(sharing: Sharing, *rest: Any) -> Any:
    raise TypeError("the sharing of a table must be NoSymmetry or BySymmetry")


@dispatched(lambda cls: method(cls, "row_state") or _undefined)
def row_state(sharing: Sharing, rules: Rules, state: State) -> tuple[State, int]:
    """Return the state that represents `state` in the table, and the symmetry from this representative to `state`."""
    raise TypeError


@dispatched(lambda cls: method(cls, "actual_move") or _undefined)
def actual_move(sharing: Sharing, rules: Rules, move: int, symmetry: int) -> int:
    """Convert a move of the representative of a state to the corresponding move of the state itself."""
    raise TypeError


class Table(NamedTuple):
    """A table of state-action values, with one row per state, which is found by the state's key."""

    slots: Ints
    """the hash table of rows, with EMPTY for free slots: int64[slots]; the number of slots is a power of two, and at
    least twice the capacity"""
    keys: Ints
    """the key of each row: int64[capacity]"""
    values: Floats
    """the value of each move, in the rows in use: float64[capacity, limits.moves]"""
    differences: Floats
    """for double Q-learning: one table contains value + difference, the other value - difference; with the shape of
    `values`, or float64[capacity, 0] for other algorithms"""
    visits: Ints
    """the number of updates of each value: int64[capacity, limits.moves], or twice as wide for two tables;
    int64[capacity, 0] if visits are not counted"""
    used: Ints
    """the number of rows in use: int64[1]"""
    initial: float = 0.0
    """the initial value of each move"""
    sharing: Sharing = NO_SYMMETRY
    """the object that determines whether symmetric states share a row"""


def empty_table(
    rules: Rules, *, initial: float = 0.0, sharing: Sharing = NO_SYMMETRY, double: bool = False, counted: bool = False
) -> Table:
    """Return a table of state-action values without any rows.

    With the keyword argument `double=True`, the returned table has room for the two tables of double Q-learning. With
    `counted=True`, the returned table also has room for the number of visits of each value.
    """
    width = limits(rules).moves
    twins = width if double else 0
    return _allocate(SMALLEST, width, twins, (width + twins) if counted else 0, initial, sharing)


def filled_table(
    keys: Ints,
    values: Floats,
    capacity: int = SMALLEST,
    *,
    differences: Floats | None = None,
    visits: Ints | None = None,
    initial: float = 0.0,
    sharing: Sharing = NO_SYMMETRY,
) -> Table:
    """Return a table with the given `keys`, int64[rows], and action values, `values`, float64[rows, moves].

    The keyword arguments `differences` and `visits` are arrays for the fields of `Table` with the same names, with one
    row per key. The table has room for `capacity` rows, which must be a power of two. If there are more keys, the
    capacity is doubled until all keys fit.
    """
    while capacity < len(keys):
        capacity *= 2
    twins, counts = (0 if part is None else part.shape[1] for part in (differences, visits))
    table = _allocate(capacity, values.shape[1], twins, counts, initial, sharing)
    table.keys[: len(keys)] = keys
    table.values[: len(keys)] = values
    if differences is not None:
        table.differences[: len(keys)] = differences
    if visits is not None:
        table.visits[: len(keys)] = visits
    table.used[0] = len(keys)
    build_index(table.slots, table.keys[: len(keys)])
    return table


def rows(table: Table) -> tuple[Ints, Floats]:
    """Return the keys, int64[rows], and the action values, float64[rows, moves], of all rows in use."""
    used = int(table.used[0])
    return table.keys[:used], table.values[:used]


def _allocate(capacity: int, width: int, twins: int, counts: int, initial: float, sharing: Sharing) -> Table:
    return Table(
        slots=np.full(2 * capacity, EMPTY, np.int64),
        keys=np.zeros(capacity, np.int64),
        values=np.zeros((capacity, width)),
        differences=np.zeros((capacity, twins)),
        visits=np.zeros((capacity, counts), np.int64),
        used=np.zeros(1, np.int64),
        initial=float(initial),
        sharing=sharing,
    )


def with_room(table: Table, count: int) -> Table:
    """Return `table` if it has room for `count` more rows, and otherwise a larger copy.

    Raises PetteiaError if there is not enough memory for the larger copy.
    """
    used = int(table.used[0])
    capacity = len(table.keys)
    if used + count <= capacity:
        return table
    while used + count > capacity:
        capacity *= 2
    row = sum(part[:1].nbytes for part in (table.keys, table.values, table.differences, table.visits))
    needed, left = (used + count) * row + 2 * capacity * table.slots.itemsize, memory_left()
    try:
        if left is not None and needed > left:
            raise MemoryError
        return filled_table(
            *rows(table),
            capacity,
            differences=table.differences[:used],
            visits=table.visits[:used],
            initial=table.initial,
            sharing=table.sharing,
        )
    except MemoryError:
        raise PetteiaError(
            f"the table of {used:,} states has no room to grow: it needs {needed / 1e9:.3g} GB, and less memory is "
            "free; learn from fewer games or use a smaller game"
        ) from None


@inline
def find(table: Table, key: int) -> int:
    """Return the index of the row for the state with this key, or EMPTY if the table has none."""
    return int(table.slots[slot_of(table.slots, table.keys, key)])


@inline
def find_or_add(table: Table, key: int) -> int:
    """Return the index of the row for the state with this key. If the table has no such row, add one.

    The values in a new row are the initial values. The table must have room for one more row.
    """
    slot = slot_of(table.slots, table.keys, key)
    row = int(table.slots[slot])
    if row == EMPTY:
        row = int(table.used[0])
        table.slots[slot] = row
        table.keys[row] = key
        for i in range(table.values.shape[1]):
            table.values[row, i] = table.initial
        table.used[0] = row + 1
    return row


@inline
def best_index(values: Floats, count: int, random: RandomState) -> int:
    """Return the index of the maximum of the first `count` entries of `values`, float64[>= count].

    Ties are broken at random.
    """
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


@inline
def actual_index(
    sharing: Sharing, rules: Rules, state: State, seen: State, symmetry: int, place: int, work: Scratch
) -> int:
    """Return the index, among the legal moves of `state`, that corresponds to index `place` in its representative.

    `seen` is the state that represents `state` in the table, and `symmetry` is the symmetry from `seen` to `state`.
    """
    moves(rules, seen, work.moves)
    wanted = actual_move(sharing, rules, int(work.moves[place]), symmetry)
    count = moves(rules, state, work.moves)
    index = 0
    while index < count - 1 and work.moves[index] != wanted:
        index += 1
    return index


def learned_values(rules: Rules, table: Table, state: State) -> dict[int, float]:
    """Return a dictionary of the learned value of each move for the player to move.

    The dictionary is empty if the table does not contain the state.
    """
    seen, symmetry = row_state(table.sharing, rules, state)
    row = find(table, distinct_key(rules, seen))
    if row == EMPTY:
        return {}
    return {
        actual_move(table.sharing, rules, move, symmetry): float(table.values[row, place])
        for place, move in enumerate(legal(rules, seen))
    }


class TablePolicy(NamedTuple):
    """A policy that plays a move with the largest value, or a random move with probability `epsilon`.

    In a state that the table does not contain, the policy plays a random move.
    """

    table: Table
    """the table of learned values"""
    epsilon: float = 0.0
    """the probability of a random move, 0..1"""

    def choose(policy, rules: Rules, state: State, random: RandomState, work: Scratch) -> int:
        """Return a legal move with the largest learned value, or a random move."""
        seen, symmetry = row_state(policy.table.sharing, rules, state)
        count = moves(rules, seen, work.moves)
        row = find(policy.table, distinct_key(rules, seen))
        if row == EMPTY or (policy.epsilon > 0.0 and uniform(random) < policy.epsilon):
            index = below(random, count)
        else:
            index = best_index(policy.table.values[row], count, random)
        return actual_move(policy.table.sharing, rules, int(work.moves[index]), symmetry)

    def probabilities(policy, rules: Rules, state: State, share: float, out: Buffer, work: Scratch) -> int:
        """Add the probability of each move, multiplied by `share`, to `out`. Return the number of moves."""
        seen, symmetry = row_state(policy.table.sharing, rules, state)
        count = moves(rules, seen, work.moves)
        row = find(policy.table, distinct_key(rules, seen))
        values = policy.table.values[row]  # without a row these are arbitrary, but then `chosen` is 0
        best = 0
        ties = 1
        for i in range(1, count):
            if values[i] > values[best]:
                best = i
                ties = 1
            elif values[i] == values[best]:
                ties += 1
        chosen = 0.0 if row == EMPTY else 1.0 - policy.epsilon
        for i in range(count):
            place = i if symmetry == 0 else actual_index(policy.table.sharing, rules, state, seen, symmetry, i, work)
            out[place] += share * (1.0 - chosen) / count
            if values[i] == values[best]:
                out[place] += share * chosen / ties
        return moves(rules, state, work.moves)
