"""The decorators that mark functions for compilation, and the numba options of the whole package.

`inline` marks a helper that both plain Python and compiled code may call. `kernel` marks an entry point (a kernel). If
Python calls a kernel, the compiled code runs, and is loaded from a cache on disk if possible. Both decorators are lazy:
importing a module that uses them does not import numba. Without numba, or with NUMBA_DISABLE_JIT=1, everything runs as
plain Python.

Helpers and the methods of games are inlined into their callers (`forceinline`). Without this option, LLVM would not
inline the larger functions. Passing the data structures of a learner or a search on the stack takes longer than running
most of these functions. With inlining, learning takes 40 % less time. Plain alpha-beta search visits 20 % more nodes in
the same time. Alpha-beta search with a transposition table, move ordering and enhanced cut-offs visits 50 % more nodes.
Compilation takes no longer.

Two numba options were tried, but are not used. With `inline="always"`, numba inlines helpers before it passes the code
to LLVM. Compilation takes a third longer, and the compiled code is a third slower. `parallel=True` aborts the process
if two Python threads use numba's threading layer at the same time. Kernels release the interpreter lock instead, so
they can run in ordinary Python threads.

Compiled code counts no references (`_nrt=False`), so it can use arrays but cannot create arrays or lists. With
reference counts, helpers with array arguments would spend most of their time on counting. Drawing a random move took 51
ns with reference counts, and takes 11 ns without them.
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
"""The numba options for helpers and for the methods of games."""
CALLED = {"_nrt": False}
"""The numba options for helpers that are called instead of inlined."""

ENTRY = {"nogil": True, "_nrt": False, "forceinline": False, "no_cpython_wrapper": False, "no_cfunc_wrapper": True}
"""The numba options for kernels. A kernel inherits options that are not set here from a helper that calls it."""

P = ParamSpec("P")
R = TypeVar("R")
Function = TypeVar("Function", bound=Callable[..., Any])

KERNELS: list[Kernel[..., Any]] = []
"""All kernels defined so far, in order of definition."""

_starting = threading.RLock()  # several threads may start their first kernels at the same time
_numba: ModuleType | None = None
_waiting: list[Callable[[ModuleType], None]] = []
_explaining: list[Callable[[Exception, tuple[Any, ...]], None]] = []


def runs_plain() -> bool:
    """Return whether kernels run as plain Python. They do so if numba is missing or NUMBA_DISABLE_JIT is set."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0") or _numba_is_missing()


@functools.cache
def _numba_is_missing() -> bool:
    return importlib.util.find_spec("numba") is None


def when_compiling(register: Callable[[ModuleType], None], makes: tuple[Callable[..., Any], ...] = ()) -> None:
    """Call `register(numba)` before the first kernel is compiled, or at once if a kernel has been compiled already.

    With `when_compiling`, a module can register functions with numba without importing numba itself. `makes` contains
    the Python functions for which `register` provides a separate implementation in compiled code.
    """
    for function in makes:
        function.compiled_by = register  # type: ignore[attr-defined]  # read by `identity`
    with _starting:
        if _numba is None:
            _waiting.append(register)
        else:
            register(_numba)


def when_failing(explain: Callable[[Exception, tuple[Any, ...]], None]) -> None:
    """Call `explain(error, arguments)` whenever a kernel raises an error. `explain` may add a note to the error."""
    _explaining.append(explain)


def compiler() -> ModuleType:
    """Return numba. The first call imports numba, and calls the functions that were passed to `when_compiling`."""
    global _numba
    with _starting:
        if _numba is None:
            import numba
            import numba.extending

            from petteia.core.types import install

            install(numba)
            numba.extending.typeof_impl.register(Kernel)(_type_of_kernel)
            _numba = numba  # the registrations may call `compiler`
            while _waiting:
                _waiting.pop(0)(numba)
        return _numba


def inline(function: Function) -> Function:
    """Decorator: allow compiled code to call `function`, and inline it there. In plain Python, nothing changes."""
    when_compiling(lambda numba: overloaded(function, lambda *arguments, **keywords: function))
    return function


def called(function: Function) -> Function:
    """Decorator: allow compiled code to call `function` without inlining it. Large helpers then compile faster."""
    when_compiling(lambda numba: overloaded(function, lambda *arguments, **keywords: function, CALLED))
    return function


def overloaded(
    function: Callable[..., Any], implementation: Callable[..., Any], options: dict[str, bool] = HELPER
) -> None:
    """In compiled code, replace `function` by the function that `implementation(*argument_types)` returns."""
    from petteia.core.types import extend

    extend(compiler(), function, implementation, options)


class Kernel(Generic[P, R]):
    """A function that is compiled on its first call for each combination of argument types.

    Machine code that contains custom code checks array bounds, so that incorrect rules raise an IndexError. The checks
    have no measurable cost (BENCHMARKS.md).
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
        """Return numba's dispatcher of this kernel, with or without bounds checks. The first call creates it."""
        dispatcher = self._dispatchers.get(checked)
        if dispatcher is None:
            from petteia.core.cache import KernelCache

            dispatcher = _dispatcher(self.function, checked=checked)
            dispatcher._cache = cache = KernelCache(self.function, checked=checked)
            dispatcher._compiler.compile = self._announcing(dispatcher._compiler.compile, cache.unlock)
            dispatcher = self._dispatchers.setdefault(checked, dispatcher)
        return dispatcher

    def _announcing(self, compile_for: Callable[..., Any], give_up: Callable[[], None]) -> Callable[..., Any]:
        """Return a function that calls `compile_for`, and shows a message while the compilation runs.

        If the compilation fails, the returned function calls `give_up`, and raises the error again.
        """

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
        """The signatures for which machine code was compiled or loaded in this process."""
        return [signature for dispatcher in self._dispatchers.values() for signature in dispatcher.signatures]

    def __call__(self, *arguments: P.args, **keywords: P.kwargs) -> R:
        """Call the compiled function, or the plain Python function if `runs_plain()` returns True."""
        if runs_plain():
            return self.function(*arguments, **keywords)
        if keywords:
            arguments = inspect.signature(self.function).bind(*arguments, **keywords).args  # type: ignore[assignment]
        run, is_foreign = self._machine_code(arguments)
        try:
            # Custom code may never return, so it runs in another thread. This takes about 20 microseconds.
            result: R = interruptible(lambda: run(*arguments)) if is_foreign else run(*arguments)
        except Exception as error:  # custom code can raise anything; every error is raised again
            for explain in _explaining:
                explain(error, arguments)
            raise
        return result

    def _machine_code(self, arguments: tuple[Any, ...]) -> tuple[Callable[..., Any], bool]:
        """Return the compiled function for the types of `arguments`, and whether it contains custom code.

        Numba selects a compiled function by the names of the argument classes. A custom class can have the same name as
        another class. For custom or changed code, this method therefore selects the compiled function by the digests of
        the classes.
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
        """Discard the compiled code if the code of a custom function has changed since its compilation."""
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
    """Decorator: compile `function` when it is first called. It may call helpers, methods of games, kernels and itself.

    `purpose` names the function in messages during compilation, such as `compiling matches for Kalah`. The default is
    the name of the function.

    If a kernel calls itself, its first call from Python should have arguments of the same types as its recursive calls.
    Otherwise the kernel is compiled again in every process. The Python caller should convert integer arguments with
    `int(...)`, because other integers, such as those of NumPy, can have a different type. Kernels that call each other
    are compiled again in every process, too.
    """
    return functools.partial(Kernel, purpose=purpose) if function is None else Kernel(function)


def compile_alone(function: Callable[..., Any], *arguments: Any) -> Any:
    """Compile `function` for the types of the given arguments, without caching. Return numba's type of the result.

    Raises the compiler's own errors, so that the caller can explain them to the user.
    """
    from petteia.core.identity import settle

    settle(arguments)
    dispatcher = _dispatcher(function, checked=True)
    types = tuple(map(compiler().typeof, arguments))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # since Python 3.13 the compiler warns before it raises some errors
        dispatcher.compile(types)
    return dispatcher.overloads[types].signature.return_type


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Context manager that disables the garbage collector.

    The garbage collector took 6 % of the compilation time, and freed at most 100 MB.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _dispatcher(function: Callable[..., Any], *, checked: bool) -> Any:
    """Create the numba dispatcher of a kernel."""
    numba = compiler()
    from petteia.core.helper_library import KernelCompiler

    return numba.njit(**ENTRY, boundscheck=checked, pipeline_class=KernelCompiler)(function)


def _type_of_kernel(value: Kernel[..., Any], context: Any) -> Any:
    from numba.core.targetconfig import ConfigStack

    value.settle()
    flags = ConfigStack.top_or_none()
    return compiler().core.types.Dispatcher(value.dispatcher(checked=flags is not None and bool(flags.boundscheck)))
