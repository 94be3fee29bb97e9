"""How figures are said: with their intervals, and in per cent."""

from __future__ import annotations

from petteia.arena.statistics import Interval
from petteia.experiments.tournament.results import Cell
from petteia.reports.mancala.evidence import EVERY, OWN, interval

READING_WORDS = {OWN: "by own plies", EVERY: "by every ply"}
"""the two readings of the update"""


def spread(found: Interval, form: str) -> str:
    """A figure with its interval."""
    if not found.is_known:
        return f"{found.mean:{form}} (one seed)"
    return f"{found.mean:{form}} ({found.low:{form}} to {found.high:{form}})"


def share(found: Interval) -> str:
    """A share with its interval, which cannot leave 0..1."""
    return spread(found.kept_in(0.0, 1.0), ".1%")


def points(found: Interval) -> str:
    """A difference of shares in points of per cent, with its interval."""
    if not found.is_known:
        return f"{found.mean * 100:+.1f} points (one seed)"
    return f"{found.mean * 100:+.1f} points ({found.low * 100:+.1f} to {found.high * 100:+.1f})"


def score(cell: Cell) -> str:
    """The score of a match with its interval."""
    return share(interval(cell))


def counted(count: int, one: str, more: str | None = None) -> str:
    """So many of something."""
    return f"{count:,} {one if count == 1 else more or one + 's'}"
