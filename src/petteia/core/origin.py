"""Where code comes from: this package, Python's library or the compiler, another installed package, or a user.

A user's module may have the name of a library's, such as `queue`, and be found first. So the place of a module's file
decides, and its name alone never does. Modules are given by their globals, as functions know theirs.
"""

from __future__ import annotations

import os
import site
import sys
import sysconfig
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FunctionType
from typing import Any

PACKAGE = __name__.partition(".")[0]
COMPILER = frozenset({"numba", "numpy", "llvmlite"})
PACKAGES = frozenset({"site-packages", "dist-packages"})
"""names of folders in which packages are installed; some lie in that of Python's library"""


def _folders(*places: str) -> tuple[str, ...]:
    return tuple({f"{place}{os.sep}" for place in places})


LIBRARY = _folders(str(Path(os.__file__).parent), *map(sysconfig.get_path, ("stdlib", "platstdlib")))
"""folders of Python's library, each with a separator at its end"""
INSTALLED = LIBRARY + _folders(
    site.getusersitepackages(), *site.getsitepackages(), *map(sysconfig.get_path, ("purelib", "platlib"))
)
"""folders of all that is installed"""


def scope_of(code: Any) -> Mapping[str, Any]:
    """The globals of the module that a function or a class comes from; if it is not imported, its name alone."""
    if isinstance(code, FunctionType):
        return code.__globals__
    name = str(getattr(code, "__module__", None) or "builtins")
    return getattr(sys.modules.get(name), "__dict__", {"__name__": name})


def is_of_package(code: type | Callable[..., Any]) -> bool:
    """Whether a class or a function comes with this package. No other module can have its name."""
    return _root(scope_of(code)) == PACKAGE


def is_of_library(scope: Mapping[str, Any]) -> bool:
    """Whether a module is of Python's library or of the compiler, so that their versions say what is in it."""
    root, file = _root(scope), _file(scope)
    if root in COMPILER:
        return file.startswith(_folders(*getattr(sys.modules.get(root), "__path__", ())))
    if root not in sys.stdlib_module_names:
        return False
    if getattr(scope.get("__spec__"), "origin", None) in ("built-in", "frozen"):
        return True
    return any(file.startswith(each) and file[len(each) :].partition(os.sep)[0] not in PACKAGES for each in LIBRARY)


def is_installed(file: str) -> bool:
    """Whether a file is of Python's library or of an installed package, or stands for code that is part of Python."""
    return file.startswith((*INSTALLED, "<frozen ")) or not PACKAGES.isdisjoint(Path(file).parts)


def is_users(scope: Mapping[str, Any]) -> bool:
    """Whether a module is a user's: not of this package, nor installed, nor of Python's library."""
    if _root(scope) == PACKAGE:
        return False
    file = _file(scope)
    return not (is_installed(file) if file else is_of_library(scope))


def _root(scope: Mapping[str, Any]) -> str:
    return str(scope.get("__name__", "")).partition(".")[0]


def _file(scope: Mapping[str, Any]) -> str:
    return str(scope.get("__file__") or "")
