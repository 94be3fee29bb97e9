"""The memory of a search: work arrays and the transposition table.

A transposition table stores the results of searches. A bucket of the table has two entries. The first entry keeps the
deepest search, and the second entry keeps the latest of the other searches. An entry consists of two 64-bit words. The
first word is the key of the position (see `distinct_key`), which is compared at every lookup. The second word packs the
value (signed, 32 bits), the move (21 bits), the search depth in plies (8 bits), a flag for estimates (1 bit) and the
type of bound (2 bits).

The flag marks an estimate: a value that depends on an evaluation. Without this flag, the value is final: a deeper
search would return the same value. Both words of an empty entry are 0. The second word of any other entry is not 0,
because it contains the type of bound.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np

from petteia.core.arrays import Floats, Ints
from petteia.core.bits import mix
from petteia.core.errors import UsageError
from petteia.core.kernel import inline
from petteia.core.names import format_game
from petteia.core.protocol import MAX_STEPS, Rules, has_chance, limits, move_kinds
from petteia.core.stop import calling

NODES, MAX_NODES, STOP, GUESSES, DRAWN, ASKED = range(6)
"""Indices of `Memory.counters`."""
WEIGHT, LOW, HIGH = range(3)
"""Indices of `Memory.outcomes`."""
LISTED, DONE = 0, 1
"""Indices of `Root.counts`."""

NOTHING, LOWER, UPPER, EXACT = 0, 1, 2, 3
"""The kinds of bounds: there is no entry, or the value is at least, at most, or exactly the stored value."""

MAX_DEPTH = 250
"""The maximum search depth in plies. An entry of the table has room for a depth of 255."""
MAX_CODES = 1 << 21
ENTRY, BUCKET = 2, 4
"""The sizes of an entry and of a bucket, in words."""
NO_MOVE = MAX_CODES - 1
MEGABYTE = 1_000_000


class Memory(NamedTuple):
    """The work arrays of a search. Searches that run at the same time must use separate arrays."""

    counters: Ints
    """the number of nodes, the node limit, whether to stop, the number of evaluations used, the value of a draw for
    player 0, and whether all searches with this memory must end; [6]"""
    moves: Ints
    """the legal moves at each ply, [plies, limits.moves]"""
    scores: Ints
    """the scores by which these moves are ordered, [plies, limits.moves]"""
    killers: Ints
    """the two latest moves with a beta cut-off at each ply, [plies, 2]"""
    history: Ints
    """the number of beta cut-offs by moves of each kind for each player, weighted by depth; [2, move_kinds]"""
    pv: Ints
    """the principal variation from each ply, which ends with NO_MOVE; valid if the last value at the ply was inside
    the window; [plies + 1, plies + 1]"""
    outcomes: Floats
    """at chance nodes, the probability, the lowest and the highest possible value of each outcome;
    [plies, 3, limits.moves], or [0, 3, 0] in games without chance nodes"""
    means: Floats
    """the mean of the lowest values and of the highest values; [plies, 2] or [0, 2]"""
    chance: tuple[int, ...]
    """(1,) if the game has chance nodes, otherwise (). As the type of this argument is constant, the compiler omits the
    code below `if len(chance) > 0` in games without chance nodes, which saves a third of the compile time"""
    slots: Ints
    """the transposition table; [BUCKET * a power of two], empty if there is none"""
    steps: Ints
    """the steps of a move, for selections that rank moves by steps; [MAX_STEPS]"""


class Root(NamedTuple):
    """The results of a search for each move of the root position, in the order of the search."""

    moves: Ints
    """the moves, [limits.moves]"""
    values: Ints
    """the value of each move for the player to move, [limits.moves]"""
    exact: Ints
    """1 if the value of a move is exact, 0 if it is an upper bound; [limits.moves]"""
    pvs: Ints
    """the principal variation after each move, ended by NO_MOVE; [limits.moves, plies + 1]"""
    tops: Ints
    """the best values, largest first; [limits.moves]"""
    counts: Ints
    """the number of listed moves at index LISTED, and of searched moves at index DONE; [2]"""


def root_for(rules: Rules, depth: int = MAX_DEPTH) -> Root:
    """Create empty arrays for the moves, values and principal variations of a root searched to `depth` plies."""
    width = limits(rules).moves
    moves, values, exact, tops = np.zeros((4, width), np.int64)
    return Root(moves, values, exact, np.full((width, depth + 2), NO_MOVE), tops, np.zeros(2, np.int64))


def memory_for(rules: Rules, depth: int = MAX_DEPTH, megabytes: int = 0) -> Memory:
    """Create the work arrays for searches of up to `depth` plies, and a transposition table of at most `megabytes` MB.

    If `megabytes` is 0, the memory contains no transposition table.

    Raises UsageError if the game has too many move codes.
    """
    width, codes = limits(rules).moves, limits(rules).codes
    if codes >= MAX_CODES:
        raise UsageError(f"{format_game(rules)} has {codes:,} move codes; search needs a game with at most {NO_MOVE:,}")
    plies = depth + 1
    with_chance = (plies, width) if has_chance(rules) else (0, 0)
    return Memory(
        counters=np.zeros(6, np.int64),
        moves=np.zeros((plies, width), np.int64),
        scores=np.zeros((plies, width), np.int64),
        killers=np.full((plies, 2), NO_MOVE),
        history=np.zeros((2, move_kinds(rules)), np.int64),
        pv=np.full((plies + 1, plies + 1), NO_MOVE),
        outcomes=np.zeros((with_chance[0], 3, with_chance[1])),
        means=np.zeros((with_chance[0], 2)),
        chance=(1,) if has_chance(rules) else (),
        slots=_slots(megabytes),
        steps=np.zeros(MAX_STEPS, np.int64),
    )


def _slots(megabytes: int) -> Ints:
    if megabytes == 0:
        return np.zeros(0, np.int64)
    words = BUCKET << (megabytes * MEGABYTE // (8 * BUCKET)).bit_length() - 1
    return np.zeros(words, np.int64)  # the system allocates only pages that are written to


def clear(memory: Memory) -> None:
    """Delete the results of all previous searches from the work arrays and the transposition table."""
    memory.counters[:] = 0
    memory.killers[:] = NO_MOVE
    memory.history[:] = 0
    memory.slots[:] = 0


def memories(parts: object) -> Iterator[Memory]:
    """Yield each `Memory` object that a policy, or another tuple, contains directly or in nested tuples."""
    if isinstance(parts, Memory):
        yield parts
    elif isinstance(parts, tuple):
        for part in parts:
            yield from memories(part)


@contextmanager
def stoppable(*searching: Memory) -> Iterator[None]:
    """Return a context manager. In its block, a request to stop this thread ends all searches with these arrays."""

    def ask() -> None:
        for memory in searching:
            memory.counters[ASKED] = 1

    try:
        with calling(ask):
            yield
    finally:
        for memory in searching:
            memory.counters[ASKED] = 0


@inline
def prepare(memory: Memory, max_nodes: int, drawn: int) -> None:
    """Reset the counters for a search of at most `max_nodes` nodes. `drawn` is the value of a draw for player 0."""
    if drawn != memory.counters[DRAWN]:  # the entries of the table depend on the value of a draw
        memory.slots[:] = 0
    memory.counters[:ASKED] = 0
    memory.counters[MAX_NODES] = max_nodes
    memory.counters[DRAWN] = drawn


@inline
def must_stop(memory: Memory) -> bool:
    """Return whether the search must end, because this was requested or because the node limit is reached."""
    if memory.counters[NODES] >= memory.counters[MAX_NODES] or memory.counters[ASKED] != 0:
        memory.counters[STOP] = 1
    return bool(memory.counters[STOP] != 0)


@inline
def recall(slots: Ints, key: int) -> int:
    """Return the entry of the position with this key in the transposition table `slots`, or 0 if there is none."""
    bucket = (mix(key) & (len(slots) >> 2) - 1) << 2
    if slots[bucket] == key:
        return int(slots[bucket + 1])
    if slots[bucket + ENTRY] == key:
        return int(slots[bucket + ENTRY + 1])
    return 0


@inline
def note(slots: Ints, key: int, value: int, move: int, depth: int, guess: int, bound: int) -> None:
    """Store the result of a search in the position's bucket of the transposition table.

    The first entry of the bucket is replaced, unless it contains the result of a deeper search of another position. In
    that case, the second entry of the bucket is replaced. `guess` is 1 if the value is an estimate, otherwise 0.
    `bound` is LOWER, UPPER or EXACT.
    """
    place = (mix(key) & (len(slots) >> 2) - 1) << 2
    if slots[place] != key and depth_of(int(slots[place + 1])) > depth:
        place += ENTRY
    slots[place] = key
    slots[place + 1] = value << 32 | move << 11 | depth << 3 | guess << 2 | bound


@inline
def value_of(known: int) -> int:
    """Return the value that a transposition-table entry stores."""
    return known >> 32


@inline
def move_of(known: int) -> int:
    """Return the best move that a transposition-table entry stores, or NO_MOVE if it stores none."""
    return known >> 11 & NO_MOVE


@inline
def depth_of(known: int) -> int:
    """Return the search depth, in plies, that a transposition-table entry stores."""
    return known >> 3 & 0xFF


@inline
def guess_of(known: int) -> int:
    """Return 1 if the value in a transposition-table entry depends on an evaluation, otherwise 0."""
    return known >> 2 & 1


@inline
def bound_of(known: int) -> int:
    """Return the type of bound that a transposition-table entry stores: NOTHING, LOWER, UPPER or EXACT."""
    return known & 3
