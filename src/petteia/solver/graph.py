"""The graph of a game: all positions, their successors, and the probabilities of outcomes.

The graph contains all positions that can be reached from a start position. On request, it also contains all positions
in the game's own numbering (methods `positions` and `position`). Positions are distinguished by their keys, which must
be injective. Of each set of symmetric positions, the graph contains only one, unless the caller requests all positions.
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
"""The default number of bytes that solving may use."""
SMALLEST = 1 << 12
USUAL_MOVES = 4
"""The number of moves per position for which arrays initially have room."""
GROWTH = 16
"""The factor by which full arrays grow. Their unused parts take no memory yet."""
BUDGET = 1 << 15
"""The number of positions that are processed before the next test for an interrupt or a stop."""
COPIED = 1 << 18
"""The number of rows that are copied before the next test for a stop."""
MANY = 50_000
"""The number of positions after which random games estimate whether there are too many positions for the memory."""
BATCH = 64
"""The approximate number of successors that are looked up together."""
WIDEST_EXPECTED = 10_000
"""The largest margin in games with chance nodes, for which the tolerance of expected values holds."""

OVER = 3
"""The number that replaces the player to move if the game is over."""
FOUND, EXPANDED, MOVES, CLASHING = 0, 1, 2, 3
DONE, PAUSED, FULL, CLASH, WIDE, STUCK, ASTRAY, UNSURE = range(8)
TROUBLES = {
    WIDE: f"the margin of {{}} is too large; must be at most {WIDEST}, or {WIDEST_EXPECTED} in games with chance nodes",
    STUCK: "the non-terminal position {} has no move, or more moves than limits(rules) allows",
    ASTRAY: "in the non-terminal position {}, to_move must return 0 or 1 (or CHANCE if the game defines chances)",
    UNSURE: "in {}, the probabilities of the outcomes must be above 0 and add up to 1",
}


class Graph(NamedTuple):
    """The graph of a game: a row for each position, and the successors of each row. Row 0 is the start position."""

    slots: Ints32
    """hash table of rows, see `core.hashing`; [slots_for(rows)]"""
    keys: Ints
    """the key of each position, [rows]"""
    states: Ints
    """fields of the states, [rows, fields]"""
    movers: Ints8
    """0, 1, CHANCE or OVER, [rows]"""
    values: Ints32
    """the final margin of positions that are OVER, and 0 for other positions, [rows]"""
    offsets: Ints
    """the successors of row i are successors[offsets[i]:offsets[i + 1]], [rows + 1]"""
    successors: Ints32
    """the row after each move or outcome, in the order in which the game lists them, [moves]"""
    probabilities: Floats
    """probability of each of `successors` at chance nodes, otherwise 0, [moves]; [0] in games without chance nodes"""
    counts: Ints
    """the number of rows FOUND, of rows EXPANDED and of MOVES, and the row CLASHING with another position; [4]"""


class _Batch(NamedTuple):
    """A batch of positions that one call looks up in the graph or adds to it."""

    keys: Ints
    """the key of each position, [size]"""
    states: Ints
    """fields of the states, [size, fields]"""
    rows: Ints
    """the rows of these positions after they have been entered, [size]"""


class _Lists(NamedTuple):
    """Scratch arrays for the moves of a position, or for the outcomes of a chance node and their probabilities."""

    moves: Ints
    """codes of moves or outcomes, [limits.moves]"""
    weights: Floats
    """probabilities of outcomes, [limits.moves]"""


@inline
def _put(rules: Rules, state: State, folded: bool, batch: _Batch, place: int) -> None:
    """Write a state, or if `folded` its canonical symmetric state, and its key to the batch at index `place`."""
    if folded:
        state = canonical(rules, state)
    batch.keys[place] = key(rules, state)
    pack(state, batch.states[place])


@inline
def _touch(graph: Graph, batch: _Batch, count: int) -> None:
    """Load the hash table entries of the first `count` positions of the batch into the processor's cache.

    The memory accesses of different positions are independent, so the processor performs them in parallel. Loading the
    entries in advance halves the time that `_enter` needs to look up the positions.
    """
    mask = len(graph.slots) - 1
    for i in range(count):
        row = graph.slots[mix(int(batch.keys[i])) & mask]
        batch.rows[i] = graph.keys[row] if row != EMPTY else 0


@inline
def _enter(graph: Graph, batch: _Batch, count: int) -> bool:
    """Look up the first `count` positions of the batch in the graph, and add a row for each new position.

    If the graph already contains a different position with the same key, the function stores the row of that position
    in `graph.counts` and returns False. Otherwise it returns True.
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
    entered = int(graph.counts[FOUND])
    return entered + rows <= len(graph.keys) and 2 * (entered + rows) <= len(graph.slots)


@kernel(purpose="solving")
def _enter_start(rules: Rules, state: State, folded: bool, graph: Graph, batch: _Batch) -> None:
    _put(rules, state, folded, batch, 0)
    _enter(graph, batch, 1)


@kernel(purpose="solving")
def _enter_numbered(rules: Rules, folded: bool, graph: Graph, batch: _Batch, first: int, end: int) -> int:
    """Add the positions with the numbers `first` to `end` - 1. Return the first number that was not added, or `end`.

    A position is not added if the graph is full, or if the graph contains a different position with the same key.
    """
    for number in range(first, end):
        if not _has_room(graph, 1):
            return number
        _put(rules, position(rules, number), folded, batch, 0)
        if not _enter(graph, batch, 1):
            return number
    return end


@inline
def _is_sure(weights: Floats, count: int) -> bool:
    """Return whether the first `count` weights are valid probabilities: all of them positive, with the sum 1."""
    total = 0.0
    for i in range(count):
        if not weights[i] > 0.0:
            return False
        total += weights[i]
    return abs(total - 1.0) < UNEVEN


@inline
def _gather(rules: Rules, like: State, folded: bool, graph: Graph, batch: _Batch, lists: _Lists, end: int) -> int:
    """Write the successors of the next rows of the graph to the batch, as long as the batch and the graph have room.

    The next rows are the rows below `end` whose successors have not been found yet. Returns the number of successors.
    If the rules are invalid, returns a negative number, whose absolute value is a key of `TROUBLES`.
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
    """Add the successors of up to `budget` rows to the graph. Return DONE, or the reason for stopping earlier."""
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
    """Return the graph of a game.

    Args:
        rules: the rules of a game with injective keys
        start: the start position, which becomes row 0; if `folded` is True, a symmetric position can take its place
        folded: whether the graph contains only one position of each set of symmetric positions
        numbered: whether the graph also contains all positions of the game's own numbering, even unreachable ones
        memory: the maximum number of bytes that solving the graph may use

    Raises:
        UsageError: the keys are not injective, the positions do not fit into memory, or the rules are invalid
        Stopped: another thread has requested that this work ends

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
            hint = "" if status == WIDE else f"; run: petteia check {format_game(rules)}"
            raise UsageError(f"{format_game(rules)}: {TROUBLES[status].format(repr(text))}{hint}")
        if status == FULL:
            if not is_hopeful and graph.counts[FOUND] > MANY:
                refuse_hopeless(rules, start, memory, folded=folded)
                is_hopeful = True
            graph = _with_room(rules, graph, memory)
    return _trimmed(graph)


def refuse_chance(rules: Rules) -> None:
    """Raise UsageError if a game has chance nodes, for computations that do not support expected values."""
    if has_chance(rules):
        raise UsageError(f"{format_game(rules)} has chance nodes; choose a game without chance nodes")


def _check_rules(rules: Rules) -> None:
    if not injective(rules):
        raise UsageError(
            f"{format_game(rules)}: different positions may have the same key; "
            "a game can be solved only if its method `injective` returns True"
        )


def _check_clash(rules: Rules, like: State, graph: Graph) -> None:
    row = int(graph.counts[CLASHING])
    if row >= 0:
        text = format_state(rules, unpack(like, graph.states[row]))
        raise UsageError(
            f"{format_game(rules)}: {text!r} and another position have the same key {graph.keys[row]}; "
            "keys must differ, because `injective` returns True"
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
    """Return `graph`, or a larger copy if it is nearly full. The copy needs at most `memory` bytes."""
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
    """Return whether the game defines a numbering of all its positions."""
    return provides(rules, "positions") and provides(rules, "position")
