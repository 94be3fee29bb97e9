"""How sure a figure is that was measured on a few trainings, or in the games of a match.

Two questions are kept apart. *What is the mean over all trainings of this recipe?* For shares of 0..1 the interval is
that of `share_interval`, which covers whatever their distribution is; a contrast of shares has Student's, unless a
share lies at an end of its range, where scatter cannot be normal: then it has that of shares, stretched. *What would
one further training have?* That is Student's predictive interval, and with shares at an end all that is possible:
for any distribution, the range of fewer than 39 trainings covers a further one less than 95 times in 100.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from petteia.arena.statistics import Interval, mean_interval, predictive_interval, share_interval

END = 0.02
"""a share that is nearer to 0 or to 1 lies at an end of its range"""
SAME = 1e-9
"""values that differ by less are the same"""
ENOUGH_FOR_A_RANGE = 39
"""trainings whose range covers a further one 95 times in 100, (n - 1) / (n + 1), whatever their distribution"""


@dataclass(frozen=True)
class Unit:
    """What a figure is measured in: how it is written, and what it can be."""

    form: str
    """how a number is formatted"""
    name: str = ""
    """what follows the number"""
    times: float = 1.0
    """what the number is multiplied by when it is written"""
    least: float = -math.inf
    most: float = math.inf

    @property
    def is_bounded(self) -> bool:
        """Whether it has a least and a most."""
        return math.isfinite(self.least) and math.isfinite(self.most)

    def text(self, value: float) -> str:
        """A number of this unit."""
        return f"{value * self.times:{self.form}}{self.name}"

    def is_at_an_end(self, values: Sequence[float]) -> bool:
        """Whether one of the values is so near to an end of the range that scatter cannot be normal."""
        if not self.is_bounded:
            return False
        near = END * (self.most - self.least)
        return any(min(value - self.least, self.most - value) < near for value in values)

    def covers(self, interval: Interval) -> bool:
        """Whether an interval says nothing: it has no bounds, or holds all that the figure could be."""
        return not interval.is_known or (interval.low <= self.least and interval.high >= self.most)


SHARE = Unit(".1%", least=0.0, most=1.0)
POINTS = Unit("+.1f", " points", 100.0, -1.0, 1.0)
"""a difference of shares, in points of per cent"""
COUNT = Unit(",.0f", least=0.0)
TIMES = Unit(".2f", " times", least=0.0)
VALUE = Unit(".3f", least=-1.0, most=1.0)
NUMBER = Unit(".3f")


def mean_over_trainings(values: Sequence[float], unit: Unit, *, is_at_an_end: bool = False) -> Interval:
    """The mean over all trainings of a recipe, from those there are, with its 95 % interval.

    `is_at_an_end`: whether values come of shares some of which lie at an end of their range. Of one training alone,
    and where all agree on something without bounds, nothing is known but the mean.
    """
    mean = float(np.mean(values))
    if len(values) < 2:
        return Interval(mean, -math.inf, math.inf)
    if unit == SHARE:
        return share_interval(values)
    if unit.is_bounded and (is_at_an_end or agree(values)):
        return stretched(values, unit)
    if agree(values):
        return Interval(mean, -math.inf, math.inf)
    return mean_interval(values).kept_in(unit.least, unit.most)


def agree(values: Sequence[float]) -> bool:
    """Whether all values are the same, so that they say nothing of their scatter."""
    return bool(np.ptp(values) < SAME)


def stretched(values: Sequence[float], unit: Unit) -> Interval:
    """The interval of shares for values in the range of a unit."""
    width = unit.most - unit.least
    share = share_interval([(value - unit.least) / width for value in values])
    return Interval(*(unit.least + width * each for each in share))


def further_training(values: Sequence[float], unit: Unit) -> Interval:
    """The mean, and the interval in which one further training would lie 95 times in 100.

    With fewer than three trainings nothing can be told.
    """
    mean = float(np.mean(values))
    if len(values) < 3 or (not unit.is_bounded and agree(values)):
        return Interval(mean, -math.inf, math.inf)
    if unit.is_bounded and (unit.is_at_an_end(values) or agree(values)):
        if len(values) < ENOUGH_FOR_A_RANGE:
            return Interval(mean, unit.least, unit.most)
        return Interval(mean, min(values), max(values))
    return predictive_interval(values).kept_in(unit.least, unit.most)


def certain(value: float) -> Interval:
    """What is worked out and not sampled."""
    return Interval(value, value, value)


def interval_text(interval: Interval, unit: Unit) -> str:
    """A figure with its interval; where that is not known, as of one seed, it says so."""
    if interval.low == interval.high:
        return f"{unit.text(interval.mean)} (exactly)"
    if not interval.is_known:
        return f"{unit.text(interval.mean)} (one seed)"
    kept = interval.kept_in(unit.least, unit.most)
    low, high = (unit.text(bound).removesuffix(unit.name) for bound in kept[1:])
    return f"{unit.text(kept.mean)} ({low} to {high})"
