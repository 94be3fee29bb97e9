"""Bringing listed moves into order by their scores."""

from __future__ import annotations

from petteia.core.kernel import inline
from petteia.search.memory import NO_MOVE, Memory

FIRST = 1 << 62
"""the score of the move that comes before all others"""
LONG, SORTED = 128, 32
"""moves that make a list long, and how many of its moves are ordered: after these, most often all are looked at"""


@inline
def put_first(memory: Memory, ply: int, count: int, first: int) -> None:
    """Score `first` above all other moves listed at `ply`, if it is one of them; it may be `NO_MOVE`."""
    if first != NO_MOVE:
        for i in range(count):
            if memory.moves[ply, i] == first:
                memory.scores[ply, i] = FIRST
                break


@inline
def bring_best(memory: Memory, ply: int, place: int, count: int) -> None:
    """Bring the best-scored move from `place` on there, the first of equals; of a long list only the first `SORTED`."""
    if place >= SORTED and count > LONG:
        return
    best = place
    for i in range(place + 1, count):
        if memory.scores[ply, i] > memory.scores[ply, best]:
            best = i
    move = memory.moves[ply, best]
    score = memory.scores[ply, best]
    for i in range(best, place, -1):  # the others keep their order
        memory.moves[ply, i] = memory.moves[ply, i - 1]
        memory.scores[ply, i] = memory.scores[ply, i - 1]
    memory.moves[ply, place] = move
    memory.scores[ply, place] = score
