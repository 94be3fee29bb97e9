"""Time managers: how a player that searches deeper and deeper divides the time of its clock among its moves.

A manager is asked before a search, and again after each depth with what was found so far, how many seconds the move may
take in all. Where more are used, fewer are left for the moves to come, among which they are shared again.

Source of `EvenTime`: a student report on the Game of the Amazons, question 5. The report names what is wrong with it:
moves that are clear at once take as long as those that are hard.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from petteia.players.time_share import Share
from petteia.search.searcher import Thought


class Manager(Protocol):
    """Says how long a move may take."""

    def seconds(self, share: Share, found: Sequence[Thought], side: int) -> float:
        """The seconds that a move of player `side` may take in all, by what was found at each depth so far."""


class EvenTime:
    """Gives each move an even share."""

    def seconds(self, share: Share, found: Sequence[Thought], side: int) -> float:
        """The share."""
        return share.seconds


class AdaptiveTime:
    """Gives a move more when the best one changes or its value falls, and less when one stands out."""

    KEPT = 0.5
    """of its share, what each later move keeps at least"""
    CHANGED, FALLEN, CLEAR = 2.0, 1.5, 0.8
    """factors of the share"""
    DEPTHS = 3
    """depths at which a move must have been the best, to stand out"""

    def seconds(self, share: Share, found: Sequence[Thought], side: int) -> float:
        """The share, times a factor for each thing that the depths show; later moves keep half of their shares."""
        factor = 1.0
        if has_changed(found):
            factor *= self.CHANGED
        if has_fallen(found, side):
            factor *= self.FALLEN
        if stands_out(found, self.DEPTHS):
            factor *= self.CLEAR
        return share.seconds * min(factor, 1.0 + (1.0 - self.KEPT) * (share.moves - 1))


def has_changed(found: Sequence[Thought]) -> bool:
    """Whether the last depth has found another move to be the best than the one before."""
    return len(found) > 1 and best_move(found[-1]) != best_move(found[-2])


def has_fallen(found: Sequence[Thought], side: int) -> bool:
    """Whether the last value is lower, for player `side`, than both before it.

    One alone says little: values of even and odd depths differ, since one of the players has moved once more.
    """
    if len(found) < 3:  # the last one, and both before it
        return False
    before, after, last = (_value(each, side) for each in found[-3:])
    return last < min(before, after)


def stands_out(found: Sequence[Thought], depths: int) -> bool:
    """Whether one move was the best at every depth, and there were so many."""
    return len(found) >= depths and len({best_move(each) for each in found}) == 1


def best_move(thought: Thought) -> int:
    """The move that was found to be the best."""
    return thought.variations[0].moves[0]


def _value(thought: Thought, side: int) -> float:
    value = thought.variations[0].value or 0.0
    return value if side == 0 else -value


MANAGERS: dict[str, Manager] = {"even": EvenTime(), "adaptive": AdaptiveTime()}
"""The time managers by name, the default first."""
