"""An append-only file of JSON lines: what a run has measured so far."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NoReturn

from petteia.core.errors import InvalidError
from petteia.records.files import WRITE, file_errors, read_file

Row = dict[str, Any]
"""Names and JSON values: text, finite numbers, booleans, None, lists and dicts of these."""


class Journal:
    """The journal in the file `path`; without a file it is empty.

    A row is a line. A process killed while it writes may leave a torn last line, one without a line end: it does not
    count, and the next row replaces it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Add rows and hand them to the system, which has them even if this process is killed right after.

        Raises PetteiaError if they cannot be written; some of them may be there then, each whole.
        """
        lines = "".join(json.dumps(row, allow_nan=False, separators=(",", ":")) + "\n" for row in rows)
        with file_errors(WRITE, self.path), self.path.open("ab") as file:
            size = file.tell()
            whole = self._whole_size(size)
            if whole < size:
                file.truncate(whole)
            file.write(lines.encode())

    def read(self) -> list[Row]:
        """All rows in order; InvalidError if a line is damaged."""
        if not self.path.exists():
            return []
        lines = read_file(self.path).split(b"\n")[:-1]
        return [self._row(line, number) for number, line in enumerate(lines, 1)]

    def truncate(self, count: int) -> None:
        """Keep the first `count` rows only; InvalidError if there are fewer."""
        lines = read_file(self.path).split(b"\n")[:-1] if self.path.exists() else []
        if len(lines) < count:
            raise InvalidError(f"{self.path}: has {len(lines)} rows where {count} were written; the end is lost")
        if self.path.exists():
            with file_errors(WRITE, self.path):
                os.truncate(self.path, sum(len(line) + 1 for line in lines[:count]))

    def _whole_size(self, size: int) -> int:
        """Bytes up to and with the last line end; usually the file's `size`, which only a torn line makes larger."""
        if size == 0:
            return 0
        with self.path.open("rb") as file:
            file.seek(size - 1)
            if file.read(1) == b"\n":
                return size
        return self.path.read_bytes().rfind(b"\n") + 1

    def _row(self, line: bytes, number: int) -> Row:
        try:
            row = json.loads(line.decode(), parse_constant=_refuse)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict):
            raise InvalidError(f"{self.path}, line {number}: is damaged; it must be one JSON object")
        return row


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)
