"""Standard input, output and error output as the commands need them, whatever they are given.

Signs that the encoding of the output lacks are written by others; a byte that the input's does not know is read as a
sign that nothing means. A stream that is closed is one to nowhere: what is opened later must not take its place.
"""

from __future__ import annotations

import codecs
import os
import sys
from io import TextIOWrapper

NAME = "petteia.nearest"
LINES = {"HORIZONTAL": "-", "VERTICAL": "|"}
LIKE = {**dict.fromkeys("“”", '"'), **dict.fromkeys("‘’", "'"), **dict.fromkeys("–—", "-"), "…": "..."}
MODES = ("r", "w", "w")


def make_ready() -> None:
    """Make the streams of this process ready."""
    for number, (name, mode) in enumerate(zip(("stdin", "stdout", "stderr"), MODES, strict=True)):
        if getattr(sys, name) is None:
            _open_nowhere(number)
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8"))
    codecs.register_error(NAME, _nearest)
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, NAME), (sys.stderr, NAME)):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=errors)


def _open_nowhere(number: int) -> None:
    """Let the descriptor, which is closed, be one to nowhere."""
    descriptor = os.open(os.devnull, os.O_RDWR)
    if descriptor != number:
        os.dup2(descriptor, number)
        os.close(descriptor)


def _nearest(error: UnicodeError) -> tuple[str, int]:
    """Signs that can be written everywhere in the place of those that cannot."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(plain, error.object[error.start : error.end])), error.end


def plain(sign: str) -> str:
    """A sign in ASCII that is like this one; `?` if there is none."""
    import unicodedata

    if sign in LIKE:
        return LIKE[sign]
    kind, _, name = unicodedata.name(sign, "").partition(" DRAWINGS ")
    if kind == "BOX":
        return LINES.get(name.partition(" ")[2], "+")
    return unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode() or "?"
