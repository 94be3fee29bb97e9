"""Journals: files to which a training run or another long task appends a row for each measurement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import Any, NamedTuple

from petteia.core.errors import InvalidError, NotFoundError
from petteia.records.bounds import JOURNAL
from petteia.records.files import check_bound, opened_to_write, read_file, size_of, write_file
from petteia.records.rows import NOTHING, Row, checksum_of, line_of, row_of


class _End(NamedTuple):
    """The size of a journal file and the checksum of its last row."""

    size: int
    """the number of bytes up to the last line ending"""
    checksum: str
    """the checksum of the last row, or the identity of the run if there are no rows"""


class Journal:
    """The journal of a run, stored in the file `path`. If the file does not exist, the journal has no rows.

    Each row is a line of the file. The checksum of a row depends on the checksum of the previous row. The checksum of
    the first row depends on `identity`, the digest that identifies the run. If a process is killed while it writes a
    row, the last line may be incomplete, without a line ending. An incomplete last line is ignored, and the next row
    replaces it.
    """

    def __init__(self, path: Path, identity: str = NOTHING) -> None:
        self.path, self.identity = path, identity
        self._end: _End | None = None

    @property
    def checksum(self) -> str:
        """Return the checksum of the last row, or the identity of the run if there are no rows.

        Raises InvalidError if a line is damaged.
        """
        if self._end is None:
            self._end = self._end_of(self._content())
        return self._end.checksum

    def append(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Append rows and pass them to the operating system, so that they are not lost if this process is killed.

        Raises InvalidError if a line is damaged, and PetteiaError if the rows cannot be written. In both cases, the
        journal is unchanged.
        """
        waiting = list(rows)
        if not waiting:
            return
        with opened_to_write(self.path) as file:
            size = size_of(file)
            end = self._end
            if end is None or end.size != size:
                check_bound(self.path, size, JOURNAL)
                end = self._end_of(file.readall())
                if end.size < size:
                    file.truncate(end.size)
            content, checksum = b"", end.checksum
            for row in waiting:
                line, checksum = line_of(row, checksum)
                content += line
            check_bound(self.path, end.size + len(content), JOURNAL)
            self._end = None
            self._write(file, end.size, content)
            self._end = _End(end.size + len(content), checksum)

    def rewrite(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Replace all rows atomically. If this fails, PetteiaError is raised, and the journal is unchanged."""
        content, checksum = b"", self.identity
        for row in rows:
            line, checksum = line_of(row, checksum)
            content += line
        check_bound(self.path, len(content), JOURNAL)
        write_file(self.path, content)
        self._end = _End(len(content), checksum)

    def read(self) -> list[Row]:
        """Return all rows in order. Raises InvalidError if a line is damaged."""
        return [self._row(line, number) for number, (line, _) in enumerate(self._lines(self._content()), 1)]

    def checksums(self, *, finished: bool = False) -> list[str]:
        """Return the checksums of all rows.

        Raises InvalidError if a line is damaged. With the keyword argument `finished=True`, an incomplete last line
        also raises InvalidError.
        """
        content = self._content()
        found = [checksum for _, checksum in self._lines(content)]
        if finished and not content.endswith(b"\n") and content:
            raise self._damaged(len(found) + 1, "the line break at the end of the file is missing")
        return found

    def keep(self, checksum: str) -> int:
        """Remove all rows that follow the row with this checksum. Return the number of remaining rows.

        The chain of checksums begins with the identity of the run. If `checksum` is this identity, all rows are
        removed. Raises InvalidError if `checksum` is neither this identity nor the checksum of a row.
        """
        lines = list(self._lines(self._content()))
        checksums = [self.identity, *(each for _, each in lines)]
        if checksum not in checksums:
            raise InvalidError(f"{self.path}: damaged; a saved row is missing at the end of the file")
        count = checksums.index(checksum)
        size = sum(len(line) + 1 for line, _ in lines[:count])
        if self.path.exists():
            with opened_to_write(self.path) as file:
                file.truncate(size)
        self._end = _End(size, checksum)
        return count

    def finish(self) -> str:
        """Finish the journal by removing an incomplete last line. Returns the checksum of the last row."""
        self.keep(self.checksum)
        return self.checksum

    def _content(self) -> bytes:
        try:
            return read_file(self.path, JOURNAL)
        except NotFoundError:
            return b""

    def _lines(self, content: bytes) -> Iterator[tuple[bytes, str]]:
        """Yield the complete lines in `content`, each with its checksum."""
        checksum = self.identity
        for number, line in enumerate(content.split(b"\n")[:-1], 1):
            try:
                checksum = checksum_of(line, checksum)
            except ValueError as error:
                raise self._damaged(number, error) from None
            yield line, checksum

    def _end_of(self, content: bytes) -> _End:
        size, checksum = 0, self.identity
        for line, each in self._lines(content):
            size, checksum = size + len(line) + 1, each
        return _End(size, checksum)

    def _write(self, file: FileIO, begin: int, content: bytes) -> None:
        try:
            file.seek(begin)
            left = memoryview(content)
            while left:
                left = left[file.write(left) :]
        except BaseException:
            with suppress(OSError):
                file.truncate(begin)
                if begin == 0:
                    self.path.unlink()
            raise

    def _row(self, line: bytes, number: int) -> Row:
        try:
            return row_of(line)
        except ValueError as error:
            raise self._damaged(number, error) from None

    def _damaged(self, number: int, what: object) -> InvalidError:
        return InvalidError(f"{self.path}, line {number}: damaged; {what}")
