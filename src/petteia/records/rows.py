"""Rows: JSON objects on a line each, whose last entry is a checksum over the row and that of the row before it.

So a row that was changed, left out, put in or taken from elsewhere is noticed, and all after it. The checksum is the
first half of a SHA-256, in hex, of the checksum before and of the line as far as its own digits. It shows damage, not
forgery: who changes a row can mend the checksums.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from petteia.core.errors import InvalidError
from petteia.core.numbers import finite_number
from petteia.records.bounds import Bound
from petteia.records.files import read_file, write_file

Row = dict[str, Any]
"""Names and JSON values: text, finite numbers, booleans, None, lists and dicts of these."""

CHECKSUM = "checksum"
DIGITS, END = 32, '"}'
NOTHING = ""
"""the checksum before the first row, where rows belong to nothing else"""


def line_of(row: Mapping[str, Any], before: str) -> tuple[bytes, str]:
    """A row as a line, and its checksum; `before` is that of the row before."""
    text = json.dumps({**row, CHECKSUM: ""}, allow_nan=False, separators=(",", ":")).removesuffix(END)
    checksum = _checksum(text.encode(), before)
    return f"{text}{checksum}{END}\n".encode(), checksum


def checksum_of(line: bytes, before: str) -> str:
    """The checksum of a line, without its end; ValueError if it does not match."""
    begin = len(line) - DIGITS - len(END)
    checksum = _checksum(line[: max(begin, 0)], before)
    if begin < 0 or line[begin:] != f"{checksum}{END}".encode():
        raise ValueError("its checksum does not match: it was changed, or what it follows from")
    return checksum


def row_of(line: bytes) -> Row:
    """The row in a line; ValueError if it is none."""
    try:
        row = json.loads(line.decode(), parse_constant=_refuse, parse_float=_finite)
        del row[CHECKSUM]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise ValueError("it must be one JSON object with a checksum") from None
    return dict(row)


def write_row(path: Path, row: Mapping[str, Any], before: str = NOTHING) -> None:
    """Write a file that is a single row."""
    write_file(path, line_of(row, before)[0])


def read_row(path: Path, bound: Bound, before: str = NOTHING) -> Row:
    """The row that is a file. Raises NotFoundError if there is none, InvalidError if it is damaged."""
    content = read_file(path, bound)
    try:
        if not content.endswith(b"\n"):
            raise ValueError("it has no end")
        checksum_of(content[:-1], before)
        return row_of(content[:-1])
    except ValueError as error:
        raise InvalidError(f"{path}: is damaged: {error}") from None


def _checksum(text: bytes, before: str) -> str:
    return hashlib.sha256(before.encode() + text).hexdigest()[:DIGITS]


def _finite(text: str) -> float:
    number = finite_number(text)
    return _refuse(text) if number is None else number


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)
