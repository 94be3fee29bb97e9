"""Who gives hints to the players of a game."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from petteia.core.decision import Limit
from petteia.core.errors import UsageError
from petteia.core.protocol import Rules, seats
from petteia.player_processes.process import Children
from petteia.players import player as read_player
from petteia.players.player import Player, check_limit, notices


class Advisers:
    """The player that is asked for hints, the opponents, and a search where neither can give one."""

    def __init__(
        self, rules: Rules, players: tuple[Player, Player], asked: Player | None, children: Children | None
    ) -> None:
        """`asked`: the player that is asked for hints; None: the opponent of who asks."""
        self._rules, self._players, self._asked, self._children = rules, players, asked, children

    def check_limit(self, limit: Limit, persons: tuple[int, ...]) -> None:
        """Raise a UsageError for a limit that nobody takes, neither who plays nor who gives hints to `persons`."""
        if all(self._adviser(side) for side in persons):  # else a search gives the hints
            check_limit(limit, *self._players, *([] if self._asked is None else [self._asked]))

    def adviser(self, side: int, given: str | Any | None, limit: Limit) -> tuple[Player, tuple[str, ...]]:
        """Who gives a hint to `side`, and what people should be told of it; UsageError if nobody can.

        `given` is asked instead of all others.
        """
        adviser = self._adviser(side) if given is None else read_player(given, self._rules, self._children)
        if adviser is not None and side in adviser.seats:
            return adviser, ()
        with suppress(UsageError):  # a search is not kept, as its table is large
            searcher = read_player("search", self._rules, self._children)
            return searcher, notices(searcher, limit=limit)
        raise UsageError(f"nobody here can give a hint to {seats(self._rules)[side]}; name a player for hints")

    def _adviser(self, side: int) -> Player | None:
        adviser = self._asked or self._players[1 - side].adviser()
        return adviser if adviser is not None and side in adviser.seats else None
