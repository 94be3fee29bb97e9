"""A time limit for each call of custom code in the threads of the server.

Custom games are drawn in a child process, which can be killed (`pictures`), but their rules run in this process. A
separate thread watches the threads that answer requests or compute moves. If a call of custom code takes too long, the
watching thread raises an exception in the thread of this call. So the call ends, and its locks are released. Calls of
compiled code cannot be ended in this way.
"""

from __future__ import annotations

import ctypes
import functools
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import TypeVar

from petteia.core.errors import PetteiaError
from petteia.foreign.places import is_custom
from petteia.web.words import words

SECONDS = 5.0
"""The maximum time of a call of custom code, in seconds."""
INTERVAL = 0.25
"""The time between two checks of the threads, in seconds."""

Result = TypeVar("Result")


class _TooSlow(BaseException):
    """Raised in the thread of a call of custom code that takes too long.

    The base class is BaseException, because custom code that catches all errors usually catches only Exception.
    """


class _Work:
    """A call of `limited` in one thread. The method `check` interrupts calls of custom code that take too long."""

    def __init__(self, base: FrameType) -> None:
        """Begin to watch the current thread. `base` is the frame of the function that calls custom code."""
        self.base, self.thread = base, threading.get_ident()
        self.call: FrameType | None = None
        """the frame of the current call of custom code; None if there is no such call"""
        self.since = 0.0
        """the time at which this call was first seen"""
        self.place = ""
        """the place, in a file, of a call that was ended; empty if none was"""

    def check(self, frame: FrameType | None, now: float) -> None:
        """Check how long the current call of custom code has lasted, and interrupt it if it takes too long.

        `frame` is the innermost frame of the watched thread, and `now` is the time in seconds.
        """
        call = _outermost_call(frame, self.base)
        if call is None or call is not self.call:
            self.call, self.since = call, now
        elif now - self.since > SECONDS:
            self.place = f"{call.f_code.co_name} ({Path(call.f_code.co_filename).name}, line {call.f_lineno})"
            self.since = now  # if custom code catches the exception, it is raised again
            _raise_in(self.thread, _TooSlow)


_all_work: set[_Work] = set()
_changed = threading.Condition()


def limited(work: Callable[[], Result]) -> Result:
    """Call `work`. Raises PetteiaError if a call of custom code within it takes longer than `SECONDS`."""
    watched = _Work(sys._getframe())
    try:
        _watcher()
        with _changed:
            _all_work.add(watched)
            _changed.notify()
        try:
            return work()
        finally:
            with _changed:
                _all_work.discard(watched)
                if watched.place:
                    _raise_in(watched.thread, None)
    except _TooSlow:
        with _changed:
            _all_work.discard(watched)
        raise PetteiaError(words()["game_slow"].format(where=watched.place, seconds=f"{SECONDS:g}")) from None


@functools.cache
def _watcher() -> threading.Thread:
    """Return the thread that watches the calls of custom code. The first call of this function starts the thread."""
    thread = threading.Thread(target=_watch, name="time limit", daemon=True)
    thread.start()
    return thread


def _watch() -> None:
    while True:
        with _changed:
            while not _all_work:
                _changed.wait()
            frames, now = sys._current_frames(), time.monotonic()
            for work in _all_work:
                work.check(frames.get(work.thread), now)
            del frames
        time.sleep(INTERVAL)


def _outermost_call(frame: FrameType | None, base: FrameType) -> FrameType | None:
    """Return the outermost frame of custom code between `frame` and `base`, or None if there is none."""
    call = None
    while frame is not None and frame is not base:
        file = frame.f_code.co_filename
        if not file.startswith("<") and is_custom(file):  # methods of named tuples have the file "<string>"
            call = frame
        frame = frame.f_back
    return call


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Raise an exception in another thread. If `error` is None, cancel a pending exception."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), error and ctypes.py_object(error))
