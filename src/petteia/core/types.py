"""What the compiler is told about classes and helpers so that it goes by what code is, not by what it is called.

Numba gives two classes of one name types that read alike, and one number to functions of different processes; machine
code that was kept on disk may then be linked to the wrong one. And an overload, once compiled for some types, is never
looked at again. `install` and `extend` are the places where this package reaches into numba for that.
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
"""Without what lets Python and C call it: a helper is called by compiled code alone."""

DIGITS = 12
"""of the digest that stand in the name of a type"""

_templates: list[Any] = []


def readable(text: str) -> str:
    """What the compiler says, without the digests in its names of types: `Heap` for `Heap#02da3724c3f3`."""
    return re.sub(rf"#[0-9a-f]{{{DIGITS}}}\b", "", text)


def install(numba: ModuleType) -> None:
    """Let the type of a NamedTuple hold the digest of its class's code, in its name and key; errors leave it out."""
    from numba.core.bytecode import FunctionIdentity

    types = numba.core.types
    for kind in (types.NamedTuple, types.NamedUniTuple):
        kind.__init__ = _identified(kind.__init__)
        kind.key = property(_key(kind.key))
    # In every process numba numbers functions from 1, and the numbers stand in the names to which code is linked.
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
    """Let compiled code that calls `function` call what `implementation` returns for the types of its arguments.

    This is `numba.extending.overload`, but for three things: what was compiled is forgotten when some code has changed;
    bounds are checked in it where they are in the caller; and no other option of the caller matters. Numba would
    compile a helper twice that is called by a kernel and by another helper, since their options differ.
    """
    from numba.core.compiler import Flags
    from numba.core.targetconfig import ConfigStack
    from numba.core.typing import templates

    from petteia.core.helper_library import HelperCompiler

    def compiled_for(self: Any, arguments: Any, keywords: Any) -> Any:
        caller, flags = ConfigStack.top_or_none(), Flags()
        flags.boundscheck = caller is not None and bool(caller.boundscheck)
        key = (self.context, tuple(arguments), tuple(keywords.items()), flags.boundscheck)
        while (found := self._impl_cache.get(key)) is None:  # another thread may have `_forget` what was just built
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
