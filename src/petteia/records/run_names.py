"""The names of run folders."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from petteia.core.errors import PetteiaError, UsageError
from petteia.records.files import WRITE, file_errors, make_folder

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}", re.ASCII)


def stem(game: str, label: str) -> str:
    """Return the default name of a run without its number: the game, and `label`, which describes the kind of run."""
    words = game.split(":")
    name = words[0] if len(words) == 1 or "=" in words[1] else "-".join(words[:2])
    return re.sub(r"[^a-z0-9]+", "-", f"{name}-{label}".lower()).strip("-")


def check_name(name: str | None) -> None:
    """Raise UsageError if `name` is not valid for a run. None is valid, and stands for a generated name."""
    if name is not None and not (isinstance(name, str) and NAME.fullmatch(name)):
        raise UsageError(
            f"run {name!r}: the name of a run must have 1 to 100 letters, digits, '-', '_' and '.', and must begin "
            "with a letter or a digit"
        )


def check_new_run(root: Path, name: str) -> None:
    """Raise UsageError if `name` is invalid or taken, and PetteiaError if the folder `root` is not writable."""
    check_name(name)
    if (root / name).exists():
        raise _taken(root, name)
    make_folder(root)
    with file_errors(WRITE, root), tempfile.TemporaryFile(dir=root):
        pass


def publish(draft: Path, root: Path, name: str | None, stem: str) -> Path:
    """Rename the folder `draft` to `name` in `root`. If `name` is None, the name is `stem` with the next number.

    Returns the new path. If `name` is None and another process has just created the folder with the next number,
    the number after it is tried. Raises UsageError if `root` already contains a folder with the given `name`, and
    PetteiaError if `root` cannot be written.
    """
    numbered = re.compile(rf"{re.escape(stem)}-([0-9]{{1,9}})", re.ASCII)
    taken = [int(match[1]) for path in root.iterdir() if (match := numbered.fullmatch(path.name))]
    number = max(taken, default=0)
    while True:
        number += 1
        path = root / (name or f"{stem}-{number:04d}")
        try:
            draft.rename(path)
        except OSError:
            if not path.exists():
                raise PetteiaError(
                    f"{path}: this folder cannot be created; choose a writable folder for the runs"
                ) from None
            if name is not None:
                raise _taken(root, name) from None
        else:
            return path


def _taken(root: Path, name: str) -> UsageError:
    return UsageError(f"run {name!r}: this run already exists in {root}; resume this run, or choose another name")
