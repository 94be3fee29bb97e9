"""Confidence intervals of values that are measured in a few training runs, or in the games of a match.

Shares, such as the share of games won, follow the statistical model of `petteia.experiments.scatter`. Other values are
assumed to be normally distributed. For counts and ratios, this is assumed of their logarithms. There are two kinds of
intervals. A confidence interval is for the mean over all possible training runs with the same settings. A prediction
interval is for one further training run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from petteia.arena.statistics import SAME, Interval, mean_interval, predictive_interval
from petteia.core.arrays import Floats
from petteia.experiments import scatter
from petteia.experiments.scatter import EVEN, MANY, Sample
from petteia.experiments.tournament.matches import Cell

UNKNOWN = 50
"""The number of games assumed for a printed figure whose source does not state it."""
FEWEST = 5
"""The minimum number of training runs for a judgement."""
TOO_WIDE = 0.5
"""The maximum width of the interval of a further training's share that allows a verdict."""

PRINTED = "printed"
"""The usual origin of an original figure. A figure can also be computed from printed ones."""

WITHOUT_CHANCE = frozenset({"heuristic", "simple"})
"""The text forms of players that never choose at random."""

MOST_DIGITS = 9


@dataclass(frozen=True)
class Unit:
    """The unit of a measured value, with the format of its numbers and the bounds of its values."""

    form: str
    """The format of a number, with its number of decimals, such as `.1%`."""
    name: str = ""
    """The text after the number."""
    times: float = 1.0
    """The factor by which the number is multiplied in texts."""
    minimum: float = -math.inf
    maximum: float = math.inf
    by_ratio: bool = False
    """Whether values with this unit are compared by their ratios instead of their differences."""
    is_ratio: bool = False
    """Whether the number is a ratio, which stands alone after words such as `the ratio`."""

    @property
    def bare(self) -> Unit:
        """The unit for use in sentences. There, a ratio has no unit, because the sentence already names the ratio."""
        return replace(self, name="") if self.is_ratio else self

    def number(self, value: float, beside: Sequence[float] = ()) -> str:
        """Format a number without its unit.

        `beside` contains bounds with which readers will compare the number. More decimal places are shown if rounding
        would change whether the number lies below, at or above one of these bounds.
        """
        start, _, end = self.form.rpartition(".")
        digits, kind = int(end[:-1]), end[-1]
        scale = self.times * (100.0 if kind == "%" else 1.0)

        def shows_its_side(places: int) -> bool:
            rounded = round(value * scale, places)
            return all(_side(value, bound) == _side(rounded, round(bound * scale, places)) for bound in beside)

        places = next(filter(shows_its_side, range(digits, MOST_DIGITS)), digits)
        return f"{value * self.times:{start}.{places}{kind}}"

    def text(self, value: float, beside: Sequence[float] = ()) -> str:
        """Format a number with its unit. See `number` for the arguments."""
        return f"{self.number(value, beside)}{self.name}"

    def is_by_ratio(self, values: Sequence[float]) -> bool:
        """Return whether values are compared by their ratios: they are positive, and their unit allows ratios."""
        return self.by_ratio and min(values) > 0.0


SHARE = Unit(".1%", minimum=0.0, maximum=1.0)
POINTS = Unit("+.1f", " points", 100.0, -1.0, 1.0)
"""A difference of shares, in percentage points."""
COUNT = Unit(",.0f", minimum=0.0, by_ratio=True)
TIMES = Unit(".2f", " times", minimum=0.0, by_ratio=True, is_ratio=True)
NUMBER = Unit(".3f")


def mean_over_trainings(values: Sequence[float], unit: Unit, games: int = MANY) -> Interval:
    """Estimate the mean over all possible training runs from the values of some, with a 95 % confidence interval.

    If the values are compared by their ratios, the mean is the geometric mean. The bounds are infinite if there is only
    one value. They are also infinite if all values are equal and are not shares.
    """
    if unit == SHARE:
        return scatter.mean_of_trainings(Sample(tuple(values), games))
    return _normal(values, unit, mean_interval)


class Asked(NamedTuple):
    """A value that an original report prints, and the new training runs or match with which it is compared.

    Several methods have an argument `spreads`, which is described in `petteia.experiments.scatter.spreads_of`.
    """

    printed: float
    unit: Unit
    values: Sequence[float]
    """The value of each training run."""
    games: int = MANY
    """The number of games in which the value of each training run was measured."""
    of_games: int = UNKNOWN
    """The number of games in which the original measured the printed figure."""
    of_match: float | None = None
    """The probability of a result at least as far out as the printed one; None if a player has learned."""
    recipe: str = ""
    """The recipe of the training runs if the table has several. Training runs of two recipes do not belong together."""
    origin: str = PRINTED

    @property
    def is_learned_share(self) -> bool:
        """Whether the printed value is a share (unit `SHARE`), and is compared with training runs."""
        return self.unit == SHARE and self.of_match is None

    @property
    def sample(self) -> Sample:
        """The values of the training runs as a `Sample` of shares."""
        return Sample(tuple(self.values), self.games)

    def further(self, spreads: Floats = EVEN) -> Interval:
        """Return the mean over the training runs, with a 95 % prediction interval for one further training run.

        For a share, the prediction assumes that the further training run is measured in `of_games` games.
        """
        if self.unit == SHARE:
            return scatter.further_training(self.sample, self.of_games, spreads)
        return _normal(self.values, self.unit, predictive_interval)

    def is_too_wide(self, spreads: Floats = EVEN) -> bool:
        """Return whether the prediction interval for a share is too wide for a verdict."""
        return self.is_learned_share and (found := self.further(spreads)).high - found.low > TOO_WIDE

    def oddness(self, spreads: Floats = EVEN, give: float = 0.0) -> float:
        """Return the probability that a further training run is at least as far from the mean as the printed value.

        `give` is the maximum rounding error of the printed value. If the printed value comes from a match between
        players that do not learn, the result is the p-value `of_match` of this match.
        """
        if self.of_match is not None:
            return self.of_match
        if self.unit == SHARE:
            return scatter.oddness(self.sample, self.printed, self.of_games, spreads, give)
        from scipy.special import stdtr

        number, mean = len(self.values), float(np.mean(self.values))
        nearest = min(max(mean, self.printed - give), self.printed + give)
        is_by_ratio = self.unit.is_by_ratio([*self.values, nearest])
        known, value = (np.log(self.values), math.log(nearest)) if is_by_ratio else (np.asarray(self.values), nearest)
        distance, deviation = abs(value - float(known.mean())), float(known.std(ddof=1)) * math.sqrt(1 + 1 / number)
        if deviation < SAME:
            return 1.0 if distance < SAME else 0.0
        return 2.0 * float(stdtr(number - 1, -distance / deviation))


def _normal(values: Sequence[float], unit: Unit, interval: Callable[[Sequence[float]], Interval]) -> Interval:
    """Apply `interval` to values with a normal distribution. If values are compared by ratios, use their logarithms."""
    if len(values) < 2 or np.ptp(values) < SAME:
        return Interval(float(values[0]), -math.inf, math.inf)
    if unit.is_by_ratio(values):
        return Interval(*map(math.exp, interval([*map(math.log, values)])))
    return interval(values).kept_in(unit.minimum, unit.maximum)


def certain(value: float) -> Interval:
    """Return an interval of width 0 for a value that is known exactly."""
    return Interval(value, value, value)


def is_one_game(cell: Cell) -> bool:
    """Return whether all games of a match are the same game, because neither player chooses at random.

    If a player chooses at random, two equal games are counted as two independent observations.
    """
    return cell.distinct == 1 and {cell.row, cell.column} <= WITHOUT_CHANCE


def score_of(cell: Cell) -> Interval:
    """Return the score of a match with its confidence interval.

    If the match repeats a single game, both bounds are equal to the score.
    """
    return certain(cell.score) if is_one_game(cell) else Interval(cell.score, cell.low, cell.high)


def interval_text(interval: Interval, unit: Unit, beside: Sequence[float] = (), level: str = "") -> str:
    """Return the mean of an interval and its bounds as text, such as `51.1% (48.1% to 54.1%)`.

    `level` is a text that stands before the bounds, such as the confidence level. `beside` contains values with which
    readers will compare the numbers (see `Unit.number`).
    """
    if interval.low == interval.high:
        return f"{unit.text(interval.mean, beside)} (exact value)"
    if not interval.is_known:
        return f"{unit.text(interval.mean, beside)} (one training run)"
    low, high = (unit.number(bound, beside) for bound in interval.kept_in(unit.minimum, unit.maximum)[1:])
    return f"{unit.text(interval.mean, beside)} ({level}{low} to {high})"


def _side(value: float, bound: float) -> int:
    return 0 if abs(value - bound) < SAME else 1 if value > bound else -1
