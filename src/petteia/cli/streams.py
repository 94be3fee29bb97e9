"""The setup of standard input, standard output and standard error before a command runs.

Characters that the output cannot encode are replaced by similar ones. Bytes that the input cannot decode become
replacement characters. A closed standard stream is connected to the null device, so that a file that is opened later
cannot receive the descriptor of the stream.
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
    """Set up the standard streams of this process: connect closed ones to the null device, and set error handlers."""
    for number, (name, mode) in enumerate(zip(("stdin", "stdout", "stderr"), MODES, strict=True)):
        if getattr(sys, name) is None:
            _open_nowhere(number)
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8"))
    codecs.register_error(NAME, _nearest)
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, NAME), (sys.stderr, NAME)):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=errors)


def _open_nowhere(number: int) -> None:
    """Connect the closed file descriptor `number` to the null device."""
    descriptor = os.open(os.devnull, os.O_RDWR)
    if descriptor != number:
        os.dup2(descriptor, number)
        os.close(descriptor)


def _nearest(error: UnicodeError) -> tuple[str, int]:
    """Handle an encoding error: replace each character that cannot be encoded by a similar ASCII character."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(plain, error.object[error.start : error.end])), error.end


def plain(sign: str) -> str:
    """Return an ASCII character that resembles `sign`, or `?` if there is none."""
    import unicodedata

    if sign in LIKE:
        return LIKE[sign]
    kind, _, name = unicodedata.name(sign, "").partition(" DRAWINGS ")
    if kind == "BOX":
        return LINES.get(name.partition(" ")[2], "+")
    return unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode() or "?"
