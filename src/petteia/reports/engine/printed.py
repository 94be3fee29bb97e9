"""The tables that an original prints, read from text.

              heuristic greedy1
    theta1    100/0     91/3
    theta2    100/0     -

A cell is wins and draws of the first-named player in per cent; `-` is a cell where nothing is printed.
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.experiments.tournament.comparison import Counts

HUNDRED = 100.0
NOTHING = "-"


class Printed(NamedTuple):
    """A cell of a printed table."""

    wins: float
    """in per cent"""
    draws: float
    """in per cent"""
    games: int
    """that it is of"""

    @property
    def text(self) -> str:
        """As it is printed: `91/3.5`."""
        return f"{self.wins:g}/{self.draws:g}"

    @property
    def score(self) -> float:
        """Share of the points, 0..1."""
        return (self.wins + self.draws / 2.0) / HUNDRED

    @property
    def counts(self) -> Counts:
        """Wins, draws and losses. Wins are rounded: where they and the draws are more than all, they are less."""
        draws = round(self.draws * self.games / HUNDRED)
        wins = min(round(self.wins * self.games / HUNDRED), self.games - draws)
        return wins, draws, self.games - wins - draws


class PrintedTable(NamedTuple):
    """A printed table."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: dict[tuple[str, str], Printed]
    """by row and column; what is not printed is not there"""


def read_table(text: str, games: int) -> PrintedTable:
    """A table of so many games a cell; ValueError if a cell is unsound, or a row has not as many as the first one."""
    columns, *rows = (line.split() for line in text.strip().splitlines())

    def read(word: str) -> Printed:
        wins, draws = map(float, word.split("/"))
        return Printed(wins, draws, games)

    cells = {
        (row, column): read(word)
        for row, *words in rows
        for column, word in zip(columns, words, strict=True)
        if word != NOTHING
    }
    return PrintedTable(tuple(row for row, *_ in rows), tuple(columns), cells)
