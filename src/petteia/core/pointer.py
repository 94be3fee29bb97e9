"""Pointers, by which a recursive kernel passes the values shared by all its calls as a single word.

The arrays of a search take about fifty words. Copying them for every node took a sixth of the time of alpha-beta on
Kalah. In plain Python a pointer is the value itself.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any, NamedTuple, TypeVar

from petteia.core.kernel import when_compiling

Value = TypeVar("Value")


def pointer_to(value: Value) -> Value:
    """A pointer to `value`. It can be passed to functions that the caller calls, but must not be returned."""
    return value


def value_at(pointer: Value) -> Value:
    """The value at `pointer`. Compiled code reads only the parts that are used."""
    return pointer


class Pointed(NamedTuple):
    """Represents a pointer to a value when a function is compiled separately: only the type of the value matters."""

    value: Any
    """the value"""


def _register(numba: ModuleType) -> None:
    importlib.import_module("petteia.core.pointer_type")


when_compiling(_register, makes=(pointer_to, value_at))
