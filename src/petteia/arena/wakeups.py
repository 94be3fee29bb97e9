"""Whether the machine lets the referee wake up in time, so that it can trust what it measures.

A thread sleeps again and again, and notes by how much it wakes up too late. That happens where more processes want to
run than there are processors, where a virtual machine is held, or a laptop was asleep. Whoever measures the times of
players then measures the machine.
"""

from __future__ import annotations

import threading
import time
from types import TracebackType

STEP = 0.01
"""seconds that the thread sleeps"""
OWN_SHARE = 0.8
"""of the time that it is late, as seconds of processor time of this process: then it was kept waiting by a player that
runs in this process, which is that player's fault"""


class Wakeups:
    """Notes how late the referee wakes up, from `with Wakeups() as wakeups:` on."""

    def __init__(self) -> None:
        self._latest = 0.0
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def take(self) -> float:
        """The longest delay of a wake-up since this was last asked for, in seconds."""
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
