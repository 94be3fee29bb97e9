"""Tables that an original report prints, parsed from text.

              heuristic greedy1
    theta1    100/0     91/3
    theta2    100/0     -

A cell has the wins and draws of the first-named player in per cent. An empty cell is `-`.
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.experiments.tournament.comparison import Counts


class Printed(NamedTuple):
    """A cell of a printed table: its wins and draws in per cent, and its number of games."""

    wins: float
    """Wins in per cent."""
    draws: float
    """Draws in per cent."""
    games: int
    """The number of games."""

    @property
    def text(self) -> str:
        """The cell as it is printed, such as `91/3.5`: wins and draws in per cent."""
        return f"{self.wins:g}/{self.draws:g}"

    @property
    def score(self) -> float:
        """The score of the first-named player, 0..1."""
        return (self.wins + self.draws / 2.0) / 100.0

    @property
    def counts(self) -> Counts:
        """The numbers of wins, draws and losses.

        Printed percentages are rounded. If the numbers of wins and draws exceed the number of games, the number of wins
        is reduced.
        """
        draws = round(self.draws * self.games / 100.0)
        wins = min(round(self.wins * self.games / 100.0), self.games - draws)
        return wins, draws, self.games - wins - draws


class PrintedTable(NamedTuple):
    """A printed table."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: dict[tuple[str, str], Printed]
    """The printed cells by row and column."""


def read_table(text: str, games: int) -> PrintedTable:
    """Parse a printed table with `games` games per cell.

    Raises ValueError if a cell is invalid or a row has a wrong length.
    """
    columns, *rows = (line.split() for line in text.strip().splitlines())

    def read(word: str) -> Printed:
        wins, draws = map(float, word.split("/"))
        return Printed(wins, draws, games)

    cells = {
        (row, column): read(word)
        for row, *words in rows
        for column, word in zip(columns, words, strict=True)
        if word != "-"
    }
    return PrintedTable(tuple(row for row, *_ in rows), tuple(columns), cells)
