"""Ctrl-C in long work: noted at once, acted on where nothing is half done."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType


class InterruptLater:
    """Within `with InterruptLater() as interrupt`, Ctrl-C only makes `interrupt.requested` true; a second one raises.

    The work looks at it between two steps, saves what it has and raises KeyboardInterrupt itself. Outside the main
    thread no signals arrive and it stays false.
    """

    def __init__(self) -> None:
        self.requested = False

    def __enter__(self) -> InterruptLater:
        self._before = None
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.requested:
            raise KeyboardInterrupt
        self.requested = True
