"""Measurements of how late the operating system wakes up a sleeping thread.

Late wake-ups show that measured thinking times are unreliable.

A thread sleeps repeatedly and records how late it wakes up. It wakes up late if there are more busy processes than
processors, if a virtual machine is paused, or if a laptop was asleep. The measured time of a player then depends on the
machine more than on the player.
"""

from __future__ import annotations

import threading
import time
from types import TracebackType

STEP = 0.01
"""the duration of one sleep of the thread, in seconds"""
OWN_SHARE = 0.8
"""the maximum share of a delay that this process may spend as processor time; above it, a player in this process caused
the delay, and not the machine"""


class Wakeups:
    """A context manager that measures how late the operating system wakes up a sleeping thread."""

    def __init__(self) -> None:
        self._latest = 0.0
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def take(self) -> float:
        """Return the longest delay of a wake-up since the last call, in seconds."""
        latest, self._latest = self._latest, 0.0
        return latest

    def _watch(self) -> None:
        while not self._is_over.is_set():
            begin, worked = time.monotonic(), time.process_time()
            time.sleep(STEP)
            late, worked = time.monotonic() - begin - STEP, time.process_time() - worked
            if worked < OWN_SHARE * (late + STEP):
                self._latest = max(self._latest, late)

    def __enter__(self) -> Wakeups:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._is_over.set()
