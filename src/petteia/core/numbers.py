"""Numbers written as text, by people or in files."""

from __future__ import annotations

import math
import re

MAX_DIGITS = 18
"""of a whole number: it fits into a word of compiled code, and Python reads it"""


def whole_number(text: str, *, signed: bool = False) -> int | None:
    """The whole number that `text` is, maybe `signed`; None if it is none or has more than 18 digits."""
    sign = "-?" if signed else ""
    return int(text) if re.fullmatch(f"{sign}[0-9]{{1,{MAX_DIGITS}}}", text, re.ASCII) else None


def finite_number(text: str) -> float | None:
    """The number that `text` is; None if it is none, infinite or too large to be told from that."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
