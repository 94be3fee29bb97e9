"""What a player is given, what it answers, and how a game ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Reason = Literal["over", "max-plies", "illegal", "timeout", "resigned"]


class Limit(NamedTuple):
    """How much thought a move may take; None: no limit of this kind."""

    depth: int | None = None
    """plies"""
    nodes: int | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class Decision:
    """A move, and what the player knows about it. Values are player 0's."""

    move: int
    value: float | None = None
    depth: int = 0
    """plies"""
    nodes: int = 0
    seconds: float = 0.0
    line: tuple[int, ...] = ()
    """the moves that the player expects, its own first"""
    values: Mapping[int, float] = field(default_factory=dict)
    """value of each legal move, where the player knows them all"""


class Outcome(NamedTuple):
    """How a game ended."""

    margin: int
    """player 0's final margin; 0 for a draw, also one by the limit of plies"""
    plies: int
    reason: Reason = "over"

    @property
    def winner(self) -> int | None:
        """0, 1, or None for a draw."""
        return None if self.margin == 0 else int(self.margin < 0)
