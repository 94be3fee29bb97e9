"""Figures: statistics of a report, each with a name, a unit and a function that computes it.

The function of a figure takes the evidence of the report, which contains its training runs and matches. The function
returns a value for each training run, in the order of the seeds, or an interval. For example, the score of a match
between players that do not learn is an interval. `difference`, `ratio` and `change` compute new figures from two
figures. `difference` and `ratio` compare different training runs, and `change` compares two figures of the same
training runs. `of_match`, `of_each`, `of_curves` and `of_weights` make figures from matches, single training runs,
learning curves and weights.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from petteia.arena.statistics import Interval, contrast_interval, independent_sum, interval_of
from petteia.core.arrays import Floats
from petteia.experiments.results import CellResult
from petteia.experiments.scatter import MANY
from petteia.experiments.tournament.matches import Cell
from petteia.experiments.training import Training
from petteia.reports.engine.estimates import POINTS, SHARE, TIMES, Unit, interval_text, mean_over_trainings, score_of
from petteia.reports.engine.settings import Match, Setting

MINUS = "the difference in", "minus"
"""The words for a difference: before what both figures have in common, and between the two."""
Values = Sequence[float] | NDArray[np.float64]
"""The values of the training runs, in the order of the seeds."""
Part = Literal["score", "won", "drawn", "lost"]
RESULTS: tuple[Part, ...] = ("won", "drawn", "lost")
WORDS: dict[Part, str] = {"score": "the score", **{part: f"the share of games {part}" for part in RESULTS}}
ENOUGH_FOR_GROUPS = 20
"""The minimum number of training runs that can form two groups."""
GAP, SMALLEST_GROUP = 0.25, 0.1
"""The minimum gap between two groups of shares, and the minimum part of the training runs in each group."""


@dataclass(frozen=True)
class Figure:
    """A statistic of a report, such as a player's score, with its name, its unit and the function that computes it."""

    words: str
    """The name of the figure as a part of a sentence."""
    unit: Unit
    of: Callable[[Any], Values | Interval]
    """The function that returns, from the evidence, a value for each training run, or an interval."""
    subject: str = ""
    """The player or training run that the figure describes, if several figures have the same words."""
    games: Callable[[Any], int] = lambda evidence: MANY
    """The number of games in which each share was measured."""
    terms: tuple[tuple[float, Figure], ...] = ()
    """The weights and the figures whose weighted sum this figure is, if it is a contrast."""
    others: tuple[Figure, ...] = ()
    """Other shares of the same games. The sum of these shares and the share in this figure is at most 1."""

    @property
    def name(self) -> str:
        """The name of the measured value, with its subject in parentheses."""
        return f"{self.words.rstrip(',')} ({self.subject})" if self.subject else self.words

    def values(self, evidence: Any) -> tuple[float, ...]:
        """Return the value of each training run, or an empty tuple if the figure is only an interval."""
        values = self.of(evidence)
        return () if isinstance(values, Interval) else tuple(map(float, values))

    def trainings(self, evidence: Any) -> int | None:
        """Return the number of training runs from which the figure is computed, or None if there are none.

        If the figure is computed from several figures, the result is the smallest of their numbers of training runs.
        """
        if self.terms:
            counts = [each.trainings(evidence) for _, each in self.terms]
            return min((each for each in counts if each is not None), default=None)
        return len(self.values(evidence)) or None

    def interval(self, evidence: Any) -> Interval:
        """Return the mean over all training runs with its confidence interval.

        If the function of the figure returns an interval, this interval is the result. If a share is 0 in all training
        runs, the runs do not show how much the share varies. Its upper bound is then limited to 1 minus the lower bound
        of the largest share in `others`. The lower bound 0 is always correct. The interval therefore still contains the
        mean with a probability of 95 %.
        """
        values = self.of(evidence)
        if isinstance(values, Interval):
            return values
        found = mean_over_trainings(tuple(map(float, values)), self.unit, self.games(evidence))
        if found.is_known and self.others and not np.any(values):
            most = max((each.interval(evidence) for each in self.others), key=lambda each: each.mean)
            return found._replace(high=min(found.high, 1.0 - most.low))
        if found.is_known or not self.terms or len(values) < 2:
            return found
        return independent_sum([(weight, each.interval(evidence)) for weight, each in self.terms])

    def mean(self, evidence: Any) -> float:
        """Return the mean over all training runs."""
        return self.interval(evidence).mean

    def text(self, evidence: Any, unit: Unit | None = None, beside: Sequence[float] = (), level: str = "") -> str:
        """Return the mean and its interval as text. See `petteia.reports.engine.estimates.interval_text`."""
        unit, interval, trainings = unit or self.unit, self.interval(evidence), self.trainings(evidence)
        if interval.is_known or trainings == 1:
            return interval_text(interval, unit, beside, level)
        mean = unit.text(interval.mean, beside)
        return mean if trainings is None else f"{mean} in each of the {trainings} training runs"

    def range_text(self, evidence: Any, unit: Unit | None = None) -> str:
        """Return the range of the values of the training runs as text.

        If the values of the training runs form two groups, the text gives the range of each group.
        """
        values, unit = self.values(evidence), unit or self.unit
        if self.unit == SHARE and (found := groups(values)) is not None:
            return "in two groups: " + " and ".join(f"{len(each)} with {_range(each, unit)}" for each in found)
        return _range(values, unit)


def known(words: str, unit: Unit, values: Values | Interval, subject: str = "") -> Figure:
    """Return a `Figure` with values that are already known."""
    return Figure(words, unit, lambda evidence: values, subject)


def difference(one: Figure, other: Figure, words: str = "") -> Figure:
    """Return the difference `one` minus `other` of two figures from independent training runs or matches."""
    return combination(((1.0, one), (-1.0, other)), *_named(*MINUS, one, other, words))


def combination(terms: Sequence[tuple[float, Figure]], words: str, subject: str = "") -> Figure:
    """Return a weighted sum of several `Figure` objects of independent training runs or matches."""
    flat = tuple((weight * inner, figure) for weight, each in terms for inner, figure in each.terms or ((1.0, each),))

    def of(evidence: Any) -> Interval:
        samples = [(weight, figure.values(evidence)) for weight, figure in flat]
        if fewest := min(len(values) for _, values in samples):
            found = contrast_interval(samples)
            if found.is_known or fewest < 2:
                return found
        return independent_sum([(weight, figure.interval(evidence)) for weight, figure in flat])

    unit = _of_differences(flat[0][1].unit)
    if sum(abs(weight) for weight, _ in flat) > 2.0:
        unit = replace(unit, minimum=-math.inf, maximum=math.inf)
    return Figure(words, unit, of, subject, terms=flat)


def ratio(one: Figure, other: Figure) -> Figure:
    """Return the ratio `one` divided by `other` of two figures from independent training runs."""
    terms = ((1.0, one), (-1.0, other))

    def of(evidence: Any) -> Interval:
        found = contrast_interval([(weight, np.log(figure.values(evidence)).tolist()) for weight, figure in terms])
        return Interval(*map(math.exp, found)) if found.is_known else Interval(math.exp(found.mean), *found[1:])

    words, subject = _named("the ratio of", "divided by", one, other)
    return Figure(words, TIMES, of, subject, terms=terms)


def change(one: Figure, other: Figure, words: str = "") -> Figure:
    """Return the difference `one` minus `other` of two figures from the same training runs, computed for each run."""

    def of(evidence: Any) -> Values:
        return np.subtract(one.values(evidence), other.values(evidence))

    named, subject = _named(*MINUS, one, other, words)
    return Figure(named, _of_differences(one.unit), of, subject, terms=((1.0, one), (-1.0, other)))


def average(words: str, figures: Sequence[Figure], subject: str = "") -> Figure:
    """Return the mean of several `Figure` objects of the same training runs, computed for each run."""

    def of(evidence: Any) -> Values:
        return np.asarray(np.mean([each.values(evidence) for each in figures], axis=0))

    def games(evidence: Any) -> int:
        return sum(each.games(evidence) for each in figures)

    return Figure(words, figures[0].unit, of, subject, games=games)


# Standard statistics of matches, learning curves, weights, and single training runs.


def of_match(match: Match, part: Part = "score", words: str = "") -> Figure:
    """Return the score of one player in a match, or its share of games won, drawn or lost, as a `Figure`.

    The player is the first-named player of the match, or the second-named player if `match.is_turned` is True. The
    `Figure` has a value for each training run. If no player of the match has learned, it has an interval instead.
    """

    def figure(part: Part, words: str, others: tuple[Figure, ...] = ()) -> Figure:
        def of(evidence: Any) -> Values | Interval:
            cells: Sequence[Cell] = evidence.cells(match)
            if part == "score":
                return [cell.score for cell in cells] if match.agents else score_of(cells[0])
            shares, games = [cell.counts[RESULTS.index(part)] / cell.games for cell in cells], cells[0].games
            return shares if match.agents else interval_of(shares[0], games * shares[0] * (1.0 - shares[0]), games)

        return Figure(words, SHARE, of, match.words, lambda evidence: evidence.cells(match)[0].games, others=others)

    others = () if part == "score" else tuple(figure(each, "") for each in RESULTS if each != part)
    return figure(part, words or WORDS[part], others)


def of_each(
    words: str, unit: Unit, setting: Setting, value: Callable[[Any, Training], float], *, subject: str | None = None
) -> Figure:
    """Return a `Figure` whose values are the results of the function `value` for each training run of a setting."""

    def of(evidence: Any) -> Values:
        return [float(value(evidence, each)) for each in evidence.trainings(setting)]

    return Figure(words, unit, of, setting.words if subject is None else subject)


def of_curves(words: str, unit: Unit, measure: Callable[[CellResult], Values]) -> Callable[[Setting], Figure]:
    """Return a function that takes a setting, and returns a `Figure` with a value for each of its training runs.

    The function `measure` computes these values from the learning curves of the setting.
    """
    return lambda setting: Figure(words, unit, lambda evidence: measure(evidence.cell(setting)), setting.words)


def of_weights(words: str, unit: Unit, setting: Setting, measure: Callable[[Floats], Values]) -> Figure:
    """Return a `Figure` of the final weights of the training runs of a setting.

    The function `measure` gets these weights as float64[training runs, weights], and returns a value for each training
    run.
    """
    return Figure(words, unit, lambda evidence: measure(evidence.weights(setting)), setting.words)


# Groups of values, and the words and units of figures.


def groups(shares: Sequence[float]) -> tuple[list[float], list[float]] | None:
    """Split the shares of several training runs into two groups at a wide gap.

    Each group must contain at least the share `SMALLEST_GROUP` of the training runs. Of all gaps with two such groups,
    the widest is used. Returns None if this gap is not wider than `GAP`, or if there are fewer than `ENOUGH_FOR_GROUPS`
    training runs.
    """
    if len(shares) < ENOUGH_FOR_GROUPS:
        return None
    ordered = sorted(shares)
    minimum = math.ceil(SMALLEST_GROUP * len(ordered))
    gap, cut = max((ordered[i] - ordered[i - 1], i) for i in range(minimum, len(ordered) - minimum + 1))
    return (ordered[:cut], ordered[cut:]) if gap > GAP else None


def _range(values: Sequence[float], unit: Unit) -> str:
    low, high = unit.number(min(values)), unit.text(max(values))
    return high if unit.text(min(values)) == high else f"{low} to {high}"


def _named(contrast: str, between: str, one: Figure, other: Figure, words: str = "") -> tuple[str, str]:
    """Return the name and the subject for a comparison of two `Figure` objects, such as their difference or ratio."""
    if one.words == other.words and not words:
        return f"{contrast} {one.words}", f"{one.subject} {between} {other.subject}"
    return words or f"{one.name} {between} {other.name}", ""


def _of_differences(unit: Unit) -> Unit:
    """Return the unit of differences between values with the unit `unit`."""
    if unit == SHARE:
        return POINTS
    form = unit.form if unit.form.startswith("+") else f"+{unit.form}"
    return replace(unit, form=form, minimum=-math.inf, maximum=math.inf, by_ratio=False)
