"""Files that are written whole or not at all, and file errors in one line."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from petteia.core.errors import NotFoundError, PetteiaError

READ, WRITE = "read", "write"


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


def write_file(path: Path, content: bytes | str) -> None:
    """Give the file `path` this content (text as UTF-8): afterwards it has all of it or, after an error, the old one.

    A process that is killed meanwhile may leave a hidden file `.NAME.PID.tmp`.
    """
    write_parts(path, [content.encode() if isinstance(content, str) else content])


def write_parts(path: Path, parts: Iterable[bytes | memoryview]) -> None:
    """Give the file `path` this content, one part after the other; otherwise as `write_file`."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with file_errors(WRITE, path):
        try:
            with temporary.open("wb") as file:
                file.writelines(parts)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise


def make_folder(folder: Path) -> None:
    """Make the folder and those it lies in, where they are not there; PetteiaError if that cannot be done."""
    with file_errors(WRITE, folder):
        folder.mkdir(parents=True, exist_ok=True)


def remove_temporary_files(folder: Path) -> None:
    """Remove what killed writers have left in `folder`, to which nobody may be writing now."""
    with file_errors(WRITE, folder):
        for path in folder.glob(".*.tmp"):
            path.unlink(missing_ok=True)


def read_file(path: Path) -> bytes:
    """The content of the file `path`; NotFoundError if there is none, PetteiaError if it cannot be read."""
    with file_errors(READ, path):
        if path.exists() and not path.is_file():  # reading a pipe would wait for ever
            raise PetteiaError(f"{path}: is not a file")
        return path.read_bytes()
