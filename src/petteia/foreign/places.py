"""The source code location of an unexpected error, in custom code or in this package."""

from __future__ import annotations

import functools
import traceback
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from petteia.core.names import name_of
from petteia.core.origin import is_installed, is_of_package

OWN = Path(__file__).parents[1]
"""The folder of this package."""


class Place(NamedTuple):
    """The source code location at which an error was raised, in custom code or in this package.

    If the error was raised in another library, the `Place` is the location at which custom code or this package called
    that library.
    """

    file: Path
    """the path of the file, relative to the folder of this package if it belongs to it"""
    line: int
    function: str
    is_users: bool
    """whether the file contains custom code"""
    game: str
    """the custom game whose rules the code of this package used when the error was raised; empty if there is none"""


def place_of(error: BaseException) -> Place | None:
    """Return the innermost location in a traceback that belongs to custom code or to this package, or None."""
    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        file = Path(frame.f_code.co_filename)
        if is_custom(frame.f_code.co_filename):
            return Place(file, line, frame.f_code.co_qualname, True, "")
        if file.is_relative_to(OWN):
            is_rules = isinstance(error, ArithmeticError | LookupError)
            return Place(file.relative_to(OWN), line, frame.f_code.co_name, False, _game(frame) if is_rules else "")
    return None


@functools.lru_cache(maxsize=1000)
def is_custom(file: str) -> bool:
    """Return whether a source file belongs neither to this package, nor to Python, nor to an installed package."""
    return not Path(file).is_relative_to(OWN) and not is_installed(file)


def _game(frame: FrameType) -> str:
    cls = type(frame.f_locals.get("rules"))
    return name_of(cls) if hasattr(cls, "_fields") and not is_of_package(cls) else ""
