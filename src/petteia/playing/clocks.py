"""The clocks of both players in a game. The times at each position are stored, so that moves can be undone."""

from __future__ import annotations

from petteia.arena.alternate import check_time
from petteia.core.clock import Clock, Remaining
from petteia.core.decision import Limit
from petteia.players.player import UNLIMITED


class Clocks:
    """The remaining times of players 0 and 1 at each position of a game; empty if the game has no clocks."""

    def __init__(self, clock: Clock | None, grace: float) -> None:
        self._left = list[tuple[Remaining, Remaining]]([] if clock is None else [(clock.started(), clock.started())])
        self._grace = grace

    @property
    def remaining(self) -> tuple[float, float] | None:
        """The seconds that players 0 and 1 have left, or None without clocks."""
        if not self._left:
            return None
        first, second = self._left[-1]
        return max(first.seconds, 0.0), max(second.seconds, 0.0)

    def limit(self, side: int, limit: Limit) -> Limit:
        """Return `limit`, further restricted by the time that `side` has left. Without clocks, return it unchanged."""
        return self._left[-1][side].limit(limit) if self._left else limit

    def check(self, side: int, name: str, seconds: float) -> None:
        """Raise Fault if a move that took `seconds` exceeded the remaining time of `side`. `name` names the player."""
        if self._left:
            check_time(name, seconds, UNLIMITED, self._grace, self._left[-1][side])

    def move(self, side: int, seconds: float) -> None:
        """Record that `side` took `seconds` for its move. An outcome of chance takes no time."""
        if self._left:
            left = list(self._left[-1])
            if side in (0, 1):
                left[side] = left[side].after(seconds)
            self._left.append((left[0], left[1]))

    def take_back(self, plies: int) -> None:
        """Restore the remaining times after the first `plies` plies."""
        del self._left[plies + 1 :]
