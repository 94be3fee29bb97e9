"""The winners of all games in the two tables of results that the student exercise prints."""

from __future__ import annotations

from typing import NamedTuple

SECONDS = (2, 10, 50)
"""the time limits of the student exercise, in seconds for five moves"""


class Games(NamedTuple):
    """The games of one printed table, in which each pair of players meets twice."""

    names: dict[str, str]
    """the names of the players by their letters"""
    winners: dict[int, str]
    """the winners of the games in order, for each time limit in seconds; winners in parentheses are missing in the
    printed table, and are inferred from its sums"""

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The players of each game as pairs of letters, in the order of the printed table."""
        return [(one, other) for one in self.names for other in self.names if one != other]

    def won_by(self, seconds: int) -> str:
        """Return the winners of all games at a time limit in seconds, one letter per game."""
        return self.winners[seconds].replace("(", "").replace(")", "")

    def is_lost(self, seconds: int, number: int) -> bool:
        """Return whether the winner of a game is missing in the printed table, and is inferred from the sums."""
        return number >= self.winners[seconds].index("(")

    def wins(self, seconds: int, letter: str) -> int:
        """Return how many games a player won at a time limit in seconds. `letter` stands for the player."""
        return self.won_by(seconds).count(letter)


SELECTION = Games(
    {"A": "w = 1", "B": "w = 0.75", "C": "w = 0.5", "D": "w = 0.25"},
    {2: "AADBBDCCCD(DD)", 10: "BADBCBCCCA(BC)", 50: "BAAABBABCD(BD)"},
)
PLAYERS = Games(
    {"S": "simple", "L": "selective", "U": "upgraded simple", "W": "upgraded selective"},
    {2: "LUSLLWSUW(WLW)", 10: "LSSSLLS(LWSWW)", 50: "SSWLLLS(LWSLW)"},
)
PRINTED = {"selection": SELECTION, "players": PLAYERS}
"""the games of both experiments of the student exercise, by the names of the experiments"""
ALL_MOVES, *PARTS = SELECTION.names.values()
SIMPLY, SELECTIVELY, UPGRADED_SIMPLE, UPGRADED = PLAYERS.names.values()
