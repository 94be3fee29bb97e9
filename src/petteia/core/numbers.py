"""Parsing of numbers in user input and files."""

from __future__ import annotations

import math
import re

MAX_DIGITS = 18
"""The maximum number of digits of a whole number, which ensures that it fits into a word of compiled code."""


def whole_number(text: str, *, signed: bool = False) -> int | None:
    """Parse a whole number of up to 18 digits. A minus sign requires `signed=True`. Return None for other strings."""
    sign = "-?" if signed else ""
    return int(text) if re.fullmatch(f"{sign}[0-9]{{1,{MAX_DIGITS}}}", text, re.ASCII) else None


def finite_number(text: str) -> float | None:
    """Parse a finite number. Return None if `text` is not a number, or is infinite or too large for a float."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
