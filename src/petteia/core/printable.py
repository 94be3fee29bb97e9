"""Functions that make text from files and other programs safe to print at a terminal.

Escape sequences can recolour, overwrite or hide text at a terminal. Directional marks can change the order of the
characters.
"""

from __future__ import annotations

import re

UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters (C0, DEL, C1), directional marks, line separators, and halves of surrogate pairs."""
LONGEST = 2000
"""The maximum number of characters of a line."""
CUT = " ..."


def one_line(text: str) -> str:
    r"""Return the text as one line of at most `LONGEST` characters, with unprintable ones as escapes (`\x1b`, `\n`)."""
    shown = UNPRINTABLE.sub(lambda match: match[0].encode("unicode_escape").decode(), text[: LONGEST + 1])
    return shown if len(shown) <= LONGEST else f"{shown[: LONGEST - len(CUT)]}{CUT}"


def lines(text: str) -> str:
    """Return the text with `one_line` applied to each of its lines."""
    return "\n".join(map(one_line, text.split("\n")))
