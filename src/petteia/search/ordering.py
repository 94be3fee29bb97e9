"""Move ordering: functions that bring the moves with the highest scores to the front of a list."""

from __future__ import annotations

from petteia.core.kernel import inline
from petteia.search.memory import NO_MOVE, Memory

FIRST = 1 << 62
"""The score of the move that comes before all others."""
LONG, SORTED = 128, 32
"""In a list of more than LONG moves, only the first SORTED are ordered, because later moves are usually all searched.
"""


@inline
def put_first(memory: Memory, ply: int, count: int, first: int) -> None:
    """Give the move `first` the highest score at `ply` if it is in the list. `first` can be `NO_MOVE`."""
    if first != NO_MOVE:
        for i in range(count):
            if memory.moves[ply, i] == first:
                memory.scores[ply, i] = FIRST
                break


@inline
def bring_best(memory: Memory, ply: int, place: int, count: int) -> None:
    """Of the moves from index `place` on, bring the one with the highest score to index `place`.

    The other moves keep their order. If several moves have the highest score, the first of them is brought forward.

    In a list of more than `LONG` moves, only the first `SORTED` places are sorted by score. If `place` is `SORTED` or
    more in such a list, the function does nothing.
    """
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
