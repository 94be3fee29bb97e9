"""The processor time of a thread's work, without compilation. It includes the time of threads that work for it."""

from __future__ import annotations

import threading
import time

_of_thread = threading.local()


def work_time() -> float:
    """Return the processor time of this thread's work in seconds, counted from an arbitrary moment."""
    elsewhere: float = getattr(_of_thread, "elsewhere", 0.0)
    return time.thread_time() + elsewhere


def add_work_time(seconds: float) -> None:
    """Add seconds of other threads to the work time of this thread. A negative number subtracts time."""
    _of_thread.elsewhere = getattr(_of_thread, "elsewhere", 0.0) + seconds
