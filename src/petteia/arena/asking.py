"""Tasks that workers are asked to do, threads, processes or those of a cluster, until each has been done once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Generic, NamedTuple, TypeVar

from petteia.core.errors import PetteiaError
from petteia.core.interrupt import POLL_SECONDS, LeftBehindError

MAX_ATTEMPTS = 3
"""workers that may die over a task"""

DIED = (
    "several processes have died over the same work: it has used up the memory, a policy has crashed them, or a script "
    "starts it outside `if __name__ == '__main__':`"
)

Task = TypeVar("Task")
Result = TypeVar("Result")


class _Asked(NamedTuple, Generic[Task]):
    task: Task
    attempts: int


class Asking(Generic[Task, Result]):
    """Tasks that are being done. One whose worker dies is done again by another.

    Args:
        submit: lets a worker do a task
        deaths: the errors that tell that a worker has died

    """

    def __init__(self, submit: Callable[[Task], Future[Result]], deaths: tuple[type[BaseException], ...]) -> None:
        self._submit, self._deaths = submit, deaths
        self._asked: dict[Future[Result], _Asked[Task]] = {}

    def __len__(self) -> int:
        return len(self._asked)

    @property
    def tasks(self) -> Iterator[Task]:
        """The tasks that are being done."""
        return (each.task for each in self._asked.values())

    def ask(self, task: Task) -> None:
        """Let a worker do this task."""
        self._asked[self._submit(task)] = _Asked(task, 1)

    def wait(self) -> None:
        """Wait a moment, or until one of the tasks has been done."""
        wait(self._asked, POLL_SECONDS, FIRST_COMPLETED)

    def done(self) -> Iterator[tuple[Task, Result]]:
        """The tasks that have been done, with their results, each once; an error of one is raised.

        Raises a PetteiaError if several workers have died over one.
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
        """Let no task begin any more, and wait for those that have begun; a LeftBehindError of one is raised."""
        for each in self._asked:
            each.cancel()
        wait(self._asked)
        for each in self._asked:
            if not each.cancelled() and isinstance(error := each.exception(), LeftBehindError):
                raise error from None
