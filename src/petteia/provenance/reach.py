"""Digests of all code on which a result depends, including the code of this package.

A search finds the code on which a result depends. It starts at a class or a function, and continues with the
definitions of all names that this code reads. These definitions include imported ones. In custom code, the search
examines the imported objects (module `live`). In the code of this package, it examines the syntax trees of the modules.

The digests of a result depend only on the definitions that its computation uses, and on no other code of the same
files. The digest of a definition is computed from its syntax tree, without docstrings and annotations. Display
methods, such as `format_state` and `svg`, affect the digest of their class only if its other methods call them.

Code for input and output, files and the compiler does not affect results, and is left out (`LEFT_OUT`). The registries
of games and players are also left out, because they refer to all games and players. Only the games and players that
produced the result are included.

Parsing a module takes about 10 ms, so its imports and the digests of its definitions are cached on disk. The cache key
is computed from the source code of the module.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.util
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import petteia
from petteia.core.folders import caches
from petteia.provenance import syntax
from petteia.provenance.live import DIGITS, DISPLAY_METHODS, Parts, walked
from petteia.provenance.syntax import GUARD, canonical
from petteia.provenance.syntax import LEFT_OUT as SAYS_NOTHING

PACKAGE = "petteia"
FOLDER = Path(petteia.__file__).parent
LEFT_OUT = frozenset({
    # input, output and files
    "api", "warming", "cli", "render", "templates", "player_processes", "records",
    "value_functions.origin", "value_functions.linear_file", "value_functions.table_file", "solver.files",
    # the compiler
    "core.announcements", "core.cache", "core.helper_library", "core.identity", "core.interrupt", "core.kernel",
    "core.origin", "core.types",
    # custom code and provenance
    "provenance", "foreign.blame", "foreign.diagnosis", "foreign.sources",
    # registries, which find classes by name
    "games.__init__", "players.text", "players.foreign", "features.__init__", "features.evaluations",
    "features.feature_sets", "features.grammar", "learn.update_rules",
    # settings, which runs store with their values
    "learn.learners",
    # optional parts of matches, which are added explicitly if they are used
    "arena.valuation",
})  # fmt: skip
"""The folders and modules that are not visited."""
DEFINITIONS = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


class Facts(NamedTuple):
    """The imports of a module, and for each definition its digest and the names that it reads."""

    imports: dict[str, str]
    """the imported names, each with its origin in the form `module:name`, or `module:` if a module is imported"""
    definitions: dict[str, tuple[str, tuple[str, ...]]]
    """the definitions by name, each with a digest and the names that it reads

    A name that is read has the form `name` or `name.attribute`, or the form of an import in `imports`.
    """


def dependencies(*things: Any) -> Parts:
    """Return the digests of all code that `things` use, both custom code and the code of this package.

    The arguments are classes, functions and instances of classes. Code that they use indirectly is included. For the
    code of this package, there is one digest for each definition, such as `petteia.core.random.below`.
    """
    parts, own = walked(*things)
    return parts | reached([(each.__module__, each.__qualname__.partition(".")[0]) for each in own])


def by_module(parts: Parts) -> Parts:
    """Combine the digests of this package's definitions into one digest per module. Other digests are kept."""
    modules: dict[str, list[str]] = {}
    for name, digest in parts.items():
        if name.startswith(f"{PACKAGE}."):
            modules.setdefault(name.rpartition(".")[0], []).append(f"{name} {digest}")
    users = {name: digest for name, digest in parts.items() if not name.startswith(f"{PACKAGE}.")}
    return users | {name: _digest("\n".join(sorted(each))) for name, each in sorted(modules.items())}


def digest_of(parts: Parts) -> str:
    """Combine all digests into a single one: SHA-256, in hex."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def reached(entries: list[tuple[str, str]]) -> Parts:
    """Return the digests of the given definitions, and of all definitions that they use directly or indirectly.

    Each of the `entries` is a pair of a module and the name of a definition in it.
    """
    parts: Parts = {}
    seen: set[tuple[str, str]] = set()
    waiting = list(entries)
    while waiting:
        place = waiting.pop()
        if place in seen:
            continue
        seen.add(place)
        module, name = place
        known = _facts(module).definitions.get(name)
        if known is not None:
            digest, reads = known
            parts[f"{module}.{name}"] = digest
            waiting += [each for read in reads for each in _places(module, read)]
    return {name: parts[name] for name in sorted(parts)}


def _places(module: str, read: str) -> Iterator[tuple[str, str]]:
    """Yield the module and the name of each definition that the name `read` can refer to in `module`."""
    if ":" in read:
        yield from _imported(read)
        return
    name, _, rest = read.partition(".")
    facts = _facts(module)
    if name in facts.definitions:
        yield module, name
    if name in facts.imports:
        yield from _imported(facts.imports[name], rest)


def _imported(what: str, rest: str = "") -> Iterator[tuple[str, str]]:
    """Yield the module and the name of each definition that an imported name can refer to.

    `what` is the imported name in the form `module:name`, or `module:` for a whole module. If the name refers to a
    module, `rest` is the attribute that the code reads from this module.
    """
    module, _, name = what.partition(":")
    if name and _file(f"{module}.{name}") is not None:
        module, name = f"{module}.{name}", ""
    if name := name or rest:
        yield from _places(module, name)


@functools.cache
def _file(module: str) -> Path | None:
    """Return the file of a module of this package, or None if there is no file, or if the module is in `LEFT_OUT`."""
    root, *names = module.split(".")
    if root != PACKAGE:
        return None
    place = FOLDER.joinpath(*names)
    if (place / "__init__.py").is_file():
        names, place = [*names, "__init__"], place / "__init__.py"
    else:
        place = place.with_suffix(".py")
    left_out = {".".join(names[: length + 1]) for length in range(len(names))} & LEFT_OUT
    return None if left_out or not place.is_file() else place


@functools.cache
def _facts(module: str) -> Facts:
    """Return the imports and definitions of a module of this package.

    The returned facts are empty for a module outside this package, and for a module in `LEFT_OUT`. The facts about
    other modules are cached on disk.
    """
    file = _file(module)
    if file is None:
        return Facts({}, {})
    text = file.read_text(encoding="utf-8")
    kept = caches() / "syntax" / _digest(_reader() + module + text)
    with suppress(OSError, ValueError, TypeError):  # the file is missing or damaged
        return Facts(**json.loads(kept.read_bytes()))
    facts = _read(ast.parse(text), module if file.name == "__init__.py" else module.rpartition(".")[0])
    with suppress(OSError):  # the folder is not writable
        kept.parent.mkdir(parents=True, exist_ok=True)
        part = kept.with_name(f"{kept.name}.{os.getpid()}")
        part.write_text(json.dumps(facts._asdict()))
        part.replace(kept)
    return facts


@functools.cache
def _reader() -> str:
    """Return the source code of the modules that compute the cached imports and digests.

    The source code is part of the key of the disk cache. Cached results therefore become invalid when this code
    changes.
    """
    return "".join(Path(each).read_text(encoding="utf-8") for each in (__file__, syntax.__file__))


def _read(tree: ast.Module, package: str) -> Facts:
    imports: dict[str, str] = {}
    texts: dict[str, list[str]] = {}
    reads: dict[str, dict[str, None]] = {}
    for statement in tree.body:
        if isinstance(statement, ast.If) and ast.dump(statement.test) == GUARD:
            continue
        if isinstance(statement, ast.ClassDef):
            statement.body = [each for each in statement.body if not _only_shows(each, statement)]
        if not isinstance(statement, DEFINITIONS):
            imports |= dict(_imports(statement, package))
        for name in _bound(statement):
            texts.setdefault(name, []).append(canonical(statement))
            reads.setdefault(name, {}).update(dict.fromkeys(_reads(statement, package)))
    return Facts(imports, {name: (_digest("\n".join(texts[name])), tuple(reads[name])) for name in texts})


def _only_shows(member: ast.stmt, cls: ast.ClassDef) -> bool:
    """Return whether a statement defines a display method that no other method of the class calls.

    Examples of display methods are `format_state` and `svg` (see `DISPLAY_METHODS`).
    """
    if not isinstance(member, ast.FunctionDef) or member.name not in DISPLAY_METHODS:
        return False
    others = [each for each in cls.body if not (isinstance(each, ast.FunctionDef) and each.name in DISPLAY_METHODS)]
    called = {node.attr for each in others for node in ast.walk(each) if isinstance(node, ast.Attribute)}
    return member.name not in called


def _bound(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a top-level statement defines, or may change, as in `name[0] = 1` and `name.append(1)`."""
    if isinstance(statement, DEFINITIONS):
        yield statement.name
        return
    for node in ast.walk(statement):
        if isinstance(node, DEFINITIONS):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Expr) or not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            yield from (each.id for each in ast.walk(node) if isinstance(each, ast.Name))


def _imports(node: ast.AST, package: str) -> Iterator[tuple[str, str]]:
    """Yield the imports from this package, each as a local name and its origin.

    An origin has the form `module:name`, or `module:` for a whole module.
    """
    for each in ast.walk(node):
        if isinstance(each, ast.ImportFrom):
            module = importlib.util.resolve_name("." * each.level + (each.module or ""), package)
            pairs = [(alias.asname or alias.name, f"{module}:{alias.name}") for alias in each.names]
        elif isinstance(each, ast.Import):
            pairs = [(alias.asname or alias.name, f"{alias.name}:") for alias in each.names]
        else:
            continue
        yield from (pair for pair in pairs if pair[1].startswith(PACKAGE))


def _reads(node: ast.AST, package: str) -> Iterator[str]:
    """Yield the names that a definition reads, in the form `name`, `name.attribute` or `module:name`.

    Names in annotations are left out.
    """
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        yield f"{node.value.id}.{node.attr}"
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from (where for _, where in _imports(node, package))
    else:
        for name, value in ast.iter_fields(node):
            for each in value if isinstance(value, list) else [value]:
                if isinstance(each, ast.AST) and name not in SAYS_NOTHING:
                    yield from _reads(each, package)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]
