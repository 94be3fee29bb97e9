"""Statistics of the results of games, such as wins, draws and losses.

The memory use of a tally does not depend on the number of games, unless the tally stores the result of each game.

A match is divided into blocks of games, each with its own tally. The tally of a block does not depend on the worker
that plays the block. The tallies of all blocks can be added in any order.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from petteia.arena.alternate import NO_TIME, Conditions, GameRow, TimeUsed
from petteia.arena.distinct import Distinct
from petteia.arena.margins import NONE, Margins, mean_margin, sum_of
from petteia.arena.statistics import Interval, interval_of
from petteia.core.arrays import Ints
from petteia.core.decision import Reason
from petteia.policies.play_games import DIGEST, ENDED, MARGIN, PLIES

MAX_DIGESTS = 256
"""the maximum number of different games that is counted exactly in a block; larger numbers are estimated"""
DIGITS = 16
LETTERS = np.frombuffer(b"X=V", np.uint8)
"""the letters of the results of games, by the number of half points: lost, drawn, won"""
Counts = tuple[int, int, int]
"""the numbers of wins, draws and losses"""


class Faults(NamedTuple):
    """The games of a match with one kind of fault: an illegal or late move, a crash, or a failure after the game."""

    first: GameRow
    """the first of these games"""
    games: int
    """the number of these games"""

    @property
    def kind(self) -> tuple[Reason, float]:
        """The key by which faults are grouped: why the game ended, and the score of the first-named player."""
        return self.first.reason, self.first.score


@dataclass(frozen=True)
class Tally:
    """The results of the games of a match, as counts from the perspective of the first-named player."""

    units: tuple[int, ...]
    """the number of pairs of games for each number of points of the first-named player, from none to all in steps of
    half a point; the number of single games if games do not come in pairs"""
    by_seat: tuple[Counts, Counts]
    """the numbers of wins, draws and losses as player 0, and as player 1"""
    reasons: Counter[Reason] = field(default_factory=Counter)
    """the number of games for each reason why a game ended"""
    plies: int = 0
    """the number of plies of all games together, after their openings"""
    margins: Margins = NONE
    """the sums of the final margins of the games"""
    digests: Distinct = field(default_factory=Distinct, compare=False)
    """the counter of different sequences of moves, by digests"""
    digest: str = ""
    """the first digits of the SHA-256 of the margins, lengths and moves of one block; empty for several blocks"""
    letters: str = ""
    """the result of each game, in order: V for won, = for drawn, X for lost; empty unless letters are kept"""
    used: tuple[TimeUsed, TimeUsed] = NO_TIME
    """the time that the first-named and the second-named player used, if time was limited"""
    voided: int = 0
    """the number of attempts to play a game that did not count because the machine was overloaded"""
    faults: tuple[Faults, ...] = ()
    """the kinds of faults, each with its first game"""
    rows: tuple[GameRow, ...] = ()
    """the row of each game, in order; empty unless rows are kept"""

    @property
    def counts(self) -> Counts:
        """The numbers of wins, draws and losses."""
        first, second = self.by_seat
        return first[0] + second[0], first[1] + second[1], first[2] + second[2]

    @property
    def games(self) -> int:
        """The number of games."""
        return sum(self.counts)

    @property
    def distinct(self) -> int:
        """The number of different games, compared by their moves.

        The number is an estimate if one of the blocks of games in the match contains more than `MAX_DIGESTS` different
        games.
        """
        return min(len(self.digests), self.games)

    @property
    def score(self) -> Interval:
        """The first-named player's mean score with its 95 % confidence interval.

        The two games of a pair count as one observation, because their results are correlated.
        """
        maximum, units = len(self.units) - 1, sum(self.units)
        mean = sum(half_points * count for half_points, count in enumerate(self.units)) / (maximum * units)
        squares = sum(count * (half_points / maximum - mean) ** 2 for half_points, count in enumerate(self.units))
        return interval_of(mean, squares, units)

    @property
    def margin(self) -> Interval:
        """The first-named player's mean margin with its 95 % confidence interval.

        The two games of a pair count as one observation, because their results are correlated.
        """
        return mean_margin([(self.margins, sum(self.units), self.games)])

    @property
    def unpaired_score(self) -> Interval:
        """The mean score, with a 95 % confidence interval that ignores the correlation of the two games of a pair.

        The variance of a pair's score is computed only from the variances of its two games. Their covariance, which
        comes from the common opening and dice, is ignored.
        """
        wins, draws, _ = self.counts
        squares = sum(_squares(counts) for counts in self.by_seat) / 16  # units: half points, and halves of a pair
        return interval_of((wins + draws / 2) / self.games, squares, sum(self.units))


def tally_of_rows(conditions: Conditions, rows: Sequence[GameRow], *, keeps_rows: bool) -> Tally:
    """Compute the tally of a block of games from the result of each game."""
    faults: dict[tuple[Reason, float], Faults] = {}
    for row in rows:
        if row.fault:
            found = faults.setdefault((row.reason, row.score), Faults(row, 0))
            faults[found.kind] = found._replace(games=found.games + 1)
    tally = _tally(
        conditions,
        np.array([row.seat_of_first for row in rows]),
        np.array([(row.margin, row.plies, row.digest) for row in rows], np.int64).T,
        Counter(row.reason for row in rows),
        tuple(sorted(faults.values())),
        tuple(rows) if keeps_rows else (),
    )
    return replace(tally, used=_sum_of_times(row.used for row in rows), voided=sum(row.voided for row in rows))


def tally_of_columns(conditions: Conditions, games: range, columns: Ints, *, keeps_rows: bool) -> Tally:
    """Compute the tally of a block of games that compiled code has played.

    `columns` contains the results of the games, as returned by `petteia.policies.play_games`.
    """
    numbers = np.arange(games.start, games.stop)
    seats = np.array(conditions.seats)[numbers % 2]
    over = int(columns[:, ENDED].sum())
    rows: tuple[GameRow, ...] = ()
    if keeps_rows:
        why: list[Reason] = ["over" if ended else "max-plies" for ended in columns[:, ENDED].tolist()]
        parts = (numbers, seats, columns[:, MARGIN], columns[:, PLIES])
        rows = tuple(map(GameRow, *(each.tolist() for each in parts), why, columns[:, DIGEST].tolist()))
    reasons = Counter[Reason]({"over": over, "max-plies": len(columns) - over})
    return _tally(conditions, seats, columns[:, (MARGIN, PLIES, DIGEST)].T, +reasons, (), rows)


def _tally(
    conditions: Conditions,
    seats: Ints,
    figures: Ints,
    reasons: Counter[Reason],
    faults: tuple[Faults, ...],
    rows: tuple[GameRow, ...],
) -> Tally:
    """Compute the tally of a block of games, which consists of complete pairs.

    `figures`, int64[3, games], has three rows: the margin of each game, the number of plies of each game, and the
    digest of the moves of each game.
    """
    margins, plies, digests = figures
    half_points = 1 + np.sign(margins) * (1 - 2 * seats)
    per_unit = conditions.games_per_opening
    of_units = (margins * (1 - 2 * seats)).reshape(-1, per_unit).sum(axis=1).tolist()
    units = np.bincount(half_points.reshape(-1, per_unit).sum(axis=1), minlength=2 * per_unit + 1)
    first, second = (np.bincount(half_points[seats == seat], minlength=3)[::-1].tolist() for seat in (0, 1))
    distinct = Distinct(MAX_DIGESTS)
    distinct.add(np.ascontiguousarray(digests))
    return Tally(
        units=tuple(units.tolist()),
        by_seat=((first[0], first[1], first[2]), (second[0], second[1], second[2])),
        reasons=reasons,
        plies=int(plies.sum()),
        margins=Margins(sum(of_units), sum(each**2 for each in of_units)),
        digests=distinct,
        letters=LETTERS[half_points].tobytes().decode() if conditions.keeps_letters else "",
        digest=hashlib.sha256(np.ascontiguousarray(figures).tobytes()).hexdigest()[:DIGITS],
        faults=faults,
        rows=rows,
    )


def total(tallies: Iterable[Tally]) -> Tally:
    """Add the tallies of several blocks of games. Stored results of games are joined in the order of the tallies."""
    parts = list(tallies)
    reasons, distinct = Counter[Reason](), Distinct()
    faults: dict[tuple[Reason, float], Faults] = {}
    for each in parts:
        reasons.update(each.reasons)
        distinct.add(*each.digests.minimum)
        for found in each.faults:
            before = faults.get(found.kind, Faults(found.first, 0))
            faults[found.kind] = Faults(min(before.first, found.first), before.games + found.games)
    first, second = (_sums([each.by_seat[seat] for each in parts]) for seat in (0, 1))
    return Tally(
        units=tuple(_sums([each.units for each in parts])),
        by_seat=((first[0], first[1], first[2]), (second[0], second[1], second[2])),
        reasons=reasons,
        plies=sum(each.plies for each in parts),
        margins=sum_of([each.margins for each in parts]),
        digests=distinct,
        letters="".join(each.letters for each in parts),
        used=_sum_of_times(each.used for each in parts),
        voided=sum(each.voided for each in parts),
        faults=tuple(sorted(faults.values())),
        rows=tuple(row for each in parts for row in each.rows),
    )


def _sum_of_times(times: Iterable[tuple[TimeUsed, TimeUsed]]) -> tuple[TimeUsed, TimeUsed]:
    both = list(times)
    first, second = (
        TimeUsed(sum(each[place].seconds for each in both), sum(each[place].moves for each in both)) for place in (0, 1)
    )
    return first, second


def _sums(rows: Sequence[Sequence[int]]) -> list[int]:
    return [sum(each) for each in zip(*rows, strict=True)]


def _squares(counts: Counts) -> float:
    """Return the sum of squared deviations of the games' scores, in half points, from their mean."""
    wins, draws, losses = counts
    mean = (2 * wins + draws) / sum(counts)
    return sum(count * (half_points - mean) ** 2 for half_points, count in enumerate((losses, draws, wins)))
