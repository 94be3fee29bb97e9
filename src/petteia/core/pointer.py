"""Pointers: what all calls of a kernel that calls itself have in common is handed on as one word.

The arrays of a search are some fifty words. To copy them for every node took a sixth of the time of alpha-beta on
Kalah. In plain Python a pointer is the value itself.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any, NamedTuple, TypeVar

from petteia.core.kernel import when_compiling

Value = TypeVar("Value")


def pointer_to(value: Value) -> Value:
    """A pointer to `value`, for the functions that the caller calls; it must not be returned."""
    return value


def value_at(pointer: Value) -> Value:
    """What `pointer` points to. Compiled code reads those parts of it that are used."""
    return pointer


class Pointed(NamedTuple):
    """What stands for a pointer to a value where a function is compiled alone, for which only types matter."""

    value: Any
    """the value"""


def _register(numba: ModuleType) -> None:
    importlib.import_module("petteia.core.pointer_type")


when_compiling(_register, makes=(pointer_to, value_at))
