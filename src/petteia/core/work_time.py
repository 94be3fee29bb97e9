"""Processor time of a thread, including the threads that it uses, and excluding compilation."""

from __future__ import annotations

import threading
import time

_of_thread = threading.local()


def work_time() -> float:
    """Return the processor time of this thread's work in seconds. Only differences between results are meaningful."""
    elsewhere: float = getattr(_of_thread, "elsewhere", 0.0)
    return time.thread_time() + elsewhere


def add_work_time(seconds: float) -> None:
    """Add `seconds` of processor time to this thread's work time, such as the time of another thread.

    `seconds` is negative if time is to be subtracted, such as the time of a compilation.
    """
    _of_thread.elsewhere = getattr(_of_thread, "elsewhere", 0.0) + seconds
