"""The source code of imported modules, and a canonical form of source code that does not depend on formatting.

A file may be edited after its module was imported. The source code is therefore read soon after the import. It is used
for a function only if it compiles to exactly the bytecode of this function.
"""

from __future__ import annotations
import __future__

import ast
import functools
import importlib.util
import linecache
import sys
from collections.abc import Iterator, Mapping
from operator import or_
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from petteia.core.origin import is_users

LEFT_OUT = {"ctx", "kind", "type_comment", "type_ignores", "annotation", "returns"}
"""The fields of syntax nodes that do not affect the behaviour of code."""
DESCRIBED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
FUTURE = functools.reduce(or_, (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names))
GUARD = ast.dump(ast.parse("__name__ == '__main__'", mode="eval").body)

_imported: dict[str, tuple[Any, str]] = {}
"""For each file, the spec of the module, which is a new object after each import, and the source."""


def remember_sources() -> None:
    """Read the sources of the custom modules that were imported since the last call."""
    for module in list(sys.modules.values()):
        scope = getattr(module, "__dict__", {})
        if isinstance(file := scope.get("__file__"), str) and file.endswith(".py"):
            known = _imported.get(file)
            if (known is None or known[0] is not scope.get("__spec__")) and is_users(scope):
                _remember(scope, file)


def _remember(scope: Mapping[str, Any], file: str) -> None:
    text = _read(file)
    if text is not None:
        _imported[file] = (scope.get("__spec__"), text)


def _read(file: str) -> str | None:
    try:
        return importlib.util.decode_source(Path(file).read_bytes())
    except (OSError, ValueError, SyntaxError):
        return None


def statements(scope: Mapping[str, Any], name: str, within: tuple[str, ...] = ()) -> list[ast.stmt]:
    """Return the statements that set or change `name` in the module with the globals `scope`.

    The list is empty if the source code of the module cannot be read.

    `within` contains the names of the nested classes around the statements. It is empty for statements of the module
    itself.
    """
    file = scope.get("__file__")
    if not isinstance(file, str):
        return []
    if file not in _imported or _imported[file][0] is not scope.get("__spec__"):
        _remember(scope, file)
    parsed = _parsed(_imported[file][1], file) if file in _imported else None
    if parsed is None:
        return []
    body = parsed.tree.body
    for each in within:
        body = next((node.body for node in body if isinstance(node, ast.ClassDef) and node.name == each), [])
    return [statement for statement in body if _changes(statement, name)]


def _changes(statement: ast.stmt, name: str) -> bool:
    if isinstance(statement, DESCRIBED) or (isinstance(statement, ast.If) and ast.dump(statement.test) == GUARD):
        return False
    for node in ast.walk(statement):
        if isinstance(node, ast.Name | ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            while isinstance(node, ast.Attribute | ast.Subscript):
                node = node.value
            if isinstance(node, ast.Name) and node.id == name:
                return True
        elif isinstance(node, ast.alias):
            if name in (node.asname, node.name) or node.name == "*":
                return True
        elif isinstance(node, ast.Expr) and any(
            isinstance(each, ast.Name) and each.id == name for each in ast.walk(node)
        ):
            return True
    return False


def definition(function: FunctionType) -> str | None:
    """Return the definition of a function in canonical form, or None if its source code is not available.

    The definition is returned only if it compiles to the same instructions as the function, because the file may have
    changed since the import.
    """
    code = function.__code__
    wanted = shape(code)
    for text in _texts(code.co_filename):
        parsed = _parsed(
            text, code.co_filename, code.co_flags & FUTURE
        )  # the future imports of a notebook apply to later cells
        if parsed is None:
            continue
        for each in parsed.codes.get(code.co_qualname, ()):
            if shape(each) == wanted and (nodes := parsed.nodes.get((each.co_name, each.co_firstlineno))):
                return " ".join(map(canonical, nodes))
    return None


def _texts(file: str) -> Iterator[str]:
    """Yield the known versions of the source code of `file`, beginning with the imported version."""
    if file in _imported:
        yield _imported[file][1]
    if (now := _read(file)) is not None:
        yield now
    if file in linecache.cache:  # the cells of a notebook
        yield "".join(linecache.getlines(file))


class _Parsed(NamedTuple):
    tree: ast.Module
    codes: dict[str, list[CodeType]]
    """code objects by qualified name"""
    nodes: dict[tuple[str, int], list[ast.AST]]
    """definitions of functions by name and first line"""


@functools.lru_cache(maxsize=1000)
def _parsed(text: str, file: str, flags: int = 0) -> _Parsed | None:
    try:
        tree, whole = ast.parse(text, file), compile(text, file, "exec", flags, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError):
        return None
    parsed = _Parsed(tree, {}, {})
    for code in _codes(whole):
        parsed.codes.setdefault(code.co_qualname, []).append(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min(each.lineno for each in (node, *node.decorator_list))
            parsed.nodes.setdefault((node.name, first), []).append(node)
        elif isinstance(node, ast.Lambda):
            parsed.nodes.setdefault(("<lambda>", node.lineno), []).append(node)
    return parsed


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def shape(code: CodeType) -> tuple[Any, ...]:
    """Return the contents of a code object without file names and line numbers, so that code can be compared.

    Two code objects with the same instructions, names and constants have the same shape.
    """
    counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    return (code.co_qualname, code.co_code, *counts, *names, *map(_constant, code.co_consts))


def _constant(value: Any) -> Any:
    if isinstance(value, CodeType):
        return shape(value)
    if isinstance(value, tuple):
        return tuple(map(_constant, value))
    if isinstance(value, frozenset):
        return sorted(map(repr, value))
    return repr(value)  # distinguishes 1 from 1.0 and True


def canonical(node: Any) -> str:
    """Convert a syntax tree to a string without docstrings, annotations and line numbers.

    The returned string is the same on every version of Python.
    """
    if isinstance(node, list):
        return f"[{','.join(map(canonical, node))}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    fields = []
    for name, value in ast.iter_fields(node):
        if isinstance(value, list):
            value = [each for each in value if not _is_text(each)]
        if isinstance(node, ast.JoinedStr):
            value = [
                each for each in value if not (isinstance(each, ast.Constant) and each.value == "")
            ]  # Python 3.12 has such parts
        if name not in LEFT_OUT and value is not None and value != []:
            fields.append(f"{name}={canonical(value)}")
    return f"{type(node).__name__}({','.join(fields)})"


def _is_text(statement: Any) -> bool:
    """Return whether a statement is a docstring."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )
