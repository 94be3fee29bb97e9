"""Expectations: the value of every position of a game with chance, be it finite or not.

The value of a position is the expectation of the final margin, player 0's, when both play to make it as good for
themselves as they can; play without end is worth 0. It is the best that a move leads to, or the mean over the outcomes
where chance moves. If no position comes again, that says it all, once what follows is known.

Where positions can come again, values depend on each other. So positions are taken together that can all be reached
from each other (strongly connected components), each component after all that it leads to. Within one there are two
bounds of each value: the lower begins with the worst that can happen to player 0, the upper with the best, and each
look at what follows moves them towards each other. Values always lie between them: so where they meet, that is the
value. Where they stand still and do not meet, it depends on play that never ends, and the game is refused. A component
of a single position, to which no move leads back, is settled by the first look: so a finite game takes one pass.

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
"""Expectations that differ by no more are equal: in `perfect`, in regrets, and to the checker."""
APART = TOLERANCE / 2
"""by how much the bounds of a value may differ in the end"""
STILL = 4e-16
"""A bound that moves by no more, in units of the largest margin, stands still."""
EXACT = 1e-15
"""bounds that differ by no more, in units of the largest margin, need not come nearer"""
LOW, HIGH = 0, 1
MOVED, APART_BY = 0, 1
PLACED, WAITING, DEEP, NUMBERED, ROOT = range(5)


class _Search(NamedTuple):
    """A depth-first search that finds the components, each after all that it leads to."""

    order: Ints32
    """the rows by components, [rows]"""
    sizes: Ints32
    """at the place in `order` where a component begins: how many rows it has, [rows]"""
    numbers: Ints32
    """when each row was met, from 1 on; 0: not yet, [rows]"""
    lowest: Ints32
    """the least number that a row leads to among those that wait; more than all numbers once it is placed, [rows]"""
    edges: Ints
    """the next move of each row to be followed, [rows]"""
    path: Ints32
    """the rows from where the search began to where it is, [rows]"""
    waiting: Ints32
    """the rows that were met and are not placed, [rows]"""
    counts: Ints
    """how many are PLACED, WAITING, on the path (DEEP), NUMBERED; where the next search begins (ROOT)"""


@inline
def _meet(search: _Search, offsets: Ints, row: int) -> None:
    """Let the search go on from a row that it has not met."""
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
    """Place the component of `row`, from which all that wait since it was met can be reached, and it from them."""
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
    """Go on with the search by `budget` steps; `offsets` and `successors` are those of the graph."""
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
    """The `order` and the `sizes` of a search that has found all."""
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
    """The bounds of a row that is not over, by those of what follows.

    A mean is taken as what the first outcome gives, and by how much the others are off it: so outcomes that are all
    worth the same have exactly that mean, however often it is taken.
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
    """Settle the components from that at `place` in `order` on, by `budget` looks, the first at the row at `at`.

    `bounds` is float64[rows, 2], `largest` the largest margin; `maximum`, float64[2], holds how far a bound of this
    component has MOVED, and how far two are APART_BY, at most since all were looked at. Returns the place and the row
    that it has come to, and whether the bounds of the component there stand still without having met.
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
    """The value of each position of `graph`, float64[rows]; its `slots` are not looked at: these may be gone.

    `like` is any state of the game. Raises a UsageError where the value of a position depends on play without end.
    """
    order, sizes = _components(graph)
    over = graph.movers == OVER
    bounds = np.empty((len(over), 2))
    # Positions that are not over have 0 among these, which is what endless play is worth.
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
    """What is said of a component, the `rows` of which are not settled."""
    row = rows[np.argmax(bounds[rows, HIGH] - bounds[rows, LOW])]
    text = format_state(rules, unpack(like, graph.states[row]))
    low, high = (float(bound) for bound in bounds[row])
    return (
        f"{format_game(rules)}: in {text!r} play may go on without end, or nearly so, which leaves its expected margin "
        f"anywhere in {low:.12g}..{high:.12g}; a game with chance must come to an end to be solved"
    )
