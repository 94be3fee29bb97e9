"""Workers of a Dask cluster, on any machines. For an address such as `local:2`, new workers start on this machine.

Each task is given to an idle worker. If the worker dies, another worker repeats the task. Workers must have the same
package versions as this process, which is checked when a worker is first used. They must also have the same code of the
players and the game, which is checked before each task.

The scheduler of a Dask cluster runs code for everyone who can connect to it. Make sure that only people who may run
programs on its machines can connect to it.
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
"""the packages of which all workers must have the same version as this process; Python must have the same version,
too"""
SECONDS_TO_CONNECT, SECONDS_FOR_WORKERS = 10.0, 60.0
SECONDS_KNOWN = 2.0
"""the number of seconds after which the list of workers is read again"""
QUEUED = 2
"""the number of tasks for each worker: one in progress and one that waits, so that the worker is never idle"""


class Cluster:
    """A Dask cluster at the address of its scheduler. The address `local:N` starts N processes on this machine.

    Raises a PetteiaError if Dask is not installed, or if the cluster cannot be reached or has no workers. Also raises a
    PetteiaError if the package versions of a worker differ from those of this process. Raises a UsageError if a worker
    has several threads.
    """

    def __init__(self, where: str) -> None:
        try:
            import distributed
        except ImportError:
            raise PetteiaError("a cluster needs Dask; install it with: pip install 'petteia[cluster]'") from None
        for name in ("distributed", "tornado", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # one line reports all that matters
        self.where = where
        self.deaths: tuple[type[BaseException], ...] = (distributed.KilledWorker, CancelledError)
        """the exceptions that mean that a worker has died; if the scheduler is lost, tasks cannot be repeated"""
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
            raise PetteiaError(f"cluster {where}: no worker connected within {SECONDS_FOR_WORKERS:g} s") from None
        except BaseException:
            self.close()
            raise
        self._executor: Executor = self._client.get_executor(pure=False)

    @property
    def workers(self) -> int:
        """The number of workers.

        Raises an error if a new worker has several threads, or if its package versions differ from those of this
        process.
        """
        if time.monotonic() - self._known_at >= SECONDS_KNOWN:
            with suppress(OSError, TimeoutError):  # the last known workers stay the best guess
                found = dict(self._client.nthreads())
                if found.keys() - self._workers.keys():
                    self._check(found)
                self._workers = found
            self._known_at = time.monotonic()
        return max(1, len(self._workers))

    def _check(self, workers: dict[str, int]) -> None:
        """Raise an error unless each worker has one thread and the same versions of the packages as this process."""
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
                        f"cluster {self.where}: worker {address} has {name} {version or 'not installed'}, "
                        f"this process has {ours[name]}; install the same version"
                    )

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Submit the call `function(*arguments)` to a worker, and return its future.

        If the call raises a PetteiaError, the message of the error names the worker.
        """
        self.check_connected()
        return self._executor.submit(_on_worker, pickle.dumps((function, arguments)))

    def check_connected(self) -> None:
        """Raise a PetteiaError if the connection to the scheduler is lost."""
        if self._client.status != "running":
            raise PetteiaError(f"cluster {self.where}: its scheduler is lost; restart it and repeat the command")

    def close(self) -> None:
        """Disconnect from the cluster, and end the processes of a local cluster (`local:N`)."""
        for each in (getattr(self, "_client", None), self._cluster):
            if each is not None:
                with suppress(OSError, TimeoutError, RuntimeError):
                    each.close(timeout=SECONDS_TO_CONNECT)


@contextmanager
def connected(where: str | Cluster | None) -> Iterator[Cluster | None]:
    """Return a context manager that connects to the cluster at the address `where`, and disconnects on exit.

    If the argument `where` is a connected cluster or None, the context manager yields this argument unchanged, and does
    not disconnect on exit.
    """
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
    """Return the message of an error as one line."""
    return " ".join(str(error).split()) or type(error).__name__


# The code below runs on a worker.


def _on_worker(call: bytes) -> Any:
    """Unpickle a function call, run it in this worker process, and return its result.

    If the function raises a PetteiaError, the name of the worker is added to the message.

    `call` is a pickled function call. The scheduler does not unpickle the call, so the scheduler need not import custom
    modules.
    """
    try:
        function, arguments = pickle.loads(call)
    except (ImportError, AttributeError) as error:
        remedy = "add the folder of this module to the worker's PYTHONPATH"
        raise PetteiaError(f"{_here()}: {one_line(error)}; {remedy}") from None
    try:
        return function(*arguments)
    except PetteiaError as error:
        error.args = (f"{_here()}: {error}",)
        raise


def check_same_code(needed: Parts, found: Parts) -> None:
    """Raise a PetteiaError if the code on this worker differs from the code of the process that sent the task.

    `needed` contains the digests of the code in the process that sent the task, and `found` those of the code on this
    worker.
    """
    if other := sorted(name for name in needed.keys() | found.keys() if needed.get(name) != found.get(name)):
        raise PetteiaError(
            f"its code of {listed(other)} differs from the code on your machine; copy the code and restart the worker"
        )


def _here() -> str:
    from distributed import get_worker

    return f"worker {get_worker().address}"
