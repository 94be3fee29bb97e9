"""The order in which the blocks of matches are played, and by whom: one loop for a match and for any tournament.

What is played where and when changes nothing about the games: a block is the same wherever it is played.
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
"""share of the games that may be played again as the machine was overloaded, and how many may be in any case"""

Keep = Callable[[Contest, tuple[range, ...], tuple[Tally, ...]], None]
"""is told of blocks that have been played, each once, in any order"""


class _Given(NamedTuple):
    """Blocks of a match that somebody plays."""

    contest: Contest
    blocks: tuple[range, ...]


def play(contests: Iterable[Contest], workers: Workers, keep: Keep) -> None:
    """Play all that is left to do of these matches, one after the other as far as there are workers for them.

    At Ctrl-C everything is ended at once, and KeyboardInterrupt raised; `keep` has been told of all that was finished.
    """
    (_play_here if workers.plays_here else _play_elsewhere)(contests, workers, _Count(keep))


class _Count:
    """Counts what was played."""

    def __init__(self, keep: Keep) -> None:
        self._keep = keep
        self._games = self._voided = 0

    def __call__(self, contest: Contest, blocks: tuple[range, ...], played: Played) -> None:
        """Count blocks; an OverloadedError if too many games had to be played again."""
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
    """Tasks that may be done at a time when one of this match is next: timed games share no core."""
    if workers.cluster is not None:
        return QUEUED * workers.jobs
    timed = contest.is_timed or any(each.contest.is_timed for each in given)
    return min(workers.jobs, workers.cores) if timed else workers.jobs


def _submitted(given: _Given, workers: Workers, stop: Stop) -> Future[Played]:
    """What comes of this task, which is given to somebody."""
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
    """Whatever goes wrong within it ends all that is being done: a move that takes long is not waited for."""
    try:
        yield
    except BaseException:
        stop.set()
        workers.processes.stop()
        asking.cancel()
        raise


class _Queue:
    """Matches of which blocks are left, the next one first; one is made only when those before it are given out."""

    def __init__(self, contests: Iterable[Contest]) -> None:
        self._contests = iter(contests)
        self._current: Contest | None = None

    @property
    def next(self) -> Contest | None:
        """The match whose turn it is; None when there is none left."""
        while self._current is None or not self._current.todo:
            self._current = next(self._contests, None)
            if self._current is None:
                return None
        return self._current
