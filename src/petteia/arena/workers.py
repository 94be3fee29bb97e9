"""Who plays the games of matches: this thread, threads, processes, or a cluster, all behind one interface.

That is the interface of `concurrent.futures.Executor`. Threads do what is compiled, and need no time to start. All else
is done by processes.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from typing import Any

from petteia.arena.cluster import Cluster
from petteia.arena.processes import Processes
from petteia.core.decision import ALLOWANCE, Allowance
from petteia.player_processes.process import Children

MAX_JOBS = 256
"""threads or processes; the games are the same with fewer than were asked for"""


class Here(Executor):
    """Does what is asked at once, in the thread that asks."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **options: Any) -> Future[Any]:
        """What `function(*arguments)` returns or raises, an interrupt at once."""
        future: Future[Any] = Future()
        try:
            future.set_result(function(*arguments, **options))
        except Exception as error:  # which is raised where the result is looked at
            future.set_exception(error)
        return future


class Workers:
    """Up to `jobs` threads or processes that play games, started when they are first needed, and the children here.

    With `cluster`, the address of a scheduler, `local:N`, or a cluster that is connected already, its workers play
    instead. Used with `with`, after which all have ended.
    """

    def __init__(
        self,
        jobs: int = 1,
        allowance: Allowance = ALLOWANCE,
        *,
        in_process: bool = False,
        cluster: str | Cluster | None = None,
    ) -> None:
        self._jobs = min(jobs, MAX_JOBS)
        self._is_connected_here = isinstance(cluster, str)
        self.cluster = Cluster(cluster) if isinstance(cluster, str) else cluster
        self.children = Children(allowance, in_process=in_process)
        self.here = Here()
        self.processes = Processes(self._jobs)
        self._threads: ThreadPoolExecutor | None = None

    @property
    def jobs(self) -> int:
        """How many play at a time."""
        return self._jobs if self.cluster is None else self.cluster.workers

    @property
    def plays_here(self) -> bool:
        """Whether this thread plays itself."""
        return self.cluster is None and self._jobs == 1

    @property
    def deaths(self) -> tuple[type[BaseException], ...]:
        """The errors that tell that a worker has died."""
        return (BrokenExecutor,) if self.cluster is None else self.cluster.deaths

    @property
    def threads(self) -> Executor:
        """Threads of this process."""
        if self._threads is None:
            self._threads = ThreadPoolExecutor(self._jobs)
        return self._threads

    @property
    def cores(self) -> int:
        """The processors that this process may use, or a cluster has workers."""
        if self.cluster is not None:
            return self.cluster.workers
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

    def check_connected(self) -> None:
        """Raise a PetteiaError if the scheduler of a cluster is lost."""
        if self.cluster is not None:
            self.cluster.check_connected()

    def close(self) -> None:
        """End all threads and processes; those of workers end with the workers."""
        if self._threads is not None:
            self._threads.shutdown()
        self.processes.shutdown()
        if self.cluster is not None and self._is_connected_here:
            self.cluster.close()
        self.children.close()

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()
