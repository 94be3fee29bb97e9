"""What the games of a match come to: sums that take the same room for any number of games, and rows if they are wanted.

Games may come in any order, one by one or as columns of the compiled loop; the sums are the same.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from petteia.arena.alternate import Conditions, GameRow
from petteia.arena.statistics import Interval, interval_of
from petteia.core.arrays import Ints
from petteia.core.decision import Reason
from petteia.policies.play_games import DIGEST, ENDED, MARGIN, PLIES

SOME_DISTINCT, MOST_DISTINCT = 1 << 12, 1 << 20
"""digests that wait to be counted together, and different ones that are counted; of more their number is estimated, to
about a thousandth"""
WORD = 1 << 64
Counts = tuple[int, int, int]
"""wins, draws and losses"""
Kind = tuple[Reason, int]
"""why a game with a fault ended, and what the first-named player got, in half points"""


class Distinct:
    """How many different digests there are among many: exactly up to `MOST_DISTINCT`.

    As digests are spread evenly over all words, the least of them tell how many there are, if there are more
    (Bar-Yossef and others 2002, "Counting distinct elements in a data stream").
    """

    def __init__(self) -> None:
        self._least = np.zeros(0, np.uint64)
        self._waiting = array("q")
        self._is_whole = True

    def add(self, digests: Ints) -> None:
        """Count these, int64[games], too."""
        words = digests.astype(np.int64).view(np.uint64)
        self._waiting.frombytes((words if self._is_whole else words[words < self._least[-1]]).tobytes())
        if len(self._waiting) > max(SOME_DISTINCT, len(self._least)):
            self._merge()

    def _merge(self) -> None:
        words = np.sort(np.concatenate([self._least, np.frombuffer(self._waiting, np.uint64)]))
        least = words[np.diff(words, prepend=~words[:1]) != 0]
        self._is_whole = self._is_whole and len(least) <= MOST_DISTINCT
        self._least, self._waiting = least[:MOST_DISTINCT].copy(), array("q")

    def __len__(self) -> int:
        self._merge()
        if self._is_whole:
            return len(self._least)
        return round((MOST_DISTINCT - 1) * WORD / int(self._least[-1]))


class Faults(NamedTuple):
    """Games of a match in which something of one kind was done that must not be done."""

    first: GameRow
    """the first of them"""
    games: int
    """how many there are"""


class Tally:
    """The games of a match so far. With `keeps_rows`, the row of each is kept, too."""

    def __init__(self, conditions: Conditions, *, keeps_rows: bool) -> None:
        self._conditions = conditions
        self._keeps_rows = keeps_rows
        self._rows: list[GameRow] = []
        self._digests = Distinct()
        self._faults: dict[Kind, Faults] = {}
        self._halves: dict[int, int] = {}
        self._units = Counter[int]()
        self._results = (Counter[int](), Counter[int]())
        """half points of the games of even and of odd number"""
        self.reasons = Counter[Reason]()
        """how many games ended for each reason"""
        self.games = 0
        """the number of games"""
        self.plies = 0
        """plies of all games, after their openings"""

    def add_rows(self, rows: Iterable[GameRow]) -> None:
        """Count games that were driven from Python."""
        for row in rows:
            half_points = int(2 * row.score)
            self._add_score(row.number, half_points)
            self._add(1, row.plies, Counter([row.reason]), np.array([row.digest]))
            if row.fault:
                kind = (row.reason, half_points)
                before = self._faults.get(kind, Faults(row, 0))
                self._faults[kind] = Faults(min(before.first, row), before.games + 1)
            if self._keeps_rows:
                self._rows.append(row)

    def add_columns(self, first_game: int, columns: Ints) -> None:
        """Count games of the compiled loop, which are numbered from `first_game`: pairs are not torn apart."""
        numbers = first_game + np.arange(len(columns))
        seats = np.array(self._conditions.seats)[numbers % 2]
        half_points = 1 + np.sign(columns[:, MARGIN]) * (1 - 2 * seats)
        for parity, results in enumerate(self._results):
            results.update(_counted(half_points[numbers % 2 == parity]))
        self._units.update(_counted(half_points.reshape(-1, self._conditions.games_per_opening).sum(axis=1)))
        over = int(columns[:, ENDED].sum())
        reasons = Counter[Reason]({"over": over, "max-plies": len(columns) - over})
        self._add(len(columns), int(columns[:, PLIES].sum()), reasons, columns[:, DIGEST])
        if self._keeps_rows:
            why: list[Reason] = ["over" if ended else "max-plies" for ended in columns[:, ENDED].tolist()]
            parts = (numbers, seats, columns[:, MARGIN], columns[:, PLIES])
            self._rows += map(GameRow, *(each.tolist() for each in parts), why, columns[:, DIGEST].tolist())

    def _add(self, games: int, plies: int, reasons: Counter[Reason], digests: Ints) -> None:
        self.games += games
        self.plies += plies
        self.reasons.update(reasons)
        self._digests.add(digests)

    def _add_score(self, number: int, half_points: int) -> None:
        """Count a score; where games come in pairs, a pair when both of its games are there."""
        self._results[number % 2][half_points] += 1
        if self._conditions.games_per_opening == 1:
            self._units[half_points] += 1
        elif (other := self._halves.pop(number // 2, None)) is None:
            self._halves[number // 2] = half_points
        else:
            self._units[half_points + other] += 1

    @property
    def wins(self) -> int:
        """Games that the first-named player has won."""
        return self._games_with(2)

    @property
    def draws(self) -> int:
        """Games that were drawn."""
        return self._games_with(1)

    @property
    def losses(self) -> int:
        """Games that the first-named player has lost."""
        return self._games_with(0)

    def _games_with(self, half_points: int) -> int:
        return sum(results[half_points] for results in self._results)

    @property
    def distinct(self) -> int:
        """Different sequences of moves."""
        return len(self._digests)

    @property
    def units(self) -> tuple[int, ...]:
        """Pairs of games, or single games where they do not come in pairs, by the points of the first-named player.

        From none to all of them in steps of half a point.
        """
        return tuple(self._units[half_points] for half_points in range(2 * self._conditions.games_per_opening + 1))

    @property
    def by_seat(self) -> tuple[Counts, Counts]:
        """Wins, draws and losses of the first-named player as player 0, and as player 1."""
        counts = [Counter[int](), Counter[int]()]
        for seat, results in zip(self._conditions.seats, self._results, strict=True):
            counts[seat].update(results)
        first, second = ((each[2], each[1], each[0]) for each in counts)
        return first, second

    @property
    def score(self) -> Interval:
        """The first-named player's mean score, with its 95 % interval: over pairs, where games come in pairs."""
        most = 2 * self._conditions.games_per_opening
        units = sum(self._units.values())
        mean = sum(half_points * count for half_points, count in self._units.items()) / (most * units)
        squares = sum(count * (half_points / most - mean) ** 2 for half_points, count in sorted(self._units.items()))
        return interval_of(mean, squares, units)

    @property
    def unpaired_score(self) -> Interval:
        """The score with the interval it would have if the games of a pair had nothing in common; they come in pairs.

        The variance of a pair's score then is that of its first and that of its second game, without the covariance
        which their common dice, and their common opening, have brought about.
        """
        units = sum(self._units.values())
        mean = (self.wins + self.draws / 2) / (2 * units)
        squares = sum(_squares(results) for results in self._results) / 16  # of half points, and of halves of a pair
        return interval_of(mean, squares, units)

    @property
    def faults(self) -> list[Faults]:
        """What was done that must not be done, by its first games."""
        return sorted(self._faults.values())

    @property
    def rows(self) -> tuple[GameRow, ...]:
        """The rows of all games, by number; none unless they are kept."""
        return tuple(sorted(self._rows))


def _squares(counts: Counter[int]) -> float:
    """The sum of squared distances from their mean of values that were counted."""
    mean = sum(value * count for value, count in counts.items()) / counts.total()
    return sum(count * (value - mean) ** 2 for value, count in sorted(counts.items()))


def _counted(values: Ints) -> dict[int, int]:
    found, counts = np.unique(values, return_counts=True)
    return dict(zip(found.tolist(), counts.tolist(), strict=True))
