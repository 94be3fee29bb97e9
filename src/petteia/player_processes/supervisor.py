"""A process between parent and child that ends, with the child, all that the child has started.

On Linux it becomes the parent of whatever loses its own (`PR_SET_CHILD_SUBREAPER`). So a process that the child has
started cannot leave, even in a session of its own, even if who has started it has ended. When the child ends, when the
parent says so (SIGTERM), or when the parent is gone (its end of a pipe is closed), the supervisor kills its children
until it has none. It ends as the child has ended. On other systems the group of the child is killed alone.
"""

from __future__ import annotations

import os
import resource
import select
import signal
from contextlib import suppress
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36
"""of Linux's <sys/prctl.h>"""
ASKED = 1
"""exit code of a supervisor whose child was alive when it was asked to end"""


def supervise(line: int, talk: int) -> None:
    """Return in a new process, the child, which leads a session of its own, and stay behind as its supervisor.

    `line` is the end of the pipe that tells whether the parent is there, `talk` a descriptor that is the child's alone.
    """
    _adopt_orphans()
    wakes, wakened = os.pipe()
    os.set_blocking(wakened, False)
    signal.set_wakeup_fd(wakened, warn_on_full_buffer=False)
    for number in (signal.SIGCHLD, signal.SIGTERM):
        signal.signal(number, lambda number, frame: None)
    child = os.fork()
    if child == 0:
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGCHLD, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        os.close(wakes)
        os.close(wakened)
        os.setsid()
        return
    empty = os.open(os.devnull, os.O_RDWR)
    for output in (1, 2):
        os.dup2(empty, output)
    os.close(talk)
    code = _watch(child, line, wakes)
    _end_all(child)
    _end_as(code)


def _adopt_orphans() -> None:
    """Become the parent of all processes below this one that lose theirs."""
    import ctypes

    with suppress(OSError, AttributeError):  # another system
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _watch(child: int, line: int, wakes: int) -> int:
    """How the child has ended, as of `os.waitstatus_to_exitcode`; ASKED if it has to be ended."""
    while True:
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                if ended[0] == child:
                    return os.waitstatus_to_exitcode(ended[1])
        ready, _, _ = select.select([line, wakes], [], [])
        if line in ready or (wakes in ready and signal.SIGTERM in os.read(wakes, 1 << 12)):
            return ASKED


def _end_all(child: int) -> None:
    """Kill the group of the child, then all children until there are none: those of a killed one come here."""
    with suppress(OSError):
        os.killpg(child, signal.SIGKILL)
    with suppress(ChildProcessError):
        while True:
            for each in _children():
                with suppress(ProcessLookupError):
                    os.kill(each, signal.SIGKILL)
            os.waitpid(-1, 0)


def _children() -> list[int]:
    """The processes whose parent is this one, where the system tells."""
    return [int(place.parent.name) for place in Path("/proc").glob("[0-9]*/stat") if _parent(place) == os.getpid()]


def _parent(place: Path) -> int:
    """The number of the parent of the process with this file; 0 if the process is gone."""
    try:
        return int(place.read_bytes().rpartition(b")")[2].split()[1])  # the name before the bracket may be anything
    except OSError:
        return 0


def _end_as(code: int) -> None:
    """End as the child has ended, by a signal if it was one."""
    if code < 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with suppress(OSError, ValueError):
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)
