"""The import of custom classes with names of the form `module:Name`, and a check that a class is a game."""

from __future__ import annotations

import contextlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Iterable, Mapping
from importlib.machinery import PathFinder
from types import ModuleType
from typing import Any

from petteia.core.errors import NotFoundError, UsageError
from petteia.core.hints import NEEDED, nearest
from petteia.core.protocol import METHODS, method
from petteia.foreign.trust import check_name
from petteia.provenance.syntax import remember_sources

REQUIRED = (
    "initial",
    "to_move",
    "moves",
    "play",
    "is_over",
    "margin",
    "key",
    "injective",
    "limits",
    "format_state",
    "parse_state",
    "format_move",
)
TOGETHER = (("images", "image", "image_move"), ("positions", "position"))


def load_class(name: str, kind: str) -> type:
    """Import a class by its name `module:Name`. The module can also be a file in the working directory.

    If `name` was read from a file, it may name untrusted code. In this case, first call `petteia.foreign.trust.require`
    with the strings from the file. Raises NotFoundError if there is no such module or class. Raises UsageError if the
    module cannot be imported or belongs to Python's standard library.
    """
    module = load_module(name, f"{kind} {name!r}")
    module_name, _, class_name = name.partition(":")
    value = getattr(module, class_name, None)
    if not isinstance(value, type):
        own = [each for each in vars(module).values() if isinstance(each, type) and each.__module__ == module_name]
        names = [each.__name__ for each in own if hasattr(each, NEEDED.get(kind, "__name__"))]
        has = nearest(class_name, names) or (f"its classes are {', '.join(names)}" if names else "")
        raise NotFoundError(f"{kind} {name!r}: module {module_name!r} has no class {class_name!r}{has and f'; {has}'}")
    return value


def load_part(name: str, kind: str, methods: Mapping[str, tuple[str, ...]], needed: Iterable[str]) -> Any:
    """Return an instance of the NamedTuple class `module:Name` after checking its methods.

    Args:
        name: `module:Name`
        kind: the kind of the class, as named in error messages
        methods: the names of the methods that the class may define, with the names of their parameters
        needed: the names of the methods that the class must define

    Raises:
        UsageError: the module cannot be imported, or the class is not derived from NamedTuple. Also raised if the class
            lacks a needed method or the default of a field, or if a method has the wrong parameters
        NotFoundError: the module or class does not exist

    """
    cls = load_class(name, kind)
    what = f"{kind} {name!r}"
    if not (issubclass(cls, tuple) and hasattr(cls, "_fields")):
        raise UsageError(f"{what}: {cls.__name__} must be a class derived from NamedTuple")
    for each, expected in methods.items():
        own, right = method(cls, each), ", ".join(expected)
        if own is None and each in needed:
            raise UsageError(f"{what}: {cls.__name__} does not define the method {each}({right})")
        if own is not None and (parameters := tuple(inspect.signature(own).parameters)) != expected:
            raise UsageError(
                f"{what}: the method `{each}` has the parameters ({', '.join(parameters)}); they must be ({right})"
            )
    try:
        return cls()
    except TypeError:
        raise UsageError(f"{what}: every field of {cls.__name__} needs a default value") from None


def load_module(name: str, what: str) -> ModuleType:
    """Import the module of a custom class named `module:Name`. Its printed output is redirected to stderr.

    `what` describes the class at the beginning of error messages. Raises the same errors as `load_class`.
    """
    check_name(name, what)
    module_name, _, _ = name.partition(":")
    search_working_folder()
    _check_found_here(module_name.partition(".")[0], what)
    try:
        with contextlib.redirect_stdout(sys.stderr):
            module = importlib.import_module(module_name)
        remember_sources()
        return module
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a custom module can raise anything, even SystemExit
        if isinstance(error, ModuleNotFoundError) and error.name in _prefixes(module_name):
            raise NotFoundError(
                f"{what}: there is no module {error.name!r} in the working directory or on Python's path"
            ) from None
        raise UsageError(f"{what}: module {module_name!r} cannot be imported: {_one_line(error)}") from None


def search_working_folder() -> None:
    """Add the working directory to the end of `sys.path`, so that its files do not replace other modules."""
    if (here := os.getcwd()) not in sys.path:
        sys.path.append(here)


def _check_found_here(name: str, what: str) -> None:
    """Raise UsageError if a module in the working directory is hidden by another module with the same name."""
    here = PathFinder.find_spec(name, [os.getcwd()])
    if here is not None and here.origin is not None:
        loaded = sys.modules.get(name)
        found = loaded.__spec__ if loaded is not None else importlib.util.find_spec(name)
        place = found and found.origin
        if place and os.path.realpath(place) != os.path.realpath(here.origin):
            raise UsageError(
                f"{what}: another module {name!r} is imported instead, {place}; rename {here.origin}, or add its "
                "folder to PYTHONPATH"
            )


def _prefixes(module_name: str) -> list[str]:
    parts = module_name.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts) + 1)]


def _one_line(error: BaseException) -> str:
    where = ""
    if isinstance(error, SyntaxError):
        return f"{error.filename}, line {error.lineno}: {error.msg}"
    if error.__traceback__ is not None:
        frames = inspect.getinnerframes(error.__traceback__)
        where = f"{frames[-1].filename}, line {frames[-1].lineno}: "
    return f"{where}{type(error).__name__}: {' '.join(str(error).split())}"


def check_game_class(cls: type, name: str) -> None:
    """Raise UsageError unless `cls` is a NamedTuple class with the methods of a game and their parameters."""
    if not (issubclass(cls, tuple) and hasattr(cls, "_fields")):
        raise UsageError(f"game {name!r}: {cls.__name__} must be a class derived from NamedTuple")
    for required in REQUIRED:
        if method(cls, required) is None:
            raise UsageError(
                f"game {name!r}: {cls.__name__} does not define the method {required}{_signature(required)}"
            )
    for name_of_method in METHODS:
        if (own := method(cls, name_of_method)) is not None:
            parameters = tuple(inspect.signature(own).parameters)
            if parameters != (expected := tuple(inspect.signature(METHODS[name_of_method]).parameters)):
                given, right = ", ".join(parameters), ", ".join(expected)
                raise UsageError(
                    f"game {name!r}: the method `{name_of_method}` has the parameters ({given}); they must be ({right})"
                )
    for group in TOGETHER:
        has = [each for each in group if method(cls, each)]
        if has and len(has) < len(group):
            lacks = next(each for each in group if each not in has)
            raise UsageError(
                f"game {name!r}: {cls.__name__} defines the method `{has[0]}` but not the method `{lacks}`; define both"
            )


def _signature(name: str) -> str:
    return f"({', '.join(inspect.signature(METHODS[name]).parameters)})"
