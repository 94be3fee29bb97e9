"""The games of the original's two tables, each by its winner."""

from __future__ import annotations

from typing import NamedTuple

SECONDS = (2, 10, 50)
"""that five moves may take"""


class Games(NamedTuple):
    """The games of one table: every two players meet twice."""

    names: dict[str, str]
    """what the players are called, by their letters"""
    winners: dict[int, str]
    """the winners of the games in their order, by the seconds; in parentheses those whose marks are lost, and follow
    from the sums that are printed"""

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Who meet in each game: the first player each other, then the second each other, and so on."""
        return [(one, other) for one in self.names for other in self.names if one != other]

    def won_by(self, seconds: int) -> str:
        """The winners of the games, a letter each."""
        return self.winners[seconds].replace("(", "").replace(")", "")

    def is_lost(self, seconds: int, number: int) -> bool:
        """Whether the mark of a game is lost."""
        known = self.winners[seconds].partition("(")[0]
        return number >= len(known)

    def wins(self, seconds: int, letter: str) -> int:
        """How many of its six games a player won."""
        return self.won_by(seconds).count(letter)


SELECTION = Games(
    {"A": "w = 1", "B": "w = 0.75", "C": "w = 0.5", "D": "w = 0.25"},
    {2: "AADBBDCCCD(DD)", 10: "BADBCBCCCA(BC)", 50: "BAAABBABCD(BD)"},
)
PLAYERS = Games(
    {"S": "simple", "L": "selective", "U": "upgraded simple", "W": "upgraded selective"},
    {2: "LUSLLWSUW(WLW)", 10: "LSSSLLS(LWSWW)", 50: "SSWLLLS(LWSLW)"},
)
