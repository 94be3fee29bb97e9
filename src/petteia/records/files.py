"""Files that are written whole or not at all and read within bounds, and file errors in one line.

What is asked of a file before it is read, or written to, is asked of the open file: the name may mean another by then.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from typing import IO, BinaryIO

from petteia.core.errors import NotFoundError, PetteiaError
from petteia.records.bounds import GIGABYTE, KILOBYTE, MEGABYTE, Bound
from petteia.records.drafts import new_draft, remove_draft, remove_drafts

READ, WRITE = "read", "write"
FOR_ALL = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
"""flags of every open file; opening a pipe does not wait for somebody at its other end"""
NO_LINK = getattr(os, "O_NOFOLLOW", 0)


@contextmanager
def file_errors(doing: str, path: Path) -> Iterator[None]:
    """Turn an OSError into one line that says what (READ or WRITE) went wrong with `path`.

    Raises NotFoundError if what should be read is not there, PetteiaError for all else (read-only, full disk, ...).
    """
    try:
        yield
    except OSError as error:
        if doing == READ and isinstance(error, FileNotFoundError | NotADirectoryError):
            raise NotFoundError(f"{path}: there is no such file or folder") from None
        hint = "" if doing == READ else "; free or choose a folder that can be written"
        raise PetteiaError(f"{path}: cannot {doing} it: {error.strerror or error}{hint}") from None


@contextmanager
def opened(path: Path, bound: Bound) -> Iterator[BinaryIO]:
    """The file `path`, to be read.

    Raises NotFoundError if there is none; PetteiaError if it is a pipe or a device, larger than `bound`, or cannot be
    read.
    """
    with file_errors(READ, path):
        descriptor = _open(path, os.O_RDONLY)
        with os.fdopen(descriptor, "rb") as file:
            check_bound(path, size_of(file), bound)
            yield file


def read_file(path: Path, bound: Bound) -> bytes:
    """The content of the file `path`. Errors are those of `opened`."""
    with opened(path, bound) as file:
        return file.read(size_of(file))


def size_of(file: IO[bytes]) -> int:
    """How many bytes an open file has."""
    return os.fstat(file.fileno()).st_size


def check_bound(path: Path, size: int, bound: Bound) -> None:
    """Raise a PetteiaError if so many bytes are more than a file of its kind can have."""
    if size > bound.maximum:
        raise PetteiaError(f"{path}: {size:,} bytes are too many; {bound.what} has at most {_size_text(bound.maximum)}")


@contextmanager
def opened_to_write(path: Path) -> Iterator[FileIO]:
    """The file `path`, made if it is not there, to be read and written as it is, without a buffer.

    Raises PetteiaError if it is a link, a pipe or a device, or cannot be written.
    """
    refuse_link(path)
    with file_errors(WRITE, path):
        descriptor = _open(path, os.O_RDWR | os.O_CREAT | NO_LINK)
        with os.fdopen(descriptor, "r+b", buffering=0) as file:
            yield file


def refuse_link(path: Path) -> None:
    """Raise a PetteiaError if `path` is a link: what lies elsewhere is not written to."""
    if path.is_symlink():
        raise PetteiaError(
            f"{path}: is a link, and nothing is written through one; remove it, or name what it leads to"
        )


def write_file(path: Path, content: bytes | str) -> None:
    """Give the file `path` this content (text as UTF-8): afterwards it has all of it or, after an error, the old one.

    A link is replaced, and what it leads to stays as it is. A process that is killed meanwhile may leave a draft, which
    the next one that writes into the folder removes.
    """
    write_parts(path, [content.encode() if isinstance(content, str) else content])


def write_parts(path: Path, parts: Iterable[bytes | memoryview]) -> None:
    """Give the file `path` this content, one part after the other; otherwise as `write_file`."""
    remove_drafts(path.parent)
    draft = new_draft(path.parent)
    with file_errors(WRITE, path):
        try:
            with draft.open("xb") as file:
                file.writelines(parts)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)
        except BaseException:
            remove_draft(draft)
            raise


def make_folder(folder: Path, within: Path | None = None) -> None:
    """Make the folder and those it lies in, where they are not there.

    What lies `within` the folder that somebody has named must be no link, it itself may be one. Raises PetteiaError if
    there is one, or the folder cannot be made.
    """
    if within is not None:
        for below in (folder, *folder.parents)[: len(folder.parts) - len(within.parts)]:
            refuse_link(below)
    with file_errors(WRITE, folder):
        folder.mkdir(parents=True, exist_ok=True)


def _open(path: Path, flags: int) -> int:
    """A descriptor of the file, which is no folder, pipe or device."""
    try:
        descriptor = os.open(path, flags | FOR_ALL, 0o666)
    except ValueError:  # a name with a zero in it
        raise NotFoundError(f"{str(path)!r}: no file can be called so") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise PetteiaError(f"{path}: is not a file")
    return descriptor


def _size_text(size: int) -> str:
    for unit, name in ((GIGABYTE, "GB"), (MEGABYTE, "MB")):
        if size >= unit:
            return f"{size // unit:,} {name}"
    return f"{size // KILOBYTE:,} kB"
