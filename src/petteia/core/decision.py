"""The limits of a player's search, its decision for a move, and the outcome of a game."""

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
"""The reasons for which a player loses by breaking the rules, each with its description."""


class Limit(NamedTuple):
    """Limits of the search for one move. A limit of None leaves that limit of the player unchanged.

    Examples:
        >>> nodes = petteia.Limit(nodes=500)
        >>> petteia.match("kalah", "search", "random", games=2, limit=nodes).wins
        2

    """

    depth: int | None = None
    """maximum search depth in plies"""
    nodes: int | None = None
    """maximum number of nodes"""
    seconds: float | None = None
    """time limit in seconds"""
    remaining: float | None = None
    """seconds left on the player's clock; None: the player has no clock"""
    moves_left: int | None = None
    """number of moves until the next period of the clock; None: all remaining moves of the game"""
    increment: float | None = None
    """seconds added to the clock after each move; None: no seconds are added"""

    @property
    def amounts(self) -> dict[str, float | None]:
        """The limits of a single move, by name."""
        return {"depth": self.depth, "nodes": self.nodes, "seconds": self.seconds}

    @property
    def of_move(self) -> Limit:
        """The limit without the times of the clock."""
        return self._replace(remaining=None, moves_left=None, increment=None)

    def over(self, own: Limit) -> Limit:
        """Return the limit, with each amount that is None replaced by that of `own`."""
        return own._replace(**{kind: amount for kind, amount in self._asdict().items() if amount is not None})


def check_amounts(**amounts: float | None) -> None:
    """Raise UsageError if one of the amounts is not None and not more than 0."""
    for name, amount in amounts.items():
        if amount is not None and not amount > 0:
            raise UsageError(f"{name}={amount}: must be more than 0")


@dataclass(frozen=True)
class Decision:
    """A chosen move with its value, principal variation and search effort; values are from player 0's point of view.

    Examples:
        >>> session = petteia.session("kalah", ("greedy:depth=2", "random"))
        >>> decision = session.step().decision
        >>> decision.value, decision.depth
        (2.0, 2)

    """

    move: int
    value: float | None = None
    depth: int = 0
    """depth of the search in plies"""
    nodes: int = 0
    seconds: float = 0.0
    line: tuple[int, ...] = ()
    """the principal variation, beginning with the chosen move"""
    values: Mapping[int, float] = field(default_factory=dict)
    """value of each legal move; empty if the player does not value all moves"""


class Allowance(NamedTuple):
    """Time and memory limits of players; all except `grace` apply to players in child processes.

    Examples:
        >>> strict = petteia.Allowance(move_timeout=5.0, memory=500_000_000)
        >>> petteia.match("kalah", "greedy", "random", games=2, allowance=strict).games
        2

    """

    grace: float = 0.05
    """seconds by which a move may exceed its time limit"""
    move_timeout: float = 60.0
    """seconds for a move without a time limit, and for each other call to a player during a match"""
    start_timeout: float = 60.0
    """seconds for importing the module and creating the player, and for each call of `new_game`"""
    memory: int = 4_000_000_000
    """maximum memory of a process in bytes"""

    def checked(self) -> Allowance:
        """Return the allowance. Raises UsageError if a number is out of range."""
        for name, amount in self._asdict().items():
            if not (amount >= 0 if name == "grace" else amount > 0) or amount == float("inf"):
                raise UsageError(
                    f"{name}={amount}: must be a number {'of 0 or more' if name == 'grace' else 'above 0'}"
                )
        return self


ALLOWANCE = Allowance()


class Fault(PetteiaError):  # noqa: N818  # the players' fault, not the program's error
    """Raised if a player breaks the rules of a match. The player loses the game in which this happens."""

    def __init__(self, message: str, reason: Reason = "crashed") -> None:
        super().__init__(message)
        self.reason: Reason = reason


class Outcome(NamedTuple):
    """The result of a finished game: margin, length and reason.

    Examples:
        >>> session = petteia.session("kalah", ("greedy", "random"))
        >>> steps = session.advance()
        >>> session.outcome
        Outcome(margin=22, plies=29, reason='over', fault='')

    """

    margin: int
    """player 0's final margin; 0 for a draw, including a draw by the maximum number of plies"""
    plies: int
    """the number of plies played"""
    reason: Reason = "over"
    """why the game ended"""
    fault: str = ""
    """a sentence about the fault of the losing player; empty if there was no fault"""

    @property
    def winner(self) -> int | None:
        """The winner, 0 or 1; None for a draw."""
        return None if self.margin == 0 else int(self.margin < 0)
