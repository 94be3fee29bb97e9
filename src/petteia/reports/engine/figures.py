"""Figures: named values of the evidence, each with words, a unit and a function.

The function gives a value for each training, in the order of the seeds, or what is known by itself: the interval of a
match, or what is certain. Contrasts of figures are figures, too: `difference` and `ratio` of trainings of several
recipes, `change` of one thing to another in the same trainings.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petteia.arena.statistics import Interval, contrast_interval, independent_sum
from petteia.experiments.scatter import MANY
from petteia.reports.engine.estimates import (
    POINTS,
    SHARE,
    TIMES,
    Unit,
    groups,
    interval_text,
    mean_over_trainings,
)

Values = Sequence[float] | NDArray[np.float64]
"""of each training, in the order of the seeds"""


@dataclass(frozen=True)
class Figure:
    """A value with a name."""

    words: str
    """what it is, as a part of a sentence"""
    unit: Unit
    of: Callable[[Any], Values | Interval]
    """from the evidence: a value for each training, or an interval"""
    subject: str = ""
    """whose it is, where there are figures of these words of several"""
    games: Callable[[Any], int] = lambda evidence: MANY
    """of how many games each share is"""
    terms: tuple[tuple[float, Figure], ...] = ()
    """what it is a contrast of: a sum of figures, each with a weight"""

    @property
    def name(self) -> str:
        """What it is, and whose."""
        return f"{self.words} ({self.subject})" if self.subject else self.words

    def values(self, evidence: Any) -> tuple[float, ...]:
        """The value of each training; none for what is not measured on trainings, or on those of several recipes."""
        values = self.of(evidence)
        return () if isinstance(values, Interval) else tuple(map(float, values))

    def trainings(self, evidence: Any) -> int | None:
        """How many trainings it rests on; None for what is known by itself."""
        if self.terms:
            counts = [each.trainings(evidence) for _, each in self.terms]
            return min((each for each in counts if each is not None), default=None)
        values = self.of(evidence)
        return None if isinstance(values, Interval) else len(values)

    def interval(self, evidence: Any) -> Interval:
        """The mean over all trainings, with its interval; or the interval that is known by itself."""
        values = self.of(evidence)
        if isinstance(values, Interval):
            return values
        found = mean_over_trainings(tuple(map(float, values)), self.unit, self.games(evidence))
        return found if found.is_known else _of_parts(self, evidence, found)

    def mean(self, evidence: Any) -> float:
        """The mean alone."""
        return self.interval(evidence).mean

    def text(self, evidence: Any) -> str:
        """The figure with its interval, in words."""
        interval, trainings = self.interval(evidence), self.trainings(evidence) or 1
        if not interval.is_known and self.trainings(evidence) is None:
            return self.unit.text(interval.mean)
        if not interval.is_known and trainings > 1:
            return f"{self.unit.text(interval.mean)} (all {trainings} seeds)"
        return interval_text(interval, self.unit)

    def range_text(self, evidence: Any) -> str:
        """From the least of the trainings to the most; where they fall into two groups, both of these."""
        values = self.values(evidence)
        if self.unit == SHARE and (found := groups(values)) is not None:
            return "two groups: " + " and ".join(f"{len(each)} of {_range(each, self.unit)}" for each in found)
        return _range(values, self.unit)


def known(words: str, unit: Unit, values: Values | Interval, subject: str = "", games: int = MANY) -> Figure:
    """A figure whose values are known by themselves, whatever the evidence is."""
    return Figure(words, unit, lambda evidence: values, subject, lambda evidence: games)


def difference(one: Figure, other: Figure, words: str = "") -> Figure:
    """The first less the second, of trainings that are independent of each other, or of two intervals."""
    return combination(((1.0, one), (-1.0, other)), *_named(one, other, words))


def combination(terms: Sequence[tuple[float, Figure]], words: str, subject: str = "") -> Figure:
    """A sum of figures, each with a weight, of trainings that are independent of each other."""
    flat = tuple((weight * inner, figure) for weight, each in terms for inner, figure in each.terms or ((1.0, each),))

    def of(evidence: Any) -> Interval:
        samples = [(weight, figure.values(evidence)) for weight, figure in flat]
        if not all(values for _, values in samples):
            return independent_sum([(weight, figure.interval(evidence)) for weight, figure in flat])
        found = contrast_interval(samples)
        if found.is_known or min(len(values) for _, values in samples) < 2:
            return found
        return independent_sum([(weight, figure.interval(evidence)) for weight, figure in flat])

    unit = _of_differences(flat[0][1].unit)
    if sum(abs(weight) for weight, _ in flat) > 2.0:
        unit = replace(unit, minimum=-math.inf, maximum=math.inf)
    return Figure(words, unit, of, subject, terms=flat)


def ratio(one: Figure, other: Figure) -> Figure:
    """How many times the second the first is, of trainings that are independent of each other."""

    def of(evidence: Any) -> Interval:
        found = contrast_interval(
            [(weight, np.log(figure.values(evidence)).tolist()) for weight, figure in ((1.0, one), (-1.0, other))]
        )
        return Interval(*map(math.exp, found)) if found.is_known else Interval(math.exp(found.mean), *found[1:])

    words, subject = _named(one, other, "")
    return Figure(words, TIMES, of, subject.replace(" less ", " in units of "), terms=((1.0, one), (-1.0, other)))


def change(one: Figure, other: Figure, words: str = "") -> Figure:
    """The first less the second, training by training: both are figures of the same trainings."""

    def of(evidence: Any) -> Values:
        return np.subtract(one.values(evidence), other.values(evidence))

    named, subject = _named(one, other, words)
    unit = _of_differences(one.unit)
    return Figure(named, unit, of, subject, terms=((1.0, one), (-1.0, other)))


def average(words: str, figures: Sequence[Figure]) -> Figure:
    """The mean of several figures, training by training."""

    def of(evidence: Any) -> Values:
        return np.asarray(np.mean([each.values(evidence) for each in figures], axis=0))

    def games(evidence: Any) -> int:
        return sum(each.games(evidence) for each in figures)

    return Figure(words, figures[0].unit, of, games=games)


def _range(values: Sequence[float], unit: Unit) -> str:
    minimum, maximum = unit.text(min(values)), unit.text(max(values))
    return minimum if minimum == maximum else f"{minimum.removesuffix(unit.name)} to {maximum}"


def _named(one: Figure, other: Figure, words: str) -> tuple[str, str]:
    """The words and the subject of a contrast of two."""
    if one.words == other.words and not words:
        return one.words, f"{one.subject} less {other.subject}"
    return words or f"{one.name} less {other.name}", ""


def _of_differences(unit: Unit) -> Unit:
    """The unit of differences of what has this one."""
    if unit == SHARE:
        return POINTS
    form = unit.form if unit.form.startswith("+") else f"+{unit.form}"
    return replace(unit, form=form, minimum=-math.inf, maximum=math.inf, by_ratio=False)


def _of_parts(figure: Figure, evidence: Any, found: Interval) -> Interval:
    """The interval of a change that is the same in all trainings, from those of its two figures."""
    if not figure.terms or len(figure.values(evidence)) < 2:
        return found
    return independent_sum([(weight, each.interval(evidence)) for weight, each in figure.terms])
