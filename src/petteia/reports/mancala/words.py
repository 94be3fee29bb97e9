"""How figures of what was left open are said: with their intervals, and in per cent."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from petteia.arena.statistics import Interval


def range_words(found: Interval, form: str) -> str:
    """A figure with its interval."""
    if not found.is_known:
        return f"{found.mean:{form}} (one seed)"
    return f"{found.mean:{form}} ({found.low:{form}} to {found.high:{form}})"


def percent(found: Interval) -> str:
    """A share with its interval, in per cent without the sign: `91.2 (89.0 to 93.1)`."""
    return range_words(Interval(*(100 * part for part in found.kept_in(0.0, 1.0))), ".1f")


def size(found: Interval, form: str) -> str:
    """What cannot be less than 0, with its interval."""
    return range_words(found.kept_in(0.0, inf), form)


def points(found: Interval) -> str:
    """A difference of shares in points of per cent, with its interval, which cannot leave -100..100."""
    if not found.is_known:
        return f"{found.mean * 100:+.1f} points (one seed)"
    mean, low, high = (100 * each for each in found.kept_in(-1.0, 1.0))
    return f"{mean:+.1f} points ({low:+.1f} to {high:+.1f})"


def extent(values: Sequence[float], form: str) -> str:
    """From the least of some values to the most, or the only one."""
    least, most = (f"{bound(values):{form}}" for bound in (min, max))
    return least if least == most else f"{least} to {most}"


def counted(count: int, one: str) -> str:
    """So many of something."""
    return f"{count:,} {one if count == 1 else one + 's'}"
