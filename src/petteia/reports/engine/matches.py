"""What came of matches: who sees it, whether it is certain, and its columns in files."""

from __future__ import annotations

from typing import Any

from petteia.arena.statistics import Interval
from petteia.experiments.tournament.matches import Cell
from petteia.reports.engine.estimates import certain

FIGURES = ("games", "wins", "draws", "losses", "score", "low", "high", "distinct")
"""of a match, in files"""
AGENT = "agent=("
WITHOUT_CHANCE = frozenset({"heuristic", "simple"})
"""players that never draw lots, by their text forms"""


def turned(cell: Cell, seat: int) -> Cell:
    """A match as who sat in this seat sees it."""
    return cell if seat == 0 else cell.turned


def is_one_game(cell: Cell) -> bool:
    """Whether a match from the start is one game, again and again, as neither player draws lots.

    Where somebody draws lots, games that turn out the same are as good evidence as others.
    """
    return cell.distinct == 1 and {cell.row, cell.column} <= WITHOUT_CHANCE


def score_of(cell: Cell) -> Interval:
    """The score of a match with its interval; what is one game for certain has none."""
    return certain(cell.score) if is_one_game(cell) else Interval(cell.score, cell.low, cell.high)


def figures_of(cell: Cell) -> dict[str, Any]:
    """The figures of a match, as columns."""
    return {name: getattr(cell, name) for name in FIGURES}
