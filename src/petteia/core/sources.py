"""What code a result depends on: hashes of this package's sources and of the foreign modules that classes come from.

Kept apart from `cache`, which names its folders by them, so that records can have them without importing numba.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

import petteia

SHOWING_ROOMS = ("reports", "cli", "web")


@functools.cache
def package_source_hash() -> str:
    """SHA-256, in hex, of the names and sources of this package's rooms, those that only show results left out."""
    package = Path(petteia.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        if path.relative_to(package).parts[0] not in SHOWING_ROOMS:
            digest.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def source_hash(classes: set[type]) -> str:
    """SHA-256, in hex, of the package's sources and of the foreign modules that `classes` come from."""
    digest = hashlib.sha256(package_source_hash().encode())
    for name in foreign_modules(classes):
        digest.update(name.encode() + b"\0" + Path(sys.modules[name].__file__ or "").read_bytes() + b"\0")
    return digest.hexdigest()


def foreign_modules(classes: set[type]) -> list[str]:
    """The modules outside this package that `classes` come from, and those they import from beside them."""
    found: set[str] = set()
    waiting = [name for cls in classes if (name := cls.__module__).partition(".")[0] != "petteia"]
    while waiting:
        name = waiting.pop()
        file = getattr(sys.modules.get(name), "__file__", None)
        if name in found or file is None:
            continue
        found.add(name)
        waiting += [near for near in _imports(name, Path(file)) if _is_beside(near, Path(file))]
    return sorted(found)


def _imports(name: str, path: Path) -> Iterator[str]:
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            origin = ".".join([*parents, node.module or ""]).strip(".")
            yield origin
            yield from (f"{origin}.{alias.name}" for alias in node.names)


def _is_beside(name: str, path: Path) -> bool:
    file = getattr(sys.modules.get(name), "__file__", None)
    return file is not None and Path(file).is_relative_to(path.parent)
