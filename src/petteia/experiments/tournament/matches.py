"""The matches of a tournament: what is kept of each, read again, and shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from petteia.arena.statistics import Interval, interval_of
from petteia.core.decision import FAULTS
from petteia.core.errors import InvalidError
from petteia.experiments.tournament.comparison import Counts
from petteia.records.journal import Journal

FORFEITS = dict(zip(("illegal", "timeouts", "crashed"), FAULTS.values(), strict=True))
"""how games are lost by what a player must not do, by the field of a match that counts them"""


class Cell(NamedTuple):
    """A match. Figures are those of the first player, whose row it is."""

    row: str
    """the first player"""
    column: str
    """the second player"""
    games: int
    """the number of games"""
    wins: int
    """games won"""
    draws: int
    """games drawn"""
    losses: int
    """games lost"""
    score: float
    """share of the points, 0..1: a win is one, a draw half of one"""
    low: float
    """lower bound of the 95 % interval of the score"""
    high: float
    """upper bound"""
    units: tuple[int, ...]
    """pairs of games, or single games where they do not come in pairs, by the first player's points: from none to all
    in steps of half a point"""
    distinct: int
    """different sequences of moves among the games"""
    seed: int
    """the seed by which `petteia match` plays the same games again"""
    illegal: int = 0
    """games lost, by either player, by an illegal move"""
    timeouts: int = 0
    """games lost, by either player, by taking too long"""
    crashed: int = 0
    """games lost, by either player, by failing"""
    plies: float = 0.0
    """mean length of a game, after its opening"""
    by_seat: tuple[Counts, Counts] = ((0, 0, 0), (0, 0, 0))
    """wins, draws and losses of the row's player as player 0, and as player 1"""
    row_fault: str = ""
    """what the row's player did in the first game that it lost so"""
    column_fault: str = ""
    """what the column's player did in the first game that it lost so"""

    @property
    def counts(self) -> Counts:
        """The numbers of games won, drawn and lost."""
        return self.wins, self.draws, self.losses

    @property
    def turned(self) -> Cell:
        """The same match as the column's player sees it."""
        as_first, as_second = self.by_seat
        return self._replace(
            row=self.column,
            column=self.row,
            wins=self.losses,
            losses=self.wins,
            score=1.0 - self.score,
            low=1.0 - self.high,
            high=1.0 - self.low,
            units=self.units[::-1],
            by_seat=(as_second[::-1], as_first[::-1]),
            row_fault=self.column_fault,
            column_fault=self.row_fault,
        )

    def interval(self, width: float) -> Interval:
        """The score with an interval of this width, in standard deviations to each side."""
        return interval_of(self.score, _squares(self.units, self.score), sum(self.units), width)

    @property
    def forfeits(self) -> int:
        """Games that were lost by what a player must not do."""
        return self.illegal + self.timeouts + self.crashed

    @property
    def is_possible(self) -> bool:
        """Whether its figures can be those of a match."""
        counted = (*self.counts, self.illegal, self.timeouts, self.crashed, self.seed, *self.units)
        halves = sum(half_points * count for half_points, count in enumerate(self.units))
        fits = len(self.units) in (3, 5) and halves == 2 * self.wins + self.draws
        seats = tuple(map(sum, zip(*self.by_seat, strict=True))) == self.counts
        return 0 < self.games == sum(self.counts) and min(counted) >= 0 and fits and seats


def _squares(units: tuple[int, ...], mean: float) -> float:
    """The sum of squared distances of units from their mean score."""
    return sum(count * (points / (len(units) - 1) - mean) ** 2 for points, count in enumerate(units))


_CELL = TypeAdapter(Cell)


def read_cell(journal: Journal, number: int, row: Mapping[str, Any]) -> Cell:
    """The match in row `number` of a journal; InvalidError if it is none."""
    try:
        cell = _CELL.validate_python(row)
    except ValidationError:
        cell = None
    if cell is None or not cell.is_possible:
        raise InvalidError(f"{journal.path}, line {number}: is not a match")
    return cell


def shown(cell: Cell) -> str:
    """Wins and draws in per cent: `97.1/1.2`."""
    return f"{cell.wins / cell.games * 100:.1f}/{cell.draws / cell.games * 100:.1f}"
