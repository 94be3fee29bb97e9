"""What is found about a statement: by rules that say yes, no, or that it cannot be told.

A figure comes with an interval over seeds. What the whole interval says is so; what none of it says is not; what only a
part of it says cannot be told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from petteia.arena.statistics import Interval

Answer = bool | None
"""Yes, no, or None: it cannot be told."""

AGREES, DIFFERS, UNTOLD = "agrees", "differs", "cannot be told"


class Finding(NamedTuple):
    """What was found about a statement."""

    ours: str
    """our figures, in words"""
    answer: Answer
    """whether the statement holds"""

    @property
    def verdict(self) -> str:
        """One of AGREES, DIFFERS and UNTOLD."""
        return UNTOLD if self.answer is None else AGREES if self.answer else DIFFERS


class Statement(NamedTuple):
    """What somebody has said, and the rule by which we judge it."""

    name: str
    part: str
    """what it is about: statements of one part stand together"""
    claim: str
    """the statement, in our words"""
    rule: str
    """when it agrees, in words"""
    judge: Callable[[Any], Finding]
    """from the evidence"""


def above(found: Interval, bound: float) -> Answer:
    """Whether the figure is more than `bound`."""
    if found.low > bound:
        return True
    return False if found.high <= bound else None


def below(found: Interval, bound: float) -> Answer:
    """Whether the figure is less than `bound`."""
    if found.high < bound:
        return True
    return False if found.low >= bound else None


def within(found: Interval, low: float, high: float) -> Answer:
    """Whether the figure lies in low..high."""
    if low <= found.low and found.high <= high:
        return True
    return False if found.high < low or found.low > high else None


def every(answers: Iterable[Answer]) -> Answer:
    """Whether all are so: no if one is not; else it cannot be told if one cannot."""
    known = list(answers)
    if False in known:
        return False
    return None if None in known else True


def contrary(answer: Answer) -> Answer:
    """Whether it is not so."""
    return None if answer is None else not answer
