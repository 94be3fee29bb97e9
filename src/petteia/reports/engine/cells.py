"""Cells of tables of matches beside what an original prints.

A match between players that do not learn is told by the exact test of `petteia.experiments.tournament.comparison`, from
its number of games and ours: `fits` agrees, `misfit` differs, and what is doubtful cannot be told. Where a player has
learned, the original's is another training: its figure agrees if it lies where a further training of ours would.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from petteia.experiments.tournament.comparison import agreement
from petteia.experiments.tournament.results import Cell
from petteia.reports.engine.claims import AGREES, DIFFERS, UNTOLD, could_be, verdict_of
from petteia.reports.engine.estimates import SHARE
from petteia.reports.engine.figures import Figure
from petteia.reports.engine.matches import is_one_game
from petteia.reports.engine.printed import Printed

VERDICTS = {"fits": AGREES, "doubtful": UNTOLD, "misfit": DIFFERS}
FIGURES = ("games", "wins", "draws", "losses", "score", "low", "high", "distinct")
"""of a match, in rows"""


class Compared(NamedTuple):
    """A cell of a table."""

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
        told = [] if self.printed is None else [f"printed {self.printed.text}"]
        if self.scores:
            told.append(f"seeds {' '.join(f'{100 * score:.0f}' for score in self.scores)}")
        elif is_one_game(ours):
            told.append("one game, certain")
        else:
            told.append(f"{ours.low * 100:.0f} to {ours.high * 100:.0f}")
        told.append(f"{ours.games} games" if is_one_game(ours) else f"{ours.distinct} of {ours.games} games differ")
        return told

    def figures(self) -> dict[str, Any]:
        """Its row in a file."""
        ours, printed = self.ours, self.printed
        return {
            "table": self.table,
            "first": self.row,
            "second": self.column,
            **{name: getattr(ours, name) for name in FIGURES},
            "seeds": " ".join(f"{score:.4f}" for score in self.scores),
            "printed_wins": None if printed is None else printed.wins,
            "printed_draws": None if printed is None else printed.draws,
            "printed_games": None if printed is None else printed.games,
            "verdict": self.verdict,
        }


def compare_matches(table: str, wanted: Sequence[tuple[str, str, Cell, Printed | None]]) -> list[Compared]:
    """Matches of players that did not learn: row, column, ours and what is printed."""
    known = sum(printed is not None for *_, printed in wanted)
    found = []
    for row, column, ours, printed in wanted:
        verdict = None if printed is None else VERDICTS[agreement(ours.counts, printed.counts).verdict(known)]
        found.append(Compared(table, row, column, ours, (), printed, verdict))
    return found


def compare_learned(table: str, row: str, column: str, cells: Sequence[Cell], printed: Printed | None) -> Compared:
    """The same match by the players of all seeds, beside what is printed of one training."""
    scores = tuple(cell.score for cell in cells)
    verdict = None
    if printed is not None:
        verdict = verdict_of(could_be(Figure("", SHARE, lambda _: scores), None, printed.score))
    return Compared(table, row, column, together(cells), scores, printed, verdict)


def together(cells: Sequence[Cell]) -> Cell:
    """Several matches as one: counts are sums; the interval is from the least to the most of their scores."""
    games, wins, draws, losses, distinct = (
        sum(getattr(cell, name) for cell in cells) for name in ("games", "wins", "draws", "losses", "distinct")
    )
    scores = [cell.score for cell in cells]
    if len(cells) == 1:
        return cells[0]
    return cells[0]._replace(
        games=games,
        wins=wins,
        draws=draws,
        losses=losses,
        distinct=distinct,
        score=sum(scores) / len(scores),
        low=min(scores),
        high=max(scores),
    )
