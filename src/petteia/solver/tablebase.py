"""What is known of a solved game, and how it is found again."""

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
"""in the place of what is needed no more"""
AT_ONCE = 1 << 16
"""positions that are looked at before an interrupt is heard"""
OTHER = "a row of the table is not that of the position by whose key it is found"
MISSING = "a position is not in the table, as it cannot be reached from where the table starts; solve from there"


class Tablebase(NamedTuple):
    """Positions with their values and distances; one position stands for all its images under symmetries."""

    slots: Ints32
    """where rows are found by their keys, see `core.hashing`; [slots_for(rows)]"""
    keys: Ints
    """the key of each position, [rows]"""
    states: Ints
    """fields of the states, [rows, fields]"""
    values: Ints32 | Floats
    """final margin under best play, player 0's; where chance can move its expectation, float64; [rows]"""
    distances: Ints32
    """plies to the end under best play; -1 for positions worth 0 that are not over, and where chance can move for all
    that are not over; [rows]"""


def build(rules: Rules, start: State | None = None, *, memory: int = MEMORY) -> Tablebase:
    """Solve a game: all positions it numbers, and all that can be reached from `start` (default: its first).

    Raises UsageError if the game's keys are not injective, if it does not fit into `memory` bytes, or if with chance
    its play may go on without end.
    """
    first = initial(rules) if start is None else start
    graph = explore(rules, first, folded=True, numbered=numbers_positions(rules), memory=memory)
    # Each array goes as soon as it can: for 8.7 million positions of British Square that saves a fifth of the memory.
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
    """The row that stands for `state`; EMPTY if there is none."""
    return int(table.slots[slot_of(table.slots, table.keys, key(rules, canonical(rules, state)))])


@inline
def find_known(rules: Rules, table: Tablebase, state: State) -> int:
    """The row that stands for `state`; an InvalidError if there is none."""
    row = find(rules, table, state)
    if row == EMPTY:
        raise InvalidError(MISSING)
    return row


@inline
def worth(table: Tablebase, row: int, side: int) -> tuple[float, int]:
    """Two numbers for a position by which `side` chooses, the first before the second: the larger the better.

    They are its value, and its distance: short if `side` wins, long if it loses. Nobody hurries in expectation.
    """
    value = float(table.values[row]) if side == 0 else -float(table.values[row])
    distance = int(table.distances[row])
    if value == 0 or distance < 0:
        return value, 0
    return value, -distance if value > 0 else distance


@inline
def is_better(one: tuple[float, int], other: tuple[float, int]) -> bool:
    """Whether something is worth more than another thing, by more than `TOLERANCE` if by its value."""
    return one[0] > other[0] + TOLERANCE or (one[0] >= other[0] - TOLERANCE and one[1] > other[1])


@inline
def _row_of(rules: Rules, table: Tablebase, state: State) -> int:
    """The row of a position of the game; an InvalidError if there is none, or if another stands there."""
    shown = canonical(rules, state)
    row = find_known(rules, table, shown)
    if not holds(table.states[row], shown):
        raise InvalidError(OTHER)
    return row


@inline
def _mark(row: int, marks: Bools, queue: Ints32, tail: int) -> int:
    """Mark a row in `marks`, bool[rows], and put it into `queue`, int32[rows], if it was not; returns the new tail."""
    if not marks[row]:
        marks[row] = True
        queue[tail] = row
        tail += 1
    return tail


@kernel(purpose="solving")
def _mark_numbered(rules: Rules, table: Tablebase, marks: Bools, queue: Ints32, tail: int, first: int, end: int) -> int:
    """Mark the rows of positions number `first` to `end` - 1, as `_mark` does."""
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
    """Mark, as `_mark` does, the rows of what follows from the positions in queue[first:end].

    `out` and `weights`, int64 and float64[limits.moves], are scratch. A row is looked at only after the rules have led
    to its position, so they never see what a damaged table holds.
    """
    for place in range(first, end):
        state = unpack(like, table.states[queue[place]])
        if not is_over(rules, state):
            for i in range(listed(rules, state, out, weights)):
                tail = _mark(_row_of(rules, table, play(rules, state, int(out[i]))), marks, queue, tail)
    return tail


def reachable(rules: Rules, table: Tablebase, start: State) -> Bools:
    """Which rows can be reached from `start`, itself included; [rows]."""
    if not numbers_positions(rules) and find_known(rules, table, start) == 0:  # where the table starts
        return np.ones(len(table.keys), np.bool_)
    return _reached(rules, table, start, numbered=False)


def check_rows(rules: Rules, table: Tablebase) -> None:
    """Raise an InvalidError unless the rows are the positions of the game, those that `build` would find."""
    start = read_position(rules, unpack(initial(rules), table.states[0]))
    if not _reached(rules, table, start, numbered=numbers_positions(rules)).all():
        raise InvalidError(OTHER)


def _reached(rules: Rules, table: Tablebase, start: State, *, numbered: bool) -> Bools:
    """Which rows can be reached from `start`, or from all positions that the game numbers; [rows]."""
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
