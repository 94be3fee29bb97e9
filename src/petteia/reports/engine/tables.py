"""Tables that are declared once, for the page and for the CSV files.

    @table("the game", "seat", "games won")
    def ceilings(evidence: Evidence) -> Iterator[Row]:
        yield [words, seat, won(setting)]

A row consists of a text label and figures. A cell of several figures shows their means side by side. A table of matches
is declared by a function that yields a `Meeting` for each cell:

    @match_table("first")
    def openings(evidence: Evidence) -> Iterator[Meeting]:
        yield Meeting("greedy1", "greedy2", match)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from petteia.render import html
from petteia.render.html import Html
from petteia.reports.engine.cells import Beside, Judged, Meeting, shown, with_verdicts
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure
from petteia.reports.engine.kept import name_of

TAG = re.compile("<[^>]+>")
Part = str | Html | Figure | Beside | tuple[Figure, ...]
Row = Sequence[Part]
Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Table:
    """A table of the page, whose rows consist of labels and measured values."""

    name: str
    columns: tuple[str, ...]
    rows: Callable[[Evidence], Iterable[Row]]
    folded: str = ""
    """The text on which a click shows the table. If it is empty, the table is always shown."""

    def html(self, evidence: Evidence) -> Html:
        """Return the table on the page."""
        return table_html(evidence, self.columns, self.rows(evidence), self.folded)

    def verdicts(self, evidence: Evidence) -> list[str]:
        """Return the verdicts on the printed values of the table."""
        return _verdicts(part for row in judged(self.rows(evidence), evidence)[0] for part in row)

    def figures(self, evidence: Evidence) -> Rows:
        """Return a CSV row for each statistic: its row and column, its mean and interval, and its value in each run."""
        return [
            {"table": self.name, "row": _label(row), "column": column} | _figures(each, evidence)
            for row in judged(self.rows(evidence), evidence)[0]
            for column, part in zip(self.columns, row, strict=True)
            for each in (part if isinstance(part, tuple) else [part])
            if isinstance(each, Figure | Beside)
        ]


@dataclass(frozen=True)
class MatchTable:
    """A table of matches. The rows are first players, the columns second players."""

    name: str
    corner: str
    """The text above the first players."""
    meetings: Callable[[Evidence], Iterable[Meeting]]
    folded: str = ""

    def found(self, evidence: Evidence) -> Judged:
        """Return all cells with their verdicts. The table is judged only once, as a whole."""
        if self.name not in evidence.tables:
            evidence.tables[self.name] = with_verdicts([*self.meetings(evidence)], evidence)
        return evidence.tables[self.name]

    def html(self, evidence: Evidence) -> Html:
        """Return the table as HTML, preceded by sentences about its printed values."""
        cells, words = self.found(evidence)
        rows, columns = (list(dict.fromkeys(getattr(each, name) for each in cells)) for name in ("row", "column"))
        columns.sort(key=[*rows, *columns].index)
        cell = {(each.row, each.column): each.html(evidence) for each in cells}
        body = [[row, *(cell.get((row, column), "") for column in columns)] for row in rows]
        return html.table([self.corner, *columns], body, words, self.folded)

    def verdicts(self, evidence: Evidence) -> list[str]:
        """Return the verdicts on the printed cells."""
        return _verdicts(self.found(evidence).cells)

    def figures(self, evidence: Evidence) -> Rows:
        """Return a row of the file tables.csv for each match."""
        return [{"table": self.name} | cell.figures(evidence) for cell in self.found(evidence).cells]


def table(*columns: str, folded: str = "") -> Callable[[Callable[[Evidence], Iterable[Row]]], Table]:
    """Decorator that makes a table from the function that yields its rows. The table has the function's name."""
    return lambda rows: Table(name_of(rows), columns, rows, folded)


def match_table(corner: str, folded: str = "") -> Callable[[Callable[[Evidence], Iterable[Meeting]]], MatchTable]:
    """Decorator that makes a table of matches from the function that yields its cells. It has the function's name."""
    return lambda meetings: MatchTable(name_of(meetings), corner, meetings, folded)


def table_html(evidence: Evidence, columns: Sequence[str], rows: Iterable[Row], folded: str = "") -> Html:
    """Return a table as HTML, preceded by sentences about its printed values."""
    found, words = judged(rows, evidence)
    return html.table(columns, [[shown(part, evidence) for part in row] for row in found], words, folded)


def judged(rows: Iterable[Row], evidence: Evidence) -> tuple[list[list[Part]], str]:
    """Compare the printed values in the rows with ours. Return the rows with verdicts, and a summary in sentences."""
    body = [[*row] for row in rows]
    found, words = with_verdicts([part for row in body for part in row], evidence)
    parts = iter(found)
    return [[next(parts) for _ in row] for row in body], words


def _label(row: Row) -> str:
    return TAG.sub("", ", ".join(map(str, takewhile(lambda part: isinstance(part, str), row))))


def _verdicts(parts: Iterable[Any]) -> list[str]:
    return [each.verdict for each in parts if isinstance(each, Beside | Meeting) and each.verdict is not None]


def _figures(part: Figure | Beside, evidence: Evidence) -> dict[str, Any]:
    figure = part if isinstance(part, Figure) else part.figure
    return {
        "figure": figure.name,
        **figure.interval(evidence).row("value"),
        "trainings": " ".join(f"{value:.6g}" for value in figure.values(evidence)),
        "printed": None if isinstance(part, Figure) else part.printed,
        "verdict": None if isinstance(part, Figure) else part.verdict,
    }
