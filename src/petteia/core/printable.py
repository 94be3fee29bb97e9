"""Text from other people's files and programs, made safe to show at a terminal.

A terminal obeys escape sequences: they recolour, overwrite or hide what stands there. Marks of direction reorder it.
"""

from __future__ import annotations

import re

UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters (C0, DEL, C1), marks of direction, separators of lines, and halves of surrogate pairs."""
LONGEST = 2000
"""characters of a line that are shown"""
CUT = " ..."


def one_line(text: str) -> str:
    r"""The text as one line: what is unprintable as Python writes it (`\x1b`, `\n`), at most `LONGEST` characters."""
    shown = UNPRINTABLE.sub(lambda match: match[0].encode("unicode_escape").decode(), text[: LONGEST + 1])
    return shown if len(shown) <= LONGEST else f"{shown[: LONGEST - len(CUT)]}{CUT}"


def lines(text: str) -> str:
    """The text with its lines, each as `one_line` gives it."""
    return "\n".join(map(one_line, text.split("\n")))
