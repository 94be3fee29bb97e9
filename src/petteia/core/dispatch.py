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
    """Return the method `name` of `cls` or of a base class, or None if there is none.

    Methods that `cls` inherits from `tuple` are ignored.
    """
    for base in cls.__mro__:
        if base is tuple:
            break
        if inspect.isfunction(member := base.__dict__.get(name)):
            return member
    return None


def dispatched(choose: Callable[[type], Callable[..., Any]]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorator for a function with several implementations: `choose` selects one by the type of the first argument.

    The decorated function can be called in plain Python and in compiled code, with positional arguments only. It keeps
    the name, the parameters and the docstring of the original function. The body of the original function is executed
    only if `choose` returns this function.
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
