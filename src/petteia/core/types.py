"""Changes to numba, so that it identifies classes and helper functions by their code instead of their names.

Numba gives the same type name to all classes with the same name. In each process, numba numbers functions from 1. For
both reasons, machine code that is loaded from disk could be linked to the wrong function. In addition, numba does not
recompile an overload when the code of the overload changes. The functions `install` and `extend` prevent these errors.
"""

from __future__ import annotations

import functools
import itertools
import re
import secrets
from collections.abc import Callable
from types import ModuleType
from typing import Any

from petteia.core.identity import CHANGED, identity_of

ALONE = {"nopython": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""The numba options for helpers. They have no wrappers for Python and C, because only compiled code calls them."""

DIGITS = 12
"""The number of digits of the digest in the name of a type."""

_templates: list[Any] = []


def readable(text: str) -> str:
    """Return a compiler message without colours and without the digests in type names, such as `Heap#02da3724c3f3`.

    Numba colours its messages if the package colorama is installed.
    """
    return re.sub(rf"\x1b\[[\d;]*m|#[0-9a-f]{{{DIGITS}}}\b", "", text)


def install(numba: ModuleType) -> None:
    """Make numba distinguish NamedTuple classes by a digest of their code. Error messages omit the digest."""
    from numba.core.bytecode import FunctionIdentity

    types = numba.core.types
    for kind in (types.NamedTuple, types.NamedUniTuple):
        kind.__init__ = _identified(kind.__init__)
        kind.key = property(_key(kind.key))
    # Numba numbers functions from 1 in every process, and code is linked by names that contain these numbers.
    FunctionIdentity._unique_ids = itertools.count(secrets.randbits(60) << 20)
    numba.core.errors.NumbaError.__str__ = lambda error: readable(Exception.__str__(error))
    CHANGED.append(_forget)


def _identified(initialise: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(initialise)
    def initialised(self: Any, content: Any, *rest: Any) -> None:
        initialise(self, content, *rest)
        cls = self.instance_class
        self.identity = identity_of(cls).digest
        self.name = f"{cls.__name__}#{self.identity[:DIGITS]}{self.name[len(cls.__name__) :]}"

    return initialised


def _key(before: property) -> Callable[[Any], Any]:
    def key(self: Any) -> Any:
        return (*before.fget(self), self.identity)  # type: ignore[misc]  # numba's properties can all be read

    return key


def extend(numba: ModuleType, function: Callable[..., Any], implementation: Callable[..., Any], options: Any) -> None:
    """In compiled code, replace `function` by the function that `implementation(*argument_types)` returns.

    The function differs from `numba.extending.overload` in three ways. When the code of a function has changed, the
    compiled code of all helpers is deleted from memory. Array bounds are checked in a helper if they are checked in its
    caller. Other options of the caller have no influence, so a helper is compiled only once for callers with different
    options.
    """
    from numba.core.compiler import Flags
    from numba.core.targetconfig import ConfigStack
    from numba.core.typing import templates

    from petteia.core.helper_library import HelperCompiler

    def compiled_for(self: Any, arguments: Any, keywords: Any) -> Any:
        caller, flags = ConfigStack.top_or_none(), Flags()
        flags.boundscheck = caller is not None and bool(caller.boundscheck)
        key = (self.context, tuple(arguments), tuple(keywords.items()), flags.boundscheck)
        while (found := self._impl_cache.get(key)) is None:  # another thread may call `_forget` after `_build_impl`
            self._jit_options = {**options, **ALONE, "pipeline_class": HelperCompiler, "boundscheck": flags.boundscheck}
            with ConfigStack().enter(flags):
                self._build_impl(key, arguments, keywords)
        return found

    template = templates.make_overload_template(function, implementation, options, False, "never")
    template._get_impl = compiled_for
    templates.infer(template)
    templates.infer_global(function, numba.core.types.Function(template))
    _templates.append(template)


def _forget() -> None:
    for template in _templates:
        template._impl_cache.clear()
