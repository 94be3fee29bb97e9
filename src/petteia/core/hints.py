"""Parts of error messages: suggestions for misspelled names, and the names of arguments.

The name of an argument depends on where the user wrote it: in Python, in a file, or on the command line.
"""

from __future__ import annotations

import ast
import difflib
import importlib
import importlib.util
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Literal

NEEDED = {"game": "initial", "player": "choose"}
"""The method that identifies a class of each kind."""
MAXIMUM = 5
Given = Literal["in Python", "on the command line", "in a file"]
_GIVEN: ContextVar[Given] = ContextVar("given", default="in Python")


@contextmanager
def arguments_given(where: Given) -> Iterator[None]:
    """Context manager that sets how error messages name arguments: as in Python, in a file or on the command line.

    `where` states where the user has written the arguments: `in Python`, `on the command line` or `in a file`.
    """
    before = _GIVEN.set(where)
    try:
        yield
    finally:
        _GIVEN.reset(before)


def argument(name: str, key: str, flag: str) -> str:
    """Return the name of an argument for error messages.

    The result is `name` if the user gave the argument in Python, `key` in a file, and `flag` on the command line.
    """
    return {"in Python": name, "in a file": key, "on the command line": flag}[_GIVEN.get()]


def argument_with(name: str, value: str) -> str:
    """Return an argument with its value for error messages, such as `seats="fixed"` or `--seats fixed`.

    The form depends on where the user gave the argument, as in `argument`.
    """
    flag = f"--{name.replace('_', '-')} {value}"
    return argument(f'{name}="{value}"', f'{name} = "{value}"', flag)


def with_names(words: str) -> str:
    """Replace each placeholder in `words`, such as `<petteia.games:GAMES>`, by the keys of the named dictionary.

    The modules that placeholders name, such as `petteia.games`, are slow to import. They are imported only when a help
    text or docstring is shown.
    """

    def names(place: re.Match[str]) -> str:
        return ", ".join(getattr(importlib.import_module(place[1]), place[2]))

    return re.sub(r"<(petteia\.[\w.]+):(\w+)>", names, words)


def did_you_mean(*names: str) -> str:
    """Return the question "did you mean ...?" with at most five of the names, or an empty string without names."""
    return f"did you mean {' or '.join(names[:MAXIMUM])}?" if names else ""


def nearest(name: str, known: Iterable[str]) -> str:
    """Return a question that suggests the most similar of the `known` names, or an empty string if none is similar."""
    return did_you_mean(*(repr(near) for near in difflib.get_close_matches(name, list(known), 1)))


def classes_named_by(name: str, kind: str) -> list[str]:
    """Return the names of the game or player classes in a module, in the form `module:Name`.

    The module is parsed, but not imported.

    `name` is the name of a Python module or of its file, such as `connect_four` or `connect_four.py`. The module must
    be in the working directory or on Python's search path. `kind`, either `game` or `player`, selects the classes.
    """
    module = name.removesuffix(".py").replace("-", "_")
    source = _source(module)
    if source is None:
        return []
    names: list[str] = []
    for each in source.body:
        if isinstance(each, ast.ClassDef):
            methods = {item.name for item in each.body if isinstance(item, ast.FunctionDef)}
            bases = {base.id for base in each.bases if isinstance(base, ast.Name)}
            if NEEDED[kind] in methods or bases & set(names):
                names.append(each.name)
    return [f"{module}:{each}" for each in names]


def is_module(name: str) -> bool:
    """Return whether a module with this name is in the working directory or on Python's search path."""
    return _file(name) is not None


def _source(module: str) -> ast.Module | None:
    file = _file(module)
    try:
        return None if file is None else ast.parse(Path(file).read_bytes())
    except (OSError, SyntaxError, ValueError):  # a built-in module, or not Python code
        return None


def _file(module: str) -> str | None:
    if not module.isidentifier():
        return None
    before = list(sys.path)
    sys.path.append(os.getcwd())
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        return None
    finally:
        sys.path[:] = before
    return None if spec is None else spec.origin or module
