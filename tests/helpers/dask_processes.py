"""A scheduler and workers of Dask, as processes of this machine."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

Process = subprocess.Popen[bytes]
HELPERS = Path(__file__).parent


def started(module: str, *arguments: str, paths: tuple[Path, ...] = (HELPERS,)) -> Process:
    """A process of Dask that finds modules of users in these folders."""
    return subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.{module}", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, paths))},
    )


@contextmanager
def ending(*processes: Process) -> Iterator[Process]:
    """The first of these processes, which are killed at the end."""
    try:
        yield processes[0]
    finally:
        for each in processes:
            each.kill()
            each.wait()


@contextmanager
def scheduler(folder: Path) -> Iterator[tuple[Process, str]]:
    """A scheduler and its address, which it writes into a file of this folder."""
    file = folder / "scheduler.json"
    options = ("--port", "0", "--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(file))
    with ending(started("dask_scheduler", *options)) as begun:
        until, address = time.monotonic() + 60.0, ""
        while not address and time.monotonic() < until:
            with suppress(OSError, ValueError):
                address = json.loads(file.read_text())["address"]
            time.sleep(0.05)
        yield begun, address


def new_worker(address: str, *, threads: int = 1, paths: tuple[Path, ...] = (HELPERS,)) -> Process:
    """A worker that nobody ends."""
    options = ("--no-nanny", "--no-dashboard", "--nthreads", str(threads))
    return started("dask_worker", address, *options, paths=paths)


@contextmanager
def worker(address: str, *, threads: int = 1, paths: tuple[Path, ...] = (HELPERS,)) -> Iterator[Process]:
    """A worker."""
    with ending(new_worker(address, threads=threads, paths=paths)) as begun:
        yield begun


@contextmanager
def killing(address: str, kills: int, every: float = 4.0) -> Iterator[list[Process]]:
    """Workers, of which the last is killed again and again, each time that another has had time to come.

    Begins when there may be work for them, and ends after so many kills, or with the block.
    """
    workers, is_over = [new_worker(address)], threading.Event()

    def kill() -> None:
        for _ in range(kills):
            if is_over.wait(every):
                return
            workers[-1].send_signal(signal.SIGKILL)
            workers.append(new_worker(address))

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        yield workers
    finally:
        is_over.set()
        thread.join()
        for each in workers:
            each.kill()
            each.wait()
