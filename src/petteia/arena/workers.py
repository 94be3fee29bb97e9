"""Games driven from Python, shared among processes that each make players of their own from their text forms.

The processes, and those in which players of users' modules live, are kept from match to match. They end with the
process that has started them, however that ends.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, NamedTuple

from petteia.arena.alternate import Conditions, GameRow, alternate
from petteia.children.process import Children
from petteia.core.decision import ALLOWANCE, Allowance, Fault
from petteia.core.errors import PetteiaError, UsageError
from petteia.foreign.trust import allow
from petteia.players import Player, player

BATCHES = 16
"""batches of games for each process: small enough that all end at about the same time"""
MOST_BATCH = 50
MOST_JOBS = 256
"""processes; the games are the same with fewer than were asked for"""
SAFE_PATH = "PYTHONSAFEPATH"
PATIENCE = 2.0
"""seconds that a process may take to end by itself"""


class Share(NamedTuple):
    """What a process needs to know to play games of a match."""

    conditions: Conditions
    """all that the match fixes but the players"""
    first: str
    """the text form of the first-named player"""
    second: str
    """the text form of the second-named player"""
    memory: int | None = None
    """bytes for players that solve the game"""
    allowed: frozenset[str] = frozenset()
    """the modules whose code files may name"""


class Finished(NamedTuple):
    """What a process says when it has played all its games."""

    remarks: list[str]
    """what its players said when no more games followed"""


class _Worker(NamedTuple):
    process: SpawnProcess
    connection: Connection


class Workers:
    """Up to `jobs` processes that play games, which are started when they are first needed, and the children here.

    Used with `with`, after which all have ended.
    """

    def __init__(self, jobs: int = 1, allowance: Allowance = ALLOWANCE, *, in_process: bool = False) -> None:
        self.jobs = min(jobs, MOST_JOBS)
        self.children = Children(allowance, in_process=in_process)
        self._workers = list[_Worker]()

    @property
    def cores(self) -> int:
        """The processors that this process may use."""
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

    def play(self, share: Share, games: range, keep: Callable[[list[GameRow]], None]) -> list[str]:
        """Play the games of these numbers; `keep` is told of games as they are finished, in any order.

        Returns what the players of the processes said when no more games followed.
        """
        if type(share.conditions.rules).__module__ == "__main__":
            raise UsageError(
                f"jobs={self.jobs}: other processes cannot find a game of a script or notebook; put it in a module"
            )
        jobs = min(self.jobs, self.cores) if share.conditions.is_timed else self.jobs
        size = max(1, min(MOST_BATCH, len(games) // (BATCHES * jobs)))
        batches = (range(begin, min(begin + size, games.stop)) for begin in range(games.start, games.stop, size))
        try:
            workers = self._started(min(jobs, -(-len(games) // size)))
            return _shared_out(workers, share, batches, keep)
        except (EOFError, ConnectionError):
            self._stop()
            raise PetteiaError(
                "a process that played games has died: it has used up the memory, a policy has crashed it, "
                "or a script starts matches outside `if __name__ == '__main__':`"
            ) from None
        except BaseException:  # an interrupt or a failing player: a move that takes long is not waited for
            self._stop()
            raise

    def _started(self, count: int) -> list[_Worker]:
        context = multiprocessing.get_context("spawn")  # the same everywhere, and safe beside threads
        with _interrupts_ignored(), _safe_path():  # inherited: processes that still begin do not hear them either
            while len(self._workers) < count:
                ours, theirs = context.Pipe()
                arguments = (theirs, self.children.allowance, self.children.in_process)
                process = context.Process(target=_work, args=arguments)
                process.start()
                theirs.close()
                self._workers.append(_Worker(process, ours))
        return self._workers[:count]

    def _stop(self) -> None:
        """End the processes at once."""
        for each in self._workers:
            each.process.terminate()
        self._join()

    def _join(self) -> None:
        for each in self._workers:
            each.process.join(PATIENCE)
            if each.process.is_alive():
                each.process.kill()
                each.process.join()
            each.connection.close()
        self._workers.clear()

    def close(self) -> None:
        """End all processes; those of workers end with the workers."""
        for each in self._workers:
            with suppress(OSError):
                each.connection.send(None)
        self._join()
        self.children.close()

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()


def _shared_out(
    workers: list[_Worker], share: Share, batches: Iterator[range], keep: Callable[[list[GameRow]], None]
) -> list[str]:
    """Let each worker play one batch after the other."""
    remarks: list[str] = []
    for each in workers:
        each.connection.send(share)
    busy = {each.connection for each in workers}
    while busy:
        for ready in wait(list(busy)):
            assert isinstance(ready, Connection)
            answer = ready.recv()
            if isinstance(answer, BaseException):
                raise answer
            if isinstance(answer, Finished):
                remarks += answer.remarks
                busy.remove(ready)
                continue
            keep(answer)
            ready.send(next(batches, None))
    return remarks


@contextmanager
def _safe_path() -> Iterator[None]:
    """Let processes that begin find Python's own modules, whatever files of such names are in the working folder."""
    before = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        del os.environ[SAFE_PATH]
        if before is not None:
            os.environ[SAFE_PATH] = before


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():  # elsewhere signals cannot be set
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


# In the process of a worker.


def _work(connection: Connection, allowance: Allowance, in_process: bool) -> None:
    """Play whatever comes: a share of a match, then batches of its games until there are no more; None is the end.

    An interrupt at the keyboard is for the first process, which ends the others.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _end_with_parent()
    with Children(allowance, in_process=in_process) as children, suppress(EOFError):
        while (share := connection.recv()) is not None:
            try:
                remarks = _play(connection, share, children)
            except Exception as error:  # which is raised in the first process
                connection.send(error)
            else:
                connection.send(Finished(remarks))


def _play(connection: Connection, share: Share, children: Children) -> list[str]:
    players: tuple[Player, Player] | None = None
    allow(share.allowed)
    connection.send([])
    while (numbers := connection.recv()) is not None:
        if players is None:
            rules = share.conditions.rules
            first, second = (player(text, rules, children, memory=share.memory) for text in (share.first, share.second))
            players = (first, second)
        connection.send([*alternate(share.conditions, *players, numbers)])
    return finished(*players) if players else []


def finished(*players: Player) -> list[str]:
    """Tell players that no more games follow; what they say to that, and what goes wrong at it."""
    remarks: list[Any] = []
    for each in players:
        try:
            remarks.append(each.finish())
        except Fault as fault:
            remarks.append(str(fault))
    return [words for words in remarks if words]


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None and os.name == "posix":
        from petteia.children.lifeline import end_with_parent  # which does not import elsewhere

        end_with_parent(int(parent.sentinel), group=False)
