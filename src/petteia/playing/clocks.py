"""The clocks of a game between two players, as they were in each of its positions."""

from __future__ import annotations

from petteia.arena.alternate import check_time
from petteia.core.clock import Clock, Remaining
from petteia.core.decision import Limit
from petteia.players.player import UNLIMITED


class Clocks:
    """What players 0 and 1 have left in each position of a game so far; nothing where they have no clocks."""

    def __init__(self, clock: Clock | None, grace: float) -> None:
        self._left = list[tuple[Remaining, Remaining]]([] if clock is None else [(clock.started(), clock.started())])
        self._grace = grace

    @property
    def remaining(self) -> tuple[float, float] | None:
        """Seconds that both have left; None without clocks."""
        if not self._left:
            return None
        first, second = self._left[-1]
        return max(first.seconds, 0.0), max(second.seconds, 0.0)

    def limit(self, side: int, limit: Limit) -> Limit:
        """`limit`, and what `side` has left."""
        return self._left[-1][side].limit(limit) if self._left else limit

    def check(self, side: int, name: str, seconds: float) -> None:
        """Raise a Fault if a move of `side`, called `name`, took longer than it had left."""
        if self._left:
            check_time(name, seconds, UNLIMITED, self._grace, self._left[-1][side])

    def move(self, side: int, seconds: float) -> None:
        """`side` has made a move in `seconds`; chance, which has no clock, may be the side."""
        if self._left:
            left = list(self._left[-1])
            if side in (0, 1):
                left[side] = left[side].after(seconds)
            self._left.append((left[0], left[1]))

    def take_back(self, plies: int) -> None:
        """So many plies of the game are left."""
        del self._left[plies + 1 :]
