"""How far a value is moved towards its target, and the text form of that.

A learning rate is a schedule, see `schedules`; or it falls with the visits that a value has had, which is what theorems
of convergence ask for: `visits` is 1/n at the n-th visit, so that a value is the mean of its targets; `visits^0.7` is
n^-0.7, which forgets the early ones.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from petteia.core.errors import UsageError
from petteia.core.protocol import dispatched, method
from petteia.learn.schedules import NUMBER, Schedule, schedule
from petteia.value_functions.table import Table


class Scheduled(NamedTuple):
    """The step size is what the schedule says, for all values alike."""

    def step_size(step, table: Table, row: int, column: int, alpha: float) -> float:
        """The learning rate of the game."""
        return alpha


class ByVisits(NamedTuple):
    """The step size falls with the visits of each value: n^-`power` at the n-th, times what the schedule says."""

    power: float = 1.0
    """how fast it falls"""

    def step_size(step, table: Table, row: int, column: int, alpha: float) -> float:
        """Count this visit, and return the step size for it."""
        visits = int(table.visits[row, column]) + 1
        table.visits[row, column] = visits
        return float(alpha / float(visits) ** step.power)


StepSize = Scheduled | ByVisits


def _undefined(step: StepSize, *rest: Any) -> Any:
    raise TypeError("a step size is Scheduled or ByVisits")


@dispatched(lambda cls: method(cls, "step_size") or _undefined)
def step_size(step: StepSize, table: Table, row: int, column: int, alpha: float) -> float:
    """The share of the distance to its target by which the value in this row and column is moved now.

    `alpha` is the learning rate of the game. `column` is where the value's visits are counted.
    """
    raise TypeError


class LearningRate(NamedTuple):
    """How the step size depends on the game and on the visits."""

    schedule: Schedule
    """the learning rate of each game"""
    step: StepSize
    """how the step size follows from it and from the visits"""

    def __str__(self) -> str:
        if isinstance(self.step, Scheduled):
            return str(self.schedule)
        return "visits" if self.step.power == 1.0 else f"visits^{self.step.power:g}"


def learning_rate(text: str | float, name: str = "alpha") -> LearningRate:
    """The learning rate that `text` describes: a schedule of 0..1, `visits` or `visits^0.7`; `name` is for errors.

    Raises UsageError for another form and for a value out of range.
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
