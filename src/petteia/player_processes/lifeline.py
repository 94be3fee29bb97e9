"""A process that ends with its parent, however that ends.

The parent holds the writing end of a pipe, the process the reading end. When the parent is gone, the end of the pipe is
closed by the system. On Linux the system itself then kills the process (`F_SETSIG`), also one in an endless loop of
compiled code, with all the processes of its group. A thread waits for the end, too, where the system cannot do that; it
needs the interpreter to run others now and then.
"""

from __future__ import annotations

import fcntl
import os
import signal
import threading
from contextlib import suppress


def end_with_parent(reading: int, *, group: bool) -> None:
    """Let this process end when the other end of the pipe `reading` is closed; with `group`, its whole group, too."""
    if hasattr(fcntl, "F_SETSIG"):
        with suppress(OSError):  # a kernel may not have it
            fcntl.fcntl(reading, fcntl.F_SETOWN, -os.getpgrp() if group else os.getpid())
            fcntl.fcntl(reading, fcntl.F_SETSIG, signal.SIGKILL)
            fcntl.fcntl(reading, fcntl.F_SETFL, fcntl.fcntl(reading, fcntl.F_GETFL) | os.O_ASYNC)
    threading.Thread(target=_wait, args=(reading, group), daemon=True).start()


def _wait(reading: int, group: bool) -> None:
    with suppress(OSError):  # somebody here has closed it
        os.read(reading, 1)
        _end(group)


def _end(group: bool) -> None:
    if group:
        os.killpg(0, signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGKILL)
