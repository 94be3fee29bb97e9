"""Locks of folders. They ensure that only one process at a time writes to a folder.

The operating system releases a lock when the process that holds it ends for any reason. The hidden file `.lock`
remains, and has no meaning by itself.
"""

from __future__ import annotations

import errno
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import FileIO
from pathlib import Path

from petteia.core.errors import PetteiaError
from petteia.records.files import WRITE, file_errors, opened_to_write, refuse_link

NAME = ".lock"

_held: set[Path] = set()
"""The folders that this process has locked. The system would allow the process to lock them again."""
_guard = threading.Lock()

if sys.platform == "win32":
    import msvcrt

    def _acquire(file: int) -> None:
        os.lseek(file, 1 << 30, os.SEEK_SET)  # beyond the content, which other processes must be able to read
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(file, 0, os.SEEK_SET)
else:
    import fcntl

    def _acquire(file: int) -> None:
        # lockf, not flock: workers forked from this process must not keep the lock when it is killed
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Return a context manager that holds the lock of `folder`.

    Raises PetteiaError immediately, without waiting, if the lock is already held. Also raises PetteiaError if `folder`
    or its lock file is a link, or if the lock file cannot be written.
    """
    refuse_link(folder)
    resolved, path = folder.resolve(), folder / NAME
    with ExitStack() as stack:
        with _guard:
            if resolved in _held:
                raise PetteiaError(f"{folder}: this process is already writing to this folder")
            file = stack.enter_context(opened_to_write(path))
            _take(folder, file)
            _held.add(resolved)
        try:
            with file_errors(WRITE, path):
                file.truncate(0)
                file.write(f"{os.getpid()}\n".encode())
            yield
        finally:
            with _guard:
                _held.discard(resolved)
                stack.close()


def _take(folder: Path, file: FileIO) -> None:
    try:
        _acquire(file.fileno())
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EAGAIN):
            holder = file.read(20).decode(errors="replace").strip() or "of unknown number"
            raise PetteiaError(
                f"{folder}: process {holder} is writing to this folder; wait until the process has ended, or stop it"
            ) from None
        raise PetteiaError(
            f"{folder}: the folder cannot be locked: {error.strerror}; choose a folder on a local disk"
        ) from None
