"""How helpers are compiled: no machine code is made of them, they run only as parts of the kernels that call them.

To optimise and translate each helper by itself, for nobody to call it, took up to 30 % of the time of compiling. What
comes of it is as fast: learning, search and random games by up to a fifth faster.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.environment import lookup_environment

ENVIRONMENT = "_ZN08NumbaEnv"
"""With this begin the names of globals of machine code that hold what a function needs of Python, to print for one."""


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
        """Return 0, as for any function without a wrapper for Python."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Any:
        """Return the library itself, which numba asks for `set_env` and for nothing else."""
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Do nothing: `set_environments` does it in the machine code that is made of this."""


class HelperCompiler(Compiler):  # type: ignore[misc]  # numba is untyped
    """Numba's compiler, that leaves what it makes in a HelperLibrary."""

    def _compile_bytecode(self) -> Any:
        self.state.library = HelperLibrary(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        return super()._compile_bytecode()


def set_environments(library: Any) -> None:
    """Give machine code what the helpers that it was made of need of Python."""
    names = (variable.name for variable in library._final_module.global_variables)
    environments = {name: lookup_environment(name) for name in names if name.startswith(ENVIRONMENT)}
    for name, environment in environments.items():
        if environment is not None:
            library.codegen.set_env(name, environment)
    library.environments = environments  # the machine code holds only where they are


LINKING = (
    HelperLibrary._optimize_functions,
    HelperLibrary._optimize_final_module,
    HelperLibrary._finalize_final_module,
    HelperCompiler._compile_bytecode,
    set_environments,
)
"""What machine code is made of helpers by: kernels depend on it."""
