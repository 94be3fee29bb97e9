"""What the compiler is told about classes and helpers so that it goes by what code is, not by what it is called.

Numba gives two classes of one name types that read alike, and one number to functions of different processes; machine
code that was kept on disk may then be linked to the wrong one. And an overload, once compiled for some types, is never
looked at again. `install` and `extend` are the places where this package reaches into numba for that.
"""

from __future__ import annotations

import functools
import itertools
import secrets
from collections.abc import Callable
from types import ModuleType
from typing import Any

from petteia.core.identity import CHANGED, identity_of

ALONE = {"nopython": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Without what lets Python and C call it: a helper is called by compiled code alone."""

_templates: list[Any] = []


def install(numba: ModuleType) -> None:
    """Let the type of a NamedTuple hold the digest of its class's code, in its name and in its key."""
    from numba.core.bytecode import FunctionIdentity

    types = numba.core.types
    for kind in (types.NamedTuple, types.NamedUniTuple):
        kind.__init__ = _identified(kind.__init__)
        kind.key = property(_key(kind.key))
    # In every process numba numbers functions from 1, and the numbers stand in the names to which code is linked.
    FunctionIdentity._unique_ids = itertools.count(secrets.randbits(60) << 20)
    CHANGED.append(_forget)
    _leave_helpers_unfinished()


def _leave_helpers_unfinished() -> None:
    """Let no machine code be made of helpers by themselves: they run only as parts of their callers.

    To optimise and translate each of them for nothing took up to 30 % of the time of compiling. What comes of it is as
    fast: learning, search and random games by up to a fifth faster, the solving of Hare and Hounds by as much slower.
    """
    from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
    from numba.core.targetconfig import ConfigStack

    class HelperLibrary(JITCodeLibrary):  # type: ignore[misc]  # numba is untyped
        """Code that others are linked with, as it was written down."""

        def _optimize_functions(self, module: Any) -> None:
            module.data_layout = self._codegen._data_layout

        def _optimize_final_module(self) -> None:
            pass

        def _finalize_final_module(self) -> None:
            self._finalize_dynamic_globals()
            self._verify_declare_only_symbols()
            self._finalized = True

        def get_pointer_to_function(self, name: str) -> int:
            """None: 0, as of any function without a wrapper for Python."""
            self._ensure_finalized()
            return 0

    def create_library(self: Any, name: str, **keywords: Any) -> Any:
        flags = ConfigStack.top_or_none()
        if flags is not None and flags.forceinline and flags.no_cpython_wrapper:
            return HelperLibrary(self, name, **keywords)
        return create(self, name, **keywords)

    def set_env(self: Any, name: str, environment: Any) -> None:
        if self._engine.get_global_value_address(name):  # there is none of what is not translated
            set_in_engine(self, name, environment)

    create, set_in_engine = JITCPUCodegen.create_library, JITCPUCodegen.set_env
    JITCPUCodegen.create_library, JITCPUCodegen.set_env = create_library, set_env


def _identified(initialise: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(initialise)
    def initialised(self: Any, content: Any, *rest: Any) -> None:
        initialise(self, content, *rest)
        cls = self.instance_class
        self.identity = identity_of(cls).digest
        self.name = f"{cls.__name__}#{self.identity[:12]}{self.name[len(cls.__name__) :]}"

    return initialised


def _key(before: property) -> Callable[[Any], Any]:
    def key(self: Any) -> Any:
        return (*before.fget(self), self.identity)  # type: ignore[misc]  # numba's properties can all be read

    return key


def extend(numba: ModuleType, function: Callable[..., Any], implementation: Callable[..., Any], options: Any) -> None:
    """Let compiled code that calls `function` call what `implementation` returns for the types of its arguments.

    This is `numba.extending.overload`, but for two things: what was compiled is forgotten when some code has changed,
    and bounds are checked in it where they are in the caller.
    """
    from numba.core.targetconfig import ConfigStack
    from numba.core.typing import templates

    def jit_options(self: Any) -> dict[str, Any]:
        flags = ConfigStack.top_or_none()
        checked = flags is not None and bool(flags.boundscheck)
        return {**options, **ALONE, "boundscheck": checked}

    template = templates.make_overload_template(function, implementation, options, False, "never")
    template._jit_options = property(jit_options)
    templates.infer(template)
    templates.infer_global(function, numba.core.types.Function(template))
    _templates.append(template)


def _forget() -> None:
    for template in _templates:
        template._impl_cache.clear()
