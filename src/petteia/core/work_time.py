"""Processor time of a thread and of the threads that work for it, without compilation."""

from __future__ import annotations

import threading
import time

_of_thread = threading.local()


def work_time() -> float:
    """Return the processor time of this thread's work in seconds, counted from an arbitrary moment."""
    elsewhere: float = getattr(_of_thread, "elsewhere", 0.0)
    return time.thread_time() + elsewhere


def add_work_time(seconds: float) -> None:
    """Add the processor time of other threads, in seconds, to this thread's work time. It may be negative."""
    _of_thread.elsewhere = getattr(_of_thread, "elsewhere", 0.0) + seconds
