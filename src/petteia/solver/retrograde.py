"""Retrograde analysis: the value of every position, computed backwards from the end of the game.

The value of a position is the final margin under perfect play, from the perspective of player 0; infinite play has the
value 0. The distance of a position is the number of plies to the end. Among moves of equal value, the winner takes the
shortest way to the end, and the loser the longest way. Positions with the value 0 have no distance.

The margins are processed one by one, the largest absolute value first. For a margin v > 0, the analysis starts from the
finished positions with this margin and proceeds backwards, nearest first. A position of player 0 gets the value v as
soon as one move leads to a position with the value v. A position of player 1 gets the value v as soon as all its moves
lead to positions with the value v or more. For v < 0 the players are exchanged. All remaining positions have the value
0, because neither player can force a better result.

The analysis is correct with and without cycles. For each margin v > 0, it finds exactly the positions from which player
0 can force a final margin of at least v. Positions with larger values have been found before, so all newly found
positions have exactly the value v. The distances are correct, too, because positions are found in the order of their
distances. A position of player 0 is found through its shortest way to the end. A position of player 1 is found through
its longest way, when all its moves are known to lose. Each move is examined once.

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
"""The distance of a non-terminal position with the value 0."""


AT_ONCE = 1 << 20
"""The number of moves that are counted before the next test for a stop."""


class Values(NamedTuple):
    """The value and the distance to the end of each position, as found by retrograde analysis."""

    values: Ints32
    """the final margin under perfect play, from the perspective of player 0, [rows]"""
    distances: Ints32
    """plies to the end, or NO_DISTANCE; [rows]"""


class Backwards(NamedTuple):
    """The graph of a game with its moves reversed: the predecessors of each row."""

    offsets: Ints
    """the predecessors of row i are sources[offsets[i]:offsets[i + 1]], [rows + 1]"""
    sources: Ints32
    """the predecessors of all rows, [moves]"""


@kernel(purpose="solving")
def _count_sources(successors: Ints32, counts: Ints) -> None:
    for edge in range(len(successors)):
        counts[successors[edge]] += 1


@kernel(purpose="solving")
def _place_sources(offsets: Ints, successors: Ints32, back: Backwards, first: int, end: int) -> None:
    """Add each row from `first` to `end` - 1 to the lists of predecessors of its successors.

    The successors of row i are `successors[offsets[i]:offsets[i + 1]]`. The predecessors of each row occupy one section
    of the array `back.sources`. The function fills each section from its end to its beginning. `back.offsets` contains
    the index of the first filled entry of each section.
    """
    for row in range(first, end):
        for edge in range(offsets[row], offsets[row + 1]):
            child = successors[edge]
            back.offsets[child] -= 1  # from the end of the predecessors to their beginning
            back.sources[back.offsets[child]] = row


@kernel(purpose="solving")
def _spread(
    value: int, movers: Ints8, back: Backwards, known: Values, waiting: Ints32, queue: Ints32, ends: Ints, budget: int
) -> None:
    """Give the value `value` to further positions from which it can be forced, working backwards from the queue.

    `queue[ends[0]:ends[1]]` contains the positions that already have the value `value`, but whose predecessors have not
    been examined yet. Each further position that gets this value is appended to the queue.

    `movers`, int8[rows], contains the player to move in each position. `waiting`, int32[rows], contains the number of
    moves of each position that are not yet known to lose. `queue` is int32[rows], and `ends` is int64[2].
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
    """Return the graph with all edges reversed: a list of the predecessors of each row."""
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
    """Return the values and distances of all positions of `graph`.

    `graph.slots`, `graph.states` and `graph.successors` are not used, so the caller may replace them by empty arrays to
    save memory.
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
        if len(same) == 0:  # there are no wins
            break
        queue[ends[1] : ends[1] + len(same)] = same
        ends[1] += len(same)
        while ends[0] < ends[1]:
            check_stop()
            _spread(int(graph.values[same[0]]), graph.movers, back, known, waiting, queue, ends, BUDGET)
    return known
