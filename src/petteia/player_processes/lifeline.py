"""A process that ends with its parent, even if the parent is killed.

The parent holds the writing end of a pipe, and the process holds the reading end. When the parent ends, the operating
system closes the writing end. On Linux, the operating system then kills the process and its process group (`F_SETSIG`),
even if compiled code runs in an endless loop. On other systems, a thread of the process waits until the pipe is closed,
and then ends the process. The thread cannot run while compiled code blocks the interpreter.
"""

from __future__ import annotations

import fcntl
import os
import signal
import threading
from contextlib import suppress


def end_with_parent(reading: int, *, group: bool) -> None:
    """End this process as soon as the other end of the pipe `reading` is closed.

    If `group` is True, end all processes of the process group.
    """
    if hasattr(fcntl, "F_SETSIG"):
        with suppress(OSError):  # some kernels do not support it
            fcntl.fcntl(reading, fcntl.F_SETOWN, -os.getpgrp() if group else os.getpid())
            fcntl.fcntl(reading, fcntl.F_SETSIG, signal.SIGKILL)
            fcntl.fcntl(reading, fcntl.F_SETFL, fcntl.fcntl(reading, fcntl.F_GETFL) | os.O_ASYNC)
    threading.Thread(target=_wait, args=(reading, group), daemon=True).start()


def _wait(reading: int, group: bool) -> None:
    with suppress(OSError):  # custom code has closed it
        os.read(reading, 1)
        _end(group)


def _end(group: bool) -> None:
    if group:
        os.killpg(0, signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGKILL)
