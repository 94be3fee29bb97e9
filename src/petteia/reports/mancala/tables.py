"""Tables and statements as parts of the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from petteia.experiments.tournament.results import shown as per_cent
from petteia.reports import page
from petteia.reports.mancala.comparisons import Compared
from petteia.reports.mancala.shown import Shown
from petteia.reports.mancala.words import so_many
from petteia.reports.page import Html
from petteia.reports.verdicts import AGREES, DIFFERS, UNTOLD

LEGEND = (
    "Wins and draws of the first player in per cent, ours above R's; below, the 95 % interval of our score, and how "
    "many of our games are different ones. The side bar is green where R's figure agrees, red where it differs, grey "
    "where it cannot be told."
)


def statements(shown: Shown, part: str) -> list[str]:
    """The statements about one part, with what was found."""
    return [page.statement(each, finding) for each, finding in shown.found if each.part == part]


def grid(corner: str, cells: Sequence[Compared]) -> str:
    """A table of cells, first players down, second players across."""
    rows, columns = (list(dict.fromkeys(getattr(each, name) for each in cells)) for name in ("row", "column"))
    columns.sort(key=[*rows, *columns].index)
    known = {(each.row, each.column): square(each) for each in cells}
    return page.table(
        [corner, *columns], [[row, *(known.get((row, column), "") for column in columns)] for row in rows]
    )


def square(each: Compared) -> Html:
    """A cell: ours, R's, the interval and how many games are different."""
    ours = each.ours
    notes = [f"{ours.low * 100:.0f}–{ours.high * 100:.0f}; {ours.distinct} of {ours.games}"]
    if each.printed is not None:
        notes.insert(0, f"R {each.printed.text}")
    return page.compared(per_cent(ours), notes, each.verdict)


def tally(cells: Sequence[Compared]) -> str:
    """How many cells agree, in words."""
    counts = Counter(each.verdict for each in cells if each.verdict is not None)
    return (
        f"Of {counts.total()} cells {so_many(counts[AGREES], 'agree')}, {so_many(counts[DIFFERS], 'differ')}, and of "
        f"{counts[UNTOLD]} it cannot be told."
    )
