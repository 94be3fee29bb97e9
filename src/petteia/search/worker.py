"""Threads that search while their callers hear Ctrl-C and the clock."""

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
"""searches of one process that can run at the same time; further ones wait"""


class Deadline:
    """The moment at which a search is told to end, which it may move while it runs."""

    def __init__(self, at: float | None) -> None:
        """`at`: seconds of `time.monotonic`; None: no moment."""
        self.at = at
        self.news = threading.Event()
        """set when there is something to look at: another moment, or the end of the search"""

    def move(self, at: float) -> None:
        """Put it at another moment."""
        self.at = at
        self.news.set()

    @property
    def left(self) -> float:
        """The seconds until then; infinite if there is no such moment."""
        return math.inf if self.at is None else self.at - time.monotonic()


def run_apart(search: Callable[[], T], counters: Ints, deadline: Deadline) -> tuple[T, bool]:
    """What `search()` returns, run in another thread, and whether Ctrl-C has ended it. Any number of threads may call.

    At Ctrl-C, or at the deadline, the search is told to end by `counters[STOP]`.
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
        finally:  # a second Ctrl-C ends the waiting, and must end the search
            counters[STOP] = 1
    return working.result(), interrupt.requested


@functools.cache
def _threads(process: int) -> ThreadPoolExecutor:
    """The threads of this process, started when needed; one that was forked has none of those of its parent."""
    return ThreadPoolExecutor(AT_ONCE, "search")
