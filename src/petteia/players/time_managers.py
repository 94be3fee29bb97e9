"""Time managers, which divide the time of a clock among the moves of a player with iterative deepening.

A manager returns the total time for the move in seconds, before the search and again after each completed depth. The
remaining time is always shared among the remaining moves.

Source of `EvenTime`: a student report on the Game of the Amazons, question 5. The report names its flaw: obvious moves
take as long as difficult ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from petteia.players.time_share import Share
from petteia.search.searcher import Thought


class Manager(Protocol):
    """A function object that determines the time of a move."""

    def seconds(self, share: Share, found: Sequence[Thought], side: int) -> float:
        """Return the total seconds for a move of player `side`, given the analyses of the completed depths."""


class EvenTime:
    """A time manager that gives each move an even share."""

    def seconds(self, share: Share, found: Sequence[Thought], side: int) -> float:
        """Return the seconds of the share, for every position."""
        return share.seconds


class AdaptiveTime:
    """A time manager that gives more time if the best move changes or its value falls, and less if one stands out."""

    KEPT = 0.5
    """the minimum fraction of its share that is left to each later move"""
    CHANGED, FALLEN, CLEAR = 2.0, 1.5, 0.8
    """the factors for a changed best move, for a fallen value, and for a move that stands out"""
    DEPTHS = 3
    """the number of depths at which a move must have been the best to stand out"""

    def seconds(self, share: Share, found: Sequence[Thought], side: int) -> float:
        """Return the seconds of the share, multiplied by the factors that apply.

        At least half of its share is left to each later move.
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
    """Whether the best move at the last depth differs from that at the depth before."""
    return len(found) > 1 and best_move(found[-1]) != best_move(found[-2])


def has_fallen(found: Sequence[Thought], side: int) -> bool:
    """Whether the last value, for player `side`, is lower than both values before it.

    A comparison with one value is unreliable: values at even and odd depths differ, because one player has moved once
    more.
    """
    if len(found) < 3:  # the last value, and both before it
        return False
    before, after, last = (_value(each, side) for each in found[-3:])
    return last < min(before, after)


def stands_out(found: Sequence[Thought], depths: int) -> bool:
    """Whether one move was the best at all of at least `depths` depths."""
    return len(found) >= depths and len({best_move(each) for each in found}) == 1


def best_move(thought: Thought) -> int:
    """The best move of an analysis."""
    return thought.variations[0].moves[0]


def _value(thought: Thought, side: int) -> float:
    value = thought.variations[0].value or 0.0
    return value if side == 0 else -value


MANAGERS: dict[str, Manager] = {"even": EvenTime(), "adaptive": AdaptiveTime()}
"""the time managers by name, the default first"""
