"""Schedules of parameters that change during a training run, and their representation as strings.

The schedule `0.5` is constant. The schedule `0.5,0.1@1000` changes from 0.5 to 0.1 at game 1000. The schedule
`0.5..0.1` decays linearly from 0.5 in the first game to 0.1 in the last.
"""

from __future__ import annotations

import math
import re
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from petteia.core.arrays import Floats
from petteia.core.errors import UsageError
from petteia.core.numbers import MAX_DIGITS, whole_number
from petteia.core.text import shortened

NUMBER = r"[0-9]+(?:\.[0-9]*)?(?:e-?[0-9]+)?|\.[0-9]+"


class Schedule(NamedTuple):
    """A parameter whose value depends on the number of the training game, counted from 0."""

    starts: tuple[int, ...]
    """numbers of the games from which each value applies; the first is 0"""
    values: tuple[float, ...]
    """the value from each of `starts` on; a linear schedule has two values and one start"""

    @property
    def is_linear(self) -> bool:
        """Whether the parameter changes linearly from its first value to its second."""
        return len(self.values) > len(self.starts)

    def over(self, first: int, count: int, games: int) -> Floats:
        """Return the values of the parameter in `count` consecutive games, beginning with game `first`; float64[count].

        `games` is the number of games of the whole training run.
        """
        numbers = np.arange(first, first + count)
        if self.is_linear:
            begin, end = self.values
            return begin + (end - begin) * (numbers / max(games - 1, 1))
        return np.asarray(self.values)[np.searchsorted(self.starts, numbers, side="right") - 1]

    def __str__(self) -> str:
        if self.is_linear:
            return f"{_written(self.values[0])}..{_written(self.values[1])}"
        steps = [f"{_written(value)}@{start}" for start, value in zip(self.starts, self.values, strict=True)]
        return ",".join([steps[0].removesuffix("@0"), *steps[1:]])


def _written(value: float) -> str:
    """Return a short decimal string that parses to exactly this number."""
    short = f"{value:g}"
    return short if float(short) == value else repr(value)


def schedule(text: str | float, name: str, minimum: float = 0.0, maximum: float = 1.0) -> Schedule:
    """Return the schedule that `text` describes; `name` is the name of the parameter in error messages.

    Raises UsageError if the syntax is invalid, if a value is outside minimum..maximum, or if the game numbers after @
    do not increase.
    """
    form = f"{name} {shortened(text) if isinstance(text, str) else repr(text)}"
    if isinstance(text, int | float):
        result = Schedule((0,), (float(text),))
    elif linear := re.fullmatch(f"({NUMBER})\\.\\.({NUMBER})", text):
        result = Schedule((0,), (float(linear[1]), float(linear[2])))
    elif re.fullmatch(f"(?:{NUMBER})(?:,(?:{NUMBER})@[0-9]+)*", text):
        first, *steps = text.split(",")
        pairs = [step.split("@") for step in steps]
        starts = (0, *(number for _, start in pairs if (number := whole_number(start)) is not None))
        if len(starts) <= len(pairs):
            raise UsageError(f"{form}: a game after @ has too many digits; use at most {MAX_DIGITS}")
        if any(later <= earlier for earlier, later in pairwise(starts)):
            raise UsageError(f"{form}: the games after @ must be 1 or more, and each larger than the one before")
        result = Schedule(starts, (float(first), *(float(value) for value, _ in pairs)))
    else:
        raise UsageError(f"{form}: must look like 0.5 (constant), 0.5,0.1@1000 (steps) or 0.5..0.1 (linear)")
    for value in result.values:
        if not (math.isfinite(value) and minimum <= value <= maximum):
            raise UsageError(f"{form}: {value:g} is not in {minimum:g}..{maximum:g}")
    return result
