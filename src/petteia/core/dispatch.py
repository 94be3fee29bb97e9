"""Functions that select a method by the type of their first argument, in plain Python and in compiled code."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from petteia.core.kernel import overloaded, when_compiling

P = ParamSpec("P")
R = TypeVar("R")


def method(cls: type, name: str) -> Callable[..., Any] | None:
    """Return the method `name` of `cls` or its base classes, or None. Methods that `tuple` defines do not count."""
    for base in cls.__mro__:
        if base is tuple:
            break
        if inspect.isfunction(member := base.__dict__.get(name)):
            return member
    return None


def dispatched(choose: Callable[[type], Callable[..., Any]]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorate a function to call the implementation that `choose` returns for the type of the first argument.

    The result can be called in plain Python and in compiled code, with positional arguments only. The body of the
    decorated function is not used, only its name, parameters and docstring.
    """

    def decorate(described: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(described)
        def generic(first: Any, *rest: Any) -> Any:
            return choose(type(first))(first, *rest)

        def implementation(first: Any, *rest: Any) -> Callable[..., Any] | None:
            cls = getattr(first, "instance_class", None)
            return None if cls is None else choose(cls)

        when_compiling(lambda numba: overloaded(generic, implementation))
        return generic  # type: ignore[return-value]  # same parameters, by position

    return decorate
