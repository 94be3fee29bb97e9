"""The graph of a game: all its positions, and which follow from which.

Positions are those that the game numbers (`positions`, `position`), or else those that can be reached from a start.
They are told apart by their keys, which must be injective. Of positions that are images of each other under a symmetry
only one is kept, unless all are asked for.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from petteia.core.errors import UsageError
from petteia.core.hashing import EMPTY, enter_all, slot_of, slots_for
from petteia.core.kernel import inline, kernel
from petteia.core.packing import holds, pack, unpack
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
    moves,
    play,
    position,
    positions,
    provides,
    to_move,
)
from petteia.core.symmetry import canonical
from petteia.games import format_game

MEMORY = 2_000_000_000
"""bytes that solving may use unless more are allowed"""
POSITION_BYTES, FIELD_BYTES, MOVE_BYTES = 60, 8, 8
"""at most, while solving: of a position, of each field of its state, and of a move"""
SMALLEST = 1 << 12
USUAL_MOVES = 4
"""moves a position for which there is room at first"""
BUDGET = 1 << 15
"""positions that are dealt with before an interrupt is heard"""
WIDEST = (1 << 31) - 1
"""the largest margin, and the largest number of positions"""

OVER = 2
"""in the place of the mover: the game has ended"""
FOUND, EXPANDED, MOVES, CLASHING = 0, 1, 2, 3
DONE, PAUSED, FULL, CLASH, WIDE = 0, 1, 2, 3, 4


class Graph(NamedTuple):
    """Positions as rows, the start first, and the rows that follow from each."""

    slots: NDArray[np.int32]
    """where rows are found by their keys, see `core.hashing`"""
    keys: NDArray[np.int64]
    """[rows]"""
    states: NDArray[np.int64]
    """fields of the states, [rows, fields]"""
    movers: NDArray[np.int8]
    """0, 1 or OVER, [rows]"""
    values: NDArray[np.int32]
    """final margin of positions that are OVER, else 0, [rows]"""
    offsets: NDArray[np.int64]
    """row i is followed by successors[offsets[i]:offsets[i + 1]], [rows + 1]"""
    successors: NDArray[np.int32]
    """rows, one for each move in the order of the game"""
    counts: NDArray[np.int64]
    """rows FOUND, rows EXPANDED, number of MOVES, the row CLASHING with another; [4]"""


@inline
def _enter(rules: Rules, state: State, folded: bool, graph: Graph) -> int:
    """The row of `state`, a new one if need be; -1, and the row noted, if a position with its key stands there."""
    if folded:
        state = canonical(rules, state)
    code = key(rules, state)
    slot = slot_of(graph.slots, graph.keys, code)
    row = int(graph.slots[slot])
    if row == EMPTY:
        row = int(graph.counts[FOUND])
        graph.slots[slot] = row
        graph.keys[row] = code
        pack(state, graph.states[row])
        graph.counts[FOUND] = row + 1
    elif not holds(graph.states[row], state):
        graph.counts[CLASHING] = row
        return -1
    return row


@kernel
def _enter_start(rules: Rules, state: State, folded: bool, graph: Graph) -> None:
    _enter(rules, state, folded, graph)


@kernel
def _enter_numbered(rules: Rules, folded: bool, graph: Graph, first: int, end: int) -> int:
    """Enter positions number `first` to `end` - 1; returns the first number that was not: no room, or a clash."""
    for number in range(first, end):
        if graph.counts[FOUND] == len(graph.keys) or _enter(rules, position(rules, number), folded, graph) < 0:
            return number
    return end


@kernel
def _expand(rules: Rules, like: State, folded: bool, graph: Graph, out: Any, budget: int) -> int:
    """Write what follows from each position that has not been looked at; `out` is int64[moves]."""
    counts = graph.counts
    for row in range(int(counts[EXPANDED]), min(int(counts[EXPANDED]) + budget, len(graph.keys))):
        if row == counts[FOUND]:
            return DONE
        edge = int(counts[MOVES])
        if counts[FOUND] + len(out) > len(graph.keys) or edge + len(out) > len(graph.successors):
            return FULL
        state = unpack(like, graph.states[row])
        if is_over(rules, state):
            final = margin(rules, state)
            if abs(final) > WIDEST:
                return WIDE
            graph.movers[row] = OVER
            graph.values[row] = final
        else:
            graph.movers[row] = to_move(rules, state)
            count = moves(rules, state, out)
            for i in range(count):
                child = _enter(rules, play(rules, state, int(out[i])), folded, graph)
                if child < 0:
                    return CLASH
                graph.successors[edge + i] = child
            counts[MOVES] = edge + count
        graph.offsets[row + 1] = counts[MOVES]
        counts[EXPANDED] = row + 1
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
    _check_fit(rules, len(start), memory, expected, USUAL_MOVES * expected, "has")
    graph = _allocate(len(start), max(SMALLEST, expected + expected // 8), SMALLEST + USUAL_MOVES * expected)
    _enter_start(rules, start, folded, graph)
    number = 0
    while numbered and number < positions(rules):
        number = _enter_numbered(rules, folded, graph, number, min(number + BUDGET, positions(rules)))
        _check_clash(rules, start, graph)
        graph = _with_room(rules, graph, memory)
    out = np.zeros(limits(rules).moves, np.int64)
    while (status := _expand(rules, start, folded, graph, out, BUDGET)) != DONE:
        _check_clash(rules, start, graph)
        if status == WIDE:
            text = format_state(rules, unpack(start, graph.states[graph.counts[EXPANDED]]))
            raise UsageError(f"{format_game(rules)}: the margin of {text!r} is too large; solving takes up to {WIDEST}")
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
        raise UsageError(
            f"{format_game(rules)}: {has} {rows:,} positions, for which solving takes {size_text(rows * each)} of "
            f"memory; {size_text(memory)} is allowed, enough for {fit:,}: allow more, or choose a smaller game"
        )
    return fit


def _allocate(fields: int, capacity: int, edges: int) -> Graph:
    return Graph(
        slots=np.full(slots_for(capacity), EMPTY, np.int32),
        keys=np.zeros(capacity, np.int64),
        states=np.zeros((capacity, fields), np.int64),
        movers=np.zeros(capacity, np.int8),
        values=np.zeros(capacity, np.int32),
        offsets=np.zeros(capacity + 1, np.int64),
        successors=np.zeros(edges, np.int32),
        counts=np.array([0, 0, 0, -1]),
    )


def _with_room(rules: Rules, graph: Graph, memory: int) -> Graph:
    """`graph`, or a copy with about twice the room of what is nearly full, as far as `memory` allows."""
    found, expanded, edges = (int(count) for count in graph.counts[:3])
    most, capacity, room = limits(rules).moves, len(graph.keys), len(graph.successors)
    if found + most <= capacity and edges + most <= room:
        return graph
    wanted = found + most if found + most > capacity else found
    fields = graph.states.shape[1]
    fit = _check_fit(rules, fields, memory, wanted, max(edges * wanted // max(expanded, 1), wanted), "has more than")
    if found + most > capacity:
        capacity = min(2 * capacity, fit)
    larger = _allocate(fields, capacity, max(room, 2 * edges * capacity // max(expanded, 1) + most))
    for name in Graph._fields:
        if name != "slots":
            old = getattr(graph, name)
            getattr(larger, name)[: len(old)] = old
    enter_all(larger.slots, larger.keys[:found])
    return larger


def _trimmed(graph: Graph) -> Graph:
    found, edges = int(graph.counts[FOUND]), int(graph.counts[MOVES])
    return graph._replace(
        keys=graph.keys[:found],
        states=graph.states[:found],
        movers=graph.movers[:found],
        values=graph.values[:found],
        offsets=graph.offsets[: found + 1],
        successors=graph.successors[:edges],
    )


def size_text(size: float) -> str:
    """A number of bytes as people read it."""
    for unit, name in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if size >= unit:
            return f"{float(f'{size / unit:.3g}'):,.10g} {name}"
    return f"{size:,.0f} bytes"


def numbers_positions(rules: Rules) -> bool:
    """Whether the game numbers all its positions."""
    return provides(rules, "positions") and provides(rules, "position")
