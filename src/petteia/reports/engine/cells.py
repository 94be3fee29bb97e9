"""Cells of tables: measured values and matches, next to the results that an original report prints.

The cells of a table are judged together. If a player has learned, the original counts as one further training run.
`petteia.reports.engine.estimates` gives the probability that a further training run by petteia would be as far from the
mean. For this, it estimates the spread of training runs from all cells of the table. A match between players that do
not learn is judged by the exact test of `petteia.experiments.tournament.comparison`. `petteia.experiments.verdicts`
decides which cells are odd and which differ, and whether the original as a whole could be one of our training runs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any, NamedTuple

import numpy as np

from petteia.arena.statistics import SAME, Interval
from petteia.experiments.scatter import spreads_of
from petteia.experiments.tournament.comparison import agreement
from petteia.experiments.tournament.matches import Cell
from petteia.experiments.tournament.matches import shown as per_cent
from petteia.experiments.verdicts import AGREES, DIFFERS, ENOUGH_FOR_A_TABLE, ODD, RARE, oddness_of_table, verdicts
from petteia.render.html import Html
from petteia.reports.engine.claims import tally
from petteia.reports.engine.estimates import FEWEST, PRINTED, SHARE, UNKNOWN, Asked, certain
from petteia.reports.engine.figures import Figure
from petteia.reports.engine.printed import Printed
from petteia.reports.engine.rules import NOT_JUDGED, TOO_WIDELY, UNTOLD
from petteia.reports.engine.settings import Match

KINDS = {
    AGREES: "agrees",
    DIFFERS: "differs",
    ODD: "odd",
    UNTOLD: "untold",
    TOO_WIDELY: "untold",
    NOT_JUDGED: "unjudged",
}
"""The class of each verdict in the style sheet."""
COLUMNS = ("games", "wins", "draws", "losses", "score", "low", "high", "distinct")
"""The columns of a match in files."""
WITHOUT_CHANCE = frozenset({"heuristic", "simple"})
"""The text forms of players that never choose at random."""


def judge(asked: Sequence[Asked], is_judged: bool = True) -> tuple[list[str], str]:
    """Return the verdict on each printed value of a table, and one or two sentences about all of them together.

    If there are too few training runs, the printed values are not judged.
    """
    if not is_judged or any(each.of_match is None and len(each.values) < FEWEST for each in asked):
        when = f"With fewer than {FEWEST} training runs" if is_judged else "In the quick form, with short training runs"
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
    """Return sentences with the number of cells with each verdict.

    A printed value is counted once for each recipe of training runs with which it is compared.
    """
    if not results:
        return ""
    original = "printed figures" if all(each.origin == PRINTED for each in asked) else "original figures"
    is_mixed = len({each.recipe for each in asked}) > 1
    in_full, in_short = (f"comparisons with {original}", "comparisons") if is_mixed else (original, "figures")
    words = f"Of {len(results)} {in_full}, {tally(results)}."
    if ODD in results or DIFFERS in results:
        expected = round(RARE * len(results))
        by_chance = f"about {expected}" if expected else "fewer than one"
        words += f" Chance alone would make {by_chance} of {len(results)} {in_short} odd."
    return words


def _as_a_whole(shares: Sequence[Asked], differs: bool) -> str:
    """Return sentences on whether the original could be one of petteia's training runs.

    The result is an empty string if there are fewer than two shares, or too few training runs. It is also empty if the
    shares differ in their recipe, or in their numbers of games or training runs. `differs` is True if a printed value
    in the table differs significantly.
    """
    counts = {(len(each.values), each.games, each.of_games, each.recipe) for each in shares}
    if len(counts) != 1 or len(shares) < 2 or len(shares[0].values) < ENOUGH_FOR_A_TABLE:
        return ""
    ((number, games, of_games, _),) = counts
    ours, printed = np.array([each.values for each in shares]).T, np.array([each.printed for each in shares])
    probability = oddness_of_table(ours, games, printed, of_games)
    further = round(probability * (number + 1)) - 1
    verdict = "differs from" if probability <= RARE else "could be one of"
    words = (
        f"Over all cells of the table together, {further or 'none'} of our {number} training runs "
        f"{'lies' if further < 2 else 'lie'} as far from the other training runs as the original does. Judged by the "
        f"distance over all cells, the original {verdict} our training runs."
    )
    return f"{words} A single figure can differ all the same." if differs and probability > RARE else words


def unfolding(shown: str, notes: Sequence[str], verdict: str | None = None) -> Html:
    """Return an HTML cell that shows `shown`, and the notes after a click. Its bar has the colour of the verdict."""
    kind, title = ("", "") if verdict is None else (f" {KINDS[verdict]}", f' title="{verdict}"')
    lines = "".join(f"<small>{escape(note)}</small>" for note in notes)
    inner = f"<details><summary>{escape(shown)}</summary>{lines}</details>" if notes else escape(shown)
    return Html(f'<span class="cell{kind}"{title}>{inner}</span>')


@dataclass(frozen=True)
class Beside:
    """A table cell with a measured value, and the value that the original report prints."""

    figure: Figure
    printed: float
    of_games: int = UNKNOWN
    verdict: str | None = None
    """The verdict on the printed value; None until the table is judged."""
    recipe: str = ""
    """The recipe of the training runs, in a table with several recipes."""
    origin: str = PRINTED
    """The origin of the original figure, in words."""

    def asked(self, evidence: Any) -> Asked:
        """Return the printed value together with the measured values, so that they can be compared."""
        unit, values, games = self.figure.unit, self.figure.values(evidence), self.figure.games(evidence)
        return Asked(self.printed, unit, values, games, self.of_games, recipe=self.recipe, origin=self.origin)


@dataclass(frozen=True)
class Meeting:
    """A table cell with a match, and the result that the original report prints, if any."""

    row: str
    column: str
    match: Match | Sequence[Cell]
    """The match, or its results if it was played elsewhere and no player has learned."""
    printed: Printed | None = None
    """The original's result, or None if it has none."""
    note: str = ""
    """A further line that the cell shows after a click."""
    verdict: str | None = None
    """The verdict on the printed result; None until the table is judged."""

    def cells(self, evidence: Any) -> Sequence[Cell]:
        """Return the results of the match: one for each training seed, or a single one if no player has learned."""
        return evidence.cells(self.match) if isinstance(self.match, Match) else self.match

    def ours(self, evidence: Any) -> Cell:
        """Return the result of the match, summed over all training seeds."""
        return together(self.cells(evidence))

    def scores(self, evidence: Any) -> tuple[float, ...]:
        """Return the score of each seed, or an empty tuple if no player has learned."""
        has_learned = isinstance(self.match, Match) and self.match.agents
        return tuple(cell.score for cell in self.cells(evidence)) if has_learned else ()

    def asked(self, evidence: Any) -> Asked | None:
        """Return the printed result together with the measured results, or None if no result is printed."""
        if self.printed is None:
            return None
        ours, scores = self.ours(evidence), self.scores(evidence)
        odd = None if scores else agreement(ours.counts, self.printed.counts).p_value
        return Asked(self.printed.score, SHARE, scores, ours.games // max(len(scores), 1), self.printed.games, odd)

    def html(self, evidence: Any) -> Html:
        """Return the cell as HTML: its wins and draws, and the lines that it shows after a click."""
        ours, scores = self.ours(evidence), self.scores(evidence)
        notes = [] if self.printed is None else [f"printed: {self.printed.text} (wins/draws in per cent)"]
        if scores:
            notes.append(f"scores of the training runs in per cent: {' '.join(f'{100 * each:.0f}' for each in scores)}")
        elif is_one_game(ours):
            notes.append("always the same game, because nothing is random")
        else:
            notes.append(f"95 % interval of the score: {ours.low * 100:.0f} to {ours.high * 100:.0f} per cent")
        notes.append(f"{ours.games} games{'' if is_one_game(ours) else f', {ours.distinct} of them distinct'}")
        return unfolding(per_cent(ours), [*notes, self.note] if self.note else notes, self.verdict)

    def figures(self, evidence: Any) -> dict[str, Any]:
        """Return the match as a row of a CSV file."""
        ours = self.ours(evidence)
        return {
            "first": self.row,
            "second": self.column,
            **{name: getattr(ours, name) for name in COLUMNS},
            "seeds": " ".join(f"{score:.4f}" for score in self.scores(evidence)),
            **{f"printed_{name}": getattr(self.printed, name, None) for name in Printed._fields},
            "verdict": self.verdict,
        }


class Judged(NamedTuple):
    """The cells of a table with their verdicts, and sentences that summarise the verdicts."""

    cells: list[Any]
    """All cells. Those with a printed value have their verdicts."""
    words: str
    """Sentences about the printed values."""


def with_verdicts(cells: Sequence[Any], evidence: Any) -> Judged:
    """Judge the cells of a table that have a printed value. The other cells remain unchanged."""
    asked = [each.asked(evidence) if isinstance(each, Beside | Meeting) else None for each in cells]
    questions = [each for each in asked if each is not None]
    nobody_learned = all(each.of_match is not None for each in questions)
    found, words = judge(questions, nobody_learned or evidence.is_judged)
    verdict, pairs = iter(found), zip(cells, asked, strict=True)
    return Judged([each if of is None else replace(each, verdict=next(verdict)) for each, of in pairs], words)


def shown(part: Any, evidence: Any) -> Any:
    """Return a table cell as HTML. Cells that contain only text are returned unchanged.

    A cell with a measured value shows the mean. After a click, it also shows the interval, the range and the printed
    value.
    """
    if isinstance(part, tuple):
        whole = " / ".join(f"{each}%" for each in whole_percents([figure.mean(evidence) for figure in part]))
        return unfolding(whole, [f"{figure.words}: {figure.text(evidence)}" for figure in part])
    if not isinstance(part, Figure | Beside):
        return part
    figure, verdict = (part, None) if isinstance(part, Figure) else (part.figure, part.verdict)
    notes = [f"{part.origin}: {figure.unit.text(part.printed)}"] if isinstance(part, Beside) else []
    notes.append(figure.text(evidence))
    if len(figure.values(evidence)) > 1:
        notes.append(f"training runs: {figure.range_text(evidence)}")
    return unfolding(figure.unit.text(figure.mean(evidence)), notes, verdict)


def whole_percents(shares: Sequence[float]) -> list[int]:
    """Return shares in whole per cent. If they are all parts of one whole, they still add up to 100.

    If the shares are all parts of one whole, they are rounded down at first. Those with the largest remainders are then
    rounded up.
    """
    if abs(sum(shares) - 1.0) > SAME:
        return [round(100.0 * each) for each in shares]
    found = [math.floor(100.0 * each + SAME) for each in shares]
    by_remainder = sorted(range(len(shares)), key=lambda place: found[place] - 100.0 * shares[place])
    for place in by_remainder[: 100 - sum(found)]:
        found[place] += 1
    return found


def turned(cell: Cell, seat: int) -> Cell:
    """Return a match from the perspective of the player in this seat."""
    return cell if seat == 0 else cell.turned


def is_one_game(cell: Cell) -> bool:
    """Return whether a match repeats a single game because neither player chooses at random.

    If a player chooses at random, two equal games are counted as two independent observations.
    """
    return cell.distinct == 1 and {cell.row, cell.column} <= WITHOUT_CHANCE


def score_of(cell: Cell) -> Interval:
    """Return the score of a match with its confidence interval.

    If the match repeats a single game, both bounds are equal to the score.
    """
    return certain(cell.score) if is_one_game(cell) else Interval(cell.score, cell.low, cell.high)


def together(cells: Sequence[Cell]) -> Cell:
    """Combine several matches into one. The counts are sums, and the interval is the range of the scores."""
    if len(cells) == 1:
        return cells[0]
    names, scores = ("games", "wins", "draws", "losses", "distinct"), [each.score for each in cells]
    sums = {name: sum(getattr(each, name) for each in cells) for name in names}
    return cells[0]._replace(**sums, score=sum(scores) / len(scores), low=min(scores), high=max(scores))
