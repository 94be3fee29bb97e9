"""Retrograde analysis: the value of every position, worked out from the end of the game backwards.

The value of a position is the final margin, player 0's, when both play to make it as good for themselves as they can;
play without end is worth 0. Its distance is the number of plies to the end when, among moves of equal value, whoever
gets ahead takes the shortest way and the other the longest. Positions of value 0 have no distance: nobody hurries.

Margins are dealt with one by one, the largest first. From the finished positions with margin v > 0 the analysis goes
backwards, nearest first: a position in which player 0 moves has value v as soon as one move leads to a position of
value v, and one in which player 1 moves as soon as all its moves lead to positions of value v or more; for v < 0 the
players change places. What is left in the end is worth 0: neither player can force anything better there. This is
right in games with and without cycles: the positions worth v or more are those from which player 0 can force the game
to end with at least v, which is what "as soon as" computes; margins above v have had their turn, so those found now
are worth v exactly. Player 0 comes to a position first by its shortest way; player 1's last way out that is closed is
its longest of those worth v, so distances are right as well. Each move is looked at once.

Sources: Thompson 1986, "Retrograde analysis of certain endgames"; Washburn 1990, "Deterministic graphical games".
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from petteia.core.arrays import Ints, Ints8, Ints32
from petteia.core.kernel import kernel
from petteia.core.stop import check_stop
from petteia.solver.graph import BUDGET, OVER, Graph

NO_DISTANCE = -1
"""distance of a position that is worth 0 and not over"""


AT_ONCE = 1 << 20
"""moves that are counted before a stop is heard"""


class Values(NamedTuple):
    """The result of the analysis."""

    values: Ints32
    """the final margin under best play, player 0's, [rows]"""
    distances: Ints32
    """plies to the end, or NO_DISTANCE; [rows]"""


class Backwards(NamedTuple):
    """The moves of a graph the other way round."""

    offsets: Ints
    """row i is reached from sources[offsets[i]:offsets[i + 1]], [rows + 1]"""
    sources: Ints32
    """the rows from which a move leads to another, [moves]"""


@kernel(purpose="solving")
def _count_sources(successors: Ints32, counts: Ints) -> None:
    """Add to `counts`, int64[rows + 1], how often each row stands in `successors`."""
    for edge in range(len(successors)):
        counts[successors[edge]] += 1


@kernel(purpose="solving")
def _place_sources(offsets: Ints, successors: Ints32, back: Backwards, first: int, end: int) -> None:
    """Put rows `first` to `end` - 1 of a graph with these `offsets` and `successors` among the sources of others.

    `back.offsets` holds where the sources of each row that are not there yet end.
    """
    for row in range(first, end):
        for edge in range(offsets[row], offsets[row + 1]):
            child = successors[edge]
            back.offsets[child] -= 1  # from the end of its sources to their beginning
            back.sources[back.offsets[child]] = row


@kernel(purpose="solving")
def _spread(
    value: int, movers: Ints8, back: Backwards, known: Values, waiting: Ints32, queue: Ints32, ends: Ints, budget: int
) -> None:
    """Go backwards from the rows in queue[ends[0]:ends[1]], all worth `value`, and add to them what is found.

    `movers`, int8[rows], are those of the graph; `waiting`, int32[rows], holds how many moves of a position lead to
    positions not known to be lost for its mover; `queue` is int32[rows] and `ends` int64[2].
    """
    winner = 0 if value > 0 else 1
    while ends[0] < ends[1] and budget > 0:
        row = queue[ends[0]]
        ends[0] += 1
        budget -= 1
        for place in range(back.offsets[row], back.offsets[row + 1]):
            source = back.sources[place]
            if known.distances[source] != NO_DISTANCE:
                continue
            if movers[source] != winner:
                waiting[source] -= 1
                if waiting[source] > 0:
                    continue
            known.values[source] = value
            known.distances[source] = known.distances[row] + 1
            queue[ends[1]] = source
            ends[1] += 1


def turned_round(graph: Graph) -> Backwards:
    """The moves of `graph` the other way round."""
    back = Backwards(np.zeros(len(graph.keys) + 1, np.int64), np.zeros(len(graph.successors), np.int32))
    for first in range(0, len(graph.successors), AT_ONCE):
        check_stop()
        _count_sources(graph.successors[first : first + AT_ONCE], back.offsets)
    np.cumsum(back.offsets, out=back.offsets)
    for first in range(0, len(graph.keys), BUDGET):
        check_stop()
        _place_sources(graph.offsets, graph.successors, back, first, min(first + BUDGET, len(graph.keys)))
    return back


def analyse(graph: Graph, back: Backwards) -> Values:
    """The values of all positions of `graph`, and their distances.

    Its `slots`, `states` and `successors` are not looked at: these may be gone, as what they lead to is in `back`.
    """
    rows = len(graph.keys)
    over = graph.movers == OVER
    known = Values(graph.values.copy(), np.where(over, 0, NO_DISTANCE).astype(np.int32))
    waiting, queue = np.diff(graph.offsets).astype(np.int32), np.zeros(rows, np.int32)
    ends = np.zeros(2, np.int64)
    finished = np.flatnonzero(over & (graph.values != 0))
    margins = graph.values[finished].astype(np.int64)
    order = np.lexsort((margins, -np.abs(margins)))
    for same in np.split(finished[order], np.flatnonzero(np.diff(margins[order])) + 1):
        if len(same) == 0:  # nobody ever wins
            break
        queue[ends[1] : ends[1] + len(same)] = same
        ends[1] += len(same)
        while ends[0] < ends[1]:
            check_stop()
            _spread(int(graph.values[same[0]]), graph.movers, back, known, waiting, queue, ends, BUDGET)
    return known
