"""The two decorators of compiled code, and the only place where numba options stand.

`inline` marks a helper that both plain Python and compiled code may call. `kernel` marks an entry point: called from
Python it runs compiled, from a cache on disk where it can. Both are lazy: importing a module that uses them does not
import numba, and without numba (or with NUMBA_DISABLE_JIT=1) everything runs as the plain Python it is written in.

Helpers and verbs become part of their callers (`forceinline`). Left to itself LLVM calls the larger ones, and to pass
on what a learner or a search consists of, by value and on the stack, takes longer than most of them: without calls
learning takes 40 % less time, alpha-beta sees a fifth more nodes, with everything half as many again, and compiling
takes no longer.

Options that were measured and left out: `inline="always"`, by which numba merges the code before LLVM sees it, makes
compilation and the result a third slower; `parallel=True` aborts the process when two Python threads meet in its
threading layer (kernels release the interpreter lock instead, so plain threads work). Compiled code counts no
references (`_nrt=False`): it may use arrays but not make any, nor lists. Counting them is what helpers with array
arguments otherwise spend their time on: drawing a random move took 51 ns, and takes 11.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import sys
import threading
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any, Generic, ParamSpec, TypeVar

HELPER = {"_nrt": False, "forceinline": True}
"""How helpers and verbs are compiled."""

P = ParamSpec("P")
R = TypeVar("R")
Function = TypeVar("Function", bound=Callable[..., Any])

KERNELS: list[Kernel[..., Any]] = []
"""Every kernel defined so far, in order of definition."""

_starting = threading.RLock()  # threads may meet at their first kernels
_numba: ModuleType | None = None
_waiting: list[Callable[[ModuleType], None]] = []


def runs_plain() -> bool:
    """Whether kernels run as plain Python: numba is missing or NUMBA_DISABLE_JIT is set."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0") or _numba_is_missing()


@functools.cache
def _numba_is_missing() -> bool:
    return importlib.util.find_spec("numba") is None


def when_compiling(register: Callable[[ModuleType], None]) -> None:
    """Call `register(numba)` as soon as the first kernel is about to be compiled; at once if that has happened.

    This is how a module tells numba about its functions without importing it.
    """
    with _starting:
        if _numba is None:
            _waiting.append(register)
        else:
            register(_numba)


def compiler() -> ModuleType:
    """Import numba, hand it all that waits for it, and return it."""
    global _numba
    with _starting:
        if _numba is None:
            import numba
            import numba.extending

            numba.extending.typeof_impl.register(Kernel)(_type_of_kernel)
            while _waiting:
                _waiting.pop(0)(numba)
            _numba = numba
        return _numba


def inline(function: Function) -> Function:
    """Let compiled code call `function`, too. In plain Python it stays the function that it is."""

    def register(numba: ModuleType) -> None:
        @numba.extending.overload(function, jit_options=HELPER, strict=False)
        def implementation(*arguments: Any, **keywords: Any) -> Callable[..., Any]:
            return function

    when_compiling(register)
    return function


class Kernel(Generic[P, R]):
    """A function compiled on its first call for each combination of argument types."""

    def __init__(self, function: Callable[P, R]) -> None:
        self.function = function
        functools.update_wrapper(self, function)
        KERNELS.append(self)

    @functools.cached_property
    def dispatcher(self) -> Any:
        """The numba dispatcher; made on first use."""
        from petteia.core.cache import RoutedCache

        dispatcher = compiler().njit(nogil=True, _nrt=False)(self.function)
        dispatcher._cache = RoutedCache(self.function)
        return dispatcher

    @property
    def specialisations(self) -> list[Any]:
        """The signatures compiled or loaded so far in this process."""
        return list(self.dispatcher.signatures) if "dispatcher" in self.__dict__ else []

    def __call__(self, *arguments: P.args, **keywords: P.kwargs) -> R:
        """Run compiled, or as plain Python where there is no compiler."""
        if runs_plain():
            return self.function(*arguments, **keywords)
        run = self.dispatcher
        for argument in arguments:
            if type(argument) not in _told_apart and not _can_be_told_apart(type(argument)):
                run = self._exact(arguments)
        try:
            result: R = run(*arguments, **keywords)
        except Exception as error:
            from petteia.core.blame import blame

            blame(error, arguments)
            raise
        return result

    def _exact(self, arguments: tuple[Any, ...]) -> Callable[..., Any]:
        """The machine code for exactly these types."""
        types = tuple(compiler().typeof(argument) for argument in arguments)
        if types not in self.dispatcher.overloads:
            self.dispatcher.compile(types)
        found: Callable[..., Any] = self.dispatcher.overloads[types].entry_point
        return found


_told_apart: set[type] = set()
_first_named: dict[tuple[str, tuple[str, ...]], type] = {}


def _can_be_told_apart(cls: type) -> bool:
    """Whether numba's dispatcher, which goes by the names of a NamedTuple and its fields, takes `cls` for itself.

    It takes a class for the first one of these names: a notebook's class for the one before its cell was run again, a
    user's `Nim` for another's.
    """
    if issubclass(cls, tuple) and _first_named.setdefault((cls.__name__, getattr(cls, "_fields", ())), cls) is not cls:
        return False
    _told_apart.add(cls)
    return True


def kernel(function: Callable[P, R]) -> Kernel[P, R]:
    """Compile `function` when it is first called. Kernels may call `inline` functions, verbs and themselves.

    A kernel that calls itself must get its arguments in the types in which it passes them on: cast integers with
    `int(...)` in the Python function around it, or a cached copy may crash in the next process.
    """
    return Kernel(function)


def compile_alone(function: Callable[..., Any], *arguments: Any) -> Any:
    """Compile `function` for the types of `arguments`, in memory only; return numba's type of its result.

    Raises what the compiler raises: for checks that explain it.
    """
    numba = compiler()
    dispatcher = numba.njit(nogil=True, _nrt=False)(function)
    types = tuple(numba.typeof(argument) for argument in arguments)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # from Python 3.13 on the compiler warns on its way to some errors
        dispatcher.compile(types)
    return dispatcher.overloads[types].signature.return_type


def _type_of_kernel(value: Kernel[..., Any], context: Any) -> Any:
    return compiler().core.types.Dispatcher(value.dispatcher)


def announce(message: str) -> None:
    """Say on stderr that something takes a moment. Replaced by faces that have a better place for it."""
    print(f"petteia: {message}", file=sys.stderr, flush=True)
