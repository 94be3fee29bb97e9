"""Functions that find the origin of code: this package, Python, the compiler, an installed package, or the user.

A custom module can have the same name as a module of Python's standard library, such as `queue`, and be imported
instead of the library module. The origin of a module is therefore determined by the location of its file, not by its
name alone. In this module, the argument `scope` of a function is the dictionary of the global variables of a Python
module.
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
"""The names of folders in which packages are installed. Such a folder can be inside the folder of Python's library."""


def _folders(*places: str) -> tuple[str, ...]:
    return tuple({f"{place}{os.sep}" for place in places})


LIBRARY = _folders(str(Path(os.__file__).parent), *map(sysconfig.get_path, ("stdlib", "platstdlib")))
"""The folders of Python's library, each with a separator at its end."""
INSTALLED = LIBRARY + _folders(
    site.getusersitepackages(), *site.getsitepackages(), *map(sysconfig.get_path, ("purelib", "platlib"))
)
"""The folders of Python's library and of installed packages, each with a separator at its end."""


def scope_of(code: Any) -> Mapping[str, Any]:
    """Return the global variables of the module in which the class or function `code` is defined.

    If the module of `code` is not imported, the returned mapping contains only `__name__`, the name of the module.
    """
    if isinstance(code, FunctionType):
        return code.__globals__
    name = str(getattr(code, "__module__", None) or "builtins")
    return getattr(sys.modules.get(name), "__dict__", {"__name__": name})


def is_of_package(code: type | Callable[..., Any]) -> bool:
    """Return whether a class or a function belongs to this package.

    Only the name of the module of `code` is tested, because no other package has a module named `petteia.*`.
    """
    return _root(scope_of(code)) == PACKAGE


def is_of_library(scope: Mapping[str, Any]) -> bool:
    """Return whether the module with the globals `scope` belongs to Python's standard library or to the compiler.

    Digests do not include the code of library modules, because library code changes only with the version of Python or
    of the compiler.
    """
    root, file = _root(scope), _file(scope)
    if root in COMPILER:
        return file.startswith(_folders(*getattr(sys.modules.get(root), "__path__", ())))
    if root not in sys.stdlib_module_names:
        return False
    if getattr(scope.get("__spec__"), "origin", None) in ("built-in", "frozen"):
        return True
    return any(file.startswith(each) and file[len(each) :].partition(os.sep)[0] not in PACKAGES for each in LIBRARY)


def is_installed(file: str) -> bool:
    """Return whether a source file belongs to Python's standard library or an installed package, or is frozen code."""
    return file.startswith((*INSTALLED, "<frozen ")) or not PACKAGES.isdisjoint(Path(file).parts)


def is_users(scope: Mapping[str, Any]) -> bool:
    """Return whether a module is custom: it does not belong to this package, to Python or to an installed package."""
    if _root(scope) == PACKAGE:
        return False
    file = _file(scope)
    return not (is_installed(file) if file else is_of_library(scope))


def _root(scope: Mapping[str, Any]) -> str:
    return str(scope.get("__name__", "")).partition(".")[0]


def _file(scope: Mapping[str, Any]) -> str:
    return str(scope.get("__file__") or "")
