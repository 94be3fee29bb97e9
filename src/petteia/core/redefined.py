"""What the compiled verbs of a game are made of: the functions they reach, and the global names these read.

Compiled code keeps the helpers and constants that it was made from. Where one of them is defined anew, as when a single
cell of a notebook is run again, plain Python would follow the new rules and compiled code the old ones. `check_current`
notices.
"""

from __future__ import annotations

import builtins
import dis
import weakref
from collections.abc import Iterable, Iterator
from types import CodeType, FunctionType
from typing import Any

from petteia.core.errors import UsageError
from petteia.core.protocol import PLAIN, VERBS, method

_read_first: weakref.WeakKeyDictionary[FunctionType, dict[str, Any]] = weakref.WeakKeyDictionary()


def reachable(cls: type, verbs: Iterable[str] = ()) -> list[FunctionType]:
    """The functions outside of this package that run when a compiled method of `cls` does, these methods first.

    `verbs` are the names of these methods; by default the verbs of a game.
    """
    compiled = verbs or [name for name in VERBS if name not in PLAIN]
    waiting = [own for name in compiled if isinstance(own := method(cls, name), FunctionType)]
    found: list[FunctionType] = []
    while waiting:
        function = waiting.pop(0)
        if function not in found and function.__module__.partition(".")[0] != "petteia":
            found.append(function)
            waiting += [value for value in reads(function).values() if isinstance(value, FunctionType)]
    return found


def reads(function: FunctionType) -> dict[str, Any]:
    """The global names that `function` reads and their values now; names that are not defined are left out."""
    scope = vars(builtins) | function.__globals__
    return {name: scope[name] for name in _global_names(function.__code__) if name in scope}


def _global_names(code: CodeType) -> Iterator[str]:
    yield from (each.argval for each in dis.get_instructions(code) if each.opname == "LOAD_GLOBAL")
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _global_names(constant)


def check_current(cls: type) -> None:
    """Raise a UsageError if something that a compiled verb of `cls` reads was defined anew since this was first called.

    A method or helper that is itself defined anew is a new function, compiled afresh, and so is right again.
    """
    for function in reachable(cls):
        now = reads(function)
        for name, before in _read_first.setdefault(function, now).items():
            if name not in now or not _is_same(before, now[name]):
                holder = function.__qualname__.partition(".")[0]
                raise UsageError(
                    f"{name} has been defined anew, but {function.__qualname__} was made with the old one; "
                    f"run the definition of {holder} again, or restart Python"
                )


def _is_same(before: Any, now: Any) -> bool:
    return before is now or (type(before) is type(now) and isinstance(now, int | float | str | tuple) and before == now)
