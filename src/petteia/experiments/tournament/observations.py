"""Find three kinds of surprising results in the crosstable of a tournament.

Each cell (row, column) of the crosstable contains the score of the row's player against the column's player, with a
confidence interval. The row's player is called the first player. A cell is marked with a finding in the following
cases:

- *edge*: the first player has an advantage in both matches of a pair of players. The scores of the cells (row,
  column) and (column, row) both have lower bounds above 1/2. A cell on the diagonal is marked if its own lower bound is
  above 1/2.
- *intransitive*: three players beat each other in a cycle. The row's player loses to the column's player: the upper
  bound of its score is below 1/2. However, the row's player beats a third player, and the third player beats the
  column's player. Both winners are first players, and the lower bounds of their scores are above 1/2.
- *depth*: a player with a deeper search has a lower score. The declaration of the tournament lists players in the order
  of their search depths. Of two neighbours in this list, the player with the deeper search scores less than the other
  against the same opponent. Both are first players in their matches against the opponent, or both are second players.
  The confidence interval of the difference of the two scores (Newcombe's method) does not contain 0.

For each kind of finding, the probability that the table contains a false mark is at most 1/20. To guarantee this
probability, the confidence intervals of the scores are widened by Bonferroni's correction. The function
`simultaneous_width` counts the comparisons for this correction as follows:

- *edge*: one comparison for each pair of players, and one for each player with itself. A mark is false only if a lower
  bound is higher than the true score of its cell.
- *intransitive*: two comparisons for each match, one for each player as the winner. A mark is correct if the winner
  of each of the three matches is truly the better player.
- *depth*: one comparison for each difference of scores. A mark is false only if the measured difference has the wrong
  sign.

Source: Newcombe 1998, "Interval estimation for the difference between independent proportions" (method 10).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from petteia.arena.statistics import Interval, one_sided_width
from petteia.experiments.tournament.declaration import ObservationOptions
from petteia.experiments.tournament.series import series

Scores = Mapping[tuple[str, str], Interval]
"""the scores of the first players by the names of (first, second)"""


MARKS = {
    "edge": ("e", "the first player wins, whichever of the two players is first"),
    "intransitive": ("c", "part of a cycle: A beats B, B beats C, and C beats A"),
    "depth": ("d", "a deeper search scores less"),
}
"""the letter that marks a cell, and its explanation, by the kind of finding"""
FALSE_MARKS = 0.05
"""the maximum probability that a table has a false mark of one kind"""


class Observation(NamedTuple):
    """A surprising result in the crosstable of a tournament, such as a deeper search that scores less."""

    kind: str
    """the kind of finding, a field of `ObservationOptions`"""
    row: str
    """the first player of the cell"""
    column: str
    """the second player of the cell"""
    value: float
    """the score of the cell; for *depth*, the difference of the scores"""
    words: str
    """a sentence that describes the finding"""


def difference(one: Interval, two: Interval) -> Interval:
    """Return the difference of two independent scores. Its confidence interval has the same level as theirs."""
    low = math.hypot(one.mean - one.low, two.high - two.mean)
    high = math.hypot(one.high - one.mean, two.mean - two.low)
    mean = one.mean - two.mean
    return Interval(mean, mean - low, mean + high)


def simultaneous_width(
    kind: str, pairs: Collection[tuple[str, str]], wanted: ObservationOptions, *, by_seat: bool
) -> float:
    """Return the half width of the confidence intervals for one kind of finding, corrected for multiple comparisons.

    `kind` is the kind of finding: `edge`, `intransitive` or `depth`. `pairs` contains the players (row, column) of each
    cell of the table. The half width is in standard errors. With this half width, the probability that the table
    contains a false finding of this kind is at most 1/20.
    """
    if kind == "edge":
        comparisons = sum((column, row) in pairs for row, column in pairs if row <= column)
    elif kind == "intransitive":
        comparisons = 2 * sum(row != column if by_seat else row < column for row, column in pairs)
    else:
        ways = 2 if by_seat else 1
        comparisons = ways * sum(
            (less, other) in pairs for less, _ in pairwise(wanted.depth) for other in _names(pairs)
        )
    return one_sided_width(FALSE_MARKS / max(comparisons, 1))


def _names(pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Return the names of the players in the order of the crosstable's rows."""
    return list(dict.fromkeys(row for row, _ in pairs))


def ladder(players: Sequence[str]) -> tuple[str, ...]:
    """Return the largest group of players that differ only in `depth`, ordered by depth; empty if there is none."""
    groups = [each.players for each in series(players) if each.option == "depth"]
    return max(groups, key=len, default=())


def find(scores: Scores, wanted: ObservationOptions, *, by_seat: bool = True) -> list[Observation]:
    """Return the surprising results of the wanted kinds, in the order of the crosstable's cells.

    If `by_seat` is True, the row's player is player 0 in all games of a cell. Otherwise, players exchange seats, and
    the cells (row, column) and (column, row) contain the same games.
    """
    observations: list[Observation] = []
    for row, column in scores:
        if wanted.edge:
            observations += _edge(scores, row, column)
        if wanted.intransitive:
            observations += _intransitive(scores, row, column)
        if wanted.depth:
            observations += _depth(scores, row, column, wanted.depth, by_seat)
    return observations


def _edge(scores: Scores, row: str, column: str) -> Iterator[Observation]:
    one, two = scores[row, column], scores[column, row]
    if one.low > 0.5 and two.low > 0.5:
        other = "itself" if row == column else f"{column}, which scores {two.mean:.1%} as first"
        words = f"the first player wins: as first {row} scores {one.mean:.1%} against {other}"
        yield Observation("edge", row, column, one.mean, words)


def _intransitive(scores: Scores, row: str, column: str) -> Iterator[Observation]:
    score = scores[row, column]
    if score.high >= 0.5:
        return
    between = [
        third
        for third in _names(scores)
        if third not in (row, column) and scores[row, third].low > 0.5 and scores[third, column].low > 0.5
    ]
    if between:
        ways = " and ".join(
            f"{third} ({scores[row, third].mean:.1%}), which beats {column} ({scores[third, column].mean:.1%})"
            for third in between
        )
        words = f"strength is not transitive: {row} loses to {column} ({score.mean:.1%}), but beats {ways}"
        yield Observation("intransitive", row, column, score.mean, words)


def _depth(scores: Scores, row: str, column: str, ladder: tuple[str, ...], by_seat: bool) -> Iterator[Observation]:
    score, place = scores[row, column], "as first " if by_seat else ""
    for less, more in pairwise(ladder):
        if row == more and (less, column) in scores:
            change = difference(score, scores[less, column])
            if change.high < 0:
                words = f"{more} scores less than {less} {place}against {column}: "
                words += _change(scores[less, column], score)
                yield Observation("depth", row, column, change.mean, words)
        if by_seat and column == more and (row, less) in scores:
            change = difference(score, scores[row, less])
            if change.low > 0:
                words = f"{more} scores less than {less} as second against {row}, which scores "
                words += _change(scores[row, less], score)
                yield Observation("depth", row, column, -change.mean, words)


def _change(before: Interval, after: Interval) -> str:
    return f"{after.mean:.1%} instead of {before.mean:.1%}"
