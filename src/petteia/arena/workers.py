"""Workers with a common interface, which play games: the calling thread, other threads, processes, or a cluster.

Each kind of worker has the interface of `concurrent.futures.Executor`. Threads play the games that run in compiled
code, and need no time to start. Processes play all other games.
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
"""the maximum number of threads or processes; a larger number is reduced to it, and the games are the same"""


class Here(Executor):
    """An executor that runs a call at once, in the calling thread."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **options: Any) -> Future[Any]:
        """Run `function(*arguments)` at once, and return a `Future` with its result or exception.

        Interrupts are raised at once.
        """
        future: Future[Any] = Future()
        try:
            future.set_result(function(*arguments, **options))
        except Exception as error:  # raised when the result is read
            future.set_exception(error)
        return future


class Workers:
    """The workers that play games: at most `jobs` threads or processes, or a cluster.

    A `Workers` object also owns the child processes in which custom players run.

    Workers are started when they are first needed. If `cluster` is given (the address of a Dask scheduler, `local:N`,
    or a connected cluster), the workers of this cluster play all games. As a context manager, the object ends all its
    workers and child processes on exit.
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
        """The number of workers that play at the same time."""
        return self._jobs if self.cluster is None else self.cluster.workers

    @property
    def plays_here(self) -> bool:
        """Whether games are played in the calling thread, without other workers."""
        return self.cluster is None and self._jobs == 1

    @property
    def deaths(self) -> tuple[type[BaseException], ...]:
        """The exception types raised when a worker has died."""
        return (BrokenExecutor,) if self.cluster is None else self.cluster.deaths

    @property
    def threads(self) -> Executor:
        """An executor whose threads play games in compiled code."""
        if self._threads is None:
            self._threads = ThreadPoolExecutor(self._jobs)
        return self._threads

    @property
    def cores(self) -> int:
        """The number of processors that this process may use. With a cluster, the number of the cluster's workers."""
        if self.cluster is not None:
            return self.cluster.workers
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

    def check_connected(self) -> None:
        """Raise a PetteiaError if the connection to the scheduler of a cluster is lost."""
        if self.cluster is not None:
            self.cluster.check_connected()

    def close(self) -> None:
        """End all threads and processes. Workers end their own child processes."""
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
