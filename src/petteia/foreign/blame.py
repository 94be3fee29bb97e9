"""Notes that name the custom code that may have caused an error in compiled code.

The traceback of an error in compiled code does not show where the error was raised. Therefore a note is added to the
error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from petteia.core.errors import PetteiaError
from petteia.core.kernel import when_failing
from petteia.core.origin import is_of_package
from petteia.core.protocol import method

OF_A_GAME = "petteia check {} --game GAME"
CHECKS = {
    "initial": "petteia check {}",
    **dict.fromkeys(("features", "evaluate", "rank", "select", "search_beyond"), OF_A_GAME),
}
"""the method by which each kind of custom class is recognised, and the command that finds its failure in plain
Python"""


def blame(error: Exception, arguments: Iterable[Any]) -> None:
    """Add a note to an exception raised by compiled code. It names the custom classes that may have caused the error.

    Some exceptions get no note: errors of the compiler, whose messages name the location, and exceptions of petteia,
    whose messages name the cause.
    """
    if isinstance(error, PetteiaError) or type(error).__module__.startswith("numba.") or hasattr(error, "__notes__"):
        return
    commands: dict[str, str] = {}
    for cls in _classes(arguments):
        for known_by, command in CHECKS.items():
            if not is_of_package(cls) and method(cls, known_by):
                name = getattr(cls, "made_from", f"{cls.__module__}:{cls.__qualname__}")
                commands[name] = command.format(name)
    if commands:
        find = " and ".join(commands.values())
        error.add_note(f"raised in compiled code by {' or '.join(commands)}; to find the line, run: {find}")


def _classes(values: Iterable[Any]) -> Iterator[type]:
    for value in values:
        if isinstance(value, tuple):
            yield type(value)
            yield from _classes(value)


when_failing(blame)
