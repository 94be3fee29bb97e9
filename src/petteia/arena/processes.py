"""Worker processes with the interface of `concurrent.futures.Executor`.

The processes start when they are first needed, and later matches reuse them. They end with the process that started
them, even if that process is killed. If a worker process is killed, only its current task is lost, and a new process
replaces it.
"""

from __future__ import annotations

import multiprocessing
import os
import queue
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any, NamedTuple

from petteia.arena import task

SAFE_PATH = "PYTHONSAFEPATH"
PATIENCE = 2.0
"""the time, in seconds, after which a process that does not end by itself is killed"""


class _Asked(NamedTuple):
    future: Future[Any]
    function: Callable[..., Any]
    arguments: tuple[Any, ...]


_Queue = queue.SimpleQueue[_Asked | None]


class _Worker:
    """A worker process, and the thread that sends function calls to the process and receives their results."""

    def __init__(self, process: SpawnProcess, connection: Connection, asked: _Queue) -> None:
        self.process, self.connection = process, connection
        self.is_lost = False
        self.thread = threading.Thread(target=self._serve, args=(asked,), daemon=True)
        self.thread.start()

    def _serve(self, asked: _Queue) -> None:
        """Send function calls to the process, and store its answers in the futures of the calls.

        The thread ends when the worker process ends.
        """
        with self.connection:
            while (each := asked.get()) is not None:
                if not each.future.set_running_or_notify_cancel():
                    continue
                try:
                    answer = self.ask(each.function, *each.arguments)
                except (EOFError, OSError):
                    self.is_lost = True  # set before the caller learns of it and asks for another process
                    each.future.set_exception(BrokenExecutor("the process has died"))
                    return
                except Exception as error:  # the call cannot be sent
                    answer = error
                if isinstance(answer, BaseException):
                    each.future.set_exception(answer)
                else:
                    each.future.set_result(answer)
            with suppress(OSError):
                self.connection.send(None)

    def ask(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call the function in the worker process. Return its result, or the exception that it raised."""
        self.connection.send((function, arguments))
        return self.connection.recv()


class Processes(Executor):
    """An executor with up to `maximum` worker processes, each of which runs one call at a time."""

    def __init__(self, maximum: int) -> None:
        self.maximum = maximum
        self._workers = list[_Worker]()
        self._asked: _Queue = queue.SimpleQueue()
        self._open = 0
        self._counting = threading.Lock()

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **options: Any) -> Future[Any]:
        """Submit the call `function(*arguments)` to a process, and return its future.

        If the process dies, the future raises a `BrokenExecutor`.
        """
        self._workers = [each for each in self._workers if not each.is_lost]
        future: Future[Any] = Future()
        future.add_done_callback(lambda done: self._count(-1))
        self._count(1)
        if len(self._workers) < min(self._open, self.maximum):
            self._start()
        self._asked.put(_Asked(future, function, arguments))
        return future

    def _count(self, more: int) -> None:
        with self._counting:
            self._open += more

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")  # the same on all systems, and safe with threads
        with _interrupts_ignored(), _safe_path():  # new processes inherit this while they start
            ours, theirs = context.Pipe()
            process = context.Process(target=_work, args=(theirs,))
            process.start()
            theirs.close()
        self._workers.append(_Worker(process, ours, self._asked))

    def finish(self) -> list[str]:
        """Release the players in all processes, which must be idle. Return the players' last messages for the user."""
        remarks = list[str]()
        for each in self._workers:
            with suppress(OSError, EOFError):
                remarks += each.ask(task.finish)
        return remarks

    def stop(self) -> None:
        """End all processes at once, even during a call."""
        for each in self._workers:
            each.process.terminate()
        self._join()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes after their current calls."""
        self._join()

    def _join(self) -> None:
        for _ in self._workers:
            self._asked.put(None)
        for each in self._workers:
            each.process.join(PATIENCE)
            if each.process.is_alive():
                each.process.kill()
                each.process.join()
            each.thread.join()
        self._workers.clear()
        left, self._asked = self._asked, queue.SimpleQueue()
        while not left.empty():
            if (asked := left.get()) is not None:
                asked.future.set_exception(BrokenExecutor("the processes have ended"))


@contextmanager
def _safe_path() -> Iterator[None]:
    """Return a context manager. Python processes started inside it have no working directory in `sys.path`.

    Without this context manager, a file in the working directory could replace a module of the standard library in the
    new processes.
    """
    before = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        del os.environ[SAFE_PATH]
        if before is not None:
            os.environ[SAFE_PATH] = before


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():  # only the main thread can set signals
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


# The code below runs in a worker process.


def _work(connection: Connection) -> None:
    """Run the loop of a worker process: receive function calls and send back their results.

    The worker process ends when it receives None.

    Ctrl-C has no effect in the worker process. The main process handles Ctrl-C and ends the worker processes.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _end_with_parent()
    try:
        with suppress(EOFError):
            while (asked := connection.recv()) is not None:
                function, arguments = asked
                try:
                    answer = function(*arguments)
                except Exception as error:  # the main process raises it
                    answer = error
                connection.send(answer)
    finally:
        task.finish()
        task.close()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None and os.name == "posix":
        from petteia.player_processes.lifeline import end_with_parent  # cannot be imported on Windows

        end_with_parent(int(parent.sentinel), group=False)
