"""The tables that an original prints, read from a text file.

    # a comment
    [theta-first] 200 games a cell
              heuristic greedy1
    theta1    100/0     91/3
    theta2    100/0     -

A cell is wins and draws of the first-named player in per cent; `-` is a cell where nothing is printed.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from petteia.core.errors import InvalidError
from petteia.experiments.tournament.comparison import Counts

HUNDRED = 100.0
HEADING = re.compile(r"\[([a-z0-9-]+)\] ([0-9]+) games a cell")
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


def read_tables(text: str, where: str) -> dict[str, PrintedTable]:
    """The tables of a file by name; InvalidError, naming the line, if it is not sound."""
    parts: dict[str, tuple[int, list[tuple[int, list[str]]]]] = {}
    name = ""
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if heading := HEADING.fullmatch(" ".join(words)):
            name, games = heading[1], int(heading[2])
            if name in parts:
                raise InvalidError(f"{where}, line {number}: there is a table {name!r} already")
            parts[name] = (games, [])
        elif words:
            if not name:
                raise InvalidError(f"{where}, line {number}: stands before the first table")
            parts[name][1].append((number, words))
    return {name: _table(games, lines, where) for name, (games, lines) in parts.items()}


def _table(games: int, lines: list[tuple[int, list[str]]], where: str) -> PrintedTable:
    (_, columns), *rest = lines or [(0, [])]
    cells = {}
    for number, (row, *words) in rest:
        if len(words) != len(columns):
            raise InvalidError(f"{where}, line {number}: has {len(words)} cells, not {len(columns)}")
        for column, word in zip(columns, words, strict=True):
            if word != NOTHING:
                cells[row, column] = _cell(word, games, f"{where}, line {number}")
    return PrintedTable(tuple(words[0] for _, words in rest), tuple(columns), cells)


def _cell(word: str, games: int, where: str) -> Printed:
    try:
        wins, draws = map(float, word.split("/"))
    except ValueError:
        raise InvalidError(f"{where}: {word!r} is not wins/draws") from None
    if not (wins >= 0.0 and draws >= 0.0 and max(wins, draws) <= HUNDRED):
        raise InvalidError(f"{where}: {word!r} is not in per cent")
    return Printed(wins, draws, games)
