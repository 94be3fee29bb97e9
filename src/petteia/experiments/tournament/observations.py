"""What is looked for in the table of a tournament: three things that one might not expect of players.

A score is that of the row's player, with its interval. The finding is marked in a cell (row, column) if

- *edge*: whoever begins wins. The scores of (row, column) and of (column, row) are both above 1/2, that is, the lower
  bounds of both intervals are. On the diagonal the two are one cell;
- *intransitive*: "better than" is not transitive. The row's player loses to the column's, the upper bound of the score
  lying below 1/2, although there is a third who loses to the row's player as second and beats the column's as first,
  the lower bounds of both scores lying above 1/2;
- *depth*: looking further makes it worse. Of two players of whom one looks further, next to each other in the declared
  order, the one in question is the further one, and scores less as first against the same second player, or lets the
  same first player score more; that is, the interval of the difference of the two scores lies on one side of 0.
  The interval of the difference is Newcombe's, made of those of the two scores.

Where nothing of a kind is there, at most one table in twenty has a mark of this kind: the intervals of a tournament are
as wide as Bonferroni's inequality asks for (`simultaneous_width`).

- A false mark of *edge* takes a lower bound that is too high. There is one comparison for each two players, and one for
  each player with itself.
- A cycle is real if all its matches are told the right way. So all matches are told at the same time, however many
  cycles they are part of, and each of them may be told wrongly in either direction.
- A false mark of *depth* takes a difference that is told the wrong way. There is one comparison for each difference.

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
"""The scores of the first players by the names of (first, second)."""


MARKS = {
    "edge": ("e", "whoever begins wins"),
    "intransitive": ("c", "part of a cycle: loses to one that is beaten by one it beats"),
    "depth": ("d", "looking further makes it worse"),
}
"""The letter that marks a cell, and what it says, by the kind of finding."""
FALSE_MARKS = 0.05
"""the probability of a false mark of a kind in a table, at most"""


class Observation(NamedTuple):
    """Something that was found in a cell."""

    kind: str
    """a field of `ObservationOptions`"""
    row: str
    """the first player of the cell"""
    column: str
    """the second player of the cell"""
    value: float
    """the score of the cell; of a finding of *depth*, by how much it differs"""
    words: str
    """what is observed, in words"""


def difference(one: Interval, two: Interval) -> Interval:
    """The difference of two independent scores with its 95 % interval."""
    low = math.hypot(one.mean - one.low, two.high - two.mean)
    high = math.hypot(one.high - one.mean, two.mean - two.low)
    mean = one.mean - two.mean
    return Interval(mean, mean - low, mean + high)


def simultaneous_width(
    kind: str, pairs: Collection[tuple[str, str]], wanted: ObservationOptions, *, by_seat: bool
) -> float:
    """The width of intervals, in standard deviations to each side, with which few tables have a false mark of a kind.

    `pairs` are the cells of the table.
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
    """The players of a table."""
    return list(dict.fromkeys(row for row, _ in pairs))


def ladder(players: Sequence[str]) -> tuple[str, ...]:
    """The players that differ in `depth` alone, the shallowest first: the largest such group; none if there is none."""
    groups = [each.players for each in series(players) if each.option == "depth"]
    return max(groups, key=len, default=())


def find(scores: Scores, wanted: ObservationOptions, *, by_seat: bool = True) -> list[Observation]:
    """All that is wanted and found, cell by cell in the order of the table.

    With `by_seat`, who is named first is player 0; without, a score and its mirror image are those of the same games.
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
        words = f"whoever begins wins: as first {row} scores {one.mean:.1%} against {other}"
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
        words = f"better is not transitive: {row} loses to {column} ({score.mean:.1%}), but beats {ways}"
        yield Observation("intransitive", row, column, score.mean, words)


def _depth(scores: Scores, row: str, column: str, ladder: tuple[str, ...], by_seat: bool) -> Iterator[Observation]:
    score, place = scores[row, column], "as first " if by_seat else ""
    for less, more in pairwise(ladder):
        if row == more and (less, column) in scores:
            change = difference(score, scores[less, column])
            if change.high < 0:
                words = f"{more} does worse than {less} {place}against {column}: {_change(scores[less, column], score)}"
                yield Observation("depth", row, column, change.mean, words)
        if by_seat and column == more and (row, less) in scores:
            change = difference(score, scores[row, less])
            if change.low > 0:
                words = f"{more} does worse than {less} as second against {row}, which scores "
                words += _change(scores[row, less], score)
                yield Observation("depth", row, column, -change.mean, words)


def _change(before: Interval, after: Interval) -> str:
    return f"{after.mean:.1%} instead of {before.mean:.1%}"
