"""Processor time of a thread's work, including other threads that work for it, without compilation."""

from __future__ import annotations

import threading
import time

_of_thread = threading.local()


def work_time() -> float:
    """Seconds of processor time of this thread's work, since an arbitrary moment."""
    elsewhere: float = getattr(_of_thread, "elsewhere", 0.0)
    return time.thread_time() + elsewhere


def add_work_time(seconds: float) -> None:
    """Add seconds of other threads to the work of this thread; a negative number subtracts time."""
    _of_thread.elsewhere = getattr(_of_thread, "elsewhere", 0.0) + seconds
