"""Cells of tables: figures, and matches beside what an original prints.

A match between players that do not learn is told by the exact test of `petteia.experiments.tournament.comparison`, from
its number of games and ours: `fits` agrees, `misfit` differs, and what is doubtful cannot be told. Where a player has
learned, the original's is another training: its figure agrees if it lies where a further training of ours would.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from petteia.experiments.tournament.comparison import agreement
from petteia.experiments.tournament.results import Cell
from petteia.experiments.tournament.results import shown as per_cent
from petteia.reports.engine.estimates import SHARE
from petteia.reports.engine.figures import Figure, known
from petteia.reports.engine.matches import is_one_game
from petteia.reports.engine.parts import Html, table, unfolding
from petteia.reports.engine.printed import Printed
from petteia.reports.engine.rules import AGREES, DIFFERS, NOT_JUDGED, UNTOLD, Answer, could_be, verdict_of

VERDICTS = {"fits": AGREES, "doubtful": UNTOLD, "misfit": DIFFERS}
FIGURES = ("games", "wins", "draws", "losses", "score", "low", "high", "distinct")
"""of a match, in files"""


class Beside(NamedTuple):
    """A figure beside what an original prints of it."""

    figure: Figure
    printed: float

    def agrees(self, evidence: Any) -> Answer:
        """Whether a further training could have what is printed."""
        return could_be(self.figure, evidence, self.printed)

    def verdict(self, evidence: Any) -> str:
        """The same as a verdict, where the scale allows to ask."""
        return verdict_of(self.agrees(evidence)) if evidence.is_judged else NOT_JUDGED


def shown(cell: Figure | Beside, evidence: Any) -> Html:
    """A cell that shows the mean of a figure, and unfolds its interval, its range, and what is printed."""
    figure, verdict = (cell, None) if isinstance(cell, Figure) else (cell.figure, cell.verdict(evidence))
    notes = [] if isinstance(cell, Figure) else [f"printed {figure.unit.text(cell.printed)}"]
    notes.append(figure.text(evidence))
    if len(figure.values(evidence)) > 1:
        notes.append(f"seeds {figure.range_text(evidence)}")
    return unfolding(figure.unit.text(figure.mean(evidence)), notes, verdict)


class Compared(NamedTuple):
    """A cell of a table of matches."""

    table: str
    row: str
    column: str
    ours: Cell
    """of all seeds together"""
    scores: tuple[float, ...]
    """of each seed; none where nobody learned"""
    printed: Printed | None
    """what the original has; None where it has nothing"""
    verdict: str | None

    @property
    def notes(self) -> list[str]:
        """What a cell unfolds."""
        ours = self.ours
        notes = [] if self.printed is None else [f"printed {self.printed.text}"]
        if self.scores:
            notes.append(f"seeds {' '.join(f'{100 * score:.0f}' for score in self.scores)}")
        elif is_one_game(ours):
            notes.append("one game, certain")
        else:
            notes.append(f"{ours.low * 100:.0f} to {ours.high * 100:.0f}")
        notes.append(f"{ours.games} games" if is_one_game(ours) else f"{ours.distinct} of {ours.games} games differ")
        return notes

    def figures(self) -> dict[str, Any]:
        """Its row in a file."""
        ours, printed = self.ours, self.printed
        return {
            "table": self.table,
            "first": self.row,
            "second": self.column,
            **figures_of(ours),
            "seeds": " ".join(f"{score:.4f}" for score in self.scores),
            "printed_wins": None if printed is None else printed.wins,
            "printed_draws": None if printed is None else printed.draws,
            "printed_games": None if printed is None else printed.games,
            "verdict": self.verdict,
        }


def figures_of(cell: Cell) -> dict[str, Any]:
    """The figures of a match, as columns."""
    return {name: getattr(cell, name) for name in FIGURES}


def compare_matches(table: str, wanted: Sequence[tuple[str, str, Cell, Printed | None]]) -> list[Compared]:
    """Matches of players that did not learn: row, column, ours and what is printed."""
    known = sum(printed is not None for *_, printed in wanted)
    compared = []
    for row, column, ours, printed in wanted:
        verdict = None if printed is None else VERDICTS[agreement(ours.counts, printed.counts).verdict(known)]
        compared.append(Compared(table, row, column, ours, (), printed, verdict))
    return compared


def compare_learned(
    table: str, row: str, column: str, cells: Sequence[Cell], printed: Printed | None, is_judged: bool = True
) -> Compared:
    """The same match by the players of all seeds, beside what is printed of one training."""
    scores = tuple(cell.score for cell in cells)
    verdict = None
    if printed is not None:
        agrees = could_be(known("", SHARE, scores), None, printed.score)
        verdict = verdict_of(agrees) if is_judged else NOT_JUDGED
    return Compared(table, row, column, together(cells), scores, printed, verdict)


def together(cells: Sequence[Cell]) -> Cell:
    """Several matches as one: counts are sums; the interval is from the least to the most of their scores."""
    if len(cells) == 1:
        return cells[0]
    sums = {
        name: sum(getattr(each, name) for each in cells) for name in ("games", "wins", "draws", "losses", "distinct")
    }
    scores = [each.score for each in cells]
    return cells[0]._replace(**sums, score=sum(scores) / len(scores), low=min(scores), high=max(scores))


def grid(corner: str, cells: Sequence[Compared]) -> Html:
    """A table of matches, first players down, second players across."""
    rows, columns = (list(dict.fromkeys(getattr(each, name) for each in cells)) for name in ("row", "column"))
    columns.sort(key=[*rows, *columns].index)
    cell = {(each.row, each.column): unfolding(per_cent(each.ours), each.notes, each.verdict) for each in cells}
    return table([corner, *columns], [[row, *(cell.get((row, column), "") for column in columns)] for row in rows])
