"""A disk on which work stops at a chosen operation: the process is killed or interrupted there, or nothing more fits.

Counted are the operations that change something in a folder: opening to write, writing (half of it is done), flushing,
fsync, renaming, removing, making folders. A killed process does nothing more, so that its `finally` changes nothing.
"""

from __future__ import annotations

import errno
import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest

Way = Literal["killed", "interrupted", "full"]
CHANGES = ("replace", "rename", "unlink", "mkdir", "rmdir")
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT


class Stopped(BaseException):  # no error: nothing may catch it
    """The process stops here."""


class FailingDisk:
    """What happens to `folder` is counted, and stops at operation number `at`, counted from 0; -1: never."""

    def __init__(self, folder: Path, at: int = -1, way: Way = "killed") -> None:
        self.folder, self.at, self.way = str(folder), at, way
        self.count = 0
        self._descriptors: set[int] = set()

    def patch(self, patched: pytest.MonkeyPatch) -> None:
        for name in CHANGES:
            patched.setattr(os, name, self._changing(name, getattr(os, name)))
        patched.setattr(os, "open", self._opening(os.open))
        patched.setattr(os, "fsync", self._syncing(os.fsync))
        patched.setattr(io, "open", self._opening_file(io.open))

    def operation(self, *, needs_room: bool) -> None:
        """Count an operation; it may be the last."""
        self.count += 1
        if self.at < 0 or self.count <= self.at:
            return
        if self.way == "killed" or (self.way == "interrupted" and self.count == self.at + 1):
            raise Stopped
        if self.way == "full" and needs_room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def _is_inside(self, path: Any) -> bool:
        return not Path(path).is_absolute() or str(path).startswith(self.folder)

    def _changing(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def change(path: Any, *arguments: Any, **options: Any) -> Any:
            if self._is_inside(path):
                self.operation(needs_room=name == "mkdir")
            return real(path, *arguments, **options)

        return change

    def _opening(self, real: Callable[..., int]) -> Callable[..., int]:
        def opening(path: Any, flags: int, *arguments: Any, **options: Any) -> int:
            writes = bool(flags & WRITING) and self._is_inside(path)
            if writes:
                self.operation(needs_room=not Path(path).exists())
            descriptor = real(path, flags, *arguments, **options)
            if writes:
                self._descriptors.add(descriptor)
            return descriptor

        return opening

    def _syncing(self, real: Callable[[int], None]) -> Callable[[int], None]:
        def sync(descriptor: int) -> None:
            self.operation(needs_room=True)
            real(descriptor)

        return sync

    def _opening_file(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def opening(file: Any, mode: str = "r", *arguments: Any, **options: Any) -> Any:
            if isinstance(file, int):
                writes = file in self._descriptors
            elif writes := mode[0] in "wxa" and self._is_inside(file):
                self.operation(needs_room=True)
            opened = real(file, mode, *arguments, **options)
            self._descriptors.discard(file if isinstance(file, int) else -1)
            return _File(self, opened) if writes else opened

        return opening


class _File:
    """A file whose changes are counted."""

    def __init__(self, disk: FailingDisk, file: Any) -> None:
        self._disk, self._file = disk, file

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def __enter__(self) -> _File:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def write(self, data: Any) -> int:
        try:
            self._disk.operation(needs_room=True)
        except BaseException:
            self._file.write(bytes(data)[: len(data) // 2])
            raise
        return int(self._file.write(data))

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        self._disk.operation(needs_room=True)
        self._file.flush()

    def truncate(self, size: int) -> None:
        self._disk.operation(needs_room=False)
        self._file.truncate(size)
