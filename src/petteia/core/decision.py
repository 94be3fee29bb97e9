"""What a player is given, what it answers, and how a game ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from petteia.core.errors import PetteiaError, UsageError

Reason = Literal["over", "max-plies", "illegal", "timeout", "crashed", "resigned"]
FAULTS: dict[Reason, str] = {
    "illegal": "by an illegal move",
    "timeout": "by taking too long",
    "crashed": "by failing",
}
"""Reasons for which a player loses that does what it must not, and the words for how."""


class Limit(NamedTuple):
    """Limits of the search for a move; None leaves the player's own limit.

    A player that searches uses an amount that is given in the place of its own.
    """

    depth: int | None = None
    """plies that it may look ahead"""
    nodes: int | None = None
    """positions that may be looked at"""
    seconds: float | None = None
    """how long it may take"""
    remaining: float | None = None
    """seconds that are left on the player's clock; None: it has no clock"""
    moves_left: int | None = None
    """moves for which they must do until the clock gets more; None: all that follow in the game"""
    increment: float | None = None
    """seconds that the clock gains after each move; None: none"""

    @property
    def amounts(self) -> dict[str, float | None]:
        """The limits of a move by their names."""
        return {"depth": self.depth, "nodes": self.nodes, "seconds": self.seconds}

    @property
    def of_move(self) -> Limit:
        """The limit without what the clock says."""
        return self._replace(remaining=None, moves_left=None, increment=None)

    def over(self, own: Limit) -> Limit:
        """Return this limit, with the amounts of `own` where it has none."""
        return own._replace(**{kind: amount for kind, amount in self._asdict().items() if amount is not None})


def check_amounts(**amounts: float | None) -> None:
    """Raise a UsageError if one of these is given and not more than 0."""
    for name, amount in amounts.items():
        if amount is not None and not amount > 0:
            raise UsageError(f"{name}={amount}: must be more than 0")


@dataclass(frozen=True)
class Decision:
    """A chosen move with its value, line and search effort; values are from player 0's point of view."""

    move: int
    value: float | None = None
    depth: int = 0
    """plies that were searched"""
    nodes: int = 0
    seconds: float = 0.0
    line: tuple[int, ...] = ()
    """the moves that the player expects, its own first"""
    values: Mapping[int, float] = field(default_factory=dict)
    """value of each legal move, where the player knows them all"""


class Allowance(NamedTuple):
    """Time and memory limits of players; all except `grace` apply to players in child processes."""

    grace: float = 0.05
    """seconds by which a move may take longer than its limit says"""
    move_timeout: float = 60.0
    """seconds for a move that has no limit of time, and for all else that a player is asked or told during a match"""
    start_timeout: float = 60.0
    """seconds to start in: to import its module, to make the player, and for each `new_game`"""
    memory: int = 4_000_000_000
    """bytes that a process may have"""

    def checked(self) -> Allowance:
        """The allowance; a UsageError if a number is out of range."""
        for name, amount in self._asdict().items():
            if not (amount >= 0 if name == "grace" else amount > 0) or amount == float("inf"):
                raise UsageError(
                    f"{name}={amount}: must be a number {'of 0 or more' if name == 'grace' else 'above 0'}"
                )
        return self


ALLOWANCE = Allowance()


class Fault(PetteiaError):  # noqa: N818  # the players' fault, not the program's error
    """A player has done what it must not; in a game that it plays it has lost by that."""

    def __init__(self, message: str, reason: Reason = "crashed") -> None:
        super().__init__(message)
        self.reason: Reason = reason


class Outcome(NamedTuple):
    """The result of a finished game: margin, length and reason."""

    margin: int
    """player 0's final margin; 0 for a draw, also one by the limit of plies"""
    plies: int
    """the number of plies played"""
    reason: Reason = "over"
    """why the game ended"""
    fault: str = ""
    """what the loser did, in a sentence, if it lost by a fault"""

    @property
    def winner(self) -> int | None:
        """0, 1, or None for a draw."""
        return None if self.margin == 0 else int(self.margin < 0)
