"""Processor time that went into a thread's work: its own, and that of threads that work for it; compiling left out."""

from __future__ import annotations

import threading
import time

_of_thread = threading.local()


def work_time() -> float:
    """Seconds of processor time of this thread's work, since some moment before."""
    elsewhere: float = getattr(_of_thread, "elsewhere", 0.0)
    return time.thread_time() + elsewhere


def add_work_time(seconds: float) -> None:
    """Count this time, too, as it went into this thread's work; a time below 0 did not."""
    _of_thread.elsewhere = getattr(_of_thread, "elsewhere", 0.0) + seconds
