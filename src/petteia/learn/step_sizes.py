"""Learning rates of tabular learning, and their representation as strings.

A learning rate is a schedule (see `schedules`), or it falls with the number of updates of a value. Convergence theorems
require falling rates. With `visits`, the rate of the n-th update of a value is 1/n, so the value is the mean of its
targets. With `visits^0.7`, this rate is n^-0.7, which gives early targets less weight.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from petteia.core.errors import UsageError
from petteia.core.protocol import dispatched, method
from petteia.learn.schedules import NUMBER, Schedule, schedule
from petteia.value_functions.table import Table


class Scheduled(NamedTuple):
    """A step size that depends only on the number of the training game: the learning rate of this game."""

    def step_size(step, table: Table, row: int, column: int, alpha: float) -> float:
        """Return `alpha`, the learning rate of the current training game."""
        return alpha


class ByVisits(NamedTuple):
    """A step size that decreases with the number n of updates of a value: the learning rate divided by n^`power`."""

    power: float = 1.0
    """the exponent; step sizes fall faster with a larger exponent"""

    def step_size(step, table: Table, row: int, column: int, alpha: float) -> float:
        """Count this update of the value, and return its step size."""
        visits = int(table.visits[row, column]) + 1
        table.visits[row, column] = visits
        return float(alpha / float(visits) ** step.power)


StepSize = Scheduled | ByVisits


def _undefined(step: StepSize, *rest: Any) -> Any:
    raise TypeError("the step size must be Scheduled or ByVisits")


@dispatched(lambda cls: method(cls, "step_size") or _undefined)
def step_size(step: StepSize, table: Table, row: int, column: int, alpha: float) -> float:
    """Return the step size for an update of the table value in this row and column.

    `alpha` is the learning rate of the current training game. Updates of the value are counted in
    `table.visits[row, column]`.
    """
    raise TypeError


class LearningRate(NamedTuple):
    """A learning rate that can depend on the number of the game and on the number of updates of each value."""

    schedule: Schedule
    """the learning rate of each game"""
    step: StepSize
    """the object that computes the step size from the learning rate and the number of updates"""

    def __str__(self) -> str:
        if isinstance(self.step, Scheduled):
            return str(self.schedule)
        return "visits" if self.step.power == 1.0 else f"visits^{self.step.power:g}"


def learning_rate(text: str | float, name: str = "alpha") -> LearningRate:
    """Return the learning rate that `text` describes: a schedule with values in 0..1, `visits` or `visits^0.7`.

    `name` is the name of the parameter in error messages. Raises UsageError if the syntax is invalid or a value is out
    of range.
    """
    match = re.fullmatch(rf"visits(?:\^({NUMBER}))?", text) if isinstance(text, str) else None
    if match is None:
        try:
            return LearningRate(schedule(text, name), Scheduled())
        except UsageError as error:
            raise UsageError(
                f"{error}, or visits, or visits^0.7" if "must look like" in str(error) else error
            ) from None
    power = 1.0 if match[1] is None else float(match[1])
    if not 0.0 < power <= 1.0:
        raise UsageError(f"{name} {text!r}: the power must be more than 0 and at most 1")
    return LearningRate(Schedule((0,), (1.0,)), ByVisits(power))
