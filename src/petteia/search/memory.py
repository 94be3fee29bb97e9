"""What a search writes to: scratch arrays, and the transposition table.

A transposition table remembers what searches have found: two entries to a bucket, of which the first keeps the deepest
search and the second the latest. An entry is two words: the key of the position (see `distinct_key`), which every hit
is checked against, and what is known of it:

    value (signed, 32 bits)   move (21)   depth in plies (8)   whether it is a guess (1)   bound (2)

It is a guess if an evaluation was asked for on the way to it; else a deeper search would find the same. Both words
are 0 where there is no entry, as each entry has a bound.
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
"""places of `Memory.counters`"""
WEIGHT, LOW, HIGH = range(3)
"""places of `Memory.outcomes`"""
LISTED, DONE = 0, 1
"""places of `Root.counts`"""

NOTHING, LOWER, UPPER, EXACT = 0, 1, 2, 3
"""bounds: the value is at least, at most, or exactly the one noted"""

MAX_DEPTH = 250
"""plies that can be searched; a table's entries would hold up to 255"""
MAX_CODES = 1 << 21
ENTRY, BUCKET = 2, 4
"""words"""
NO_MOVE = MAX_CODES - 1
MEGABYTE = 1_000_000


class Memory(NamedTuple):
    """The arrays of one search; no two searches may share them at a time."""

    counters: Ints
    """nodes so far, how many there may be, whether to stop, on how many guesses the values rest, what a drawn end is
    worth for player 0, and whether all searches here have been asked to end; [6]"""
    moves: Ints
    """legal moves at each ply, [plies, limits.moves]"""
    scores: Ints
    """the numbers by which these moves are ordered, [plies, limits.moves]"""
    killers: Ints
    """the two latest moves that were too good at each ply, [plies, 2]"""
    history: Ints
    """how often, and how far from the leaves, a player's moves of each kind were too good; [2, move_kinds]"""
    pv: Ints
    """at each ply the best line found from there, ended by NO_MOVE, where the last value found at that ply was
    neither too low nor too high for its window; [plies + 1, plies + 1]"""
    outcomes: Floats
    """where chance moves: the probability of each outcome, the lowest and the highest value that it can have;
    [plies, 3, limits.moves], [0, 3, 0] if it never does"""
    means: Floats
    """the mean of these lowest values, and of the highest; [plies, 2] or [0, 2]"""
    chance: tuple[int, ...]
    """(1,) if chance can move under these rules, else (). Where it is an argument of a kernel, the compiler leaves out
    what stands below `if len(chance) > 0`, without which a search takes a third less time to compile"""
    slots: Ints
    """the transposition table; [BUCKET * a power of two], empty if there is none"""
    steps: Ints
    """the steps of a move, for selections that rank moves by these; [MAX_STEPS]"""


class Root(NamedTuple):
    """What a search finds of each move of the position that it was asked about, in the order in which it looks."""

    moves: Ints
    """the moves, [limits.moves]"""
    values: Ints
    """the value of each move for the mover, [limits.moves]"""
    exact: Ints
    """1 for a value that is exact, 0 for one that is an upper bound; [limits.moves]"""
    pvs: Ints
    """the best moves that follow, ended by NO_MOVE; [limits.moves, plies + 1]"""
    tops: Ints
    """the best values, largest first; [limits.moves]"""
    counts: Ints
    """the number of moves LISTED, and of those DONE, which have been searched; [2]"""


def root_for(rules: Rules, depth: int = MAX_DEPTH) -> Root:
    """Arrays for the results of searches of up to `depth` plies."""
    width = limits(rules).moves
    moves, values, exact, tops = np.zeros((4, width), np.int64)
    return Root(moves, values, exact, np.full((width, depth + 2), NO_MOVE), tops, np.zeros(2, np.int64))


def memory_for(rules: Rules, depth: int = MAX_DEPTH, megabytes: int = 0) -> Memory:
    """Arrays for searches of up to `depth` plies, with a transposition table of at most so many megabytes (0: none).

    Raises a UsageError if the game has too many moves, or the machine not the memory.
    """
    width, codes = limits(rules).moves, limits(rules).codes
    if codes >= MAX_CODES:
        raise UsageError(f"{format_game(rules)}: has {codes:,} codes of moves; search takes games of up to {NO_MOVE:,}")
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
    return np.zeros(words, np.int64)  # of which the system gives only what is written to


def clear(memory: Memory) -> None:
    """Forget all that was found."""
    memory.counters[:] = 0
    memory.killers[:] = NO_MOVE
    memory.history[:] = 0
    memory.slots[:] = 0


def memories(parts: object) -> Iterator[Memory]:
    """The memories of the searches in a policy, or in a tuple of anything."""
    if isinstance(parts, Memory):
        yield parts
    elif isinstance(parts, tuple):
        for part in parts:
            yield from memories(part)


@contextmanager
def stoppable(*searching: Memory) -> Iterator[None]:
    """Within it, searches in these memories end as soon as the work of this thread is asked to end."""

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
    """Get ready for a search of so many nodes, in which a drawn end is worth `drawn` for player 0."""
    if drawn != memory.counters[DRAWN]:  # what the table holds rests on another worth
        memory.slots[:] = 0
    memory.counters[:ASKED] = 0
    memory.counters[MAX_NODES] = max_nodes
    memory.counters[DRAWN] = drawn


@inline
def must_stop(memory: Memory) -> bool:
    """Whether the search is at its end, as somebody has said or as there have been enough nodes."""
    if memory.counters[NODES] >= memory.counters[MAX_NODES] or memory.counters[ASKED] != 0:
        memory.counters[STOP] = 1
    return bool(memory.counters[STOP] != 0)


@inline
def recall(slots: Ints, key: int) -> int:
    """The entry of the position with this key in the transposition table `slots`; 0 if there is none."""
    bucket = (mix(key) & (len(slots) >> 2) - 1) << 2
    if slots[bucket] == key:
        return int(slots[bucket + 1])
    if slots[bucket + ENTRY] == key:
        return int(slots[bucket + ENTRY + 1])
    return 0


@inline
def note(slots: Ints, key: int, value: int, move: int, depth: int, guess: int, bound: int) -> None:
    """Enter a position into the transposition table `slots`, in the place of the entry least worth keeping.

    `guess` is 0 or 1, `bound` one of LOWER, UPPER and EXACT.
    """
    place = (mix(key) & (len(slots) >> 2) - 1) << 2
    if slots[place] != key and depth_of(int(slots[place + 1])) > depth:
        place += ENTRY
    slots[place] = key
    slots[place + 1] = value << 32 | move << 11 | depth << 3 | guess << 2 | bound


@inline
def value_of(known: int) -> int:
    """The value in an entry."""
    return known >> 32


@inline
def move_of(known: int) -> int:
    """The move in an entry; NO_MOVE if there is none."""
    return known >> 11 & NO_MOVE


@inline
def depth_of(known: int) -> int:
    """How deep the position was searched."""
    return known >> 3 & 0xFF


@inline
def guess_of(known: int) -> int:
    """1 if the value is a guess, else 0."""
    return known >> 2 & 1


@inline
def bound_of(known: int) -> int:
    """The bound in an entry: what its value is."""
    return known & 3
