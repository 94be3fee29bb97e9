"""Processes that do tasks, behind the interface of `concurrent.futures.Executor`.

They are started when they are first needed, kept from match to match, and end with the process that has started them,
however that ends. One that is killed costs the task that it was doing; another takes its place.
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
"""seconds that a process may take to end by itself"""


class _Asked(NamedTuple):
    future: Future[Any]
    function: Callable[..., Any]
    arguments: tuple[Any, ...]


_Queue = queue.SimpleQueue[_Asked | None]


class _Worker:
    """A process, and the thread that talks with it."""

    def __init__(self, process: SpawnProcess, connection: Connection, asked: _Queue) -> None:
        self.process, self.connection = process, connection
        self.is_lost = False
        self.thread = threading.Thread(target=self._serve, args=(asked,), daemon=True)
        self.thread.start()

    def _serve(self, asked: _Queue) -> None:
        """Hand what is asked on to the process, and its answers back, as long as it lives."""
        with self.connection:
            while (each := asked.get()) is not None:
                if not each.future.set_running_or_notify_cancel():
                    continue
                try:
                    answer = self.ask(each.function, *each.arguments)
                except (EOFError, OSError):
                    self.is_lost = True  # before anybody is told, who may ask for another
                    each.future.set_exception(BrokenExecutor("the process has died"))
                    return
                except Exception as error:  # what cannot be sent
                    answer = error
                if isinstance(answer, BaseException):
                    each.future.set_exception(answer)
                else:
                    each.future.set_result(answer)
            with suppress(OSError):
                self.connection.send(None)

    def ask(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """What the function returns or raises there, as a value."""
        self.connection.send((function, arguments))
        return self.connection.recv()


class Processes(Executor):
    """Up to `maximum` processes, each of which does one thing after the other."""

    def __init__(self, maximum: int) -> None:
        self.maximum = maximum
        self._workers = list[_Worker]()
        self._asked: _Queue = queue.SimpleQueue()
        self._open = 0
        self._counting = threading.Lock()

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **options: Any) -> Future[Any]:
        """Let a process call `function(*arguments)`; a process that dies meanwhile is told by a `BrokenExecutor`."""
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
        context = multiprocessing.get_context("spawn")  # the same everywhere, and safe beside threads
        with _interrupts_ignored(), _safe_path():  # inherited: processes that still begin do not hear them either
            ours, theirs = context.Pipe()
            process = context.Process(target=_work, args=(theirs,))
            process.start()
            theirs.close()
        self._workers.append(_Worker(process, ours, self._asked))

    def finish(self) -> list[str]:
        """Let the players of all processes go, when nothing is being done; what they said to that."""
        remarks = list[str]()
        for each in self._workers:
            with suppress(OSError, EOFError):
                remarks += each.ask(task.finish)
        return remarks

    def stop(self) -> None:
        """End the processes at once, whatever they are doing."""
        for each in self._workers:
            each.process.terminate()
        self._join()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes when they have done what was asked of them."""
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
    """Let processes that begin find Python's own modules, whatever files of such names are in the working folder."""
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
    if threading.current_thread() is not threading.main_thread():  # elsewhere signals cannot be set
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


# In a process.


def _work(connection: Connection) -> None:
    """Do what is asked, one thing after the other; None is the end.

    An interrupt at the keyboard is for the first process, which ends the others.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _end_with_parent()
    try:
        with suppress(EOFError):
            while (asked := connection.recv()) is not None:
                function, arguments = asked
                try:
                    answer = function(*arguments)
                except Exception as error:  # which is raised in the first process
                    answer = error
                connection.send(answer)
    finally:
        task.finish()
        task.close()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None and os.name == "posix":
        from petteia.player_processes.lifeline import end_with_parent  # which does not import elsewhere

        end_with_parent(int(parent.sentinel), group=False)
