"""Compilation of kernels to machine code, together with the helper functions that they call.

A kernel is a function that Python calls as machine code. A helper is a compiled function without machine code of its
own. It becomes a part of the machine code of each kernel that calls it. Separate machine code for helpers took up to
30 % of the compilation time.

Numba optimises the code of a function three times, partly to remove reference counts. Kernels count no references
(`_nrt=False`). Therefore they are optimised only once, after the code that they call has been linked. Compared with
three optimisations, this takes a quarter less compilation time, and the machine code is equally fast.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.environment import lookup_environment

ENVIRONMENT = "_ZN08NumbaEnv"
"""Prefix of the globals that connect machine code to Python objects. A function needs them to print, for example."""


class KernelLibrary(JITCodeLibrary):  # type: ignore[misc]  # numba is untyped
    """The code library of a kernel. The kernel and all code that it calls are optimised together, and only once."""

    _linking_libraries: list[Any]

    def finalize(self) -> None:
        """Link the code of all called functions, optimise the result, and generate machine code."""
        self._linking_libraries = callers_first(self._linking_libraries)
        super().finalize()

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        passes, builder = self._codegen._module_pass_manager()
        with self._recorded_timings.record("Module passes (full optimization)", builder):
            passes.run(self._final_module, builder)


class HelperLibrary(KernelLibrary):
    """The code library of a helper. It is not optimised alone, but linked into each kernel that calls the helper."""

    def finalize(self) -> None:
        """Finish the library without linking it. The kernel links each helper once, even if several helpers call it."""
        self._raise_if_finalized()
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0, which tells numba that the function has no wrapper for calls from Python."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Any:
        """The library itself, in place of numba's code generator. Numba calls only the method `set_env`."""
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Do nothing. The function `set_environments` stores numba's environments in the machine code later."""


class KernelCompiler(Compiler):  # type: ignore[misc]  # numba is untyped
    """A subclass of numba's compiler that creates a KernelLibrary for each function."""

    library = KernelLibrary

    def _compile_bytecode(self) -> Any:
        self.state.library = self.library(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        self.state.library.enable_object_caching()
        return super()._compile_bytecode()


def callers_first(libraries: list[Any]) -> list[Any]:
    """Return the libraries and their dependencies, in an order in which callers precede the code that they call.

    The libraries must be linked in the returned order. If a helper were linked before the code that calls it, LLVM
    would remove the helper as unused code.
    """
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
    """A subclass of numba's compiler that creates a HelperLibrary for each function."""

    library = HelperLibrary


def set_environments(library: Any) -> None:
    """Write the addresses of numba's environments (objects that contain Python globals) into the code of `library`."""
    names = (variable.name for variable in library._final_module.global_variables)
    environments = {name: lookup_environment(name) for name in names if name.startswith(ENVIRONMENT)}
    for name, environment in environments.items():
        if environment is not None:
            library.codegen.set_env(name, environment)
    library.environments = environments  # keep them alive: the machine code holds only their addresses


LINKING = (
    KernelLibrary.finalize,
    callers_first,
    KernelLibrary._optimize_functions,
    KernelLibrary._optimize_final_module,
    HelperLibrary.finalize,
    KernelCompiler._compile_bytecode,
    set_environments,
)
"""The functions that link helpers into kernels. If their code changes, cached kernels are compiled again."""
