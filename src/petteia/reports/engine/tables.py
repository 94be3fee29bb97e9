"""Tables of a report. Each table is declared once, and is then shown on the page and written to CSV files.

    @table("the game", "seat", "games won")
    def ceilings(evidence: Evidence) -> Iterator[Row]:
        yield [words, seat, won(setting)]

A row consists of a text label and figures. If a cell contains several figures, it shows their means side by side. A
table of matches is declared by a function that yields a `Meeting` for each cell:

    @match_table("first")
    def openings(evidence: Evidence) -> Iterator[Meeting]:
        yield Meeting("greedy1", "greedy2", match)

If a cell contains a result that an original report prints, the cell shows the verdict on this result (see
`petteia.reports.engine.printed`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import takewhile
from typing import Any

from petteia.arena.statistics import SAME
from petteia.experiments.tournament.comparison import agreement
from petteia.experiments.tournament.matches import Cell
from petteia.experiments.tournament.matches import shown as per_cent
from petteia.experiments.verdicts import AGREES, BORDERLINE, DIFFERS
from petteia.render import html
from petteia.render.html import Html
from petteia.reports.engine.estimates import PRINTED, SHARE, UNKNOWN, Asked, is_one_game
from petteia.reports.engine.evidence import Evidence, name_of
from petteia.reports.engine.figures import Figure
from petteia.reports.engine.printed import Judged, Printed, judge
from petteia.reports.engine.rules import NOT_JUDGED, TOO_WIDELY, UNTOLD
from petteia.reports.engine.settings import Match

KINDS = {
    AGREES: "agrees",
    DIFFERS: "differs",
    BORDERLINE: "borderline",
    UNTOLD: "untold",
    TOO_WIDELY: "untold",
    NOT_JUDGED: "unjudged",
}
"""The class of each verdict in the style sheet."""
COLUMNS = ("games", "wins", "draws", "losses", "score", "low", "high", "distinct")
"""The columns of a match in files."""
TAG = re.compile("<[^>]+>")


def unfolding(shown: str, notes: Sequence[str], verdict: str | None = None) -> Html:
    """Return an HTML cell that shows a text and, after a click, notes. The colour of its bar shows the verdict."""
    kind, title = ("", "") if verdict is None else (f" {KINDS[verdict]}", f' title="{verdict}"')
    lines = "".join(f"<small>{escape(note)}</small>" for note in notes)
    inner = f"<details><summary>{escape(shown)}</summary>{lines}</details>" if notes else escape(shown)
    return Html(f'<span class="cell{kind}"{title}>{inner}</span>')


@dataclass(frozen=True)
class Beside:
    """A table cell with a measured value, and the value that the original report prints."""

    figure: Figure
    printed: float
    of_games: int = UNKNOWN
    verdict: str | None = None
    """The verdict on the printed value; None until the table is judged."""
    recipe: str = ""
    """The recipe of the training runs, in a table with several recipes."""
    origin: str = PRINTED
    """The origin of the original figure, in words."""

    def asked(self, evidence: Any) -> Asked:
        """Return the printed value together with the measured values, so that they can be compared."""
        unit, values, games = self.figure.unit, self.figure.values(evidence), self.figure.games(evidence)
        return Asked(self.printed, unit, values, games, self.of_games, recipe=self.recipe, origin=self.origin)


@dataclass(frozen=True)
class Meeting:
    """A table cell with a match, and the result that the original report prints, if any."""

    row: str
    column: str
    match: Match | Sequence[Cell]
    """The match, or its results if it was played elsewhere and no player has learned."""
    printed: Printed | None = None
    """The original's result, or None if it has none."""
    note: str = ""
    """A further line that the cell shows after a click."""
    verdict: str | None = None
    """The verdict on the printed result; None until the table is judged."""

    def cells(self, evidence: Any) -> Sequence[Cell]:
        """Return the results of the match: one for each training run, or only one if no player has learned."""
        return evidence.cells(self.match) if isinstance(self.match, Match) else self.match

    def ours(self, evidence: Any) -> Cell:
        """Return the match's results, summed over all training runs.

        If there are several training runs, the interval is the range of their scores.
        """
        cells = self.cells(evidence)
        if len(cells) == 1:
            return cells[0]
        names, scores = ("games", "wins", "draws", "losses", "distinct"), [each.score for each in cells]
        sums = {name: sum(getattr(each, name) for each in cells) for name in names}
        return cells[0]._replace(**sums, score=sum(scores) / len(scores), low=min(scores), high=max(scores))

    def scores(self, evidence: Any) -> tuple[float, ...]:
        """Return the score of each training run, or an empty tuple if no player has learned."""
        has_learned = isinstance(self.match, Match) and self.match.agents
        return tuple(cell.score for cell in self.cells(evidence)) if has_learned else ()

    def asked(self, evidence: Any) -> Asked | None:
        """Return the printed result together with the measured results, or None if no result is printed."""
        if self.printed is None:
            return None
        ours, scores = self.ours(evidence), self.scores(evidence)
        odd = None if scores else agreement(ours.counts, self.printed.counts).p_value
        return Asked(self.printed.score, SHARE, scores, ours.games // max(len(scores), 1), self.printed.games, odd)

    def html(self, evidence: Any) -> Html:
        """Return the cell as HTML: the wins and draws of the match, and details that are shown after a click."""
        ours, scores = self.ours(evidence), self.scores(evidence)
        notes = [] if self.printed is None else [f"printed: {self.printed.text} (wins/draws in per cent)"]
        if scores:
            notes.append(f"scores of the training runs in per cent: {' '.join(f'{100 * each:.0f}' for each in scores)}")
        elif is_one_game(ours):
            notes.append("always the same game, because nothing is random")
        else:
            notes.append(f"95 % interval of the score: {ours.low * 100:.0f} to {ours.high * 100:.0f} per cent")
        notes.append(f"{ours.games} games{'' if is_one_game(ours) else f', {ours.distinct} of them distinct'}")
        return unfolding(per_cent(ours), [*notes, self.note] if self.note else notes, self.verdict)

    def figures(self, evidence: Any) -> dict[str, Any]:
        """Return the data of the match as a row of a CSV file."""
        ours = self.ours(evidence)
        return {
            "first": self.row,
            "second": self.column,
            **{name: getattr(ours, name) for name in COLUMNS},
            "seeds": " ".join(f"{score:.4f}" for score in self.scores(evidence)),
            **{f"printed_{name}": getattr(self.printed, name, None) for name in Printed._fields},
            "verdict": self.verdict,
        }


def with_verdicts(cells: Sequence[Any], evidence: Any) -> Judged:
    """Judge the cells of a table that have a printed value. The other cells remain unchanged."""
    asked = [each.asked(evidence) if isinstance(each, Beside | Meeting) else None for each in cells]
    questions = [each for each in asked if each is not None]
    nobody_learned = all(each.of_match is not None for each in questions)
    found, words = judge(questions, nobody_learned or evidence.is_judged)
    verdict, pairs = iter(found), zip(cells, asked, strict=True)
    return Judged([each if of is None else replace(each, verdict=next(verdict)) for each, of in pairs], words)


def shown(part: Any, evidence: Any) -> Any:
    """Return a table cell as HTML. Cells that contain only text are returned unchanged.

    A cell with a measured value shows the mean. After a click, it also shows the interval, the range over the training
    runs and the printed value.
    """
    if isinstance(part, tuple):
        whole = " / ".join(f"{each}%" for each in whole_percents([figure.mean(evidence) for figure in part]))
        return unfolding(whole, [f"{figure.words}: {figure.text(evidence)}" for figure in part])
    if not isinstance(part, Figure | Beside):
        return part
    figure, verdict = (part, None) if isinstance(part, Figure) else (part.figure, part.verdict)
    notes = [f"{part.origin}: {figure.unit.text(part.printed)}"] if isinstance(part, Beside) else []
    notes.append(figure.text(evidence))
    if len(figure.values(evidence)) > 1:
        notes.append(f"training runs: {figure.range_text(evidence)}")
    return unfolding(figure.unit.text(figure.mean(evidence)), notes, verdict)


def whole_percents(shares: Sequence[float]) -> list[int]:
    """Round shares to whole per cent. If the shares add up to 1, the percentages add up to 100.

    If the shares add up to 1, they are first rounded down. The shares with the largest remainders are then rounded up.
    """
    if abs(sum(shares) - 1.0) > SAME:
        return [round(100.0 * each) for each in shares]
    found = [math.floor(100.0 * each + SAME) for each in shares]
    by_remainder = sorted(range(len(shares)), key=lambda place: found[place] - 100.0 * shares[place])
    for place in by_remainder[: 100 - sum(found)]:
        found[place] += 1
    return found


Part = str | Html | Figure | Beside | tuple[Figure, ...]
Row = Sequence[Part]
Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Table:
    """A table on the page of a report. Each row consists of labels and measured values."""

    name: str
    columns: tuple[str, ...]
    rows: Callable[[Evidence], Iterable[Row]]
    folded: str = ""
    """The text on which a click shows the table. If it is empty, the table is always shown."""

    def html(self, evidence: Evidence) -> Html:
        """Return the table as HTML."""
        return table_html(evidence, self.columns, self.rows(evidence), self.folded)

    def verdicts(self, evidence: Evidence) -> list[str]:
        """Return the verdicts on the printed values of the table."""
        return _verdicts(part for row in judged(self.rows(evidence), evidence)[0] for part in row)

    def figures(self, evidence: Evidence) -> Rows:
        """Return a CSV row for each statistic: its row, column, mean, interval, and value in each training run."""
        return [
            {"table": self.name, "row": _label(row), "column": column} | _figures(each, evidence)
            for row in judged(self.rows(evidence), evidence)[0]
            for column, part in zip(self.columns, row, strict=True)
            for each in (part if isinstance(part, tuple) else [part])
            if isinstance(each, Figure | Beside)
        ]


@dataclass(frozen=True)
class MatchTable:
    """A table of matches. Each row stands for a first player, and each column for a second player."""

    name: str
    corner: str
    """The text above the first players."""
    meetings: Callable[[Evidence], Iterable[Meeting]]
    folded: str = ""

    def found(self, evidence: Evidence) -> Judged:
        """Return all cells with their verdicts. All cells of the table are judged together, and only once."""
        if self.name not in evidence.tables:
            evidence.tables[self.name] = with_verdicts([*self.meetings(evidence)], evidence)
        return evidence.tables[self.name]

    def html(self, evidence: Evidence) -> Html:
        """Return the table as HTML, after sentences about the printed values in its cells."""
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
    """Decorator for a function that yields table rows. It returns a `Table` of the same name."""
    return lambda rows: Table(name_of(rows), columns, rows, folded)


def match_table(corner: str, folded: str = "") -> Callable[[Callable[[Evidence], Iterable[Meeting]]], MatchTable]:
    """Decorator for a function that yields cells of a table of matches. It returns a `MatchTable` of the same name."""
    return lambda meetings: MatchTable(name_of(meetings), corner, meetings, folded)


def table_html(evidence: Evidence, columns: Sequence[str], rows: Iterable[Row], folded: str = "") -> Html:
    """Return a table as HTML, after sentences about the printed values in its cells."""
    found, words = judged(rows, evidence)
    return html.table(columns, [[shown(part, evidence) for part in row] for row in found], words, folded)


def judged(rows: Iterable[Row], evidence: Evidence) -> tuple[list[list[Part]], str]:
    """Judge the printed values in the rows of a table. Return the rows with verdicts, and summarising sentences."""
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
