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
import gc
import importlib.util
import inspect
import os
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any, Generic, ParamSpec, TypeVar, overload

from petteia.core.interrupt import interruptible
from petteia.core.origin import is_of_package

HELPER = {"_nrt": False, "forceinline": True}
"""How helpers and verbs are compiled."""
CALLED = {"_nrt": False}
"""How helpers are compiled that stay calls."""

ENTRY = {"nogil": True, "_nrt": False, "forceinline": False, "no_cpython_wrapper": False, "no_cfunc_wrapper": True}
"""How kernels are compiled. What is not said here, a kernel may take over from a helper that calls it."""

P = ParamSpec("P")
R = TypeVar("R")
Function = TypeVar("Function", bound=Callable[..., Any])

KERNELS: list[Kernel[..., Any]] = []
"""Every kernel defined so far, in order of definition."""

_starting = threading.RLock()  # threads may meet at their first kernels
_numba: ModuleType | None = None
_waiting: list[Callable[[ModuleType], None]] = []
_explaining: list[Callable[[Exception, tuple[Any, ...]], None]] = []


def runs_plain() -> bool:
    """Whether kernels run as plain Python: numba is missing or NUMBA_DISABLE_JIT is set."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0") or _numba_is_missing()


@functools.cache
def _numba_is_missing() -> bool:
    return importlib.util.find_spec("numba") is None


def when_compiling(register: Callable[[ModuleType], None], makes: tuple[Callable[..., Any], ...] = ()) -> None:
    """Call `register(numba)` as soon as the first kernel is about to be compiled; at once if that has happened.

    This is how a module tells numba about its functions without importing it. `makes` are those of which `register`
    holds another form for compiled code.
    """
    for function in makes:
        function.compiled_by = register  # type: ignore[attr-defined]  # read by `identity`
    with _starting:
        if _numba is None:
            _waiting.append(register)
        else:
            register(_numba)


def when_failing(explain: Callable[[Exception, tuple[Any, ...]], None]) -> None:
    """Call `explain(error, arguments)` whenever a kernel has raised something, so that it can add a note."""
    _explaining.append(explain)


def compiler() -> ModuleType:
    """Import numba, hand it all that waits for it, and return it."""
    global _numba
    with _starting:
        if _numba is None:
            import numba
            import numba.extending

            from petteia.core.types import install

            install(numba)
            numba.extending.typeof_impl.register(Kernel)(_type_of_kernel)
            _numba = numba  # what is told now may ask for it
            while _waiting:
                _waiting.pop(0)(numba)
        return _numba


def inline(function: Function) -> Function:
    """Let compiled code call `function`, too. In plain Python it stays the function that it is."""
    when_compiling(lambda numba: overloaded(function, lambda *arguments, **keywords: function))
    return function


def called(function: Function) -> Function:
    """As `inline`, for helpers that are large and called in many places: they stay calls, which compile faster."""
    when_compiling(lambda numba: overloaded(function, lambda *arguments, **keywords: function, CALLED))
    return function


def overloaded(
    function: Callable[..., Any], implementation: Callable[..., Any], options: dict[str, bool] = HELPER
) -> None:
    """Let compiled code that calls `function` call what `implementation` returns for the types of the arguments."""
    from petteia.core.types import extend

    extend(compiler(), function, implementation, options)


class Kernel(Generic[P, R]):
    """A function compiled on its first call for each combination of argument types.

    Machine code that takes part of a user's class is made with checked bounds, so that rules that do not keep their
    promises end in an IndexError: that costs nothing that could be measured (BENCHMARKS.md).
    """

    def __init__(self, function: Callable[P, R], purpose: str = "") -> None:
        self.function = function
        self.purpose = purpose or function.__name__.strip("_").replace("_", " ")
        self._is_foreign = not is_of_package(function)
        self._dispatchers: dict[bool, Any] = {}
        self._digest = ""
        functools.update_wrapper(self, function)
        KERNELS.append(self)

    def dispatcher(self, *, checked: bool) -> Any:
        """The numba dispatcher, with or without checks of bounds; made on first use."""
        dispatcher = self._dispatchers.get(checked)
        if dispatcher is None:
            from petteia.core.cache import KernelCache

            dispatcher = _dispatcher(self.function, checked=checked)
            dispatcher._cache = cache = KernelCache(self.function, checked=checked)
            dispatcher._compiler.compile = self._announcing(dispatcher._compiler.compile, cache.unlock)
            dispatcher = self._dispatchers.setdefault(checked, dispatcher)
        return dispatcher

    def _announcing(self, compile_for: Callable[..., Any], give_up: Callable[[], None]) -> Callable[..., Any]:
        """What compiles, saying so; if it fails, `give_up` is called."""

        def compile_saying_so(types: Any, return_type: Any) -> Any:
            from petteia.core.announcements import announced, subjects
            from petteia.core.cache import classes_of
            from petteia.core.folders import caches
            from petteia.core.helper_library import set_environments

            names = " and ".join(subjects(classes_of(types)))
            times = caches() / "times" / f"{self.function.__module__}.{self.function.__name__}"
            try:
                with announced(f"{self.purpose}{f' for {names}' if names else ''}", times), _without_collecting():
                    result = compile_for(types, return_type)
                    set_environments(result.library)
                    return result
            except BaseException:
                give_up()
                raise

        return compile_saying_so

    @property
    def specialisations(self) -> list[Any]:
        """The signatures compiled or loaded so far in this process."""
        return [signature for dispatcher in self._dispatchers.values() for signature in dispatcher.signatures]

    def __call__(self, *arguments: P.args, **keywords: P.kwargs) -> R:
        """Run compiled, or as plain Python where there is no compiler."""
        if runs_plain():
            return self.function(*arguments, **keywords)
        if keywords:
            arguments = inspect.signature(self.function).bind(*arguments, **keywords).args  # type: ignore[assignment]
        run, is_foreign = self._machine_code(arguments)
        try:
            # A user's code may never return; to have it run in another thread takes some 20 microseconds.
            result: R = interruptible(lambda: run(*arguments)) if is_foreign else run(*arguments)
        except Exception as error:  # users' code can raise anything; all is raised again
            for explain in _explaining:
                explain(error, arguments)
            raise
        return result

    def _machine_code(self, arguments: tuple[Any, ...]) -> tuple[Callable[..., Any], bool]:
        """What is to run, and whether a user's code is in it.

        It is chosen by numba, from names, where these tell classes apart; else by the code that they have.
        """
        from petteia.core.identity import settle

        self.settle()
        if not settle(arguments) and not self._is_foreign:
            return self.dispatcher(checked=False), False
        types = tuple(map(compiler().typeof, arguments))
        dispatcher = self.dispatcher(checked=True)
        if types not in dispatcher.overloads:
            dispatcher.compile(types)
        return dispatcher.overloads[types].entry_point, True

    def settle(self) -> None:
        """Forget what is compiled if the code of a user's function has changed since."""
        if not self._is_foreign:
            return
        from petteia.core.identity import settled

        digest = settled(self.function).digest
        if digest != self._digest:
            self._dispatchers.clear()
            self._digest = digest


@overload
def kernel(function: Callable[P, R]) -> Kernel[P, R]: ...
@overload
def kernel(*, purpose: str) -> Callable[[Callable[P, R]], Kernel[P, R]]: ...
def kernel(function: Callable[..., Any] | None = None, *, purpose: str = "") -> Any:
    """Compile `function` when it is first called. Kernels may call `inline` functions, verbs, kernels and themselves.

    `purpose` is what people are told is being compiled, such as `matches`: by default the name of the function.

    A kernel that calls itself should get its arguments in the types in which it passes them on: cast integers with
    `int(...)` in the Python function around it, or it is compiled again in every process, as are those that call each
    other.
    """
    return functools.partial(Kernel, purpose=purpose) if function is None else Kernel(function)


def compile_alone(function: Callable[..., Any], *arguments: Any) -> Any:
    """Compile `function` for the types of `arguments`, in memory only; return numba's type of its result.

    Raises what the compiler raises: for checks that explain it.
    """
    from petteia.core.identity import settle

    settle(arguments)
    dispatcher = _dispatcher(function, checked=True)
    types = tuple(map(compiler().typeof, arguments))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # from Python 3.13 on the compiler warns on its way to some errors
        dispatcher.compile(types)
    return dispatcher.overloads[types].signature.return_type


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Switch the garbage collector off: it took 6 % of the time of compiling, to free at most 100 MB."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _dispatcher(function: Callable[..., Any], *, checked: bool) -> Any:
    """Numba's dispatcher of an entry point."""
    numba = compiler()
    from petteia.core.helper_library import KernelCompiler

    return numba.njit(**ENTRY, boundscheck=checked, pipeline_class=KernelCompiler)(function)


def _type_of_kernel(value: Kernel[..., Any], context: Any) -> Any:
    from numba.core.targetconfig import ConfigStack

    value.settle()
    flags = ConfigStack.top_or_none()
    return compiler().core.types.Dispatcher(value.dispatcher(checked=flags is not None and bool(flags.boundscheck)))
