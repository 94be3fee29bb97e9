"""Values of state and move in a table, and the policy that plays by them.

A table holds a row for each state that it has met, in the order of meeting, and in a row a value for each legal move,
in the order in which the game lists them. Rows are found by a key that tells states apart (`distinct_key`) through open
addressing, so a game needs no numbering of its states. Values are the mover's: the more, the better for the side to
move.

States that are images of each other under a symmetry of the game may share a row: a table says how its rows stand for
states by the type of its `sharing`.
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
"""what `find` returns where there is no row"""
SMALLEST = 1 << 12


class NoSymmetry(NamedTuple):
    """Every state has a row of its own."""

    def shown(sharing, rules: Rules, state: State) -> tuple[State, int]:
        """The state itself, and the identity."""
        return state, 0

    def meant(sharing, rules: Rules, move: int, symmetry: int) -> int:
        """The move itself."""
        return move


class BySymmetry(NamedTuple):
    """States that are images of each other share the row of the one with the least key, with its moves."""

    def shown(sharing, rules: Rules, state: State) -> tuple[State, int]:
        """The image with the least key, and the symmetry back from it; where none leads back, the state itself."""
        representative = canonical(rules, state)
        symmetry = 0
        while symmetry < images(rules) and image(rules, representative, symmetry) != state:
            symmetry += 1
        if symmetry == images(rules):
            representative = state
            symmetry = 0
        return representative, symmetry

    def meant(sharing, rules: Rules, move: int, symmetry: int) -> int:
        """The image of the move."""
        return image_move(rules, move, symmetry)


Sharing = NoSymmetry | BySymmetry
NO_SYMMETRY, BY_SYMMETRY = NoSymmetry(), BySymmetry()


def _undefined(sharing: Sharing, *rest: Any) -> Any:
    raise TypeError("a table's sharing is Unshared or Folded")


@dispatched(lambda cls: method(cls, "shown") or _undefined)
def shown(sharing: Sharing, rules: Rules, state: State) -> tuple[State, int]:
    """The state in whose row the values for `state` stand, and the symmetry that leads from there to `state`."""
    raise TypeError


@dispatched(lambda cls: method(cls, "meant") or _undefined)
def meant(sharing: Sharing, rules: Rules, move: int, symmetry: int) -> int:
    """The move in the state itself that stands for `move` in the state shown."""
    raise TypeError


class Table(NamedTuple):
    """Rows of values, found by key."""

    slots: Ints
    """the row whose key hashes here, or EMPTY; [a power of two, at least twice the capacity]"""
    keys: Ints
    """key of each row, [capacity]"""
    values: Floats
    """value of each move in the rows in use, [capacity, limits.moves]"""
    differences: Floats
    """of a table that stands for two, the first of which holds value + difference and the second value - difference;
    shaped as `values`, else [capacity, 0]"""
    visits: Ints
    """how often each value was changed, where that is counted, [capacity, limits.moves], twice as wide for a table that
    stands for two; else [capacity, 0]"""
    used: Ints
    """number of rows in use, [1]"""
    initial: float = 0.0
    """value of moves never tried"""
    sharing: Sharing = NO_SYMMETRY
    """how rows stand for states"""


def empty_table(
    rules: Rules, *, initial: float = 0.0, sharing: Sharing = NO_SYMMETRY, double: bool = False, counted: bool = False
) -> Table:
    """A table without rows. `double`: it stands for two; `counted`: it counts visits."""
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
    """The table whose rows are `keys` [rows], `values` [rows, moves] and, where it has them, the others of `Table`.

    It has room for `capacity` rows, a power of two, or for the next larger that holds them all.
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
    """The keys [rows] and values [rows, moves] in use."""
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
    """`table`, or a larger copy if it has no room for `count` more rows.

    Raises PetteiaError if there is not enough memory for a copy of what it holds, and these rows.
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
            f"the table of {used:,} states has no room to grow: that takes {needed / 1e9:.3g} GB, and there is less "
            "memory left; learn from fewer games, or a smaller game"
        ) from None


@inline
def find(table: Table, key: int) -> int:
    """The row of the state with this key; EMPTY if it has none."""
    return int(table.slots[slot_of(table.slots, table.keys, key)])


@inline
def find_or_add(table: Table, key: int) -> int:
    """The row of the state with this key, a new one of initial values if it has none. There must be room."""
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
    """The place of the largest of the first `count` of `values`, float64[>= count]; each of several equally likely."""
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
def place_meant(
    sharing: Sharing, rules: Rules, state: State, seen: State, symmetry: int, place: int, work: Scratch
) -> int:
    """Where, among the moves of `state`, the one stands that move number `place` of the state shown stands for."""
    moves(rules, seen, work.moves)
    wanted = meant(sharing, rules, int(work.moves[place]), symmetry)
    count = moves(rules, state, work.moves)
    index = 0
    while index < count - 1 and work.moves[index] != wanted:
        index += 1
    return index


def learned_values(rules: Rules, table: Table, state: State) -> dict[int, float]:
    """The value of each move of a state for its mover; empty if the table has no row for it."""
    seen, symmetry = shown(table.sharing, rules, state)
    row = find(table, distinct_key(rules, seen))
    if row == EMPTY:
        return {}
    return {
        meant(table.sharing, rules, move, symmetry): float(table.values[row, place])
        for place, move in enumerate(legal(rules, seen))
    }


class TablePolicy(NamedTuple):
    """Plays the move of largest value, at random where it knows none; with probability `epsilon` any move."""

    table: Table
    """the table of learned values"""
    epsilon: float = 0.0
    """probability of a random move"""

    def choose(policy, rules: Rules, state: State, random: RandomState, work: Scratch) -> int:
        """A move of largest value, or any."""
        seen, symmetry = shown(policy.table.sharing, rules, state)
        count = moves(rules, seen, work.moves)
        row = find(policy.table, distinct_key(rules, seen))
        if row == EMPTY or (policy.epsilon > 0.0 and uniform(random) < policy.epsilon):
            index = below(random, count)
        else:
            index = best_index(policy.table.values[row], count, random)
        return meant(policy.table.sharing, rules, int(work.moves[index]), symmetry)

    def probabilities(policy, rules: Rules, state: State, share: float, out: Buffer, work: Scratch) -> int:
        """Add the probabilities: the moves of largest value share what is not random, all share the rest."""
        seen, symmetry = shown(policy.table.sharing, rules, state)
        count = moves(rules, seen, work.moves)
        row = find(policy.table, distinct_key(rules, seen))
        values = policy.table.values[row]  # any row where there is none: `chosen` is 0 then
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
            place = i if symmetry == 0 else place_meant(policy.table.sharing, rules, state, seen, symmetry, i, work)
            out[place] += share * (1.0 - chosen) / count
            if values[i] == values[best]:
                out[place] += share * chosen / ties
        return moves(rules, state, work.moves)
