"""Distribute training runs among the workers of a cluster.

The workers need no shared folder. The files of a training run are sent to a worker, which continues the training run.
The worker returns the files after some seconds, or when the training run is finished. An unfinished training run is
then sent to a worker again. If a worker or the scheduler is lost, only the games since the last return of the files are
repeated. Short training runs are sent in groups. The saved files are the same as without a cluster, because a resumed
training run writes the same bytes as an uninterrupted one.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from petteia.arena.asking import Asking
from petteia.arena.cluster import QUEUED, Cluster, check_same_code
from petteia.core.errors import PetteiaError
from petteia.core.interrupt import InterruptLater
from petteia.core.stop import Stop, obeying
from petteia.experiments.declaration import Measures
from petteia.experiments.measures import Numbers, measure
from petteia.experiments.trainer import Point
from petteia.experiments.training import Training, code_of, go_on, open_training
from petteia.experiments.work import STOPPED
from petteia.foreign.trust import allow, allowed
from petteia.provenance.reach import by_module, dependencies
from petteia.records.packed import pack, unpack

TASK_SECONDS, MAX_SECONDS = 1.0, 10.0
"""the intended duration of a task with short training runs, and the time limit after which an unfinished training run
comes back, in seconds"""
GROWTH, MAX_TRAININGS = 8, 256
"""the maximum factor by which the number of training runs grows from task to task, and the maximum number of
trainings"""


class Task(NamedTuple):
    """A sequence of training runs that a worker continues one after the other."""

    runs: tuple[tuple[Path, dict[str, bytes]], ...]
    """the path of each run on the scheduling machine, and its files"""
    measures: Measures
    """the measurements of a finished training"""
    allowed: frozenset[str]
    """the modules that may be imported because files name them"""


class Done(NamedTuple):
    """The state of a training run that a worker sends back: files, number of games, and summary statistics."""

    files: dict[str, bytes]
    """the files that have changed"""
    games: int
    """the number of games learned from so far"""
    numbers: Numbers | None
    """the summary statistics; None if the training run is not finished"""


class Answer(NamedTuple):
    """The result that a worker returns for a task: the state of its training runs, and the duration of the task."""

    done: tuple[Done, ...]
    """the training runs of the task that were continued before the time limit; only the last one can be unfinished"""
    seconds: float
    """the duration of the task in seconds"""

    @property
    def finished(self) -> int:
        """The number of finished training runs."""
        return sum(each.numbers is not None for each in self.done)


def finish_on(
    cluster: Cluster,
    trainings: Iterator[Training],
    measures: Measures,
    tell: Callable[[Path, int, Numbers | None], None],
) -> None:
    """Finish and measure training runs on a cluster.

    Args:
        cluster: the cluster
        trainings: the training runs; the next one is taken when a worker is free
        measures: the measurements to make after each training run
        tell: called when a worker returns a training run, with the run's folder, its number of games, and its summary
            statistics if it is finished

    Raises:
        PetteiaError: the scheduler is lost, or a training run or a worker has failed
        KeyboardInterrupt: the call was interrupted. All results that the workers have returned are saved

    """
    waiting = _Waiting(trainings)

    def submit(folders: list[Path]) -> Future[Answer]:
        runs = tuple((folder, pack(folder)) for folder in folders)
        return cluster.submit(do, Task(runs, measures, allowed()))

    asking = Asking[list[Path], Answer](submit, cluster.deaths)
    with InterruptLater() as interrupt:
        try:
            while True:
                while len(asking) < QUEUED * cluster.workers and (folders := waiting.take()):
                    asking.ask(folders)
                if not asking:
                    return
                asking.wait()
                if interrupt.requested:
                    raise KeyboardInterrupt(STOPPED)
                cluster.check_connected()
                for folders, answer in asking.done():
                    for folder, done in zip(folders, answer.done, strict=False):
                        unpack(done.files, folder)
                        tell(folder, done.games, done.numbers)
                    waiting.put_back(folders[answer.finished :])
                    waiting.took(len(answer.done), answer.seconds)
        finally:
            asking.cancel()


class _Waiting:
    """The queue of training runs that wait for a worker. It determines how many runs a worker receives at a time."""

    def __init__(self, trainings: Iterator[Training]) -> None:
        self._trainings = trainings
        self._back = deque[Path]()
        self._size = 1

    def take(self) -> list[Path]:
        """Return the run folders of the next task for a worker; empty if no training run waits."""
        taken = list[Path]()
        while len(taken) < self._size:
            if self._back:
                taken.append(self._back.popleft())
            elif (training := next(self._trainings, None)) is not None:
                taken.append(training.run.path)
            else:
                break
        return taken

    def put_back(self, folders: list[Path]) -> None:
        """Put unfinished training runs back into the queue."""
        self._back.extend(folders)

    def took(self, trainings: int, seconds: float) -> None:
        """Adapt the number of training runs per task to the last task: `trainings` runs took `seconds` seconds."""
        maximum = int(trainings * TASK_SECONDS / max(seconds, 1e-6))
        self._size = max(1, min(maximum, GROWTH * trainings, MAX_TRAININGS))


# The code below runs on a worker.


def do(task: Task) -> Answer:
    """Continue the training runs of a task one after the other until they are finished or the time limit is reached."""
    allow(task.allowed)
    begin, done = time.monotonic(), list[Done]()
    for here, files in task.runs:
        with TemporaryDirectory() as folder:
            there = Path(folder) / here.name
            try:
                done.append(_go_on(there, files, begin + MAX_SECONDS, task.measures))
            except PetteiaError as error:
                error.args = (str(error).replace(str(there), str(here)),)
                raise
        if time.monotonic() > begin + MAX_SECONDS:
            break
    return Answer(tuple(done), time.monotonic() - begin)


def _go_on(folder: Path, files: dict[str, bytes], until: float, measures: Measures) -> Done:
    """Continue a training run until it is finished or the time `until` is reached.

    If the training run is finished, the trained player is measured.
    """
    unpack(files, folder)
    training, stop = open_training(folder), Stop()
    rules, settings = training.rules, training.configuration
    check_same_code(training.run.description.provenance, by_module(dependencies(rules) | code_of(rules, settings)))

    def look_at_clock(done: int, wanted: int, point: Point | None) -> None:
        if time.monotonic() > until:
            stop.set()  # between two games, so that no game is interrupted

    numbers: Numbers | None = None
    with obeying(stop):
        is_finished = training.is_finished or go_on(training, look_at_clock)
    if is_finished:
        numbers = {side: measure(training, side, measures) for side in settings.seats}
    changed = {name: content for name, content in pack(folder).items() if files.get(name) != content}
    return Done(changed, training.games, numbers)
