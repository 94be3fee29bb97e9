"""The results of a tournament: its crosstable, standings and findings, and the comparison with a published table."""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from petteia.arena.margins import mean_margin, shown_margin
from petteia.experiments.tournament.columns import LOST, PAIRS, TIME, USUAL, per_cent, standings_rows
from petteia.experiments.tournament.comparison import Agreement, Counts, agreement
from petteia.experiments.tournament.declaration import Score, TournamentPlan
from petteia.experiments.tournament.matches import FORFEITS, Cell, shown
from petteia.experiments.tournament.observations import MARKS, Observation, find, simultaneous_width
from petteia.experiments.tournament.standings import Standing, share_of_points, standings
from petteia.experiments.verdicts import AGREES, DIFFERS, verdicts
from petteia.player_processes.process import Children
from petteia.players import player
from petteia.players.player import notices
from petteia.records.runs import Run

Row = dict[str, Any]
AVERAGE = "average"
NOT_REPEATABLE = "with a time limit or a clock, the same command plays different games each time"


class Compared(NamedTuple):
    """A match and its published results, with a verdict on whether they agree."""

    cell: Cell
    """the match"""
    published: Counts
    """the published wins, draws and losses"""
    agreement: Agreement
    """the likelihood of the published results, given the results of the match"""
    verdict: str
    """AGREES, BORDERLINE or DIFFERS; see `petteia.experiments.verdicts`"""

    def row(self) -> Row:
        """The match as a row of the table `comparison.csv`."""
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
        """Return a sentence that compares published results with the results expected from the played games."""
        games = sum(self.published)
        expected = [f"{count * games / self.cell.games:.1f}" for count in self.cell.counts]
        shown = "{} wins, {} draws and {} losses"
        return (
            f"{self.cell.row} against {self.cell.column}: {source} has {shown.format(*self.published)}; "
            f"of {games} games {shown.format(*expected)} are expected (p = {self.agreement.p_value:.2g})"
        )


@dataclass(frozen=True, repr=False)
class TournamentTable:
    """The results of a tournament: its matches, standings and findings."""

    plan: TournamentPlan
    cells: list[Cell]
    """the matches, row by row"""
    blocks: list[Row] = field(default_factory=list, kw_only=True)
    """the lines of the journal, if the tournament was not saved in a folder"""

    def __repr__(self) -> str:
        played = self.plan.declaration.tournament
        return f"<Tournament of {played.game}, {len(self.plan.players)} players, {played.games:,} games per match>"

    @property
    def rows(self) -> dict[str, list[Row]]:
        """The rows of each CSV file, by the name of the file without its extension."""
        comparison = {} if self.plan.declaration.published is None else {"comparison": self.comparison}
        standings = [each._asdict() for each in self.standings]
        table = [{**cell._asdict(), **_texts(cell)} for cell in self.cells]
        for row in table:
            del row["letters"]
            del row["used"]
        return {"table": table, "standings": standings, **comparison, "summary": self.summary}

    @functools.cached_property
    def notes(self) -> tuple[str, ...]:
        """Remarks for the user, for example about broken players and about games that were lost by faults."""
        played = self.plan.declaration.tournament
        with Children(played.allowance, in_process=played.in_process) as children:
            players = [player(text, self.plan.rules, children) for text in self.plan.players]
        warnings = notices(*players, limit=played.first_limit)
        faults: dict[str, str] = {}
        for cell in self.cells:
            for name, fault in ((cell.row, cell.row_fault), (cell.column, cell.column_fault)):
                if fault:
                    faults.setdefault(name, f"{fault} (the first game that it lost in this way)")
        again = sum(cell.voided for cell in self.cells)
        overloaded = (f"{again} games were played again because the machine was overloaded",) if again else ()
        is_timed = played.is_timed or any(each.is_timed(played.first_limit) for each in players)
        timed = (NOT_REPEATABLE,) if is_timed else ()
        return (*self.plan.broken, *warnings, *faults.values(), *overloaded, *timed)

    @functools.cached_property
    def standings(self) -> list[Standing]:
        """The standings of the players, from the strongest to the weakest."""
        return standings(self.plan.players, self.cells, self._score)

    @functools.cached_property
    def findings(self) -> list[Observation]:
        """The surprising results in the crosstable.

        For each kind of finding, the probability that the crosstable contains a false finding is at most 1/20.
        """
        wanted, met = self.plan.declaration.findings, self.crosstable
        found: list[Observation] = []
        for kind in wanted.kinds:
            width = simultaneous_width(kind, met.keys(), wanted, by_seat=self._by_seat)
            scores = {pair: cell.interval(width) for pair, cell in met.items()}
            found += find(scores, wanted.only(kind), by_seat=self._by_seat)
        return found

    @property
    def _score(self) -> Score:
        """How players are ranked: by `points` or by `margin`."""
        return self.plan.declaration.tournament.score

    @property
    def _by_seat(self) -> bool:
        """Whether the first player of a match is player 0 in all its games."""
        return self.plan.declaration.tournament.seats == "fixed"

    @functools.cached_property
    def crosstable(self) -> dict[tuple[str, str], Cell]:
        """The matches by row and column. If players exchange seats, a match occurs twice, once for each player."""
        met = {(cell.row, cell.column): cell for cell in self.cells}
        if not self._by_seat:
            met = {(cell.column, cell.row): cell.turned for cell in self.cells} | met
        players = self.plan.players
        return {pair: met[pair] for pair in itertools.product(players, repeat=2) if pair in met}

    def average(self, player: str, seat: int = 0) -> float | None:
        """Return the mean score of a player in its row (`seat` 0) or its column (`seat` 1) of the crosstable."""
        met = [cell for pair, cell in self.crosstable.items() if pair[seat] == player != pair[1 - seat]]
        return share_of_points([cell.counts[::-1] if seat else cell.counts for cell in met])

    def _shown_average(self, player: str, seat: int = 0) -> str:
        """Return the mean score or margin of a player in its row or column of the crosstable, as a string."""
        if self._score == "points":
            return per_cent(self.average(player, seat))
        met = [cell for pair, cell in self.crosstable.items() if pair[seat] == player != pair[1 - seat]]
        cells = [cell.turned if seat else cell for cell in met]
        parts = [(cell.margins, sum(cell.units), cell.games) for cell in cells]
        return shown_margin(mean_margin(parts).mean) if parts else ""

    @functools.cached_property
    def compared(self) -> list[Compared]:
        """The comparison of each match with its published results; empty without a published table."""
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
        """A row for each match, with its results and the published results."""
        return [each.row() for each in self.compared]

    @property
    def log_likelihood(self) -> float:
        """The log-likelihood of the published table, given the results of the played games."""
        return sum(each.agreement.log_likelihood for each in self.compared)

    @property
    def differing(self) -> list[Compared]:
        """The matches whose published results differ significantly from the results of the played games."""
        return [each for each in self.compared if each.verdict == DIFFERS]

    @property
    def summary(self) -> list[Row]:
        """Rows with a sentence for each finding, and for each match that differs from its published results.

        If the tournament is compared with a published table, the last row contains the log-likelihood of this table.
        """
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
        """Return the crosstable as strings: wins and draws of each match in per cent, and mean scores.

        If the first player of a match is always player 0, the last row contains the mean score of each player as second
        player. A star marks a result that differs significantly from the published table. An exclamation mark means
        that a player lost games by an illegal move, a late move or a crash. Letters mark findings (surprising results):
        each kind of finding has its own letter.
        """
        players, differing = self.plan.players, {(each.cell.row, each.cell.column) for each in self.differing}
        letters: dict[tuple[str, str], str] = {}
        for each in self.findings:
            before, letter = letters.get((each.row, each.column), ""), MARKS[each.kind][0]
            letters[each.row, each.column] = before if letter in before else before + letter
        cells = {
            (cell.row, cell.column): shown(cell, self._score)
            + ("!" if cell.forfeits else "")
            + ("*" if (cell.row, cell.column) in differing else "")
            + (f" {marked}" if (marked := letters.get((cell.row, cell.column), "")) else "")
            for cell in self.crosstable.values()
        }
        rows = [
            [row, *(cells.get((row, column), "") for column in players), self._shown_average(row)] for row in players
        ]
        if self._by_seat:
            rows.append([AVERAGE, *(self._shown_average(column, 1) for column in players), ""])
        return [*self.words, *players, AVERAGE], rows

    def standings_table(self, *, wide: bool = False) -> tuple[list[str], list[list[str]]]:
        """Return the standings as a heading and rows of strings, with the chosen or the default columns.

        The default columns show the number of games lost by faults (illegal moves, late moves or crashes), unless it is
        0 for all players. The default columns show times if moves were timed. If `wide` is True, the default columns
        always show games lost by faults, and also show the results of pairs of games.
        """
        names = self.plan.declaration.tournament.columns
        if not names:
            lost = any(cell.forfeits for cell in self.cells) or wide
            timed = any(each.seconds_per_move is not None for each in self.standings)
            names = (*USUAL[self._score], *(PAIRS if wide else ()), *(TIME if timed else ()), *(LOST if lost else ()))
        return standings_rows(self.standings, names)

    @property
    def game_list(self) -> str:
        """The results of all games, as a string.

        Each line contains the two players of a match, and one letter for the result of each game of the match.
        """
        names = [(cell, f"{cell.row} - {cell.column}") for cell in self.cells]
        width = max((len(name) for _, name in names), default=0)
        return "".join(f"{name:{width}}  {cell.letters}\n" for cell, name in names)

    @property
    def words(self) -> list[str]:
        """The headings of the first columns of the table. The cells of these columns identify the row."""
        return ["first" if self._by_seat else "player"]

    @property
    def note(self) -> str:
        """The caption of the table."""
        played = self.plan.declaration.tournament
        whose = "first" if self._by_seat else "row's"
        if self._score == "margin":
            words = f"mean margin of the {whose} player in {played.games:,} games"
        else:
            words = f"wins/draws of the {whose} player in per cent of {played.games:,} games"
        if any(cell.forfeits for cell in self.cells):
            counts = {how: sum(getattr(cell, name) for cell in self.cells) for name, how in FORFEITS.items()}
            words += f"; lost (!) {', '.join(f'{how} {count:,}' for how, count in counts.items() if count)}"
        for kind in dict.fromkeys(each.kind for each in self.findings):
            words += "; {}: {}".format(*MARKS[kind])
        published = self.plan.declaration.published
        if published is None:
            return words
        return (
            f"{words}; log-likelihood of the table of {published.source} {self.log_likelihood:.1f}, "
            f"{self._differing} (*)"
        )


@dataclass(frozen=True, repr=False)
class TournamentResult(TournamentTable):
    """The results of a tournament, and the folder with its files."""

    folder: Path
    run: Run


def _texts(cell: Cell) -> dict[str, str]:
    """Convert the tuples in the result of a match to strings, for a CSV file."""
    return {
        "units": " ".join(map(str, cell.units)),
        "by_seat": " ".join(map(str, itertools.chain(*cell.by_seat))),
        **{name: " ".join(map(str, getattr(cell, name))) for name in ("margins", "row_lost", "column_lost")},
    }
