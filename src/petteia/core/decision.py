"""Classes for the limits of searches and players, the move that a player chooses, and the outcome of a game."""

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
"""The ways to lose a game by breaking the rules, each with a description for messages."""


class Limit(NamedTuple):
    """The limits of the search for one move. For each field that is None, the player uses its own limit.

    Examples:
        >>> nodes = petteia.Limit(nodes=500)
        >>> petteia.match("kalah", "search", "random", games=2, limit=nodes).wins
        2

    """

    depth: int | None = None
    """the maximum search depth in plies"""
    nodes: int | None = None
    """the maximum number of nodes"""
    seconds: float | None = None
    """the time limit in seconds"""
    remaining: float | None = None
    """the seconds left on the player's clock; None if the player has no clock"""
    moves_left: int | None = None
    """the number of moves until the next period of the clock; None if the time is for the rest of the game"""
    increment: float | None = None
    """the seconds added to the clock after each move; None if no seconds are added"""

    @property
    def amounts(self) -> dict[str, float | None]:
        """The limits for one move, as a dictionary with the keys `depth`, `nodes` and `seconds`."""
        return {"depth": self.depth, "nodes": self.nodes, "seconds": self.seconds}

    @property
    def of_move(self) -> Limit:
        """A copy of the limits without the fields of the game clock: `remaining`, `moves_left` and `increment`."""
        return self._replace(remaining=None, moves_left=None, increment=None)

    def over(self, own: Limit) -> Limit:
        """Return a copy of these limits, with each field that is None replaced by the same field of `own`."""
        return own._replace(**{kind: amount for kind, amount in self._asdict().items() if amount is not None})


def check_amounts(**amounts: float | None) -> None:
    """Raise UsageError if one of the limits is 0 or less. A limit of None is valid."""
    for name, amount in amounts.items():
        if amount is not None and not amount > 0:
            raise UsageError(f"{name}={amount}: must be more than 0")


@dataclass(frozen=True)
class Decision:
    """The move that a player has chosen, with its value, the principal variation and the search effort.

    `value` and `values` are from the perspective of player 0.

    Examples:
        >>> session = petteia.session("kalah", ("greedy:depth=2", "random"))
        >>> decision = session.step().decision
        >>> decision.value, decision.depth
        (2.0, 2)

    """

    move: int
    value: float | None = None
    depth: int = 0
    """the depth of the search in plies"""
    nodes: int = 0
    seconds: float = 0.0
    line: tuple[int, ...] = ()
    """the principal variation, beginning with the chosen move"""
    values: Mapping[int, float] = field(default_factory=dict)
    """the value of each legal move; empty if the player does not compute a value for every move"""


class Allowance(NamedTuple):
    """The time and memory limits of players.

    The limit `grace` applies to all players. The other limits apply only to players in child processes.

    Examples:
        >>> strict = petteia.Allowance(move_timeout=5.0, memory=500_000_000)
        >>> petteia.match("kalah", "greedy", "random", games=2, allowance=strict).games
        2

    """

    grace: float = 0.05
    """the number of seconds by which a move may exceed its time limit"""
    move_timeout: float = 60.0
    """the maximum time in seconds for a move without a time limit, and for each other call during a match"""
    start_timeout: float = 60.0
    """the maximum time in seconds to import the module and create the player, and for each call of `new_game`"""
    memory: int = 4_000_000_000
    """the maximum memory of a child process in bytes"""

    def checked(self) -> Allowance:
        """Return this object if all limits are valid. Raises UsageError if a number is out of range."""
        for name, amount in self._asdict().items():
            if not (amount >= 0 if name == "grace" else amount > 0) or amount == float("inf"):
                raise UsageError(
                    f"{name}={amount}: must be a number {'of 0 or more' if name == 'grace' else 'above 0'}"
                )
        return self


ALLOWANCE = Allowance()


class Fault(PetteiaError):  # noqa: N818  # the players' fault, not the program's error
    """Raised if a player breaks the rules of a match and therefore loses the game."""

    def __init__(self, message: str, reason: Reason = "crashed") -> None:
        super().__init__(message)
        self.reason: Reason = reason


class Outcome(NamedTuple):
    """The result of a finished game: the margin, the number of plies, and why the game ended.

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
    """a sentence that says which rule the losing player broke; empty if no player broke a rule"""

    @property
    def winner(self) -> int | None:
        """The winner, 0 or 1; None for a draw."""
        return None if self.margin == 0 else int(self.margin < 0)
