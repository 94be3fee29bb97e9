"""Pointers, which replace the many arguments that all calls of a recursive kernel share.

A search uses many arrays, whose descriptors (address, shape and strides) occupy about fifty machine words. Copying the
descriptors for every node took a sixth of the time of alpha-beta search for Kalah. A pointer to all of them is a single
word. In plain Python, a pointer is the value itself.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any, NamedTuple, TypeVar

from petteia.core.kernel import when_compiling

Value = TypeVar("Value")


def pointer_to(value: Value) -> Value:
    """Return a pointer to `value`. The caller can pass the pointer to functions, but must not return it."""
    return value


def value_at(pointer: Value) -> Value:
    """Return the value at `pointer`. Compiled code reads only the parts of the value that are used."""
    return pointer


class Pointed(NamedTuple):
    """An argument of `compile_alone` that stands for a pointer to `value`.

    The function `compile_alone` compiles a function for the types of the given arguments, without calling the function.
    Therefore only the type of the field `value` matters.
    """

    value: Any
    """the value to which the pointer points"""


def _register(numba: ModuleType) -> None:
    importlib.import_module("petteia.core.pointer_type")


when_compiling(_register, makes=(pointer_to, value_at))
