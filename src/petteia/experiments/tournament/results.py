"""What a tournament has found: a table of who beats whom, what is odd about it, and how another one compares."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from petteia.arena.ratings import Pairing, Rating, ratings, shown_elo
from petteia.arena.statistics import Interval
from petteia.children.process import Children
from petteia.core.decision import FAULTS
from petteia.core.errors import InvalidError
from petteia.experiments.tournament.comparison import Agreement, Counts, agreement
from petteia.experiments.tournament.declaration import TournamentPlan
from petteia.experiments.tournament.observations import Observation, find
from petteia.experiments.verdicts import AGREES, DIFFERS, verdicts
from petteia.players import player
from petteia.players.player import notices
from petteia.records.journal import Journal
from petteia.records.runs import Run

Row = dict[str, Any]
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
    row_fault: str = ""
    """what the row's player did in the first game that it lost so"""
    column_fault: str = ""
    """what the column's player did in the first game that it lost so"""

    @property
    def counts(self) -> Counts:
        """The numbers of games won, drawn and lost."""
        return self.wins, self.draws, self.losses

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
        return 0 < self.games == sum(self.counts) and min(counted) >= 0 and fits


class Standing(NamedTuple):
    """A player's place in a tournament. Elo points are above the mean of all players; None: without bound."""

    player: str
    """the name of the player"""
    games: int
    """its games against others"""
    wins: int
    """games won"""
    draws: int
    """games drawn"""
    losses: int
    """games lost"""
    score: float
    """share of the points, 0..1"""
    elo: float | None
    """the rating; None for a player that won, or lost, all its games"""
    low: float | None
    """lower bound of the 95 % interval of the rating"""
    high: float | None
    """upper bound"""
    all_low: float | None
    """lower bound of intervals that hold the ratings of all players at the same time in 95 % of tournaments"""
    all_high: float | None
    """upper bound"""


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


class Compared(NamedTuple):
    """A match, and what was published about it."""

    cell: Cell
    """the match"""
    published: Counts
    """the results that were published"""
    agreement: Agreement
    """how likely the published results are, given those of the match"""
    verdict: str
    """AGREES, ODD or DIFFERS, see `petteia.experiments.verdicts`"""

    def row(self) -> Row:
        """The row of the comparison."""
        cell = self.cell
        names = ("wins", "draws", "losses")
        return {
            "row": cell.row,
            "column": cell.column,
            "games": cell.games,
            **dict(zip(names, cell.counts, strict=True)),
            "published_games": sum(self.published),
            **{f"published_{name}": count for name, count in zip(names, self.published, strict=True)},
            **self.agreement._asdict(),
            "verdict": self.verdict,
        }

    def words(self, source: str) -> str:
        """What was published beside what was to be expected."""
        games = sum(self.published)
        expected = [f"{count * games / self.cell.games:.1f}" for count in self.cell.counts]
        shown = "{} wins, {} draws and {} losses"
        return (
            f"{self.cell.row} against {self.cell.column}: {source} has {shown.format(*self.published)}; "
            f"of {games} games {shown.format(*expected)} are to be expected (p = {self.agreement.p_value:.2g})"
        )


@dataclass(frozen=True, repr=False)
class TournamentTable:
    """A tournament that was played."""

    plan: TournamentPlan
    cells: list[Cell]
    """the matches, row by row"""

    def __repr__(self) -> str:
        played = self.plan.declaration.tournament
        return f"<Tournament of {played.game}, {len(self.plan.players)} players, {played.games:,} games a match>"

    @property
    def rows(self) -> dict[str, list[Row]]:
        """All rows, by what they are about."""
        comparison = {} if self.plan.declaration.published is None else {"comparison": self.comparison}
        standings = [each._asdict() for each in self.standings]
        table = [{**cell._asdict(), "units": " ".join(map(str, cell.units))} for cell in self.cells]
        return {"table": table, "standings": standings, **comparison, "summary": self.summary}

    @functools.cached_property
    def notes(self) -> tuple[str, ...]:
        """What people should be told about the players, and about what they did."""
        played = self.plan.declaration.tournament
        with Children(played.allowance, in_process=played.in_process) as children:
            players = [player(text, self.plan.rules, children) for text in self.plan.players]
        warnings = notices(*players, limit=played.limit)
        faults: dict[str, str] = {}
        for cell in self.cells:
            for name, fault in ((cell.row, cell.row_fault), (cell.column, cell.column_fault)):
                if fault:
                    faults.setdefault(name, f"{fault} (the first game that it lost so)")
        return (*self.plan.broken, *warnings, *faults.values())

    @functools.cached_property
    def standings(self) -> list[Standing]:
        """The players by their ratings, the strongest first. Games of a player against itself do not count."""
        players = self.plan.players
        met = [cell for cell in self.cells if cell.row != cell.column]
        pairings = [Pairing(players.index(cell.row), players.index(cell.column), cell.units) for cell in met]
        found = ratings(len(players), pairings).players if met else ()
        order = sorted(range(len(found)), key=lambda place: (-_middle(found[place]), place))
        return [_standing(players[place], found[place], met) for place in order]

    @functools.cached_property
    def findings(self) -> list[Observation]:
        """What was looked for and found."""
        scores = {(cell.row, cell.column): Interval(cell.score, cell.low, cell.high) for cell in self.cells}
        return find(scores, self.plan.declaration.findings)

    @functools.cached_property
    def compared(self) -> list[Compared]:
        """Each match with what was published about it; none if nothing was."""
        published = self.plan.declaration.published
        if published is None:
            return []
        wins, draws = (sum(table, ()) for table in (published.wins, published.draws))
        counts = [(won, drawn, published.games - won - drawn) for won, drawn in zip(wins, draws, strict=True)]
        likely = [agreement(cell.counts, each) for cell, each in zip(self.cells, counts, strict=True)]
        found = verdicts([each.p_value for each in likely])
        return [Compared(*each) for each in zip(self.cells, counts, likely, found, strict=True)]

    @property
    def comparison(self) -> list[Row]:
        """A row for each match: our figures and the published ones."""
        return [each.row() for each in self.compared]

    @property
    def log_likelihood(self) -> float:
        """Of the whole published table."""
        return sum(each.agreement.log_likelihood for each in self.compared)

    @property
    def differing(self) -> list[Compared]:
        """The matches in which the published figures differ from ours."""
        return [each for each in self.compared if each.verdict == DIFFERS]

    @property
    def summary(self) -> list[Row]:
        """A row for each finding and each match that does not agree, in words, and one for the published table."""
        rows = [each._asdict() for each in self.findings]
        published = self.plan.declaration.published
        if published is None:
            return rows
        wrong = [
            Observation(
                each.verdict, each.cell.row, each.cell.column, each.agreement.p_value, each.words(published.source)
            )
            for each in self.compared
            if each.verdict != AGREES
        ]
        words = f"log-likelihood of the table of {published.source}; {self._differing}"
        total = Observation("log-likelihood", "", "", self.log_likelihood, words)
        return [*rows, *(each._asdict() for each in (*wrong, total))]

    @property
    def _differing(self) -> str:
        count = len(self.differing)
        return f"{count} match{'' if count == 1 else 'es'} that differ{'s' if count == 1 else ''}"

    def table(self) -> tuple[list[str], list[list[str]]]:
        """A heading and rows for people: a row for each first player, wins and draws in per cent.

        Matches that differ from what was published have a star; those with games that were lost by what a player must
        not do have an exclamation mark.
        """
        players, differing = self.plan.players, {(each.cell.row, each.cell.column) for each in self.differing}
        cells = {
            (cell.row, cell.column): shown(cell)
            + ("!" if cell.forfeits else "")
            + ("*" if (cell.row, cell.column) in differing else "")
            for cell in self.cells
        }
        rows = [[row, *(cells[row, column] for column in players)] for row in players]
        return [*self.words, *players], rows

    def standings_table(self) -> tuple[list[str], list[list[str]]]:
        """A heading and rows for people: the standings."""
        heads = ["player", "games", "won/drawn/lost", "score", "Elo", "95 % interval", "all at once"]
        rows = [
            [
                each.player,
                f"{each.games:,}",
                f"{each.wins:,}/{each.draws:,}/{each.losses:,}",
                f"{each.score:.1%}",
                shown_elo(each.elo),
                f"{shown_elo(each.low)} to {shown_elo(each.high)}",
                f"{shown_elo(each.all_low)} to {shown_elo(each.all_high)}",
            ]
            for each in self.standings
        ]
        return heads, rows

    @property
    def words(self) -> list[str]:
        """What the first columns of the table are called, those that tell its rows apart."""
        return ["first"]

    @property
    def note(self) -> str:
        """What the table shows."""
        played = self.plan.declaration.tournament
        words = f"wins/draws of the first player in per cent of {played.games:,} games"
        if any(cell.forfeits for cell in self.cells):
            counts = {how: sum(getattr(cell, name) for cell in self.cells) for name, how in FORFEITS.items()}
            words += f"; lost (!) {', '.join(f'{how} {count:,}' for how, count in counts.items() if count)}"
        published = self.plan.declaration.published
        if published is None:
            return words
        return (
            f"{words}; log-likelihood of the table of {published.source} {self.log_likelihood:.1f}, "
            f"{self._differing} (*)"
        )


@dataclass(frozen=True, repr=False)
class TournamentResult(TournamentTable):
    """A tournament that was played, and the folder with all it has found."""

    folder: Path
    run: Run


def _middle(rating: Rating) -> float:
    """By what players are put in order: the rating, or the bound of one that has no other."""
    if math.isfinite(rating.elo):
        return rating.elo
    return rating.low if math.isfinite(rating.low) else rating.high if math.isfinite(rating.high) else 0.0


def _standing(name: str, rating: Rating, cells: Sequence[Cell]) -> Standing:
    as_first = [cell.counts for cell in cells if cell.row == name]
    as_second = [cell.counts[::-1] for cell in cells if cell.column == name]
    wins, draws, losses = (sum(each) for each in zip(*as_first, *as_second, strict=True))
    games = wins + draws + losses
    bounds = (elo if math.isfinite(elo) else None for elo in rating)
    return Standing(name, games, wins, draws, losses, (wins + draws / 2) / games, *bounds)


def shown(cell: Cell) -> str:
    """Wins and draws in per cent: `97.1/1.2`."""
    return f"{cell.wins / cell.games * 100:.1f}/{cell.draws / cell.games * 100:.1f}"
