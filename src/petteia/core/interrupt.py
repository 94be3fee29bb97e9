"""Handling of Ctrl-C in long computations, which stop only at points where their data is consistent.

Python handles Ctrl-C only between two bytecode instructions, so Ctrl-C does not interrupt compiled code. Long
computations therefore run in a separate thread (`interruptible`) while the caller waits. If the computation does not
end within `PATIENCE` seconds after an interrupt, its thread is abandoned. This happens, for example, if custom code
contains an infinite loop.
"""

from __future__ import annotations

import os
import queue
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any, TypeVar

from petteia.core.stop import Stop
from petteia.core.work_time import add_work_time, work_time

T = TypeVar("T")

PATIENCE = 0.8
"""The maximum number of seconds that work may take to return after an interrupt."""
POLL_SECONDS = 0.1
STACK = 16 << 20
"""The size of a thread's stack in bytes: enough to search to the end of a game. Some systems have only 512 kB."""

_noting: list[InterruptLater] = []
_left_behind = threading.Event()
_stack_size = threading.Lock()


@contextmanager
def deep_stacks() -> Iterator[None]:
    """Context manager in which threads start with stacks of `STACK` bytes. Only one thread at a time can enter it.

    Python has one stack size for all new threads of the process. Within the context, threads that other code starts
    therefore have large stacks, too. At the end of the context, the previous stack size is restored, unless other code
    has changed the stack size. If other code saves the stack size within the context and restores it later, new threads
    have large stacks again.
    """
    with _stack_size:
        before = threading.stack_size(STACK)  # a call without a size would reset the size
        threading.stack_size(ours := max(before, STACK))
        try:
            yield
        finally:
            if (meanwhile := threading.stack_size(before)) != ours:
                threading.stack_size(meanwhile)


class InterruptLater:
    """A context in which the first Ctrl-C only sets `requested`. A second Ctrl-C raises KeyboardInterrupt.

    The code in the context checks `requested` regularly, saves its results and raises KeyboardInterrupt itself. Only
    the main thread receives signals, so `requested` stays False in all other threads. It also stays False in a process
    that ignores Ctrl-C (`nohup`).
    """

    def __init__(self) -> None:
        self.requested = False
        self.stop = Stop()
        """a `Stop` that Ctrl-C sets; it can be passed to the work"""
        self.since = 0.0
        """the time of the first Ctrl-C, by the monotonic clock"""

    def __enter__(self) -> InterruptLater:
        self._before = None
        before = signal.getsignal(signal.SIGINT)  # None if it was not set by Python, which then could not restore it
        if threading.current_thread() is threading.main_thread() and before not in (None, signal.SIG_IGN):
            self._before = before
            signal.signal(signal.SIGINT, self._note)
            _noting.append(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._before is not None:
            _noting.remove(self)
            signal.signal(signal.SIGINT, self._before)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.requested:
            raise KeyboardInterrupt
        self.requested, self.since = True, time.monotonic()
        self.stop.set()


class LeftBehindError(KeyboardInterrupt):
    """Raised if a computation did not end in time after an interrupt, so that its thread was abandoned."""

    def __init__(self) -> None:
        _left_behind.set()
        super().__init__("the interrupted code did not stop; its thread continues until Python is restarted")


def is_something_left_behind() -> bool:
    """Return whether this process has abandoned a thread after an interrupt. The thread may still be running."""
    return _left_behind.is_set()


class _Worker:
    """A thread that runs functions for the thread that created it, and ends together with that thread."""

    def __init__(self) -> None:
        self.process = os.getpid()  # a forked child process has the object, but not the thread
        self._work: queue.SimpleQueue[Callable[[], Any] | None] = queue.SimpleQueue()
        self._results: queue.SimpleQueue[tuple[Any, BaseException | None, float]] = queue.SimpleQueue()
        with deep_stacks():
            threading.Thread(target=_work_off, args=(self._work, self._results), daemon=True).start()

    def __del__(self) -> None:
        self._work.put(None)

    def do(self, work: Callable[[], T]) -> T:
        """Call `work()` in the thread. Return its result, or raise its error."""
        self._work.put(work)
        result, error, seconds = self._wait()
        add_work_time(seconds)
        if error is not None:
            raise error
        return result  # type: ignore[no-any-return]  # it is what `work` returned

    def _wait(self) -> tuple[Any, BaseException | None, float]:
        try:
            while True:
                try:
                    return self._results.get(timeout=POLL_SECONDS)
                except queue.Empty:
                    if any(each.requested and time.monotonic() - each.since > PATIENCE for each in _noting):
                        raise LeftBehindError from None
        except LeftBehindError:
            raise
        except KeyboardInterrupt:
            try:
                self._results.get(timeout=PATIENCE)
            except queue.Empty:
                raise LeftBehindError from None
            raise


def _work_off(work: Any, results: Any) -> None:
    while (each := work.get()) is not None:
        before = work_time()
        try:
            results.put((each(), None, work_time() - before))
        except BaseException as error:
            results.put((None, error, work_time() - before))
        del each


_of_thread = threading.local()


def interruptible(work: Callable[[], T]) -> T:
    """Call `work()` in another thread, so that Ctrl-C works during compiled code. Return its result or raise its error.

    After Ctrl-C, the function raises KeyboardInterrupt as soon as `work` has ended. If `work` does not end within
    `PATIENCE` seconds, the function raises LeftBehindError. Within an `InterruptLater` context, the function does not
    raise KeyboardInterrupt, but can raise LeftBehindError in any thread.
    """
    worker: _Worker | None = getattr(_of_thread, "worker", None)
    if worker is None or worker.process != os.getpid():
        worker = _of_thread.worker = _Worker()
    try:
        return worker.do(work)
    except KeyboardInterrupt:
        del _of_thread.worker
        raise
