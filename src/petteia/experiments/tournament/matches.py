"""The results of the matches of a tournament, and the blocks of games in which these results are saved."""

from __future__ import annotations

import base64
import binascii
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from pydantic import TypeAdapter, ValidationError

from petteia.arena.alternate import NO_TIME, GameRow, TimeUsed
from petteia.arena.distinct import LAST, Distinct
from petteia.arena.margins import NONE, Margins, mean_margin, shown_margin
from petteia.arena.statistics import Interval, interval_of
from petteia.arena.tally import Faults, Tally, total
from petteia.core.decision import FAULTS, Reason
from petteia.core.errors import InvalidError
from petteia.experiments.tournament.comparison import Counts
from petteia.experiments.tournament.declaration import Pair, Score
from petteia.records.journal import Journal

TURNED = str.maketrans("VX", "XV")
"""the table that translates the letters of results to the view of the other player"""
FORFEITS = dict(zip(("illegal", "timeouts", "crashed"), FAULTS.values(), strict=True))
"""the phrase for games lost by each kind of fault, by the field of a match that counts these games"""


class Cell(NamedTuple):
    """The result of a match: a cell of the crosstable.

    All results, such as wins, margins and the score, are from the perspective of the player `row`. The opponent is the
    player `column`.
    """

    row: str
    """the first player"""
    column: str
    """the second player"""
    games: int
    """the number of games"""
    wins: int
    """the number of games won"""
    draws: int
    """the number of games drawn"""
    losses: int
    """the number of games lost"""
    score: float
    """the share of the points, 0..1: a win is one point, a draw half a point"""
    low: float
    """lower bound of the 95 % interval of the score"""
    high: float
    """upper bound of the same interval"""
    units: tuple[int, ...]
    """the number of pairs of games for each number of points of the first player, from none to all in steps of half a
    point; the number of single games if games do not come in pairs"""
    distinct: int
    """the number of different move sequences among the games"""
    seed: int
    """the seed with which `petteia match` plays the same games again"""
    illegal: int = 0
    """the number of games that either player lost by an illegal move"""
    timeouts: int = 0
    """the number of games that either player lost by a late move"""
    crashed: int = 0
    """the number of games that either player lost by a crash"""
    plies: float = 0.0
    """the mean length of a game in plies, after its opening"""
    by_seat: tuple[Counts, Counts] = ((0, 0, 0), (0, 0, 0))
    """wins, draws and losses of the row's player as player 0, and as player 1"""
    margins: Margins = NONE
    """the margins of the games: their sum, and the sum of the squared margins of `units`"""
    row_lost: Counts = (0, 0, 0)
    """the numbers of games that the row's player lost by an illegal move, by a late move, and by a crash"""
    column_lost: Counts = (0, 0, 0)
    """the numbers of games that the column's player lost by an illegal move, by a late move, and by a crash"""
    row_fault: str = ""
    """the fault of the row's player in the first game that it lost by a fault; empty without such a game"""
    column_fault: str = ""
    """the fault of the column's player in the first game that it lost by a fault; empty without such a game"""
    letters: str = ""
    """the result of each game, in order: V for won, = for drawn, X for lost"""
    used: tuple[TimeUsed, TimeUsed] = NO_TIME
    """the time of the row's and of the column's player, if it was limited"""
    voided: int = 0
    """the number of times that a game was replayed because the machine was overloaded"""

    @property
    def counts(self) -> Counts:
        """The numbers of games won, drawn and lost."""
        return self.wins, self.draws, self.losses

    @property
    def turned(self) -> Cell:
        """The result of the match from the perspective of the column's player."""
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
            margins=self.margins.turned,
            row_lost=self.column_lost,
            column_lost=self.row_lost,
            row_fault=self.column_fault,
            column_fault=self.row_fault,
            letters=self.letters.translate(TURNED),
            used=self.used[::-1],
        )

    @property
    def margin(self) -> Interval:
        """The mean margin of a game with its 95 % interval."""
        return mean_margin([(self.margins, sum(self.units), self.games)])

    def interval(self, width: float) -> Interval:
        """Return the score with a confidence interval. Half the width of the interval is `width` standard errors."""
        return interval_of(self.score, _squares(self.units, self.score), sum(self.units), width)

    @property
    def forfeits(self) -> int:
        """The number of games lost by an illegal move, a late move or a crash."""
        return self.illegal + self.timeouts + self.crashed

    @property
    def is_possible(self) -> bool:
        """Whether the numbers of games, wins, draws, losses and faults are consistent."""
        counted = (*self.counts, self.illegal, self.timeouts, self.crashed, self.seed, *self.units)
        halves = sum(half_points * count for half_points, count in enumerate(self.units))
        fits = len(self.units) in (3, 5) and halves == 2 * self.wins + self.draws
        seats = tuple(map(sum, zip(*self.by_seat, strict=True))) == self.counts
        return 0 < self.games == sum(self.counts) and min(counted) >= 0 and fits and seats


def _squares(units: tuple[int, ...], mean: float) -> float:
    """Return the sum of squared deviations from the mean score, over single games or over pairs of games.

    If the games come in pairs, `units[i]` is the number of pairs with `i` half points. Otherwise, `units[i]` is the
    number of games with `i` half points.
    """
    return sum(count * (points / (len(units) - 1) - mean) ** 2 for points, count in enumerate(units))


class KeptFaults(NamedTuple):
    """The first game of a block that was lost by a certain kind of fault, and the number of all such games."""

    number: int
    """the number of the first of these games"""
    seat_of_first: int
    """the seat of the row's player in this game"""
    margin: int
    """the margin of this game from the perspective of player 0"""
    plies: int
    """the length of this game in plies"""
    reason: Reason
    """the reason why the game ended"""
    fault: str
    """a sentence that describes the fault"""
    games: int
    """the number of games with this fault"""

    @property
    def read(self) -> Faults:
        """The saved faults as a `Faults` object. Its hash of moves is 0, because this hash was not saved."""
        row = GameRow(self.number, self.seat_of_first, self.margin, self.plies, self.reason, 0, self.fault)
        return Faults(row, self.games)


class KeptMoves(NamedTuple):
    """The saved moves of a game that cannot be replayed, or that was already replayed to obtain its moves.

    A game cannot be replayed, for example, if a time limit influenced its moves.
    """

    start: tuple[int, ...]
    """the state after the opening, as whole numbers"""
    moves: tuple[int, ...]
    """the codes of moves and chance outcomes"""
    reason: Reason = "over"
    """the reason why the game ended"""
    fault: str = ""
    """a sentence that describes the fault by which the loser lost; empty without a fault"""


class Block(NamedTuple):
    """A block of consecutive games of a match, with their results, as a line of the journal.

    All results, such as wins, margins and points, are from the perspective of the player `row`. The opponent is the
    player `column`.
    """

    row: str
    """the first player"""
    column: str
    """the second player"""
    begin: int
    """the number of the first game"""
    games: int
    """the number of games"""
    units: tuple[int, ...]
    """the number of pairs of games, or of single games, for each number of points of the row's player"""
    by_seat: tuple[Counts, Counts]
    """wins, draws and losses of the row's player as player 0, and as player 1"""
    reasons: dict[Reason, int]
    """the number of games that ended for each reason"""
    plies: int
    """the number of plies of all games together, after their openings"""
    margins: Margins
    """the margins of the games: their sum, and the sum of the squared margins of `units`"""
    letters: str
    """the result of each game: V for won, = for drawn, X for lost"""
    digest: str
    """a hash of all margins, lengths and moves"""
    different: str
    """the smallest digests of the different move sequences, as base64"""
    is_whole: bool
    """whether `different` contains the digests of all different move sequences"""
    faults: tuple[KeptFaults, ...] = ()
    """the kinds of faults in these games"""
    used: tuple[TimeUsed, TimeUsed] = NO_TIME
    """the time of the row's and of the column's player, if it was limited"""
    voided: int = 0
    """the number of attempts at games that did not count because the machine was overloaded"""
    moves: tuple[KeptMoves, ...] = ()
    """the moves of each game, if the games cannot be replayed"""

    @property
    def numbers(self) -> range:
        """The range of the game numbers in this block."""
        return range(self.begin, self.begin + self.games)

    @property
    def tally(self) -> Tally:
        """The totals of the results of the games in this block.

        Raises a ValueError if the saved results contradict each other.
        """
        words = np.frombuffer(base64.b64decode(self.different, validate=True), "<u8")
        halves = sum(half_points * count for half_points, count in enumerate(self.units))
        wins, draws, losses = map(sum, zip(*self.by_seat, strict=True))
        per_unit = (len(self.units) - 1) // 2
        counted = (*self.units, *self.by_seat[0], *self.by_seat[1], *self.reasons.values())
        games = {wins + draws + losses, per_unit * sum(self.units), sum(self.reasons.values()), self.games}
        fits = len(self.units) in (3, 5) and halves == 2 * wins + draws
        if tuple(map(self.letters.count, "V=X")) != (wins, draws, losses):
            raise ValueError("the result letters do not match the numbers of wins, draws and losses in the block")
        if not (
            fits
            and min(*counted, self.begin, self.plies, self.voided) >= 0
            and games == {self.games}
            and 0 < len(words) <= self.games
        ):
            raise ValueError("the counts of games and results in the block are inconsistent")
        digests = Distinct()
        digests.add(words.astype(np.uint64), LAST if self.is_whole else int(words[-1]))
        faults = tuple(each.read for each in self.faults)
        return Tally(
            units=self.units,
            by_seat=self.by_seat,
            reasons=Counter(self.reasons),
            plies=self.plies,
            margins=self.margins,
            digests=digests,
            digest=self.digest,
            letters=self.letters,
            used=self.used,
            voided=self.voided,
            faults=faults,
        )


_BLOCK = TypeAdapter(Block)
_CELL = TypeAdapter(Cell)


def block_row(pair: Pair, numbers: range, tally: Tally) -> dict[str, Any]:
    """Convert the results of a block of games to a row of the journal.

    `numbers` contains the numbers of the games in the block. `tally` contains the totals of the results of these games.
    """
    words, limit = tally.digests.minimum
    faults = [
        KeptFaults(row.number, row.seat_of_first, row.margin, row.plies, row.reason, row.fault, games)
        for row, games in tally.faults
    ]
    moves = [
        KeptMoves(tuple(map(int, row.start)), row.moves, row.reason, row.fault if row.reason in FAULTS else "")
        for row in tally.rows
        if row.start is not None
    ]
    block = Block(
        row=pair.row,
        column=pair.column,
        begin=numbers.start,
        games=len(numbers),
        units=tally.units,
        by_seat=tally.by_seat,
        reasons=dict(sorted(tally.reasons.items())),
        plies=tally.plies,
        margins=tally.margins,
        letters=tally.letters,
        used=tally.used,
        digest=tally.digest,
        different=base64.b64encode(words.astype("<u8").tobytes()).decode(),
        is_whole=limit == LAST,
        faults=tuple(faults),
        voided=tally.voided,
        moves=tuple(moves),
    )
    return {name: value for name, value in block._asdict().items() if value != Block._field_defaults.get(name)}


def read_row(row: Mapping[str, Any]) -> Block:
    """Return the block that a valid line of a journal describes."""
    return _BLOCK.validate_python(row)


def read_block(journal: Journal, number: int, row: Mapping[str, Any]) -> tuple[Block, Tally]:
    """Read a block of games, and the totals of its results, from a row of the journal.

    Raises an InvalidError if the row is damaged. The message contains `number`, the line of the row in the journal.
    """
    try:
        block = _BLOCK.validate_python(row)
        return block, block.tally
    except (ValidationError, ValueError, binascii.Error):
        raise InvalidError(f"{journal.path}, line {number}: damaged; the line must describe a block of games") from None


def cell_of(pair: Pair, tallies: Iterable[Tally]) -> Cell:
    """Return the result of a match, by adding up the results of its blocks of games."""
    found = total(tallies)
    wins, draws, losses = found.counts
    score, low, high = found.score
    faults = {score: _first_fault(found, score) for score in (0.0, 1.0)}
    return Cell(
        row=pair.row,
        column=pair.column,
        games=found.games,
        wins=wins,
        draws=draws,
        losses=losses,
        score=score,
        low=low,
        high=high,
        units=found.units,
        distinct=found.distinct,
        seed=pair.seed,
        illegal=found.reasons["illegal"],
        timeouts=found.reasons["timeout"],
        crashed=found.reasons["crashed"],
        plies=found.plies / found.games,
        by_seat=found.by_seat,
        margins=found.margins,
        row_lost=_lost(found, 0.0),
        column_lost=_lost(found, 1.0),
        row_fault=faults[0.0],
        column_fault=faults[1.0],
        letters=found.letters,
        used=found.used,
        voided=found.voided,
    )


def _lost(tally: Tally, score: float) -> Counts:
    """Return the numbers of illegal moves, late moves and crashes in games in which the first player scored `score`."""
    games = {each.kind: each.games for each in tally.faults}
    illegal, late, failed = (games.get((reason, score), 0) for reason in FAULTS)
    return illegal, late, failed


def _first_fault(tally: Tally, score: float) -> str:
    """Return the first fault in a game in which the first player scored `score`; an empty string if there is none."""
    return next((each.first.fault for each in tally.faults if each.first.score == score), "")


def read_cell(journal: Journal, number: int, row: Mapping[str, Any]) -> Cell:
    """Return the match in row `number` of a journal. Raises an InvalidError if the row is invalid."""
    try:
        cell = _CELL.validate_python(row)
    except ValidationError:
        cell = None
    if cell is None or not cell.is_possible:
        raise InvalidError(f"{journal.path}, line {number}: damaged; the line must describe a match")
    return cell


def shown(cell: Cell, score: Score = "points") -> str:
    """Return a match's wins and draws in per cent, such as `97.1/1.2`, or its mean margin, such as `+3.25`."""
    if score == "margin":
        return shown_margin(cell.margin.mean)
    return f"{cell.wins / cell.games * 100:.1f}/{cell.draws / cell.games * 100:.1f}"
