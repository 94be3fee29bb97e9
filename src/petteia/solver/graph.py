"""The graph of a game: all its positions, which follow from which, and how likely where chance moves.

Positions are those that the game numbers (`positions`, `position`), or else those that can be reached from a start.
They are told apart by their keys, which must be injective. Of positions that are images of each other under a symmetry
only one is kept, unless all are asked for.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from petteia.core.arrays import Floats, Ints, Ints8, Ints32
from petteia.core.bits import mix
from petteia.core.errors import UsageError
from petteia.core.hashing import EMPTY, build_index, slot_of, slots_for
from petteia.core.kernel import inline, kernel
from petteia.core.names import format_game
from petteia.core.packing import pack, unpack
from petteia.core.protocol import (
    CHANCE,
    UNEVEN,
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
    play,
    position,
    positions,
    provides,
    to_move,
)
from petteia.core.stop import check_stop
from petteia.core.symmetry import canonical
from petteia.solver.fit import HAS, HAS_MORE, WIDEST, check_fit, refuse_hopeless
from petteia.solver.lower_bounds import listed

MEMORY = 2_000_000_000
"""bytes that solving may use unless more are allowed"""
SMALLEST = 1 << 12
USUAL_MOVES = 4
"""moves a position for which there is room at first"""
GROWTH = 16
"""how much larger arrays become when they are full; what is not used of them takes no memory yet"""
BUDGET = 1 << 15
"""positions that are dealt with before an interrupt, or a stop, is heard"""
COPIED = 1 << 18
"""rows that are copied before a stop is heard"""
MANY = 50_000
"""positions found after which it is asked whether there are too many"""
BATCH = 64
"""about how many successors are looked up together"""
WIDEST_EXPECTED = 10_000
"""the largest margin where chance can move: expectations are then right within their tolerance"""

OVER = 3
"""in the place of the mover: the game has ended"""
FOUND, EXPANDED, MOVES, CLASHING = 0, 1, 2, 3
DONE, PAUSED, FULL, CLASH, WIDE, STUCK, ASTRAY, UNSURE = range(8)
TROUBLES = {
    WIDE: f"the margin of {{}} is too large; solving takes up to {WIDEST}, and {WIDEST_EXPECTED} where chance can move",
    STUCK: "in {}, which is not over, there is no move, or more than limits(rules) says",
    ASTRAY: "in {}, which is not over, neither player 0 nor 1 is to move",
    UNSURE: "in {}, the probabilities of what can happen are not above 0, or do not add up to 1",
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
    """0, 1, CHANCE or OVER, [rows]"""
    values: Ints32
    """final margin of positions that are OVER, else 0, [rows]"""
    offsets: Ints
    """row i is followed by successors[offsets[i]:offsets[i + 1]], [rows + 1]"""
    successors: Ints32
    """the row that each move or outcome leads to, in the order in which the game lists them, [moves]"""
    probabilities: Floats
    """how likely each of `successors` is where chance moves, else 0, [moves]; [0] in games without chance"""
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


class _Lists(NamedTuple):
    """Scratch for what follows from a position."""

    moves: Ints
    """codes of moves or outcomes, [limits.moves]"""
    weights: Floats
    """probabilities of outcomes, [limits.moves]"""


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
def _is_sure(weights: Floats, count: int) -> bool:
    """Whether the first `count` of `weights` are probabilities of all that can happen."""
    total = 0.0
    for i in range(count):
        if not weights[i] > 0.0:
            return False
        total += weights[i]
    return abs(total - 1.0) < UNEVEN


@inline
def _gather(rules: Rules, like: State, folded: bool, graph: Graph, batch: _Batch, lists: _Lists, end: int) -> int:
    """Put what follows from the next rows before `end` into the batch, as far as it and the graph have room.

    Returns how many positions that are; the negative of one of `TROUBLES` if the rules do not allow to go on.
    """
    counts, out, weights = graph.counts, lists.moves, lists.weights
    maximum, widest = len(out), WIDEST_EXPECTED if has_chance(rules) else WIDEST
    gathered = 0
    for row in range(int(counts[EXPANDED]), end):
        wanted = gathered + maximum
        if wanted > len(batch.keys) or not _has_room(graph, wanted) or counts[MOVES] + wanted > len(graph.successors):
            break
        state = unpack(like, graph.states[row])
        if is_over(rules, state):
            final = margin(rules, state)
            if abs(final) > widest:
                return -WIDE
            graph.movers[row] = OVER
            graph.values[row] = final
        else:
            side = to_move(rules, state)
            count = listed(rules, state, out, weights)
            if not 0 <= side <= 1 and not (has_chance(rules) and side == CHANCE):
                return -ASTRAY
            if not 1 <= count <= maximum:
                return -STUCK
            graph.movers[row] = side
            if has_chance(rules) and side == CHANCE:
                if not _is_sure(weights, count):
                    return -UNSURE
                for i in range(count):
                    graph.probabilities[counts[MOVES] + gathered + i] = weights[i]
            for i in range(count):
                _put(rules, play(rules, state, int(out[i])), folded, batch, gathered)
                gathered += 1
        graph.offsets[row + 1] = counts[MOVES] + gathered
        counts[EXPANDED] = row + 1
    return gathered


@kernel(purpose="solving")
def _expand(rules: Rules, like: State, folded: bool, graph: Graph, batch: _Batch, lists: _Lists, budget: int) -> int:
    """Write what follows from each position that has not been looked at."""
    counts = graph.counts
    end = int(counts[EXPANDED]) + budget
    while counts[EXPANDED] < min(end, int(counts[FOUND])):
        begin = counts[EXPANDED]
        gathered = _gather(rules, like, folded, graph, batch, lists, min(end, int(counts[FOUND])))
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
        rules: of a game whose keys are injective
        start: the position in row 0 (or its image)
        folded: keep one position of those that are images of each other
        numbered: begin with all positions that the game numbers, not with the start alone; what can be reached from
            them is always there
        memory: bytes that solving the graph may use

    Raises:
        UsageError: if keys are not injective, positions do not fit into memory, or the rules break a promise
        Stopped: if the work of this thread is asked to end, as in all that works with the graph

    """
    _check_rules(rules)
    expected = 1 + (positions(rules) // (images(rules) if folded else 1) if numbered else 0)
    check_fit(rules, len(start), memory, expected, USUAL_MOVES * expected, HAS)
    capacity = max(SMALLEST, expected + expected // 8)
    room = SMALLEST + USUAL_MOVES * expected
    graph = _allocate(len(start), capacity, room, slots_for(capacity), has_chance(rules))
    maximum = limits(rules).moves
    size = max(BATCH, maximum)
    batch = _Batch(np.zeros(size, np.int64), np.zeros((size, len(start)), np.int64), np.zeros(size, np.int64))
    _enter_start(rules, start, folded, graph, batch)
    number = 0
    while numbered and number < positions(rules):
        check_stop()
        number = _enter_numbered(rules, folded, graph, batch, number, min(number + BUDGET, positions(rules)))
        _check_clash(rules, start, graph)
        graph = _with_room(rules, graph, memory)
    lists = _Lists(np.zeros(maximum, np.int64), np.zeros(maximum))
    is_hopeful = numbered
    while (status := _expand(rules, start, folded, graph, batch, lists, BUDGET)) != DONE:
        check_stop()
        _check_clash(rules, start, graph)
        if status in TROUBLES:
            text = format_state(rules, unpack(start, graph.states[graph.counts[EXPANDED]]))
            hint = "" if status == WIDE else f"; to see what is wrong: petteia check {format_game(rules)}"
            raise UsageError(f"{format_game(rules)}: {TROUBLES[status].format(repr(text))}{hint}")
        if status == FULL:
            if not is_hopeful and graph.counts[FOUND] > MANY:
                refuse_hopeless(rules, start, memory, folded=folded)
                is_hopeful = True
            graph = _with_room(rules, graph, memory)
    return _trimmed(graph)


def refuse_chance(rules: Rules) -> None:
    """Raise a UsageError for a game with chance, where expectations would be needed and are not worked out."""
    if has_chance(rules):
        raise UsageError(f"{format_game(rules)}: chance moves in it; this can be worked out for games without chance")


def _check_rules(rules: Rules) -> None:
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


def _allocate(fields: int, capacity: int, edges: int, slots: int, chance: bool) -> Graph:
    return Graph(
        slots=np.full(slots, EMPTY, np.int32),
        keys=np.zeros(capacity, np.int64),
        states=np.zeros((capacity, fields), np.int64),
        movers=np.zeros(capacity, np.int8),
        values=np.zeros(capacity, np.int32),
        offsets=np.zeros(capacity + 1, np.int64),
        successors=np.zeros(edges, np.int32),
        probabilities=np.zeros(edges if chance else 0),
        counts=np.array([0, 0, 0, -1]),
    )


def _with_room(rules: Rules, graph: Graph, memory: int) -> Graph:
    """`graph`, or a copy with more room where it is nearly full, as far as `memory` allows."""
    entered, expanded, edges = (int(count) for count in graph.counts[:3])
    maximum, capacity, room, slots = limits(rules).moves, len(graph.keys), len(graph.successors), len(graph.slots)
    is_short = entered + maximum > capacity
    if _has_room(graph, maximum) and edges + maximum <= room:
        return graph
    wanted = entered + maximum if is_short else entered
    fields = graph.states.shape[1]
    fit = check_fit(rules, fields, memory, wanted, max(edges * wanted // max(expanded, 1), wanted), HAS_MORE)
    if is_short:
        capacity = min(GROWTH * capacity, fit)
    if is_short or edges + maximum > room:
        room = max(room, 2 * edges * capacity // max(expanded, 1) + maximum)
    if 2 * (entered + maximum) > slots:
        slots = slots_for(entered + maximum)
    if capacity == len(graph.keys) and room == len(graph.successors):
        larger = graph._replace(slots=np.full(slots, EMPTY, np.int32))
    else:
        larger = _allocate(fields, capacity, room, slots, has_chance(rules))
        used = {"keys": entered, "states": entered, "movers": expanded, "values": expanded, "offsets": expanded + 1}
        used |= {"successors": edges, "probabilities": edges, "counts": len(graph.counts)}
        for name, length in used.items():
            for first in range(0, length, COPIED):
                check_stop()
                part = slice(first, min(first + COPIED, length))
                getattr(larger, name)[part] = getattr(graph, name)[part]
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
        probabilities=graph.probabilities[:edges],
    )


def numbers_positions(rules: Rules) -> bool:
    """Whether the game numbers all its positions."""
    return provides(rules, "positions") and provides(rules, "position")
