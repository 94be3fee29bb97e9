"""The names that the bytecode of a function reads: globals with their attributes, and imports."""

from __future__ import annotations

import dis
import importlib.util
from collections.abc import Iterator
from types import CodeType
from typing import Any


def names(code: CodeType) -> Iterator[str]:
    """Yield the names of globals and attributes that occur in `code` and in its nested functions."""
    yield from code.co_names
    for inner in _inner(code):
        yield from names(inner)


def _inner(code: CodeType) -> Iterator[CodeType]:
    return (each for each in code.co_consts if isinstance(each, CodeType))


def global_reads(code: CodeType) -> Iterator[list[str]]:
    """Yield each global name that `code` reads, followed by the attributes that are read from this global."""
    chain: list[str] = []
    for each in dis.get_instructions(code):
        if each.opname in ("LOAD_ATTR", "LOAD_METHOD") and chain:
            chain.append(each.argval)
        elif each.opname != "EXTENDED_ARG":
            if chain:
                yield chain
            chain = [each.argval] if each.opname in ("LOAD_GLOBAL", "LOAD_NAME") else []
    for inner in _inner(code):
        yield from global_reads(inner)


def imports(code: CodeType, package: str) -> Iterator[tuple[str, str | None]]:
    """Yield what `code` imports at run time: pairs of a module and a name in it, or None for the whole module."""
    before: list[Any] = []
    for each in dis.get_instructions(code):
        if each.opname == "IMPORT_NAME":
            level, names = before[-2:]
            module = resolved(level, each.argval, package)
            for name in names or (None,):
                yield module, name
        before = [*before[-1:], each.argval]
    for inner in _inner(code):
        yield from imports(inner, package)


def resolved(level: int, module: str, package: str) -> str:
    """Return the full name of an imported module. If `level` is not 0, the import is relative to `package`."""
    try:
        return importlib.util.resolve_name("." * level + module, package)
    except ImportError:
        return module
