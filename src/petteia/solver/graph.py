"""The graph of a game: all its positions, and which follow from which.

Positions are those that the game numbers (`positions`, `position`), or else those that can be reached from a start.
They are told apart by their keys, which must be injective. Of positions that are images of each other under a symmetry
only one is kept, unless all are asked for.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from petteia.core.arrays import Ints, Ints8, Ints32
from petteia.core.bits import mix
from petteia.core.errors import UsageError
from petteia.core.hashing import EMPTY, build_index, slot_of, slots_for
from petteia.core.kernel import inline, kernel
from petteia.core.packing import pack, unpack
from petteia.core.protocol import (
    Rules,
    State,
    format_state,
    has_chance,
    images,
    injective,
    is_over,
    key,
    limits,
    margin,
    most_positions,
    moves,
    play,
    position,
    positions,
    provides,
    to_move,
)
from petteia.core.symmetry import canonical
from petteia.games import format_game
from petteia.solver.shortage import advised, shortage, size_text

MEMORY = 2_000_000_000
"""bytes that solving may use unless more are allowed"""
POSITION_BYTES, FIELD_BYTES, MOVE_BYTES = 64, 8, 8
"""at most, while solving: of a position, of each field of its state, and of a move"""
SMALLEST = 1 << 12
USUAL_MOVES = 4
"""moves a position for which there is room at first"""
GROWTH = 16
"""how much larger arrays become when they are full; what is not used of them takes no memory yet"""
BUDGET = 1 << 15
"""positions that are dealt with before an interrupt is heard"""
BATCH = 64
"""about how many successors are looked up together"""
WIDEST = (1 << 31) - 1
"""the largest margin, and the largest number of positions"""

GENEROUS_SHARE = 2
"""how many times the memory of positions with the usual number of moves suffices for those of any game"""
HAS, HAS_MORE = "has", "has more than"

OVER = 2
"""in the place of the mover: the game has ended"""
FOUND, EXPANDED, MOVES, CLASHING = 0, 1, 2, 3
DONE, PAUSED, FULL, CLASH, WIDE, STUCK, ASTRAY = range(7)
TROUBLES = {
    WIDE: f"the margin of {{}} is too large; solving takes up to {WIDEST}",
    STUCK: "in {}, which is not over, there is no move, or more than limits(rules) says",
    ASTRAY: "in {}, which is not over, neither player 0 nor 1 is to move",
}


class Graph(NamedTuple):
    """Positions as rows, the start first, and the rows that follow from each."""

    slots: Ints32
    """where rows are found by their keys, see `core.hashing`; [slots_for(rows)]"""
    keys: Ints
    """the key of each position, [rows]"""
    states: Ints
    """fields of the states, [rows, fields]"""
    movers: Ints8
    """0, 1 or OVER, [rows]"""
    values: Ints32
    """final margin of positions that are OVER, else 0, [rows]"""
    offsets: Ints
    """row i is followed by successors[offsets[i]:offsets[i + 1]], [rows + 1]"""
    successors: Ints32
    """the row that each move leads to, in the order in which the game lists them, [moves]"""
    counts: Ints
    """rows FOUND, rows EXPANDED, number of MOVES, the row CLASHING with another; [4]"""


class _Batch(NamedTuple):
    """Positions that are entered together."""

    keys: Ints
    """the key of each position, [size]"""
    states: Ints
    """fields of the states, [size, fields]"""
    rows: Ints
    """where they stand once they have been entered, [size]"""


@inline
def _put(rules: Rules, state: State, folded: bool, batch: _Batch, place: int) -> None:
    """Write `state`, or the one that stands for it, into a place of the batch."""
    if folded:
        state = canonical(rules, state)
    batch.keys[place] = key(rules, state)
    pack(state, batch.states[place])


@inline
def _touch(graph: Graph, batch: _Batch, count: int) -> None:
    """Look up the first `count` positions of the batch in vain.

    Each waits for memory once or twice. Here none depends on another, so that they wait together, and what `_enter`
    needs is then at hand: it takes half of the time.
    """
    mask = len(graph.slots) - 1
    for i in range(count):
        row = graph.slots[mix(int(batch.keys[i])) & mask]
        batch.rows[i] = graph.keys[row] if row != EMPTY else 0


@inline
def _enter(graph: Graph, batch: _Batch, count: int) -> bool:
    """Find the rows of the first `count` positions of the batch, new ones for those that have none.

    False, and the row noted, if a position with the key of another stands there.
    """
    entered, fields = int(graph.counts[FOUND]), graph.states.shape[1]
    for i in range(count):
        slot = slot_of(graph.slots, graph.keys, int(batch.keys[i]))
        row = int(graph.slots[slot])
        if row == EMPTY:
            row = entered
            entered += 1
            graph.slots[slot] = row
            graph.keys[row] = batch.keys[i]
            for field in range(fields):
                graph.states[row, field] = batch.states[i, field]
        for field in range(fields):
            if graph.states[row, field] != batch.states[i, field]:
                graph.counts[CLASHING] = row
                return False
        batch.rows[i] = row
    graph.counts[FOUND] = entered
    return True


@inline
def _has_room(graph: Graph, rows: int) -> bool:
    """Whether so many more rows can be entered."""
    entered = int(graph.counts[FOUND])
    return entered + rows <= len(graph.keys) and 2 * (entered + rows) <= len(graph.slots)


@kernel(purpose="solving")
def _enter_start(rules: Rules, state: State, folded: bool, graph: Graph, batch: _Batch) -> None:
    _put(rules, state, folded, batch, 0)
    _enter(graph, batch, 1)


@kernel(purpose="solving")
def _enter_numbered(rules: Rules, folded: bool, graph: Graph, batch: _Batch, first: int, end: int) -> int:
    """Enter positions number `first` to `end` - 1; returns the first number that was not: no room, or a clash."""
    for number in range(first, end):
        if not _has_room(graph, 1):
            return number
        _put(rules, position(rules, number), folded, batch, 0)
        if not _enter(graph, batch, 1):
            return number
    return end


@inline
def _gather(rules: Rules, like: State, folded: bool, graph: Graph, batch: _Batch, out: Ints, end: int) -> int:
    """Put what follows from the next rows before `end` into the batch, as far as it and the graph have room.

    `out`, int64[limits.moves], is scratch. Returns how many positions that are; the negative of one of
    `TROUBLES` if the rules do not allow to go on.
    """
    counts, most = graph.counts, len(out)
    gathered = 0
    for row in range(int(counts[EXPANDED]), end):
        wanted = gathered + most
        if wanted > len(batch.keys) or not _has_room(graph, wanted) or counts[MOVES] + wanted > len(graph.successors):
            break
        state = unpack(like, graph.states[row])
        if is_over(rules, state):
            final = margin(rules, state)
            if abs(final) > WIDEST:
                return -WIDE
            graph.movers[row] = OVER
            graph.values[row] = final
        else:
            side = to_move(rules, state)
            count = moves(rules, state, out)
            if not 0 <= side <= 1:
                return -ASTRAY
            if not 1 <= count <= most:
                return -STUCK
            graph.movers[row] = side
            for i in range(count):
                _put(rules, play(rules, state, int(out[i])), folded, batch, gathered)
                gathered += 1
        graph.offsets[row + 1] = counts[MOVES] + gathered
        counts[EXPANDED] = row + 1
    return gathered


@kernel(purpose="solving")
def _expand(rules: Rules, like: State, folded: bool, graph: Graph, batch: _Batch, out: Ints, budget: int) -> int:
    """Write what follows from each position that has not been looked at; `out`, int64[limits.moves], is scratch."""
    counts = graph.counts
    end = int(counts[EXPANDED]) + budget
    while counts[EXPANDED] < min(end, int(counts[FOUND])):
        begin = counts[EXPANDED]
        gathered = _gather(rules, like, folded, graph, batch, out, min(end, int(counts[FOUND])))
        if gathered < 0:
            return -gathered
        if counts[EXPANDED] == begin:
            return FULL
        _touch(graph, batch, gathered)
        if not _enter(graph, batch, gathered):
            return CLASH
        for i in range(gathered):
            graph.successors[counts[MOVES] + i] = batch.rows[i]
        counts[MOVES] += gathered
    return DONE if counts[EXPANDED] == counts[FOUND] else PAUSED


def explore(rules: Rules, start: State, *, folded: bool, numbered: bool, memory: int = MEMORY) -> Graph:
    """The graph of `rules`.

    Args:
        rules: of a game without chance, whose keys are injective
        start: the position in row 0 (or its image)
        folded: keep one position of those that are images of each other
        numbered: begin with all positions that the game numbers, not with the start alone; what can be reached from
            them is always there
        memory: bytes that solving the graph may use

    Raises:
        UsageError: if the game has chance or keys that are not injective, or if its positions do not fit into memory

    """
    _check_rules(rules)
    expected = 1 + (positions(rules) // (images(rules) if folded else 1) if numbered else 0)
    _check_fit(rules, len(start), memory, expected, USUAL_MOVES * expected, HAS)
    capacity = max(SMALLEST, expected + expected // 8)
    graph = _allocate(len(start), capacity, SMALLEST + USUAL_MOVES * expected, slots_for(capacity))
    most = limits(rules).moves
    size = max(BATCH, most)
    batch = _Batch(np.zeros(size, np.int64), np.zeros((size, len(start)), np.int64), np.zeros(size, np.int64))
    _enter_start(rules, start, folded, graph, batch)
    number = 0
    while numbered and number < positions(rules):
        number = _enter_numbered(rules, folded, graph, batch, number, min(number + BUDGET, positions(rules)))
        _check_clash(rules, start, graph)
        graph = _with_room(rules, graph, memory)
    out = np.zeros(most, np.int64)
    while (status := _expand(rules, start, folded, graph, batch, out, BUDGET)) != DONE:
        _check_clash(rules, start, graph)
        if status in TROUBLES:
            text = format_state(rules, unpack(start, graph.states[graph.counts[EXPANDED]]))
            hint = "" if status == WIDE else f"; to see what is wrong: petteia check {format_game(rules)}"
            raise UsageError(f"{format_game(rules)}: {TROUBLES[status].format(repr(text))}{hint}")
        if status == FULL:
            graph = _with_room(rules, graph, memory)
    return _trimmed(graph)


def _check_rules(rules: Rules) -> None:
    if has_chance(rules):
        raise UsageError(f"{format_game(rules)}: chance moves in it; only games without chance can be solved")
    if not injective(rules):
        raise UsageError(
            f"{format_game(rules)}: different positions may have the same key, so they cannot be told apart; "
            "only games whose `injective` is true can be solved"
        )


def _check_clash(rules: Rules, like: State, graph: Graph) -> None:
    row = int(graph.counts[CLASHING])
    if row >= 0:
        text = format_state(rules, unpack(like, graph.states[row]))
        raise UsageError(
            f"{format_game(rules)}: {text!r} and another position have the same key {graph.keys[row]}, "
            "although `injective` promises that none have"
        )


def _check_fit(rules: Rules, fields: int, memory: int, rows: int, edges: int, has: str) -> int:
    """How many positions fit into `memory`, at `edges` moves for each `rows` positions; a UsageError if not `rows`."""
    each = POSITION_BYTES + FIELD_BYTES * fields + MOVE_BYTES * edges / rows
    fit = min(int(memory / each), WIDEST)
    if rows > fit:
        most = most_positions(rules)
        bound = f" (and {most:,} at most, {size_text(most * each)})" if most > rows else ""
        fact = (
            f"{format_game(rules)}: {has} {rows:,} positions, for which solving takes {size_text(rows * each)} of "
            f"memory{bound}; {size_text(memory)} is allowed, enough for {fit:,}"
        )
        if has == HAS_MORE:
            raise shortage(fact, advised(memory, most * each), is_certain=False)
        widest = POSITION_BYTES + FIELD_BYTES * fields + MOVE_BYTES * limits(rules).moves
        raise shortage(fact, rows * min(widest, GENEROUS_SHARE * each))
    return fit


def _allocate(fields: int, capacity: int, edges: int, slots: int) -> Graph:
    return Graph(
        slots=np.full(slots, EMPTY, np.int32),
        keys=np.zeros(capacity, np.int64),
        states=np.zeros((capacity, fields), np.int64),
        movers=np.zeros(capacity, np.int8),
        values=np.zeros(capacity, np.int32),
        offsets=np.zeros(capacity + 1, np.int64),
        successors=np.zeros(edges, np.int32),
        counts=np.array([0, 0, 0, -1]),
    )


def _with_room(rules: Rules, graph: Graph, memory: int) -> Graph:
    """`graph`, or a copy with more room where it is nearly full, as far as `memory` allows."""
    entered, expanded, edges = (int(count) for count in graph.counts[:3])
    most, capacity, room, slots = limits(rules).moves, len(graph.keys), len(graph.successors), len(graph.slots)
    is_short = entered + most > capacity
    if _has_room(graph, most) and edges + most <= room:
        return graph
    wanted = entered + most if is_short else entered
    fields = graph.states.shape[1]
    fit = _check_fit(rules, fields, memory, wanted, max(edges * wanted // max(expanded, 1), wanted), HAS_MORE)
    if is_short:
        capacity = min(GROWTH * capacity, fit)
    if is_short or edges + most > room:
        room = max(room, 2 * edges * capacity // max(expanded, 1) + most)
    if 2 * (entered + most) > slots:
        slots = slots_for(entered + most)
    if capacity == len(graph.keys) and room == len(graph.successors):
        larger = graph._replace(slots=np.full(slots, EMPTY, np.int32))
    else:
        larger = _allocate(fields, capacity, room, slots)
        used = {"keys": entered, "states": entered, "movers": expanded, "values": expanded, "offsets": expanded + 1}
        for name, length in (used | {"successors": edges, "counts": len(graph.counts)}).items():
            getattr(larger, name)[:length] = getattr(graph, name)[:length]
    build_index(larger.slots, larger.keys[:entered])
    return larger


def _trimmed(graph: Graph) -> Graph:
    entered, edges = int(graph.counts[FOUND]), int(graph.counts[MOVES])
    return graph._replace(
        keys=graph.keys[:entered],
        states=graph.states[:entered],
        movers=graph.movers[:entered],
        values=graph.values[:entered],
        offsets=graph.offsets[: entered + 1],
        successors=graph.successors[:edges],
    )


def numbers_positions(rules: Rules) -> bool:
    """Whether the game numbers all its positions."""
    return provides(rules, "positions") and provides(rules, "position")
