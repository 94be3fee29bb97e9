"""Trainings that the workers of a cluster do.

No folder is shared with the workers. The files of a run go to a worker, which goes on with the training, and come back
when it has ended, or after some seconds, to go out again. So a worker that dies costs these seconds, and a scheduler
that is lost no more; and short trainings go out several at a time. As a training that is resumed leaves the same bytes
as one that was not, all files are the same as if it had been done here.
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
"""how long a task should take, where trainings are that short, and after which a training comes back unfinished"""
GROWTH, MAX_TRAININGS = 8, 256
"""how many times as many trainings as the one before a task may have, and how many at most"""


class Task(NamedTuple):
    """Trainings to go on with, one after the other."""

    runs: tuple[tuple[Path, dict[str, bytes]], ...]
    """where each run lies, on the machine that asks, and its files"""
    measures: Measures
    """what is measured when one is finished"""
    allowed: frozenset[str]
    """the modules whose code files may name"""


class Done(NamedTuple):
    """How far a training has come."""

    files: dict[str, bytes]
    """the files that have changed"""
    games: int
    """learned from so far"""
    numbers: Numbers | None
    """None if it is not finished"""


class Answer(NamedTuple):
    """What came of a task."""

    done: tuple[Done, ...]
    """of the first trainings of the task, as many as there was time for; only the last may be unfinished"""
    seconds: float
    """how long they took"""

    @property
    def finished(self) -> int:
        """How many of them are finished."""
        return sum(each.numbers is not None for each in self.done)


def finish_on(
    cluster: Cluster,
    trainings: Iterator[Training],
    measures: Measures,
    tell: Callable[[Path, int, Numbers | None], None],
) -> None:
    """Let a cluster finish trainings, and measure them.

    Args:
        cluster: whose workers do it
        trainings: those wanted; each is taken when there is a worker for it
        measures: what is measured
        tell: is told of the folder of a training whenever it has come back, of the games learned from, and what sums it
            up if it is finished

    Raises:
        PetteiaError: the scheduler is lost, or something is wrong with a training or a worker
        KeyboardInterrupt: interrupted; what has come back is saved

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
    """Trainings that no worker has now, and how many of them are given to one at a time."""

    def __init__(self, trainings: Iterator[Training]) -> None:
        self._trainings = trainings
        self._back = deque[Path]()
        self._size = 1

    def take(self) -> list[Path]:
        """The next trainings for a worker; none if there is none left."""
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
        """These are not finished."""
        self._back.extend(folders)

    def took(self, trainings: int, seconds: float) -> None:
        """So many trainings took so long."""
        maximum = int(trainings * TASK_SECONDS / max(seconds, 1e-6))
        self._size = max(1, min(maximum, GROWTH * trainings, MAX_TRAININGS))


# On a worker.


def do(task: Task) -> Answer:
    """Go on with the trainings of a task, one after the other, as long as there is time."""
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
    """Go on with a training until then, and measure it when it is finished."""
    unpack(files, folder)
    training, stop = open_training(folder), Stop()
    rules, settings = training.rules, training.configuration
    check_same_code(training.run.description.provenance, by_module(dependencies(rules) | code_of(rules, settings)))

    def look_at_clock(done: int, wanted: int, point: Point | None) -> None:
        if time.monotonic() > until:
            stop.set()  # between two games, so that nothing is cut short

    numbers: Numbers | None = None
    with obeying(stop):
        is_finished = training.is_finished or go_on(training, look_at_clock)
    if is_finished:
        numbers = {side: measure(training, side, measures) for side in settings.seats}
    changed = {name: content for name, content in pack(folder).items() if files.get(name) != content}
    return Done(changed, training.games, numbers)
