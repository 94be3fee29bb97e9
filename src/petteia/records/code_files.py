"""Functions that find and read the files of custom code that Python would run to import a module.

The files are not run.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import py_compile
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import cache_from_source
from pathlib import Path
from typing import NamedTuple

from petteia.core.origin import INSTALLED
from petteia.foreign.loading import search_working_folder
from petteia.foreign.sources import imports
from petteia.records import bounds
from petteia.records.files import read_file


class CodeFile(NamedTuple):
    """The file of a module, and a digest of its content."""

    path: Path
    """the path by which Python finds the file"""
    place: str
    """the same path with all links resolved"""
    content: str
    """the SHA-256 of the content, in hex"""


def code_files(module: str) -> dict[str, CodeFile]:
    """Return the source files of a module, of its parent packages and of all modules that they import, by module name.

    Imports are followed recursively, including imports within functions. The imports are read from the source code, so
    a module is not found if its name is computed at run time. Files of this package, of Python and of installed
    packages are left out. Raises PetteiaError if a file cannot be read.
    """
    search_working_folder()
    importlib.invalidate_caches()
    files: dict[str, CodeFile] = {}
    places: dict[str, Sequence[str] | None] = {"": None}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        package = name.rpartition(".")[0]
        if package not in places:
            waiting += [name, package]
        elif name not in places:
            spec = _find(name, places[package]) if not package or places[package] else None
            places[name] = [*(spec.submodule_search_locations or ())] if spec else []
            if (
                spec
                and spec.has_location
                and not (file := str(spec.origin)).startswith(INSTALLED)
                and not _is_ours(name)
            ):
                path = Path(file)
                content = read_file(path, bounds.SOURCE)
                files[name] = CodeFile(path, os.path.realpath(path), hashlib.sha256(content).hexdigest())
                waiting += imports(name, path, content)
    return files


def compile_anew(file: CodeFile) -> None:
    """Recompile a module from its source if Python has cached its bytecode.

    Without a recompilation, Python would run the cached bytecode, which may differ from the source.

    Raises OSError if the bytecode cannot be written, and PyCompileError if the source has a syntax error.
    """
    if file.path.suffix == ".py" and os.path.lexists(cache_from_source(file.path)):
        py_compile.compile(str(file.path), doraise=True)


def _is_ours(name: str) -> bool:
    return name.partition(".")[0] == __name__.partition(".")[0]


def _find(name: str, places: Sequence[str] | None) -> ModuleSpec | None:
    """Return the import specification of a module, or None if the module is not found.

    `places` contains the folders of the parent package, or is None for a top-level module.
    """
    if places is not None:
        return PathFinder.find_spec(name.rpartition(".")[2], places)
    found = (finder.find_spec(name, None) for finder in sys.meta_path)
    return next((spec for spec in found if spec is not None), None)
