"""Printed tables of an original report: parse them from text, and compare their values with new results.

              heuristic greedy1
    theta1    100/0     91/3
    theta2    100/0     -

In this text form of a table, a cell contains wins and draws in per cent of the games, in most tables those of the row's
player. An empty cell is `-`.

All cells of a table are judged together. If a player has learned, the original result is treated as one further
training run. `petteia.reports.engine.estimates` computes the probability that a further training run is at least as far
from the mean as the printed value. For this, `petteia.experiments.scatter` estimates from all shares in the table how
much training runs vary. A match between players that do not learn is judged by the exact test of
`petteia.experiments.tournament.comparison`. `petteia.experiments.verdicts` decides which cells are borderline and which
differ. It also tests whether the original as a whole could be one of petteia's training runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from petteia.experiments.scatter import spreads_of
from petteia.experiments.tournament.comparison import Counts
from petteia.experiments.verdicts import (
    AGREES,
    BORDERLINE,
    DIFFERS,
    ENOUGH_FOR_A_TABLE,
    RARE,
    oddness_of_table,
    verdicts,
)
from petteia.reports.engine.claims import tally
from petteia.reports.engine.estimates import FEWEST, PRINTED, Asked
from petteia.reports.engine.rules import NOT_JUDGED, TOO_WIDELY


class Printed(NamedTuple):
    """A cell of a printed table: its wins and draws in per cent, and its number of games."""

    wins: float
    """Wins in per cent."""
    draws: float
    """Draws in per cent."""
    games: int
    """The number of games."""

    @property
    def text(self) -> str:
        """The cell as it is printed, such as `91/3.5`: wins and draws in per cent."""
        return f"{self.wins:g}/{self.draws:g}"

    @property
    def score(self) -> float:
        """The score of the player whose wins the cell contains, between 0 and 1."""
        return (self.wins + self.draws / 2.0) / 100.0

    @property
    def counts(self) -> Counts:
        """The numbers of wins, draws and losses.

        Printed percentages are rounded. If the numbers of wins and draws exceed the number of games, the number of wins
        is reduced.
        """
        draws = round(self.draws * self.games / 100.0)
        wins = min(round(self.wins * self.games / 100.0), self.games - draws)
        return wins, draws, self.games - wins - draws


class PrintedTable(NamedTuple):
    """A table of match results that an original report prints."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: dict[tuple[str, str], Printed]
    """The printed cells by row and column."""


def read_table(text: str, games: int) -> PrintedTable:
    """Parse a printed table with `games` games per cell.

    Raises ValueError if a cell is invalid or a row has a wrong length.
    """
    columns, *rows = (line.split() for line in text.strip().splitlines())

    def read(word: str) -> Printed:
        wins, draws = map(float, word.split("/"))
        return Printed(wins, draws, games)

    cells = {
        (row, column): read(word)
        for row, *words in rows
        for column, word in zip(columns, words, strict=True)
        if word != "-"
    }
    return PrintedTable(tuple(row for row, *_ in rows), tuple(columns), cells)


class Judged(NamedTuple):
    """The cells of a table with their verdicts, and sentences that summarise the verdicts."""

    cells: list[Any]
    """All cells. Those with a printed value have their verdicts."""
    words: str
    """Sentences about the printed values."""


def judge(asked: Sequence[Asked], is_judged: bool = True) -> tuple[list[str], str]:
    """Return the verdict on each printed value of a table, and one or two sentences about all of them together.

    If there are too few training runs, the printed values are not judged.
    """
    if not is_judged or any(each.of_match is None and len(each.values) < FEWEST for each in asked):
        when = (
            f"With fewer than {FEWEST} training runs" if is_judged else "In the quick version, with short training runs"
        )
        words = f"{when}, this page does not compare the figures of this table with the printed ones."
        return [NOT_JUDGED] * len(asked), words if asked else ""
    shares = [each for each in asked if each.is_learned_share]
    spreads = spreads_of([each.sample for each in shares])
    results = [
        TOO_WIDELY if verdict == AGREES and each.is_too_wide(spreads) else verdict
        for each, verdict in zip(asked, verdicts([each.oddness(spreads) for each in asked]), strict=True)
    ]
    return results, " ".join(filter(None, [_counted(results, asked), _as_a_whole(shares, DIFFERS in results)]))


def _counted(results: Sequence[str], asked: Sequence[Asked]) -> str:
    """Return sentences that state how many printed values have each verdict.

    If a printed value is compared with training runs of several recipes (combinations of settings), it counts once for
    each recipe.
    """
    if not results:
        return ""
    plural = "s" if len(results) > 1 else ""
    original = f"{'reported' if all(each.origin == PRINTED for each in asked) else 'original'} number{plural}"
    is_mixed = len({each.recipe for each in asked}) > 1
    in_full, in_short = (f"comparisons with {original}", "comparisons") if is_mixed else (original, "numbers")
    words = f"Verdict{plural} on {len(results)} {in_full}: {tally(results)}."
    if BORDERLINE in results or DIFFERS in results:
        expected = round(RARE * len(results))
        by_chance = f"about {expected} of {len(results)} {in_short}" if expected else f"hardly any of the {in_short}"
        words += f" By chance alone, {by_chance} would have p < {RARE:g}."
    return words


def _as_a_whole(shares: Sequence[Asked], differs: bool) -> str:
    """Return sentences that state whether the original results could come from one of petteia's training runs.

    The result is an empty string if there are fewer than two shares, or too few training runs. It is also empty if the
    shares differ in their recipe (training settings), or in their numbers of games or training runs. `differs` is True
    if a printed value in the table differs significantly.
    """
    counts = {(len(each.values), each.games, each.of_games, each.recipe) for each in shares}
    if len(counts) != 1 or len(shares) < 2 or len(shares[0].values) < ENOUGH_FOR_A_TABLE:
        return ""
    ((number, games, of_games, _),) = counts
    ours, printed = np.array([each.values for each in shares]).T, np.array([each.printed for each in shares])
    probability = oddness_of_table(ours, games, printed, of_games)
    further = round(probability * (number + 1)) - 1
    verb = "differ" if probability <= RARE else "do not differ"
    count = f"{further} of our {number} training runs" if further else f"none of our {number} training runs"
    words = (
        f"Taken together, the original numbers {verb} significantly from our training runs: {count} "
        f"{'are' if further > 1 else 'is'} at least as far from the other training runs as the original."
    )
    return f"{words} However, at least one single number differs." if differs and probability > RARE else words
