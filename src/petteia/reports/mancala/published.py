"""The figures that the report on Mancala prints, as they stand in `printed.toml`."""

from __future__ import annotations

import tomllib
from importlib import resources

from petteia.reports.engine.printed import Printed, read_table

PRINTED = tomllib.loads((resources.files("petteia.reports.mancala") / "printed.toml").read_text(encoding="utf-8"))
TABLES = {name: read_table(each["cells"], each["games"]) for name, each in PRINTED["tables"].items()}
THETA_FIRST, THETA_SECOND, PROGRESS, STAGES, AVERAGES = (
    TABLES[name] for name in ("theta-first", "theta-second", "progress", "stages", "stage-averages")
)
LAMBDA: dict[tuple[int, int], Printed] = {
    (int(row), TABLES[name].columns.index(column)): cell
    for name in ("lambda-depth-1", "lambda-depth-2-and-3")
    for (row, column), cell in TABLES[name].cells.items()
}
"""what lambda 0 has, by plies of search and by who starts: 0 where it does"""
HOURS, LOWER_ONLY, BOTH_SIDES = (PRINTED[name] for name in ("hours", "lower-only", "both-sides"))
SWINGING = frozenset(PRINTED["swinging"])


def progress(number: int, seat: int) -> Printed:
    """Theta1 against greedy1 at the mark of this number, in this seat."""
    return PROGRESS.cells[PROGRESS.rows[number], PROGRESS.columns[seat]]


def stage(one: int, other: int) -> Printed | None:
    """Theta1 at the mark of one number against that at another."""
    return STAGES.cells.get((STAGES.rows[one], STAGES.columns[other]))
