"""The table of a solved game, and the lookup of positions in it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from petteia.core.arrays import Bools, Floats, Ints, Ints32
from petteia.core.errors import InvalidError
from petteia.core.hashing import EMPTY, build_index, slot_of, slots_for
from petteia.core.kernel import inline, kernel
from petteia.core.packing import holds, unpack
from petteia.core.positions import read_position
from petteia.core.protocol import Rules, State, has_chance, initial, is_over, key, play, position, positions
from petteia.core.protocol import limits as sizes
from petteia.core.stop import check_stop
from petteia.core.symmetry import canonical
from petteia.solver.expectation import TOLERANCE, expectations
from petteia.solver.graph import MEMORY, OVER, explore, numbers_positions
from petteia.solver.lower_bounds import listed
from petteia.solver.retrograde import NO_DISTANCE, analyse, turned_round

NOTHING = np.zeros(0, np.int32)
"""An empty array, which replaces an array that is no longer needed."""
AT_ONCE = 1 << 16
"""The number of positions that are processed before the next test for an interrupt."""
OTHER = "a row of the table does not contain the position of its key"
MISSING = (
    "a position is not in the table, because it cannot be reached from the start of the table; "
    "solve the game from this position"
)


class Tablebase(NamedTuple):
    """A table of positions with their values and distances.

    One row of the table represents all positions that are symmetric to each other.
    """

    slots: Ints32
    """hash table of rows, see `core.hashing`; [slots_for(rows)]"""
    keys: Ints
    """the key of each position, [rows]"""
    states: Ints
    """fields of the states, [rows, fields]"""
    values: Ints32 | Floats
    """final margin under perfect play, from the perspective of player 0, or in games with chance nodes its expected
    value, float64; [rows]"""
    distances: Ints32
    """plies to the end under perfect play, [rows]; -1 for non-terminal positions with the value 0, and for all
    non-terminal positions of games with chance nodes"""


def build(rules: Rules, start: State | None = None, *, memory: int = MEMORY) -> Tablebase:
    """Solve a game, and return a table of its positions with their values and distances.

    The table contains all positions that can be reached from `start`, and, if the game numbers its positions, all
    numbered positions.

    The default of `start` is the initial state. Raises UsageError if the keys of the game are not injective, or if the
    game does not fit into `memory` bytes. In a game with chance nodes, UsageError is also raised if the value of a
    position depends on infinite play.
    """
    first = initial(rules) if start is None else start
    graph = explore(rules, first, folded=True, numbered=numbers_positions(rules), memory=memory)
    # Freeing each array early saves a fifth of the memory for the 8.7 million positions of British Square.
    graph = graph._replace(slots=NOTHING)
    if has_chance(rules):
        values: Ints32 | Floats = expectations(rules, first, graph)
        distances = np.where(graph.movers == OVER, 0, NO_DISTANCE).astype(np.int32)
    else:
        back = turned_round(graph)
        graph = graph._replace(successors=NOTHING)
        values, distances = analyse(graph, back)
        del back
    slots = np.full(slots_for(len(graph.keys)), EMPTY, np.int32)
    build_index(slots, graph.keys)
    return Tablebase(slots, graph.keys, graph.states, values, distances)


@inline
def find(rules: Rules, table: Tablebase, state: State) -> int:
    """Return the row that represents `state`, or EMPTY if the table does not contain it."""
    return int(table.slots[slot_of(table.slots, table.keys, key(rules, canonical(rules, state)))])


@inline
def find_known(rules: Rules, table: Tablebase, state: State) -> int:
    """Return the row that represents `state`. Raises InvalidError if the table does not contain it."""
    row = find(rules, table, state)
    if row == EMPTY:
        raise InvalidError(MISSING)
    return row


@inline
def worth(table: Tablebase, row: int, side: int) -> tuple[float, int]:
    """Return a pair of numbers that rates a position for the player `side`. A better position has a larger pair.

    The first number of the returned pair is the value. The second number is the negated distance if `side` wins, so a
    faster win is better. If `side` loses, it is the distance, so a slower loss is better. The second number is 0 if the
    value is 0, and in non-terminal positions of games with chance nodes, which have no distances.
    """
    value = float(table.values[row]) if side == 0 else -float(table.values[row])
    distance = int(table.distances[row])
    if value == 0 or distance < 0:
        return value, 0
    return value, -distance if value > 0 else distance


@inline
def is_better(one: tuple[float, int], other: tuple[float, int]) -> bool:
    """Return whether `one` is better than `other`; both are results of `worth`.

    Values that differ by at most `TOLERANCE` count as equal.
    """
    return one[0] > other[0] + TOLERANCE or (one[0] >= other[0] - TOLERANCE and one[1] > other[1])


@inline
def _row_of(rules: Rules, table: Tablebase, state: State) -> int:
    """Return the row of a position. Raises InvalidError if the table does not contain it."""
    shown = canonical(rules, state)
    row = find_known(rules, table, shown)
    if not holds(table.states[row], shown):
        raise InvalidError(OTHER)
    return row


@inline
def _mark(row: int, marks: Bools, queue: Ints32, tail: int) -> int:
    """Mark a row: set its entry in `marks`, bool[rows].

    If `row` was not marked before, append `row` to `queue`, int32[rows]. Return the new end of the queue.
    """
    if not marks[row]:
        marks[row] = True
        queue[tail] = row
        tail += 1
    return tail


@kernel(purpose="solving")
def _mark_numbered(rules: Rules, table: Tablebase, marks: Bools, queue: Ints32, tail: int, first: int, end: int) -> int:
    """Mark the positions numbered `first` to `end` - 1, and append each newly marked row to the queue."""
    for number in range(first, end):
        tail = _mark(_row_of(rules, table, position(rules, number)), marks, queue, tail)
    return tail


@kernel(purpose="solving")
def _reach(
    rules: Rules,
    like: State,
    table: Tablebase,
    marks: Bools,
    queue: Ints32,
    tail: int,
    first: int,
    end: int,
    out: Ints,
    weights: Floats,
) -> int:
    """Mark the successors of the positions in queue[first:end], and append each newly marked row to the queue.

    `out` and `weights`, int64 and float64[limits.moves], are scratch space. The function makes moves only in positions
    that have been reached by legal play. So even if the table is damaged, the rules never receive an invalid state.
    """
    for place in range(first, end):
        state = unpack(like, table.states[queue[place]])
        if not is_over(rules, state):
            for i in range(listed(rules, state, out, weights)):
                tail = _mark(_row_of(rules, table, play(rules, state, int(out[i]))), marks, queue, tail)
    return tail


def reachable(rules: Rules, table: Tablebase, start: State) -> Bools:
    """Return for each row whether it can be reached from `start`, as bool[rows].

    The row of `start` itself also counts as reachable.
    """
    if not numbers_positions(rules) and find_known(rules, table, start) == 0:  # the start of the table
        return np.ones(len(table.keys), np.bool_)
    return _reached(rules, table, start, numbered=False)


def check_rows(rules: Rules, table: Tablebase) -> None:
    """Raise InvalidError unless the table contains exactly the positions that `build` would find."""
    start = read_position(rules, unpack(initial(rules), table.states[0]))
    if not _reached(rules, table, start, numbered=numbers_positions(rules)).all():
        raise InvalidError(OTHER)


def _reached(rules: Rules, table: Tablebase, start: State, *, numbered: bool) -> Bools:
    """Return for each row of a table whether its position can be reached by play from `start`, as bool[rows].

    With the keyword argument `numbered=True`, play may also start from any position in the game's numbering.
    """
    marks, queue = np.zeros(len(table.keys), np.bool_), np.zeros(len(table.keys), np.int32)
    out, weights = np.zeros(sizes(rules).moves, np.int64), np.zeros(sizes(rules).moves)
    tail = _mark(_row_of(rules, table, start), marks, queue, 0)
    total = positions(rules) if numbered else 0
    for first in range(0, total, AT_ONCE):
        check_stop()
        tail = _mark_numbered(rules, table, marks, queue, tail, first, min(first + AT_ONCE, total))
    first = 0
    while first < tail:
        check_stop()
        end = min(first + AT_ONCE, tail)
        tail = _reach(rules, start, table, marks, queue, tail, first, end, out, weights)
        first = end
    return marks
