"""How sure a figure is that was measured on a few trainings, or in the games of a match.

Shares go by the model of `petteia.experiments.scatter`. All else scatters normally, counts and ratios on a logarithmic
scale. Two questions are kept apart: what is the mean over all trainings of a recipe, and what would a further one have?
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from petteia.arena.statistics import SAME, Interval, mean_interval, predictive_interval
from petteia.core.arrays import Floats
from petteia.experiments import scatter
from petteia.experiments.scatter import EVEN, MANY, Sample

UNKNOWN = 50
"""games of an original that does not say how many it played"""
FEWEST = 5
"""trainings without which nothing is judged"""
TOO_WIDE = 0.5
"""a further training may have so wide a range of shares that nothing can be said of it"""
ENOUGH_FOR_GROUPS = 20
"""trainings from which on it is said that they fall into two groups"""
GAP, SMALLEST_GROUP = 0.25, 0.1
"""shares between which no training lies, and the part of the trainings beyond it, that make two groups"""


@dataclass(frozen=True)
class Unit:
    """What a figure is measured in: how it is written, and what it can be."""

    form: str
    """how a number is formatted"""
    name: str = ""
    """what follows the number"""
    times: float = 1.0
    """what the number is multiplied by when it is written"""
    minimum: float = -math.inf
    maximum: float = math.inf
    by_ratio: bool = False
    """whether it scatters by ratios rather than by differences"""

    def text(self, value: float) -> str:
        """A number of this unit."""
        return f"{value * self.times:{self.form}}{self.name}"

    def is_by_ratio(self, values: Sequence[float]) -> bool:
        """Whether logarithms are to be taken of these values."""
        return self.by_ratio and min(values) > 0.0


SHARE = Unit(".1%", minimum=0.0, maximum=1.0)
POINTS = Unit("+.1f", " points", 100.0, -1.0, 1.0)
"""a difference of shares, in points of per cent"""
COUNT = Unit(",.0f", minimum=0.0, by_ratio=True)
TIMES = Unit(".2f", " times", minimum=0.0, by_ratio=True)
NUMBER = Unit(".3f")


def mean_over_trainings(values: Sequence[float], unit: Unit, games: int = MANY) -> Interval:
    """The mean over all trainings of a recipe, from those there are, with its 95 % interval.

    Of what scatters by ratios it is the geometric mean. Of one training alone, and where all agree on what is no share,
    nothing is known but the mean.
    """
    if unit == SHARE:
        return scatter.mean_of_trainings(Sample(tuple(values), games))
    return _normal(values, unit, mean_interval)


def further_training(
    values: Sequence[float], unit: Unit, games: int = MANY, of_games: int = UNKNOWN, spreads: Floats = EVEN
) -> Interval:
    """The mean, and the interval in which a further training would lie 95 times in 100.

    `games`: that shares are of; `of_games`: that the further training plays; `spreads`: as of `scatter.spreads_of`.
    """
    if unit == SHARE:
        return scatter.further_training(Sample(tuple(values), games), of_games, spreads)
    return _normal(values, unit, predictive_interval)


def _normal(values: Sequence[float], unit: Unit, interval: Callable[[Sequence[float]], Interval]) -> Interval:
    """An interval of what scatters normally, or whose logarithms do."""
    if len(values) < 2 or np.ptp(values) < SAME:
        return Interval(float(np.mean(values)), -math.inf, math.inf)
    if unit.is_by_ratio(values):
        return Interval(*map(math.exp, interval([*map(math.log, values)])))
    return interval(values).kept_in(unit.minimum, unit.maximum)


def is_too_wide(interval: Interval) -> bool:
    """Whether a further training could have nearly any share."""
    return interval.high - interval.low > TOO_WIDE


def oddness(
    values: Sequence[float],
    unit: Unit,
    printed: float,
    *,
    give: float = 0.0,
    games: int = MANY,
    of_games: int = UNKNOWN,
    spreads: Floats = EVEN,
) -> float:
    """How probable it is that a further training is as far out as a printed figure, or further.

    `give`: by how much the figure is rounded, to both sides; the other arguments as of `further_training`.
    """
    if unit == SHARE:
        return scatter.oddness(Sample(tuple(values), games), printed, of_games, spreads, give)
    from scipy.special import stdtr

    nearest = min(max(float(np.mean(values)), printed - give), printed + give)
    is_by_ratio = unit.is_by_ratio([*values, nearest])
    known, value = (np.log(values), math.log(nearest)) if is_by_ratio else (np.asarray(values), nearest)
    distance, deviation = (
        abs(value - float(known.mean())),
        float(known.std(ddof=1)) * math.sqrt(1.0 + 1.0 / len(values)),
    )
    if deviation < SAME:
        return 1.0 if distance < SAME else 0.0
    return 2.0 * float(stdtr(len(values) - 1, -distance / deviation))


def groups(shares: Sequence[float]) -> tuple[list[float], list[float]] | None:
    """The two groups into which many trainings fall, if they do: between them is a wide gap, and neither is small."""
    if len(shares) < ENOUGH_FOR_GROUPS:
        return None
    ordered = sorted(shares)
    minimum = math.ceil(SMALLEST_GROUP * len(ordered))
    gap, cut = max((ordered[i] - ordered[i - 1], i) for i in range(minimum, len(ordered) - minimum + 1))
    return (ordered[:cut], ordered[cut:]) if gap > GAP else None


def certain(value: float) -> Interval:
    """What is worked out and not sampled."""
    return Interval(value, value, value)


def interval_text(interval: Interval, unit: Unit) -> str:
    """A figure with its interval; where that is not known, as of one seed, it says so."""
    if interval.low == interval.high:
        return f"{unit.text(interval.mean)} (exactly)"
    if not interval.is_known:
        return f"{unit.text(interval.mean)} (one seed)"
    kept = interval.kept_in(unit.minimum, unit.maximum)
    low, high = (unit.text(bound).removesuffix(unit.name) for bound in kept[1:])
    return f"{unit.text(kept.mean)} ({low} to {high})"
