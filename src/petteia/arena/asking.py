"""Distribution of tasks to workers. If a worker dies, its task is given to another worker.

The tasks are executed by threads, by processes, or by the workers of a Dask cluster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Generic, NamedTuple, TypeVar

from petteia.core.errors import PetteiaError
from petteia.core.interrupt import POLL_SECONDS, LeftBehindError

MAX_ATTEMPTS = 3
"""the number of workers that may die during the same task before the task fails"""

DIED = (
    "several processes died during the same task: memory ran out, a policy crashed them, or a script starts games "
    "outside `if __name__ == '__main__':`"
)

Task = TypeVar("Task")
Result = TypeVar("Result")


class _Asked(NamedTuple, Generic[Task]):
    task: Task
    attempts: int


class Asking(Generic[Task, Result]):
    """A distributor of tasks to workers. If a worker dies, its task is given to another worker.

    Args:
        submit: a function that gives a task to a worker
        deaths: the types of the exceptions that the future of a task raises if the worker has died

    """

    def __init__(self, submit: Callable[[Task], Future[Result]], deaths: tuple[type[BaseException], ...]) -> None:
        self._submit, self._deaths = submit, deaths
        self._asked: dict[Future[Result], _Asked[Task]] = {}

    def __len__(self) -> int:
        return len(self._asked)

    @property
    def tasks(self) -> Iterator[Task]:
        """The tasks in progress."""
        return (each.task for each in self._asked.values())

    def ask(self, task: Task) -> None:
        """Give this task to a worker."""
        self._asked[self._submit(task)] = _Asked(task, 1)

    def wait(self) -> None:
        """Wait until a task is done, but at most `POLL_SECONDS` seconds."""
        wait(self._asked, POLL_SECONDS, FIRST_COMPLETED)

    def done(self) -> Iterator[tuple[Task, Result]]:
        """Yield the tasks that have finished since the last call, with their results.

        If a task raised an exception, this method raises the same exception.

        Raises a PetteiaError if `MAX_ATTEMPTS` workers have died while they worked on the same task.
        """
        for future in [each for each in self._asked if each.done()]:
            was = self._asked.pop(future)
            try:
                result = future.result()
            except self._deaths:
                if was.attempts == MAX_ATTEMPTS:
                    raise PetteiaError(DIED) from None
                self._asked[self._submit(was.task)] = was._replace(attempts=was.attempts + 1)
            else:
                yield was.task, result

    def cancel(self) -> None:
        """Cancel the tasks that no worker has begun, and wait for the others.

        Raises a LeftBehindError if a task did not stop after an interrupt, so that its thread was abandoned.
        """
        for each in self._asked:
            each.cancel()
        wait(self._asked)
        for each in self._asked:
            if not each.cancelled() and isinstance(error := each.exception(), LeftBehindError):
                raise error from None
