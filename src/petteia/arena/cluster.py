"""Workers of a cluster, by Dask: on other machines, or on this one (`local:2`).

A task is done on whichever worker is free. One whose worker dies is done again on another. Versions are compared when a
worker is met first; by what code the results of a task come about the worker compares itself, before it begins. What a
scheduler is sent it runs, whoever sends it: so a cluster must only be open to those who may run programs on it.
"""

from __future__ import annotations

import logging
import pickle
import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from contextlib import contextmanager, suppress
from typing import Any

from petteia.core.errors import PetteiaError, UsageError
from petteia.provenance.live import Parts, listed

LOCAL = re.compile(r"local:([1-9][0-9]{0,2})", re.ASCII)
PACKAGES = ("petteia", "numba")
"""packages that all workers must have in the version of this process, as they must have its Python"""
SECONDS_TO_CONNECT, SECONDS_FOR_WORKERS = 10.0, 60.0
SECONDS_KNOWN = 2.0
"""how long it is taken for granted which workers there are"""
QUEUED = 2
"""tasks for each worker: one that it does, and one that waits there, so that it never waits itself"""


class Cluster:
    """A cluster of Dask: the address of its scheduler, or `local:N` for N processes of this machine.

    Raises a PetteiaError without Dask, or if the cluster cannot be reached, has no workers, or has other versions; a
    UsageError for workers with several threads.
    """

    def __init__(self, where: str) -> None:
        try:
            import distributed
        except ImportError:
            raise PetteiaError("a cluster needs Dask; install it with: pip install 'petteia[cluster]'") from None
        for name in ("distributed", "tornado", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # what matters is told in one line
        self.where = where
        self.deaths: tuple[type[BaseException], ...] = (distributed.KilledWorker, CancelledError)
        """the errors that tell that a worker has died; where the scheduler is lost, nothing can be asked again"""
        self._cluster: Any = None
        local = LOCAL.fullmatch(where)
        if local is None and "://" not in where:
            raise UsageError(f"cluster={where!r}: must be the address of a scheduler, tcp://HOST:PORT, or local:N")
        try:
            if local is not None:
                self._cluster = distributed.LocalCluster(
                    n_workers=int(local[1]),
                    threads_per_worker=1,
                    memory_limit=0,
                    dashboard_address="127.0.0.1:0",  # any free port: the usual one may be taken
                    silence_logs=logging.CRITICAL,
                )
            self._client = distributed.Client(self._cluster or where, timeout=SECONDS_TO_CONNECT, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            self.close()
            raise PetteiaError(f"cluster {where}: cannot be reached: {one_line(error)}") from None
        try:
            self._client.wait_for_workers(1, timeout=SECONDS_FOR_WORKERS)
            self._workers: dict[str, int] = {}
            self._known_at = -SECONDS_KNOWN
            _ = self.workers
        except TimeoutError:
            self.close()
            raise PetteiaError(f"cluster {where}: no worker has come within {SECONDS_FOR_WORKERS:g} s") from None
        except BaseException:
            self.close()
            raise
        self._executor: Executor = self._client.get_executor(pure=False)

    @property
    def workers(self) -> int:
        """The number of workers now, each with one thread; new ones are compared with this process."""
        if time.monotonic() - self._known_at >= SECONDS_KNOWN:
            with suppress(OSError, TimeoutError):  # those known stay the best guess
                found = dict(self._client.nthreads())
                if found.keys() - self._workers.keys():
                    self._check(found)
                self._workers = found
            self._known_at = time.monotonic()
        return max(1, len(self._workers))

    def _check(self, workers: dict[str, int]) -> None:
        """Raise an error unless all workers have one thread, and the versions of this process."""
        for address, threads in workers.items():
            if threads != 1:
                raise UsageError(
                    f"cluster {self.where}: worker {address} has {threads} threads; start workers with --nthreads 1"
                )
        found = self._client.get_versions(packages=list(PACKAGES))
        ours = _versions(found["client"])
        for address, each in found["workers"].items():
            for name, version in _versions(each).items():
                if version != ours[name]:
                    raise PetteiaError(
                        f"cluster {self.where}: worker {address} has {name} {version or 'not at all'}, this is "
                        f"{ours[name]}; give both the same"
                    )

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Let a worker call `function(*arguments)`; what is wrong there names the worker."""
        self.check_connected()
        return self._executor.submit(_on_worker, pickle.dumps((function, arguments)))

    def check_connected(self) -> None:
        """Raise a PetteiaError if the scheduler is lost."""
        if self._client.status != "running":
            raise PetteiaError(f"cluster {self.where}: its scheduler is lost; start it, and the same command goes on")

    def close(self) -> None:
        """Leave the cluster; a local one ends."""
        for each in (getattr(self, "_client", None), self._cluster):
            if each is not None:
                with suppress(OSError, TimeoutError, RuntimeError):
                    each.close(timeout=SECONDS_TO_CONNECT)


@contextmanager
def connected(where: str | Cluster | None) -> Iterator[Cluster | None]:
    """The cluster at an address, which is left at the end; one that is connected already, or None, as it is."""
    if not isinstance(where, str):
        yield where
        return
    cluster = Cluster(where)
    try:
        yield cluster
    finally:
        cluster.close()


def _versions(of: dict[str, Any]) -> dict[str, str | None]:
    return {"Python": of["host"]["python"], **{name: of["packages"].get(name) for name in PACKAGES}}


def one_line(error: BaseException) -> str:
    """What an error says, in one line."""
    return " ".join(str(error).split()) or type(error).__name__


# On a worker.


def _on_worker(call: bytes) -> Any:
    """What a call returns; an error that people can mend says where it was met.

    The call is pickled, so that users' modules are looked for here alone, and not by the scheduler.
    """
    try:
        function, arguments = pickle.loads(call)
    except (ImportError, AttributeError) as error:
        raise PetteiaError(f"{_here()}: {one_line(error)}; put its folder into PYTHONPATH of the worker") from None
    try:
        return function(*arguments)
    except PetteiaError as error:
        error.args = (f"{_here()}: {error}",)
        raise


def check_same_code(needed: Parts, found: Parts) -> None:
    """Raise a PetteiaError if the code by which results come about is other code on this worker.

    `needed` is that of the process which asks for the results, `found` that of this one.
    """
    if other := sorted(name for name in needed.keys() | found.keys() if needed.get(name) != found.get(name)):
        raise PetteiaError(f"its code of {listed(other)} is not that of your machine; give it the same, and restart it")


def _here() -> str:
    from distributed import get_worker

    return f"worker {get_worker().address}"
