"""Figures: named values of the evidence, each with words, a unit and a function.

The function gives a value for each training, in the order of the seeds, or what is known by itself: the interval of a
match, or what is certain. Contrasts are figures, too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petteia.arena.statistics import Interval
from petteia.reports.engine.estimates import (
    POINTS,
    SHARE,
    Unit,
    further_training,
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
    parts: tuple[Figure, ...] = ()
    """what it is a contrast of"""

    @property
    def name(self) -> str:
        """What it is, and whose."""
        return f"{self.words} ({self.subject})" if self.subject else self.words

    def values(self, evidence: Any) -> tuple[float, ...]:
        """The value of each training; none for what is not measured on trainings."""
        values = self.of(evidence)
        return () if isinstance(values, Interval) else tuple(map(float, values))

    def interval(self, evidence: Any) -> Interval:
        """The mean over all trainings, with its interval; or the interval that is known by itself."""
        values = self.of(evidence)
        if isinstance(values, Interval):
            return values
        at_an_end = any(part.unit.is_at_an_end(part.values(evidence)) for part in (self.parts or (self,)))
        return mean_over_trainings(tuple(map(float, values)), self.unit, is_at_an_end=at_an_end)

    def further(self, evidence: Any) -> Interval:
        """In what a further training would lie; what is known by itself stays as it is."""
        values = self.of(evidence)
        return values if isinstance(values, Interval) else further_training(tuple(map(float, values)), self.unit)

    def mean(self, evidence: Any) -> float:
        """The mean alone."""
        return self.interval(evidence).mean

    def text(self, evidence: Any) -> str:
        """The figure with its interval, in words."""
        values = self.values(evidence)
        if len(values) == 1:
            return f"{self.unit.text(values[0])} (one seed)"
        if len(values) > 1 and not self.interval(evidence).is_known:
            return f"{self.unit.text(values[0])} (all {len(values)} seeds)"
        return interval_text(self.interval(evidence), self.unit)

    def range_text(self, evidence: Any) -> str:
        """From the least of the trainings to the most."""
        values = self.values(evidence)
        least, most = self.unit.text(min(values)), self.unit.text(max(values))
        return least if least == most else f"{least.removesuffix(self.unit.name)} to {most}"


def known(words: str, unit: Unit, values: Values | Interval, subject: str = "") -> Figure:
    """A figure whose values are known by themselves, whatever the evidence is."""
    return Figure(words, unit, lambda evidence: values, subject)


def difference(one: Figure, other: Figure, words: str = "") -> Figure:
    """The first less the second: training by training, which have met the same random numbers, or of two intervals."""

    def of(evidence: Any) -> Values | Interval:
        values, against = one.of(evidence), other.of(evidence)
        if isinstance(values, Interval) and isinstance(against, Interval):
            return _independent(values, against)
        if isinstance(values, Interval) or isinstance(against, Interval):
            raise TypeError(f"{one.words} and {other.words} are not of the same kind")
        return tuple(float(a) - float(b) for a, b in zip(values, against, strict=True))

    unit = POINTS if one.unit == SHARE else replace(one.unit, form=_signed(one.unit.form), least=-math.inf)
    parts = (*(one.parts or (one,)), *(other.parts or (other,)))
    if one.words == other.words and not words:
        return Figure(one.words, unit, of, f"{one.subject} less {other.subject}", parts)
    return Figure(words or f"{one.name} less {other.name}", unit, of, "", parts)


def average(words: str, figures: Sequence[Figure]) -> Figure:
    """The mean of several figures, training by training."""

    def of(evidence: Any) -> Values:
        return np.asarray(np.mean([each.values(evidence) for each in figures], axis=0))

    return Figure(words, figures[0].unit, of)


def share_of_trainings(words: str, holds: Callable[[Any], Sequence[bool]], subject: str = "") -> Figure:
    """The share of all trainings of which something holds; `holds` says it of each."""
    return Figure(words, SHARE, lambda evidence: tuple(map(float, holds(evidence))), subject)


def _signed(form: str) -> str:
    return form if form.startswith("+") else f"+{form}"


def _independent(one: Interval, other: Interval) -> Interval:
    mean = one.mean - other.mean
    low = math.hypot(one.mean - one.low, other.high - other.mean)
    high = math.hypot(one.high - one.mean, other.mean - other.low)
    return Interval(mean, mean - low, mean + high)
