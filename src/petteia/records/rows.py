"""Rows: JSON objects, one per line. Each row ends with a checksum, which also covers the checksum of the previous row.

The checksums detect rows that were changed, removed, inserted or copied from another file. The checksum of a row is the
first half of a SHA-256, in hex. The SHA-256 covers the previous checksum and the line without its own checksum.
Checksums detect damage, but not forgery, because anyone can compute new checksums.
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
"""A dictionary of names and JSON values: texts, finite numbers, booleans, None, and lists and dictionaries of these."""

CHECKSUM = "checksum"
DIGITS, END = 32, '"}'
NOTHING = ""
"""the previous checksum of a first row that does not belong to a run"""


def line_of(row: Mapping[str, Any], before: str) -> tuple[bytes, str]:
    """Format a row as a line. Return the line and its checksum. `before` is the checksum of the previous row."""
    text = json.dumps({**row, CHECKSUM: ""}, allow_nan=False, separators=(",", ":")).removesuffix(END)
    checksum = _checksum(text.encode(), before)
    return f"{text}{checksum}{END}\n".encode(), checksum


def checksum_of(line: bytes, before: str) -> str:
    """Verify the checksum that ends a row, and return it. Raises ValueError if it does not match the row.

    `line` is the row without its line ending, and `before` is the checksum of the previous row.
    """
    begin = len(line) - DIGITS - len(END)
    checksum = _checksum(line[: max(begin, 0)], before)
    if begin < 0 or line[begin:] != f"{checksum}{END}".encode():
        raise ValueError("the checksum does not match, because this row, or a row before it, was changed")
    return checksum


def row_of(line: bytes) -> Row:
    """Return the row that a line contains. Raises ValueError if the line is not a row."""
    try:
        row = json.loads(line.decode(), parse_constant=_refuse, parse_float=_finite)
        del row[CHECKSUM]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise ValueError("the row must be one JSON object with a checksum") from None
    return dict(row)


def write_row(path: Path, row: Mapping[str, Any], before: str = NOTHING) -> None:
    """Write a file with a single row, whose checksum also depends on the string `before`."""
    write_file(path, line_of(row, before)[0])


def read_row(path: Path, bound: Bound, before: str = NOTHING) -> Row:
    """Read a file with a single row. `before` must be the string that was passed to `write_row`.

    Raises NotFoundError if the file does not exist, and InvalidError if it is damaged.
    """
    content = read_file(path, bound)
    try:
        if not content.endswith(b"\n"):
            raise ValueError("the line break at the end of the file is missing")
        checksum_of(content[:-1], before)
        return row_of(content[:-1])
    except ValueError as error:
        raise InvalidError(f"{path}: damaged; {error}") from None


def _checksum(text: bytes, before: str) -> str:
    return hashlib.sha256(before.encode() + text).hexdigest()[:DIGITS]


def _finite(text: str) -> float:
    number = finite_number(text)
    return _refuse(text) if number is None else number


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)
