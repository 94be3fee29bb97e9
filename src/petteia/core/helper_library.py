"""How helpers and kernels become machine code.

Helpers get none of their own: they run only as parts of the kernels that call them. To optimise and translate each by
itself took up to 30 % of the time of compiling. A kernel is optimised once, after everything it calls has been linked.
Numba would run three rounds: on each function, on the linked whole so that it can remove counts of references, and on
the whole again. Kernels count no references (`_nrt=False`), and one round gives code that is as fast, in three quarters
of the time.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.environment import lookup_environment

ENVIRONMENT = "_ZN08NumbaEnv"
"""With this begin the names of globals of machine code that hold what a function needs of Python, to print for one."""


class KernelLibrary(JITCodeLibrary):  # type: ignore[misc]  # numba is untyped
    """Code that is optimised once, as a whole."""

    _linking_libraries: list[Any]

    def finalize(self) -> None:
        """Link with all that is called, optimise, and make machine code."""
        self._linking_libraries = callers_first(self._linking_libraries)
        super().finalize()

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        passes, builder = self._codegen._module_pass_manager()
        with self._recorded_timings.record("Module passes (full optimization)", builder):
            passes.run(self._final_module, builder)


class HelperLibrary(KernelLibrary):
    """Code that is not optimised; kernels are linked with it, and with all that it needs."""

    def finalize(self) -> None:
        """Leave linking to the kernel, which links each helper once, by however many others it is called."""
        self._raise_if_finalized()
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0, as for any function without a wrapper for Python."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Any:
        """Return the library itself, which numba asks for `set_env` and for nothing else."""
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Do nothing: `set_environments` does it in the machine code that is made of this."""


class KernelCompiler(Compiler):  # type: ignore[misc]  # numba is untyped
    """Numba's compiler, that makes a KernelLibrary."""

    library = KernelLibrary

    def _compile_bytecode(self) -> Any:
        self.state.library = self.library(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        self.state.library.enable_object_caching()
        return super()._compile_bytecode()


def callers_first(libraries: list[Any]) -> list[Any]:
    """These libraries and all that they need, each after all that call it: LLVM leaves out what none has called yet."""
    order: list[Any] = []
    seen: set[Any] = set()

    def visit(library: Any) -> None:
        if library not in seen:
            seen.add(library)
            for needed in library._linking_libraries if isinstance(library, HelperLibrary) else ():
                visit(needed)
            order.append(library)

    for library in reversed(libraries):
        visit(library)
    return order[::-1]


class HelperCompiler(KernelCompiler):
    """Numba's compiler, that leaves what it makes in a HelperLibrary."""

    library = HelperLibrary


def set_environments(library: Any) -> None:
    """Give machine code what the helpers that it was made of need of Python."""
    names = (variable.name for variable in library._final_module.global_variables)
    environments = {name: lookup_environment(name) for name in names if name.startswith(ENVIRONMENT)}
    for name, environment in environments.items():
        if environment is not None:
            library.codegen.set_env(name, environment)
    library.environments = environments  # the machine code holds only where they are


LINKING = (
    KernelLibrary.finalize,
    callers_first,
    KernelLibrary._optimize_functions,
    KernelLibrary._optimize_final_module,
    HelperLibrary.finalize,
    KernelCompiler._compile_bytecode,
    set_environments,
)
"""What machine code is made of helpers by: kernels depend on it."""
