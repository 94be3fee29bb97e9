"""Threads that run searches, so that the calling thread can react to Ctrl-C and to the time limit."""

from __future__ import annotations

import functools
import math
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from petteia.core.arrays import Ints
from petteia.core.interrupt import InterruptLater, deep_stacks
from petteia.search.memory import STOP

T = TypeVar("T")

POLL_SECONDS, MIN_SECONDS = 0.1, 0.001
AT_ONCE = 1000
"""The maximum number of searches that run at the same time in a process. Further searches wait."""


class Deadline:
    """The time at which a search must end. It can be changed during the search."""

    def __init__(self, at: float | None) -> None:
        """Create a deadline at `at` seconds of `time.monotonic`; None means no deadline."""
        self.at = at
        self.news = threading.Event()
        """the event that is set when the deadline has changed or the search has ended"""

    def move(self, at: float) -> None:
        """Change the deadline to `at`."""
        self.at = at
        self.news.set()

    @property
    def left(self) -> float:
        """Return the number of seconds until the deadline, or infinity if there is no deadline."""
        return math.inf if self.at is None else self.at - time.monotonic()


def run_apart(search: Callable[[], T], counters: Ints, deadline: Deadline) -> tuple[T, bool]:
    """Run `search()` in another thread. Return its result, and whether Ctrl-C has ended it.

    Ctrl-C or the deadline sets `counters[STOP]`, which ends the search. Any number of threads may call this function at
    the same time.
    """
    with InterruptLater() as interrupt:
        with deep_stacks():
            working = _threads(os.getpid()).submit(search)
        working.add_done_callback(lambda _: deadline.news.set())
        try:
            while not working.done():
                deadline.news.wait(min(max(deadline.left, MIN_SECONDS), POLL_SECONDS))
                deadline.news.clear()
                if interrupt.requested or deadline.left <= 0.0:
                    counters[STOP] = 1
        finally:  # a second Ctrl-C ends the waiting and must end the search, too
            counters[STOP] = 1
    return working.result(), interrupt.requested


@functools.cache
def _threads(process: int) -> ThreadPoolExecutor:
    """Return the thread pool of this process. A forked process needs a new pool."""
    return ThreadPoolExecutor(AT_ONCE, "search")
