"""The columns of the standings of a tournament: their headings and cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from petteia.arena.margins import shown_margin
from petteia.arena.ratings import shown_elo
from petteia.core.errors import UsageError
from petteia.experiments.tournament.declaration import Score
from petteia.experiments.tournament.standings import Standing


class Column(NamedTuple):
    """A column of the standings."""

    head: str
    """the heading"""
    cell: Callable[[Standing], str]
    """a function that returns the cell of a player as text"""


def per_cent(share: float | None) -> str:
    """Return a share in per cent as a string, such as `12.5%`; empty for None."""
    return "" if share is None else f"{share:.1%}"


def _elo_bounds(low: float | None, high: float | None) -> str:
    return f"{shown_elo(low)} to {shown_elo(high)}"


def _seconds(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds:.3g} s"


COLUMNS: dict[str, Column] = {
    "margin": Column("margin", lambda each: shown_margin(each.margin)),
    "margin-interval": Column(
        "95 % interval of the margin",
        lambda each: f"{shown_margin(each.margin_low)} to {shown_margin(each.margin_high)}",
    ),
    "games": Column("games", lambda each: f"{each.games:,}"),
    "results": Column("won/drawn/lost", lambda each: f"{each.wins:,}/{each.draws:,}/{each.losses:,}"),
    "pairs": Column("pairs, by points from 0 to 2", lambda each: each.pairs.replace(" ", "/")),
    "score": Column("score", lambda each: f"{each.score:.1%}"),
    "first": Column("as first", lambda each: per_cent(each.as_first)),
    "second": Column("as second", lambda each: per_cent(each.as_second)),
    "elo": Column("Elo", lambda each: shown_elo(each.elo)),
    "interval": Column("95 % interval", lambda each: _elo_bounds(each.low, each.high)),
    "all-at-once": Column("all at once", lambda each: _elo_bounds(each.all_low, each.all_high)),
    "superiority": Column("above the next", lambda each: per_cent(each.superiority)),
    "plies": Column("plies", lambda each: f"{each.plies:.1f}"),
    "time-move": Column("time per move", lambda each: _seconds(each.seconds_per_move)),
    "time-game": Column("time per game", lambda each: _seconds(each.seconds_per_game)),
    "illegal": Column("lost: illegal", lambda each: f"{each.illegal:,}"),
    "late": Column("lost: too late", lambda each: f"{each.timeouts:,}"),
    "failed": Column("lost: failed", lambda each: f"{each.crashed:,}"),
}
"""The columns by their names at the command line."""
TIME, LOST, PAIRS = ("time-move", "time-game"), ("illegal", "late", "failed"), ("pairs",)
"""The names of the columns for times, for games lost by faults, and for the results of pairs of games."""
USUAL: dict[Score, tuple[str, ...]] = {
    "points": tuple(name for name in COLUMNS if not name.startswith("margin") and name not in (*TIME, *LOST, *PAIRS)),
    "margin": tuple(name for name in COLUMNS if name != "superiority" and name not in (*TIME, *LOST, *PAIRS)),
}
"""The default columns for each way to rank players."""


def read_columns(text: str | None) -> tuple[str, ...]:
    """Parse the names of columns, separated by commas. The result for None is an empty tuple.

    Raises a UsageError if `text` contains the name of an unknown column.
    """
    names = () if text is None else tuple(text.split(","))
    for name in names:
        if name not in COLUMNS:
            raise UsageError(f"columns {text}: there is no column {name!r}; choose from {', '.join(COLUMNS)}")
    return names


def standings_rows(standings: Sequence[Standing], names: Sequence[str]) -> tuple[list[str], list[list[str]]]:
    """Return the standings as a table of strings with the columns `names`: its headings and its rows."""
    columns = [COLUMNS[name] for name in names]
    rows = [[each.player, *(column.cell(each) for column in columns)] for each in standings]
    return ["player", *(column.head for column in columns)], rows
