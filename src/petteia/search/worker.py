"""Threads that search while their callers hear Ctrl-C and the clock."""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from petteia.core.arrays import Ints
from petteia.core.interrupt import InterruptLater, deep_stacks
from petteia.search.memory import STOP

T = TypeVar("T")

POLL_SECONDS, LEAST_SECONDS = 0.1, 0.001
AT_ONCE = 1000
"""searches of one process that can run at the same time; further ones wait"""


def run_apart(search: Callable[[], T], counters: Ints, until: float | None) -> tuple[T, bool]:
    """What `search()` returns, run in another thread, and whether Ctrl-C has ended it. Any number of threads may call.

    At Ctrl-C, or at `until` (seconds of `time.monotonic`), the search is told to end by `counters[STOP]`.
    """
    with InterruptLater() as interrupt:
        with deep_stacks():
            working = _threads(os.getpid()).submit(search)
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


@functools.cache
def _threads(process: int) -> ThreadPoolExecutor:
    """The threads of this process, started when needed; one that was forked has none of those of its parent."""
    return ThreadPoolExecutor(AT_ONCE, "search")
