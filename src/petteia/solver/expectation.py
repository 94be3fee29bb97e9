"""Expected values of all positions in a game with chance nodes, including games that allow infinite play.

The value of a position is the expected final margin under perfect play, from the perspective of player 0. Infinite play
has the value 0. If a player is to move, the value of the position equals the value of the best move. At a chance node,
it equals the mean over the outcomes. If no position can be repeated, the value of each position follows from the values
of its successors.

If positions can be repeated, their values depend on each other. Positions that can be reached from each other form a
strongly connected component, and are solved together. A component is solved after all components to which it leads.

The solver keeps a lower and an upper bound of each value in a component. At first, these bounds are the worst and the
best result for player 0. The bounds of a position are updated from the bounds of its successors. Each update moves the
two bounds closer together, and the value is always between them. If the bounds meet, the value is found. If they stop
moving before they meet, the value depends on infinite play, and the game is rejected. A position without a cycle is a
component of its own, and needs only one update. So a game without cycles needs only one pass over its positions.

Sources: Shapley 1953, "Stochastic games"; Condon 1992, "The complexity of stochastic games"; Tarjan 1972, "Depth-first
search and linear graph algorithms"; Haddad and Monmege 2018, "Interval iteration algorithm for MDPs and IMDPs".
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from petteia.core.arrays import Floats, Ints, Ints32
from petteia.core.errors import UsageError
from petteia.core.kernel import inline, kernel
from petteia.core.names import format_game
from petteia.core.packing import unpack
from petteia.core.protocol import CHANCE, Rules, State, format_state
from petteia.core.stop import check_stop
from petteia.solver.graph import BUDGET, OVER, Graph

TOLERANCE = 1e-9
"""Expected values that differ by at most this count as equal in the player `perfect`, in regrets and in checks."""
APART = TOLERANCE / 2
"""The largest difference that may remain between the bounds of a value."""
STILL = 4e-16
"""If an update changes a bound by at most this, the bound counts as still. The unit is the largest margin."""
EXACT = 1e-15
"""If the bounds of a value differ by at most this, they have met. The unit is the largest margin."""
LOW, HIGH = 0, 1
MOVED, APART_BY = 0, 1
PLACED, WAITING, DEEP, NUMBERED, ROOT = range(5)


class _Search(NamedTuple):
    """The state of a depth-first search for strongly connected components (Tarjan's algorithm).

    Each strongly connected component is found after all components to which it leads.
    """

    order: Ints32
    """the rows, component by component, [rows]"""
    sizes: Ints32
    """the number of rows of each component, at the index in `order` where the component begins, [rows]"""
    numbers: Ints32
    """the order in which the rows were visited, from 1; 0 if a row was not visited yet, [rows]"""
    lowest: Ints32
    """the smallest number of a waiting row to which a row leads; larger than all numbers once it is placed, [rows]"""
    edges: Ints
    """the next move of each row to follow, [rows]"""
    path: Ints32
    """the rows on the path of the search, [rows]"""
    waiting: Ints32
    """the rows that are visited but not placed, [rows]"""
    counts: Ints
    """the numbers of rows PLACED, WAITING, on the path (DEEP) and NUMBERED, and where the next search starts (ROOT)"""


@inline
def _meet(search: _Search, offsets: Ints, row: int) -> None:
    """Visit a row for the first time, and continue the depth-first search from it."""
    counts = search.counts
    counts[NUMBERED] += 1
    search.numbers[row] = search.lowest[row] = counts[NUMBERED]
    search.edges[row] = offsets[row]
    search.path[counts[DEEP]] = row
    counts[DEEP] += 1
    search.waiting[counts[WAITING]] = row
    counts[WAITING] += 1


@inline
def _place(search: _Search, row: int) -> None:
    """Store the component of `row`, after all rows that can be reached from `row` have been visited.

    The component consists of `row` and of the rows that were put on the stack `search.waiting` after `row`.
    """
    counts, begin = search.counts, search.counts[PLACED]
    last = -1
    while last != row:
        counts[WAITING] -= 1
        last = search.waiting[counts[WAITING]]
        search.lowest[last] = len(search.order) + 1
        search.order[counts[PLACED]] = last
        counts[PLACED] += 1
    search.sizes[begin] = counts[PLACED] - begin


@kernel(purpose="solving")
def _find_components(offsets: Ints, successors: Ints32, search: _Search, budget: int) -> None:
    """Continue the search for components in the graph (`offsets` and `successors`) for at most `budget` steps."""
    counts, lowest = search.counts, search.lowest
    while budget > 0 and counts[PLACED] < len(search.order):
        budget -= 1
        if counts[DEEP] == 0:
            while search.numbers[counts[ROOT]] > 0:
                counts[ROOT] += 1
            _meet(search, offsets, int(counts[ROOT]))
        row = int(search.path[counts[DEEP] - 1])
        edge = search.edges[row]
        if edge < offsets[row + 1]:
            search.edges[row] += 1
            child = int(successors[edge])
            if search.numbers[child] == 0:
                _meet(search, offsets, child)
            else:
                lowest[row] = min(lowest[row], lowest[child])
        else:
            counts[DEEP] -= 1
            if lowest[row] == search.numbers[row]:
                _place(search, row)
            else:
                parent = search.path[counts[DEEP] - 1]
                lowest[parent] = min(lowest[parent], lowest[row])


def _components(graph: Graph) -> tuple[Ints32, Ints32]:
    """Find all strongly connected components. Return the arrays `order` and `sizes` of `_Search`."""
    rows = len(graph.keys)
    search = _Search(
        order=np.zeros(rows, np.int32),
        sizes=np.zeros(rows, np.int32),
        numbers=np.zeros(rows, np.int32),
        lowest=np.zeros(rows, np.int32),
        edges=np.zeros(rows, np.int64),
        path=np.zeros(rows, np.int32),
        waiting=np.zeros(rows, np.int32),
        counts=np.zeros(5, np.int64),
    )
    while search.counts[PLACED] < rows:
        check_stop()
        _find_components(graph.offsets, graph.successors, search, BUDGET)
    return search.order, search.sizes


@inline
def _look(graph: Graph, bounds: Floats, row: int) -> tuple[float, float]:
    """Return bounds of the value of a non-terminal position, computed from the bounds of its successors.

    A mean is computed as the value of the first outcome plus the weighted differences between the other values and this
    value. So if all values are equal, the mean is exactly this value, without a rounding error.
    """
    mover, begin = graph.movers[row], graph.offsets[row]
    first = graph.successors[begin]
    low = lowest = bounds[first, LOW]
    high = highest = bounds[first, HIGH]
    for edge in range(begin + 1, graph.offsets[row + 1]):
        child = graph.successors[edge]
        if mover == CHANCE:
            low += graph.probabilities[edge] * (bounds[child, LOW] - lowest)
            high += graph.probabilities[edge] * (bounds[child, HIGH] - highest)
        elif mover == 0:
            low = max(low, bounds[child, LOW])
            high = max(high, bounds[child, HIGH])
        else:
            low = min(low, bounds[child, LOW])
            high = min(high, bounds[child, HIGH])
    return low, high


@kernel(purpose="solving")
def _settle(
    graph: Graph,
    order: Ints32,
    sizes: Ints32,
    bounds: Floats,
    largest: float,
    place: int,
    at: int,
    maximum: Floats,
    budget: int,
) -> tuple[int, int, bool]:
    """Compute the values of positions, component by component, with at most `budget` updates of positions.

    `bounds`, float64[rows, 2], contains a lower and an upper bound of the value of each position. `largest` is the
    largest margin. The function resumes at index `at` of `order`, in the component that begins at index `place`.
    `maximum`, float64[2], describes the current pass over the component. Its entry MOVED is the largest change of a
    bound, and its entry APART_BY is the largest difference between the two bounds of a position.

    Returns the new `place` and `at`, and whether the bounds of a component stopped moving before they met.
    """
    while place < len(order) and budget > 0:
        end = place + sizes[place]
        until = min(end, at + budget)
        budget -= until - at
        for i in range(at, until):
            row = order[i]
            if graph.movers[row] != OVER:
                low, high = _look(graph, bounds, row)
                maximum[MOVED] = max(maximum[MOVED], low - bounds[row, LOW], bounds[row, HIGH] - high)
                maximum[APART_BY] = max(maximum[APART_BY], high - low)
                bounds[row, LOW] = low
                bounds[row, HIGH] = high
        at = until
        if at < end:
            break
        is_still = maximum[MOVED] <= STILL * largest
        apart = maximum[APART_BY]
        maximum[:] = 0.0
        if apart <= EXACT * largest or (is_still and apart <= APART):
            for i in range(place, end):
                row = order[i]
                bounds[row, LOW] = bounds[row, HIGH] = (bounds[row, LOW] + bounds[row, HIGH]) / 2
            place = end
        elif is_still:
            return place, place, True
        at = place
    return place, at, False


def expectations(rules: Rules, like: State, graph: Graph) -> Floats:
    """Return the value of each position of `graph` under perfect play, float64[rows].

    `graph.slots` is not used, so the caller may replace it by an empty array to save memory.

    `like` is any state of the game, used as a prototype to unpack the stored states. Raises UsageError if the value of
    a position depends on infinite play.
    """
    order, sizes = _components(graph)
    over = graph.movers == OVER
    bounds = np.empty((len(over), 2))
    # Non-terminal positions have the value 0 here, so the bounds include 0, the value of infinite play.
    bounds[:, LOW], bounds[:, HIGH] = graph.values.min(), graph.values.max()
    bounds[over] = graph.values[over, np.newaxis]
    largest = float(np.abs(graph.values).max())
    place = at = 0
    maximum = np.zeros(2)
    while place < len(order):
        check_stop()
        place, at, is_open = _settle(graph, order, sizes, bounds, largest, place, at, maximum, BUDGET)
        if is_open:
            rows = order[place : place + sizes[place]]
            raise UsageError(_without_end(rules, like, graph, bounds, rows))
    return bounds[:, LOW].copy()


def _without_end(rules: Rules, like: State, graph: Graph, bounds: Floats, rows: Ints32) -> str:
    """Return the error message for a component in which values depend on infinite play."""
    row = rows[np.argmax(bounds[rows, HIGH] - bounds[rows, LOW])]
    text = format_state(rules, unpack(like, graph.states[row]))
    low, high = (float(bound) for bound in bounds[row])
    return (
        f"{format_game(rules)}: in {text!r} play may continue (almost) without end, so the expected margin can be "
        f"anything in {low:.12g}..{high:.12g}; a game can be solved only if no value depends on infinite play"
    )
