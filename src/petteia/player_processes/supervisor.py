"""The supervisor, a process between parent and child. It ends the child and all processes that the child has started.

On Linux, the supervisor becomes the parent of all orphaned processes that the child has started
(`PR_SET_CHILD_SUBREAPER`). Therefore no process started by the child can escape, even if it has its own session or its
parent has ended. When the child ends, the supervisor kills these processes, and exits with the status of the child.
When the parent sends SIGTERM, or when a closed pipe shows that the parent has ended, the supervisor also kills the
child. On other systems, the supervisor only kills the process group of the child.
"""

from __future__ import annotations

import os
import resource
import select
import signal
from contextlib import suppress
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36
"""the option of `prctl` that makes a process the parent of orphaned processes, from <sys/prctl.h> of Linux"""
ASKED = 1
"""the exit code of a supervisor that had to end its child"""


def supervise(line: int, talk: int) -> None:
    """Fork this process. The function returns in the new child process, and this process becomes the supervisor.

    The child gets its own session. `line` is the file descriptor of the reading end of a pipe. The pipe is closed when
    the process that started this one ends. `talk` is the file descriptor with which the child communicates. The
    supervisor closes its copy of `talk`.
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
    """Make this process the parent of all orphaned processes that descend from it."""
    import ctypes

    with suppress(OSError, AttributeError):  # another system
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _watch(child: int, line: int, wakes: int) -> int:
    """Wait until the child ends, and return its exit code. Return ASKED if the supervisor must end the child.

    The child must be terminated if the parent has sent SIGTERM, or if the pipe `line` shows that the parent has ended.
    """
    while True:
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                if ended[0] == child:
                    return os.waitstatus_to_exitcode(ended[1])
        ready, _, _ = select.select([line, wakes], [], [])
        if line in ready or (wakes in ready and signal.SIGTERM in os.read(wakes, 1 << 12)):
            return ASKED


def _end_all(child: int) -> None:
    """Kill the process group of the child, and then all children of this process, until none is left."""
    with suppress(OSError):
        os.killpg(child, signal.SIGKILL)
    with suppress(ChildProcessError):
        while True:
            for each in _children():
                with suppress(ProcessLookupError):
                    os.kill(each, signal.SIGKILL)
            os.waitpid(-1, 0)


def _children() -> list[int]:
    """Return the process IDs of the children of this process. On systems without `/proc`, the list is empty."""
    return [int(place.parent.name) for place in Path("/proc").glob("[0-9]*/stat") if _parent(place) == os.getpid()]


def _parent(place: Path) -> int:
    """Return the process ID of the parent of a process, from its file in `/proc`, or 0 if the process has ended."""
    try:
        return int(place.read_bytes().rpartition(b")")[2].split()[1])  # the name before the bracket is arbitrary
    except OSError:
        return 0


def _end_as(code: int) -> None:
    """Exit with the status of the child. If a signal ended the child, let the same signal end this process."""
    if code < 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with suppress(OSError, ValueError):
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)
