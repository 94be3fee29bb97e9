"""The published results of a tournament, with which new results are compared."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from petteia.experiments.source import Section

MAX_PUBLISHED = 1000
Count = Annotated[int, Field(ge=0)]
Counts = Annotated[tuple[Annotated[tuple[Count, ...], Field(strict=False)], ...], Field(strict=False)]


class Published(Section):
    """The section `[published]` of a file: the published results of a tournament.

    The tables have a row for each first player and a column for each second player.
    """

    source: str
    """the publication"""
    games: Annotated[int, Field(ge=1, le=MAX_PUBLISHED)]
    """the number of games of each match"""
    wins: Counts
    """the number of wins of the first player in each match, [rows, columns]"""
    draws: Counts

    def wrong(self, players: int) -> dict[str, str]:
        """Return error messages for the published table, by field. The tournament has `players` players."""
        for field, table in (("wins", self.wins), ("draws", self.draws)):
            if len(table) != players:
                return {f"published.{field}": f"has {len(table)} rows; must have {players}, one for each player"}
            for number, row in enumerate(table):
                if len(row) != players:
                    return {
                        f"published.{field}.{number}": f"has {len(row)} numbers; must have {players}, one per player"
                    }
        for number, (wins, draws) in enumerate(zip(self.wins, self.draws, strict=True)):
            for place, total in enumerate(map(sum, zip(wins, draws, strict=True))):
                if total > self.games:
                    where = f"published.draws.{number}.{place}"
                    return {where: f"wins and draws add up to {total}; must be at most {self.games}"}
        return {}
