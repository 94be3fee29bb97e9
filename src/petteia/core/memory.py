"""Measurement of the available memory.

A task that needs more memory is rejected with an error message. Otherwise, the system could kill the process.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

KILOBYTE = 1024
CGROUPS = Path("/sys/fs/cgroup")
MEMBERSHIP, MACHINE, PROCESS = Path("/proc/self/cgroup"), Path("/proc/meminfo"), Path("/proc/self/status")


def memory_left() -> int | None:
    """Return the number of bytes that this process can still allocate, or None if unknown.

    The memory of a process can be limited by the machine, by the containers (control groups) of the process, and by
    `ulimit`.
    """
    return min(filter(None, (*_of_machine(), *_of_containers(), *_of_limit())), default=None)


def _of_machine() -> Iterator[int]:
    yield from _sizes(MACHINE, "MemAvailable")


def _of_containers() -> Iterator[int]:
    """Yield the number of bytes left in each control group (cgroup v2) that contains this process."""
    with suppress(OSError):
        group = MEMBERSHIP.read_text().rpartition("::")[2].strip().strip("/")
        for folder in (CGROUPS / group, *(CGROUPS / group).parents):
            with suppress(OSError, ValueError):  # "max" is not a number
                maximum, used = (int((folder / f"memory.{name}").read_text()) for name in ("max", "current"))
                yield max(1, maximum - used)


def _of_limit() -> Iterator[int]:
    """Yield the bytes left under the limits of the address space (`ulimit -v`) and the data segment (`ulimit -d`)."""
    if importlib.util.find_spec("resource") is None:  # as on Windows
        return
    import resource

    for limit, used in ((resource.RLIMIT_AS, "VmSize"), (resource.RLIMIT_DATA, "VmData")):
        maximum, _ = resource.getrlimit(limit)
        if maximum != resource.RLIM_INFINITY:
            yield from (max(1, maximum - size) for size in _sizes(PROCESS, used))


def _sizes(path: Path, name: str) -> Iterator[int]:
    """Yield the sizes, in bytes, from the lines of the system file `path` that begin with `name`."""
    with suppress(OSError):
        for line in path.read_text().splitlines():
            if line.startswith(f"{name}:"):
                yield int(line.split()[1]) * KILOBYTE
