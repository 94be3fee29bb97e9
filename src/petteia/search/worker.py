"""A thread that searches while its caller hears Ctrl-C and the clock."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from petteia.core.arrays import Ints
from petteia.core.interrupt import InterruptLater
from petteia.search.memory import STOP

T = TypeVar("T")

POLL_SECONDS, LEAST_SECONDS = 0.1, 0.001
STACK = 16 << 20
"""bytes of the stack, as a search goes as deep as a game is long: some systems give a thread half a megabyte"""


class Worker:
    """Runs one search after the other in a thread of its own."""

    def __init__(self) -> None:
        self._thread: ThreadPoolExecutor | None = None
        self._process = 0

    def run(self, search: Callable[[], T], counters: Ints, until: float | None) -> tuple[T, bool]:
        """What `search()` returns, and whether Ctrl-C has ended it.

        At Ctrl-C, or at `until` (seconds of `time.monotonic`), the search is told to end by `counters[STOP]`.
        """
        with InterruptLater() as interrupt:
            before = threading.stack_size(STACK)
            try:
                working = self._of_this_process().submit(search)
            finally:
                threading.stack_size(before)
            try:
                while not working.done():
                    left = POLL_SECONDS if until is None else until - time.monotonic()
                    with suppress(TimeoutError):
                        working.exception(min(max(left, LEAST_SECONDS), POLL_SECONDS))
                    if interrupt.requested or (until is not None and time.monotonic() >= until):
                        counters[STOP] = 1
            finally:  # a second Ctrl-C ends the waiting, and must end the search
                counters[STOP] = 1
        return working.result(), interrupt.requested

    def _of_this_process(self) -> ThreadPoolExecutor:
        """The thread; a process that has been forked from the one that started it needs its own."""
        if self._thread is None or self._process != os.getpid():
            self._thread, self._process = ThreadPoolExecutor(1, "search"), os.getpid()
        return self._thread
