"""Games driven from Python, shared among processes that each make players of their own from their text forms."""

from __future__ import annotations

import functools
import multiprocessing
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import NamedTuple

from petteia.arena.alternate import Conditions, GameRow, alternate
from petteia.core.errors import PetteiaError, UsageError
from petteia.players import Player, player

BATCHES = 16
"""batches of games for each process: small enough that all end at about the same time"""
MOST_BATCH = 50


class _Share(NamedTuple):
    """What a process is given."""

    conditions: Conditions
    first: str
    second: str


_share: _Share


def play_in_processes(
    conditions: Conditions, first: str, second: str, games: int, jobs: int, advance: Callable[[int], None]
) -> list[GameRow]:
    """Play games 0..games-1 in `jobs` processes; `advance` is told of games as they are finished."""
    if type(conditions.rules).__module__ == "__main__":
        raise UsageError(f"jobs={jobs}: other processes cannot find a game of a script or notebook; put it in a module")
    context = multiprocessing.get_context("spawn")  # the same everywhere, and safe beside threads
    size = max(1, min(MOST_BATCH, games // (BATCHES * jobs)))
    batches = [range(begin, min(begin + size, games)) for begin in range(0, games, size)]
    pool = ProcessPoolExecutor(min(jobs, len(batches)), context, _begin, (_Share(conditions, first, second),))
    try:
        with _interrupts_ignored():  # which is inherited: processes that still begin do not hear them either
            futures: list[Future[list[GameRow]]] = [pool.submit(_play, batch) for batch in batches]
        for future in as_completed(futures):
            advance(len(future.result()))
    except BrokenProcessPool:
        raise PetteiaError(
            "a process that played games has died: a player has crashed it or used up the memory, "
            "or a script starts matches outside `if __name__ == '__main__':`"
        ) from None
    except BaseException:  # an interrupt or a failing player: a move that takes long is not waited for
        for process in list(pool._processes.values()):
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
    return [row for future in futures for row in future.result()]


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


def _begin(share: _Share) -> None:
    """Begin a process. An interrupt at the keyboard is for the first process, which ends the others."""
    global _share
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _share = share


@functools.cache
def _players() -> tuple[Player, Player]:
    return player(_share.first, _share.conditions.rules), player(_share.second, _share.conditions.rules)


def _play(numbers: range) -> list[GameRow]:
    return list(alternate(_share.conditions, *_players(), numbers))
