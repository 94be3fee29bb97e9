"""What is known of a solved game, and how it is found again."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from petteia.core.arrays import Bools, Ints, Ints32
from petteia.core.errors import InvalidError
from petteia.core.hashing import EMPTY, build_index, slot_of, slots_for
from petteia.core.kernel import inline, kernel
from petteia.core.packing import unpack
from petteia.core.protocol import Rules, State, initial, is_over, key, moves, play
from petteia.core.protocol import limits as sizes
from petteia.core.symmetry import canonical
from petteia.solver.graph import MEMORY, explore, numbers_positions
from petteia.solver.retrograde import analyse

MISSING = "a position is not in the table, as it cannot be reached from where the table starts; solve from there"


class Tablebase(NamedTuple):
    """Positions with their values and distances; one position stands for all its images under symmetries."""

    slots: Ints32
    """where rows are found by their keys, see `core.hashing`; [slots_for(rows)]"""
    keys: Ints
    """the key of each position, [rows]"""
    states: Ints
    """fields of the states, [rows, fields]"""
    values: Ints32
    """final margin under best play, player 0's, [rows]"""
    distances: Ints32
    """plies to the end under best play; -1 for positions worth 0 that are not over; [rows]"""


def build(rules: Rules, start: State | None = None, *, memory: int = MEMORY) -> Tablebase:
    """Solve a game: all positions it numbers, and all that can be reached from `start` (default: its first).

    Raises UsageError if the game has chance or keys that are not injective, or if it does not fit into `memory` bytes.
    """
    first = initial(rules) if start is None else start
    graph = explore(rules, first, folded=True, numbered=numbers_positions(rules), memory=memory)
    values, distances = analyse(graph)
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
def worth(table: Tablebase, row: int, side: int) -> int:
    """A number for a position by which `side` chooses: the larger the better.

    First comes its value, then its distance: short if `side` wins, long if it loses.
    """
    value = int(table.values[row]) if side == 0 else -int(table.values[row])
    distance = int(table.distances[row])
    if value == 0:
        return 0
    return (value << 32) - distance if value > 0 else (value << 32) + distance


@kernel(purpose="solving")
def _reach(rules: Rules, like: State, table: Tablebase, marks: Bools, queue: Ints32, tail: int, out: Ints) -> None:
    """Mark the rows that can be reached from those in queue[:tail], which are marked.

    `marks` is bool[rows], `queue` int32[rows]; `out`, int64[limits.moves], is scratch.
    """
    head = 0
    while head < tail:
        state = unpack(like, table.states[queue[head]])
        head += 1
        if is_over(rules, state):
            continue
        for i in range(moves(rules, state, out)):
            row = find_known(rules, table, play(rules, state, int(out[i])))
            if not marks[row]:
                marks[row] = True
                queue[tail] = row
                tail += 1


def reachable(rules: Rules, table: Tablebase, start: State) -> Bools:
    """Which rows can be reached from `start`, itself included; [rows]."""
    if not numbers_positions(rules) and find_known(rules, table, start) == 0:  # where the table starts
        return np.ones(len(table.keys), np.bool_)
    marks, queue = np.zeros(len(table.keys), np.bool_), np.zeros(len(table.keys), np.int32)
    queue[0] = find_known(rules, table, start)
    marks[queue[0]] = True
    _reach(rules, start, table, marks, queue, 1, np.zeros(sizes(rules).moves, np.int64))
    return marks
