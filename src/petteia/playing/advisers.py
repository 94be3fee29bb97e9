"""The players that give hints to the people in a session."""

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
    """The players that can give hints.

    When a session is created, the user can name a player for hints. By default, the opponent of the side to move gives
    the hints. If this player cannot give hints to that side, a search gives them.
    """

    def __init__(
        self, rules: Rules, players: tuple[Player, Player], asked: Player | None, children: Children | None
    ) -> None:
        """Store the players. `asked` is the player that gives hints; None means the opponent of the side to move."""
        self._rules, self._players, self._asked, self._children = rules, players, asked, children

    def check_limit(self, limit: Limit, persons: tuple[int, ...]) -> None:
        """Raise UsageError if a limit is given, but no player in the game supports limits, for its moves or for hints.

        `persons` contains the sides that people play. If a search gives the hints to at least one of these sides, the
        check is skipped, because a search supports all limits.
        """
        if all(self._adviser(side) for side in persons):  # otherwise a search gives the hints
            check_limit(limit, *self._players, *([] if self._asked is None else [self._asked]))

    def adviser(self, side: int, given: str | Any | None, limit: Limit) -> tuple[Player, tuple[str, ...]]:
        """Return the player that gives hints to `side`, and notices about this player for the user.

        `given` is the player that gives the hint. If it is None, the hint comes from the player that the session uses
        for hints. A player that cannot play `side` is replaced by a search. Raises UsageError if not even a search is
        possible.
        """
        adviser = self._adviser(side) if given is None else read_player(given, self._rules, self._children)
        if adviser is not None and side in adviser.seats:
            return adviser, ()
        with suppress(UsageError):  # the search is not stored, because its table is large
            searcher = read_player("search", self._rules, self._children)
            return searcher, notices(searcher, limit=limit)
        raise UsageError(f"no player can give a hint to {seats(self._rules)[side]}; choose a player for hints")

    def _adviser(self, side: int) -> Player | None:
        adviser = self._asked or self._players[1 - side].adviser()
        return adviser if adviser is not None and side in adviser.seats else None
