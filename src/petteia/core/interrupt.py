"""Ctrl-C in long work: noted at once, acted on where nothing is half done, and never unheard.

Python hears Ctrl-C between two of its own instructions, so not while compiled code runs. What may run long is therefore
done in a thread of its own (`interruptible`) while the caller waits. Code that does not come back within `PATIENCE` of
an interrupt, such as a user's rules with a loop that never ends, is left behind.
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
"""seconds that work may take to return after an interrupt"""
POLL_SECONDS = 0.1
STACK = 16 << 20
"""bytes of the stack of a thread that may search as deep as a game is long: some systems give half a megabyte"""

_noting: list[InterruptLater] = []
_left_behind = threading.Event()
_stack_size = threading.Lock()


@contextmanager
def deep_stacks() -> Iterator[None]:
    """Within `with deep_stacks()`, threads are started with a stack of `STACK` bytes. One thread at a time is within.

    Python knows one size for the whole process. It is put back afterwards; a size that other code sets meanwhile stays.
    Two things cannot be helped: a thread that other code starts meanwhile has such a stack, too, and other code that
    reads the size meanwhile, to put it back later, puts back this one.
    """
    with _stack_size:
        before = threading.stack_size(STACK)  # asked without a size, it forgets the one that was set
        threading.stack_size(ours := max(before, STACK))
        try:
            yield
        finally:
            if (meanwhile := threading.stack_size(before)) != ours:
                threading.stack_size(meanwhile)


class InterruptLater:
    """Within `with InterruptLater() as interrupt`, Ctrl-C only makes `interrupt.requested` true; a second one raises.

    The work looks at it between two steps, saves what it has and raises KeyboardInterrupt itself. It stays false
    outside the main thread, where no signals arrive, and in a process that ignores Ctrl-C, as `nohup` starts one.
    """

    def __init__(self) -> None:
        self.requested = False
        self.stop = Stop()
        """set when it is requested, for work that can be ended so"""
        self.since = 0.0
        """when it was requested"""

    def __enter__(self) -> InterruptLater:
        self._before = None
        before = signal.getsignal(signal.SIGINT)  # None if Python has not set it, and so could not put it back
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
    """Interrupted work did not return; the thread in which it runs was left behind."""

    def __init__(self) -> None:
        _left_behind.set()
        super().__init__("code that does not return was left behind; its thread runs until Python is restarted")


def is_something_left_behind() -> bool:
    """Whether a thread of this process may still run code that does not return."""
    return _left_behind.is_set()


class _Worker:
    """A thread that does one thing after the other for the thread that has made it, and ends with it."""

    def __init__(self) -> None:
        self.process = os.getpid()  # a forked child has the object, but not the thread
        self._work: queue.SimpleQueue[Callable[[], Any] | None] = queue.SimpleQueue()
        self._results: queue.SimpleQueue[tuple[Any, BaseException | None, float]] = queue.SimpleQueue()
        with deep_stacks():
            threading.Thread(target=_work_off, args=(self._work, self._results), daemon=True).start()

    def __del__(self) -> None:
        self._work.put(None)

    def do(self, work: Callable[[], T]) -> T:
        """What `work()` returns or raises."""
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
    """What `work()` returns or raises. It is done in another thread, so that Ctrl-C is heard while compiled code runs.

    Raises KeyboardInterrupt at Ctrl-C, once the work has come to its end, and LeftBehindError if that takes longer
    than `PATIENCE`. Where an InterruptLater notes Ctrl-C, only the latter is raised, in whichever thread.
    """
    worker: _Worker | None = getattr(_of_thread, "worker", None)
    if worker is None or worker.process != os.getpid():
        worker = _of_thread.worker = _Worker()
    try:
        return worker.do(work)
    except KeyboardInterrupt:
        del _of_thread.worker
        raise
