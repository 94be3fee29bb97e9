"""Results of matches: from the perspective of either player, with an interval, and as columns of a file."""

from __future__ import annotations

from petteia.arena.statistics import Interval
from petteia.experiments.tournament.matches import Cell
from petteia.reports.engine.estimates import certain

COLUMNS = ("games", "wins", "draws", "losses", "score", "low", "high", "distinct")
"""The columns of a match in files."""
AGENT = "agent=("
WITHOUT_CHANCE = frozenset({"heuristic", "simple"})
"""The text forms of players that never choose at random."""


def turned(cell: Cell, seat: int) -> Cell:
    """Return a match from the perspective of the player in this seat."""
    return cell if seat == 0 else cell.turned


def is_one_game(cell: Cell) -> bool:
    """Return whether a match repeats a single game because neither player chooses at random.

    If a player chooses at random, two equal games are counted as two independent observations.
    """
    return cell.distinct == 1 and {cell.row, cell.column} <= WITHOUT_CHANCE


def score_of(cell: Cell) -> Interval:
    """Return the score of a match with its confidence interval.

    If the match repeats a single game, both bounds are equal to the score.
    """
    return certain(cell.score) if is_one_game(cell) else Interval(cell.score, cell.low, cell.high)
