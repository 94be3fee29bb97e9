"""The distribution of games to workers, in single matches and in tournaments.

The results of a block of games do not depend on the worker that plays it, nor on the order of the blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any, NamedTuple

from petteia.arena.alternate import OverloadedError
from petteia.arena.asking import Asking
from petteia.arena.cluster import QUEUED
from petteia.arena.contest import Contest
from petteia.arena.tally import Tally
from petteia.arena.task import Played, play_task, work
from petteia.arena.workers import Workers
from petteia.core.interrupt import InterruptLater
from petteia.core.stop import Stop, obeying

MAX_VOIDED, SOME_VOIDED = 0.01, 10
"""the limits of the number of replayed games on an overloaded machine: a share of all games, and a number that is
always allowed"""

Keep = Callable[[Contest, tuple[range, ...], tuple[Tally, ...]], None]
"""a function that is called with the finished blocks of a match and their tallies; each block is passed once, in any
order"""


class _Given(NamedTuple):
    """The games of a match that were assigned to a worker, as ranges of game numbers (blocks)."""

    contest: Contest
    blocks: tuple[range, ...]


def play(contests: Iterable[Contest], workers: Workers, keep: Keep) -> None:
    """Play all remaining blocks of the matches in order. Idle workers begin the next match before the current one ends.

    Ctrl-C stops all workers at once and raises KeyboardInterrupt. By then, `keep` has been called with all finished
    blocks.
    """
    (_play_here if workers.plays_here else _play_elsewhere)(contests, workers, _Count(keep))


class _Count:
    """A callable that adds finished blocks to their match, passes them to `keep`, and counts their games."""

    def __init__(self, keep: Keep) -> None:
        self._keep = keep
        self._games = self._voided = 0

    def __call__(self, contest: Contest, blocks: tuple[range, ...], played: Played) -> None:
        """Count the games of finished blocks. Raises an OverloadedError if too many games had to be replayed."""
        with InterruptLater() as interrupt:
            contest.add(blocks, played.tallies, played.seconds)
            self._keep(contest, blocks, played.tallies)
        if interrupt.requested:
            raise KeyboardInterrupt
        self._games += sum(map(len, blocks))
        self._voided += sum(each.voided for each in played.tallies)
        if self._voided > max(SOME_VOIDED, MAX_VOIDED * self._games):
            raise OverloadedError


def _play_here(contests: Iterable[Contest], workers: Workers, count: _Count) -> None:
    for contest in contests:
        while contest.todo:
            blocks = contest.cut(1)
            count(contest, blocks, _played(contest, blocks))


def _played(contest: Contest, blocks: tuple[range, ...]) -> Played:
    played = Played((), 0.0)
    if contest.compiled is not None:
        played = play_task(contest.task(blocks), contest.compiled, contest.players)
    if not played.tallies:
        contest.compiled = None
        contest.check_two()
        played = play_task(contest.task(blocks), None, contest.players)
    return played


def _play_elsewhere(contests: Iterable[Contest], workers: Workers, count: _Count) -> None:
    waiting = _Queue(contests)
    with InterruptLater() as interrupt:
        asking = Asking[_Given, Played](lambda given: _submitted(given, workers, interrupt.stop), workers.deaths)
        with _ending(workers, interrupt.stop, asking):
            while True:
                while (following := waiting.next) is not None and len(asking) < _maximum(
                    following, workers, asking.tasks
                ):
                    asking.ask(_Given(following, following.cut(workers.jobs)))
                if not asking:
                    return
                asking.wait()
                if interrupt.requested:
                    raise KeyboardInterrupt
                workers.check_connected()
                for given, played in asking.done():
                    if played.tallies:
                        count(*given, played)
                    else:
                        given.contest.compiled = None
                        asking.ask(given)


def _maximum(contest: Contest, workers: Workers, given: Iterable[_Given]) -> int:
    """Return the maximum number of simultaneous tasks if the next task belongs to the match `contest`.

    `given` contains the tasks in progress. If there is no cluster, and the games of `contest` or of a task in `given`
    are timed, the maximum is at most the number of processor cores, so that thinking times are measured correctly.
    """
    if workers.cluster is not None:
        return QUEUED * workers.jobs
    timed = contest.is_timed or any(each.contest.is_timed for each in given)
    return min(workers.jobs, workers.cores) if timed else workers.jobs


def _submitted(given: _Given, workers: Workers, stop: Stop) -> Future[Played]:
    """Submit the blocks of a match to a worker and return the future of their result."""
    contest, task = given.contest, given.contest.task(given.blocks)
    if workers.cluster is not None:
        return workers.cluster.submit(work, contest.call_driven(workers.jobs), task)
    if contest.compiled is not None:
        return workers.threads.submit(_in_thread, stop, play_task, task, contest.compiled, contest.players)
    return workers.processes.submit(work, contest.call_driven(workers.jobs), task)


def _in_thread(stop: Stop, function: Callable[..., Played], *arguments: Any) -> Played:
    with obeying(stop):
        return function(*arguments)


@contextmanager
def _ending(workers: Workers, stop: Stop, asking: Asking[_Given, Played]) -> Iterator[None]:
    """Return a context manager that stops all tasks at once if its block raises an error, even during a long move."""
    try:
        yield
    except BaseException:
        stop.set()
        workers.processes.stop()
        asking.cancel()
        raise


class _Queue:
    """The matches that still have blocks to play.

    The iterable `contests` prepares a match when the match is taken from it. The next match is taken only when all
    blocks of the earlier matches have been assigned to workers.
    """

    def __init__(self, contests: Iterable[Contest]) -> None:
        self._contests = iter(contests)
        self._current: Contest | None = None

    @property
    def next(self) -> Contest | None:
        """Return the next match with remaining blocks, or None after the last match."""
        while self._current is None or not self._current.todo:
            self._current = next(self._contests, None)
            if self._current is None:
                return None
        return self._current
