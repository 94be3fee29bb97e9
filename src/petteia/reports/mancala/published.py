"""The figures that the report on Mancala prints: tables in `printed.txt`, and what stands in its text."""

from __future__ import annotations

from importlib import resources

from petteia.reports.engine.printed import Printed, read_tables

NAME = "printed.txt"
TABLES = read_tables((resources.files("petteia.reports.mancala") / NAME).read_text(encoding="utf-8"), NAME)
THETA_FIRST, THETA_SECOND, PROGRESS, STAGES, AVERAGES = (
    TABLES[name] for name in ("theta-first", "theta-second", "progress", "stages", "stage-averages")
)
LAMBDA: dict[tuple[int, int], Printed] = {
    (int(row), TABLES[name].columns.index(column)): cell
    for name in ("lambda-depth-1", "lambda-depth-2-and-3")
    for (row, column), cell in TABLES[name].cells.items()
}
"""what lambda 0 has, by plies of search and by who starts: 0 where it does"""

LOWER_ONLY, BOTH_SIDES = 0.53, 0.88
"""share of games that a learner which was always lower, and one that learned on both sides, wins as second against
greedy1"""

HOURS = 12
"""that 500,000 games took"""

SWINGING = frozenset(
    {
        *("south_to_move.south.can_get_another_move", "south_to_move.south.is_passing_store"),
        *("south_to_move.south.can_fill_all_empties", "south_to_move.south.play_options"),
        *("south_to_move.south.last_pit_empty", "south_to_move.north.play_options"),
        *("south_to_move.north.last_pit_empty", "north_to_move.south.is_passing_store"),
        *("north_to_move.south.play_options", "north_to_move.south.can_win_in_1_turn"),
        *("north_to_move.north.can_get_another_move", "north_to_move.north.last_pit_empty", "constant"),
    }
)
"""weights that still swing by more than 0.1 over its last 50,000 games"""


def progress(number: int, seat: int) -> Printed:
    """Theta1 against greedy1 at the mark of this number, in this seat."""
    return PROGRESS.cells[PROGRESS.rows[number], PROGRESS.columns[seat]]


def stage(one: int, other: int) -> Printed | None:
    """Theta1 at the mark of one number against that at another."""
    return STAGES.cells.get((STAGES.rows[one], STAGES.columns[other]))
