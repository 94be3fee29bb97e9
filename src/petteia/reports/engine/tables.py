"""Tables, declared once: what they show on the page, and the rows of files that come of the same figures.

    @table("the game", "seat", "games won")
    def ceilings(evidence: Evidence) -> Iterator[Row]:
        yield [words, seat, won(setting)]

A row is a label, which is text, and figures. A cell of several figures shows their means side by side. A table of
matches is declared by its `Meeting`s:

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

TAG = re.compile("<[^>]+>")
Part = str | Html | Figure | Beside | tuple[Figure, ...]
Row = Sequence[Part]
Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Table:
    """A table of rows and figures."""

    name: str
    columns: tuple[str, ...]
    rows: Callable[[Evidence], Iterable[Row]]
    folded: str = ""
    """what unfolds it, in words; without, it is shown at once"""

    def html(self, evidence: Evidence) -> Html:
        """The table on the page."""
        return table_html(self.columns, self.rows(evidence), evidence, self.folded)

    def figures(self, evidence: Evidence) -> Rows:
        """A row for each figure: where it stands, its mean, its interval, and its value in each training."""
        found = []
        for row in judged(self.rows(evidence), evidence)[0]:
            label = TAG.sub("", ", ".join(map(str, takewhile(lambda part: isinstance(part, str), row))))
            for column, part in zip(self.columns, row, strict=True):
                parts = part if isinstance(part, tuple) else (part,)
                found += [
                    {"table": self.name, "row": label, "column": column} | _figures(each, evidence)
                    for each in parts
                    if isinstance(each, Figure | Beside)
                ]
        return found


@dataclass(frozen=True)
class MatchTable:
    """A table of matches, first players down, second players across."""

    name: str
    corner: str
    """what stands above the first players"""
    meetings: Callable[[Evidence], Iterable[Meeting]]
    folded: str = ""

    def found(self, evidence: Evidence) -> Judged:
        """All its cells, judged as a whole; it is judged once."""
        if self.name not in evidence.tables:
            evidence.tables[self.name] = with_verdicts([*self.meetings(evidence)], evidence)
        return evidence.tables[self.name]

    def html(self, evidence: Evidence) -> Html:
        """The table on the page, first players down, second players across, below what is to be thought of it."""
        cells, words = self.found(evidence)
        rows, columns = (list(dict.fromkeys(getattr(each, name) for each in cells)) for name in ("row", "column"))
        columns.sort(key=[*rows, *columns].index)
        cell = {(each.row, each.column): each.html(evidence) for each in cells}
        body = [[row, *(cell.get((row, column), "") for column in columns)] for row in rows]
        return html.table([self.corner, *columns], body, words, self.folded)

    def figures(self, evidence: Evidence) -> Rows:
        """A row for each match."""
        return [{"table": self.name} | cell.figures(evidence) for cell in self.found(evidence).cells]


def table(*columns: str, folded: str = "") -> Callable[[Callable[[Evidence], Iterable[Row]]], Table]:
    """Declare a table by a function of its rows; it is called as the function is."""
    return lambda rows: Table(_name(rows), columns, rows, folded)


def match_table(corner: str, folded: str = "") -> Callable[[Callable[[Evidence], Iterable[Meeting]]], MatchTable]:
    """Declare a table of matches by a function of its cells; it is called as the function is."""
    return lambda meetings: MatchTable(_name(meetings), corner, meetings, folded)


def table_html(columns: Sequence[str], rows: Iterable[Row], evidence: Evidence, folded: str = "") -> Html:
    """A table on the page, below what is to be thought of what is printed."""
    found, words = judged(rows, evidence)
    return html.table(columns, [[shown(part, evidence) for part in row] for row in found], words, folded)


def judged(rows: Iterable[Row], evidence: Evidence) -> tuple[list[list[Part]], str]:
    """The rows with the verdicts on what is printed, and what is to be thought of all."""
    body = [[*row] for row in rows]
    found, words = with_verdicts([part for row in body for part in row], evidence)
    parts = iter(found)
    return [[next(parts) for _ in row] for row in body], words


def _figures(part: Figure | Beside, evidence: Evidence) -> dict[str, Any]:
    figure, printed, verdict = (
        (part, None, None) if isinstance(part, Figure) else (part.figure, part.printed, part.verdict)
    )
    return {
        "figure": figure.name,
        **figure.interval(evidence).row("value"),
        "trainings": " ".join(f"{value:.6g}" for value in figure.values(evidence)),
        "printed": printed,
        "verdict": verdict,
    }


def _name(function: Callable[..., Any]) -> str:
    return function.__name__.replace("_", "-")
