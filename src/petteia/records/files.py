"""Atomic writing of files, reading of files up to a maximum size, and one-line messages about file errors.

A file is checked after it is opened, and before it is read or written. A check by name would not be safe, because the
name may refer to another file a moment later.
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

READ, WRITE = "read", "written"
FOR_ALL = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
"""the flags for opening any file; with them, opening a pipe does not wait for its other end"""
NO_LINK = getattr(os, "O_NOFOLLOW", 0)


@contextmanager
def file_errors(doing: str, path: Path) -> Iterator[None]:
    """Return a context manager that converts an OSError to a one-line error about `path`. `doing` is READ or WRITE.

    Raises NotFoundError if `doing` is READ and the file does not exist. Raises PetteiaError for all other errors, such
    as a full disk.
    """
    try:
        yield
    except OSError as error:
        if doing == READ and isinstance(error, FileNotFoundError | NotADirectoryError):
            raise NotFoundError(f"{path}: there is no such file or folder") from None
        hint = "" if doing == READ else "; make the folder writable, or choose another folder"
        raise PetteiaError(f"{path}: cannot be {doing}: {error.strerror or error}{hint}") from None


@contextmanager
def opened(path: Path, bound: Bound) -> Iterator[BinaryIO]:
    """Open the file `path` for reading.

    Raises NotFoundError if the file does not exist. Raises PetteiaError if the file is a pipe or a device, is larger
    than the maximum size in `bound`, or cannot be read.
    """
    with file_errors(READ, path):
        descriptor = _open(path, os.O_RDONLY)
        with os.fdopen(descriptor, "rb") as file:
            check_bound(path, size_of(file), bound)
            yield file


def read_file(path: Path, bound: Bound) -> bytes:
    """Return the content of the file `path`. Raises the same errors as `opened`."""
    with opened(path, bound) as file:
        return file.read(size_of(file))


def size_of(file: IO[bytes]) -> int:
    """Return the size of an open file, in bytes."""
    return os.fstat(file.fileno()).st_size


def check_bound(path: Path, size: int, bound: Bound) -> None:
    """Raise PetteiaError if `size`, in bytes, is larger than the maximum for this kind of file."""
    if size > bound.maximum:
        limit = f"{bound.what} may have at most {_size_text(bound.maximum)}"
        raise PetteiaError(f"{path}: the file is too large ({size:,} bytes); {limit}")


@contextmanager
def opened_to_write(path: Path) -> Iterator[FileIO]:
    """Open the file `path` for reading and writing without a buffer, and create it if necessary.

    Raises PetteiaError if the file is a link, a pipe or a device, or cannot be written.
    """
    refuse_link(path)
    with file_errors(WRITE, path):
        descriptor = _open(path, os.O_RDWR | os.O_CREAT | NO_LINK)
        with os.fdopen(descriptor, "r+b", buffering=0) as file:
            yield file


def refuse_link(path: Path) -> None:
    """Raise PetteiaError if `path` is a symbolic link. Files are never written through links."""
    if path.is_symlink():
        raise PetteiaError(
            f"{path}: this is a symbolic link, and petteia does not write through links; remove the link, or give the "
            "path of its target"
        )


def write_file(path: Path, content: bytes | str) -> None:
    """Write `content` to the file `path` atomically. Text is encoded as UTF-8.

    If writing fails, the file keeps its old content. If `path` is a link, the link itself is replaced, and its target
    is unchanged. If the process is killed while it writes, a temporary file may remain in the folder. A later process
    on the same host removes this temporary file when it writes to the folder.
    """
    write_parts(path, [content.encode() if isinstance(content, str) else content])


def write_parts(path: Path, parts: Iterable[bytes | memoryview]) -> None:
    """Write `parts`, one after the other, to the file `path` atomically, as `write_file` does."""
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
    """Create the folder and its parents if they do not exist.

    If `within` is given, neither `folder` nor a folder between `within` and `folder` may be a link. Raises PetteiaError
    if one of these folders is a link, or if `folder` cannot be created.
    """
    if within is not None:
        for below in (folder, *folder.parents)[: len(folder.parts) - len(within.parts)]:
            refuse_link(below)
    with file_errors(WRITE, folder):
        folder.mkdir(parents=True, exist_ok=True)


def _open(path: Path, flags: int) -> int:
    """Open a file and return its descriptor. Raises PetteiaError for a folder, a pipe or a device."""
    try:
        descriptor = os.open(path, flags | FOR_ALL, 0o666)
    except ValueError:  # the name contains a null character
        raise NotFoundError(f"{str(path)!r}: not a valid file name") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise PetteiaError(f"{path}: not a regular file; give the path of a file")
    return descriptor


def _size_text(size: int) -> str:
    for unit, name in ((GIGABYTE, "GB"), (MEGABYTE, "MB")):
        if size >= unit:
            return f"{size // unit:,} {name}"
    return f"{size // KILOBYTE:,} kB"
