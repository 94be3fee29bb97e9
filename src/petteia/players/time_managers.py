"""Time managers, which divide the time on a player's clock among its moves. The player uses iterative deepening.

A time manager computes the total time for a move, in seconds. It is called before the search, and again after each
completed depth. Its basis is an even share of the time left on the clock among the remaining moves (module
`time_share`).

Source of `EvenTime`: question 5 of a student report on the Game of the Amazons. According to the report, a weakness of
this time manager is that obvious moves take as long as difficult ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from petteia.players.time_share import Share
from petteia.search.searcher import Thought


class Manager(Protocol):
    """The interface of a time manager, which determines the time for each move."""

    def seconds(self, share: Share, found: Sequence[Thought], side: int) -> float:
        """Return the total time for a move of player `side`, in seconds, given the analyses of the completed depths."""


class EvenTime:
    """A time manager that gives each move an even share of the remaining time."""

    def seconds(self, share: Share, found: Sequence[Thought], side: int) -> float:
        """Return an even share of the remaining time, in seconds. The analyses in `found` have no effect."""
        return share.seconds


class AdaptiveTime:
    """A time manager that gives a move more time if it seems difficult, and less if one move stands out.

    A move seems difficult if the best move has changed, or if its value has fallen, at the last search depth. One move
    stands out if it was the best move at all search depths, and at least `DEPTHS` depths are complete.
    """

    KEPT = 0.5
    """the minimum fraction of an even share that must be left for each later move"""
    CHANGED, FALLEN, CLEAR = 2.0, 1.5, 0.8
    """the factors of the time if the best move has changed, if the value has fallen, and if one move stands out"""
    DEPTHS = 3
    """the number of depths at which a move must have been the best move to stand out"""

    def seconds(self, share: Share, found: Sequence[Thought], side: int) -> float:
        """Return an even share of the remaining time, in seconds, scaled by how difficult the move seems.

        The returned time is limited, so that at least half of an even share remains for each later move.
        """
        factor = 1.0
        if has_changed(found):
            factor *= self.CHANGED
        if has_fallen(found, side):
            factor *= self.FALLEN
        if stands_out(found, self.DEPTHS):
            factor *= self.CLEAR
        return share.seconds * min(factor, 1.0 + (1.0 - self.KEPT) * (share.moves - 1))


def has_changed(found: Sequence[Thought]) -> bool:
    """Return whether the best move at the last depth differs from the best move at the depth before."""
    return len(found) > 1 and best_move(found[-1]) != best_move(found[-2])


def has_fallen(found: Sequence[Thought], side: int) -> bool:
    """Return whether the last search value, for player `side`, is lower than each of the previous two.

    The last value is compared with both values before it, because values at even and odd search depths differ: at an
    odd depth, one of the players has made one more move than the other.
    """
    if len(found) < 3:  # the last value, and both before it
        return False
    before, after, last = (_value(each, side) for each in found[-3:])
    return last < min(before, after)


def stands_out(found: Sequence[Thought], depths: int) -> bool:
    """Return whether at least `depths` search depths are complete, and the best move was the same at all of them."""
    return len(found) >= depths and len({best_move(each) for each in found}) == 1


def best_move(thought: Thought) -> int:
    """Return the best move of an analysis."""
    return thought.variations[0].moves[0]


def _value(thought: Thought, side: int) -> float:
    value = thought.variations[0].value or 0.0
    return value if side == 0 else -value


MANAGERS: dict[str, Manager] = {"even": EvenTime(), "adaptive": AdaptiveTime()}
"""the time managers by name, with the default first"""
