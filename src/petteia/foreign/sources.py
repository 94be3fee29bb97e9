"""The custom modules that define given classes, together with the custom modules that those modules import."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from petteia.core.origin import PACKAGE, is_installed


def foreign_modules(classes: set[type]) -> list[str]:
    """Return the custom modules in which the classes and their base classes are defined.

    The result includes modules that a custom module imports, directly or indirectly, from its own folder or package.
    """
    modules: set[str] = set()
    waiting = [base.__module__ for cls in classes for base in getattr(cls, "__mro__", (cls,))]
    while waiting:
        name = waiting.pop()
        file = getattr(sys.modules.get(name), "__file__", None)
        if name in modules or file is None or name.partition(".")[0] == PACKAGE:
            continue
        modules.add(name)
        waiting += [name.rpartition(".")[0]]  # the package, whose __init__.py runs first
        path = Path(file)
        waiting += [near for near in imports(name, path, path.read_bytes()) if _is_beside(near, name)]
    return sorted(modules)


def imports(name: str, path: Path, source: bytes) -> Iterator[str]:
    """Yield the names of the modules that the source code of a module imports.

    For `from a import b`, both `a` and `a.b` are listed, because `b` may be a module.

    The result is empty if `source` is not Python code.
    """
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    try:
        nodes = [*ast.walk(ast.parse(source))]
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # a compiled or damaged module
        return
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            origin = ".".join([*parents, node.module or ""]).strip(".")
            yield origin
            yield from (f"{origin}.{alias.name}" for alias in node.names)


def _is_beside(near: str, name: str) -> bool:
    """Return whether module `near` is in the same package as module `name`, or is custom code in the same folder."""
    file, origin = (getattr(sys.modules.get(each), "__file__", None) for each in (near, name))
    if file is None or origin is None:
        return False
    if near.partition(".")[0] == name.partition(".")[0]:
        return True
    return Path(file).is_relative_to(Path(origin).parent) and not is_installed(file)
