"""A module for a user's new game: a copy of `skeleton.py` under the user's name, complete and ready to be changed."""

from __future__ import annotations

import importlib.util
import keyword
import os
import re
from pathlib import Path

from petteia.core.errors import PetteiaError, UsageError

SKELETON = Path(__file__).with_name("skeleton.py")


def class_name(name: str) -> str:
    """The class for a module: `TicTacToe` for `tic_tac_toe`."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def new_game(name: str, folder: Path = Path()) -> Path:
    """Write the module `name`.py, a small game that passes every check, into `folder`; return its path.

    Raises UsageError if `name` is not good for a module or the file is there already, PetteiaError if it cannot be
    written.
    """
    if not re.fullmatch("[a-z][a-z0-9_]*", name):
        raise UsageError(f"game {name!r}: a module is named with lower-case letters, digits and _, such as tic_tac_toe")
    text = SKELETON.read_text(encoding="utf-8")
    if keyword.iskeyword(name) or keyword.iskeyword(class_name(name)) or class_name(name) in re.findall(r"\w+", text):
        raise UsageError(f"game {name!r}: Python or the new module needs this word itself; choose another")
    path = folder / f"{name}.py"
    if path.exists():
        raise UsageError(f"game {name!r}: {path} is there already; choose another name or move it away")
    if _is_taken(name, folder):
        raise UsageError(f"game {name!r}: there is a Python package of this name; choose another, such as my_{name}")
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text.replace("Skeleton", class_name(name)).replace("skeleton", name))
    except OSError as error:
        raise PetteiaError(f"{path}: cannot be written: {error.strerror}") from None
    return path


def _is_taken(name: str, folder: Path) -> bool:
    try:
        found = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return True
    return found is not None and os.path.realpath(Path(found.origin or "").parent) != os.path.realpath(folder)
