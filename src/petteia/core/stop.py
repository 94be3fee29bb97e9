"""Stopping a long computation early, from another thread.

A function with an argument `stop` runs its computation in the context `obeying(stop)`. A computation in several parts
calls `check_stop()` between the parts. Code that cannot call `check_stop()`, such as compiled code, runs in the context
`calling(function)`. When a stop is requested, `function` is called, and must make the running code end.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar

from petteia.core.errors import Stopped


class Stop:
    """A flag that stops a long computation early. It can be set from any thread, and stays set.

    One `Stop` can be passed to several calls at the same time, in any threads.

    Examples:
        >>> import threading
        >>> stop = petteia.Stop()
        >>> timer = threading.Timer(0.5, stop.set)
        >>> timer.start()
        >>> training = petteia.train("hare-and-hounds", games=10**9, stop=stop)
        >>> training.is_finished
        False

    """

    __slots__ = ("_calls", "_is_set", "_lock")

    def __init__(self) -> None:
        self._is_set = False
        self._calls: list[Callable[[], None]] = []
        self._lock = threading.RLock()  # a signal handler may call `set` while its thread holds the lock

    def set(self) -> None:
        """Request that the computations that use this `Stop` end as soon as they can.

        The method returns at once, without waiting for the computations to end.
        """
        with self._lock:
            self._is_set = True
            for call in tuple(self._calls):
                call()

    @property
    def is_set(self) -> bool:
        """Whether a stop has been requested."""
        return self._is_set

    @contextmanager
    def calls(self, function: Callable[[], None]) -> Iterator[None]:
        """Context manager during which `set` also calls `function()`, in the thread that calls `set`.

        If the `Stop` is already set, `function()` is called at once.
        """
        with self._lock:
            self._calls.append(function)
            if self._is_set:
                function()
        try:
            yield
        finally:
            with self._lock:
                self._calls.remove(function)

    def __repr__(self) -> str:
        return f"<Stop, {'set' if self._is_set else 'not set'}>"


_obeyed: ContextVar[tuple[Stop, ...]] = ContextVar("obeyed", default=())


@contextmanager
def obeying(stop: Stop | None) -> Iterator[None]:
    """Context manager that stops this thread's computation when `stop`, or the `Stop` of an outer context, is set."""
    token = _obeyed.set(_obeyed.get() if stop is None else (*_obeyed.get(), stop))
    try:
        yield
    finally:
        _obeyed.reset(token)


def is_stopped() -> bool:
    """Return whether a stop of this thread's computation has been requested."""
    return any(stop.is_set for stop in _obeyed.get())


def check_stop() -> None:
    """Raise `Stopped` if a stop of this thread's computation has been requested."""
    if is_stopped():
        raise Stopped


@contextmanager
def calling(function: Callable[[], None]) -> Iterator[None]:
    """Context manager that calls `function()` when a stop of this thread's computation is requested.

    `function` may be called from any thread, and more than once. If a stop has already been requested, `function` is
    called at once.
    """
    with ExitStack() as stack:
        for stop in _obeyed.get():
            stack.enter_context(stop.calls(function))
        yield
