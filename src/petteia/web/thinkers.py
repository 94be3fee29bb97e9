"""A bounded pool of players that compute moves, each within a time limit or until a `Stop`."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress

from petteia.core.errors import Stopped, UsageError
from petteia.core.names import format_game
from petteia.core.protocol import seats
from petteia.core.stop import Stop, obeying
from petteia.playing.agent import Agent
from petteia.playing.agent import agent as agent_of
from petteia.playing.position import Position
from petteia.web.words import words

BUDGET = 10.0
"""The time limit for a move, in seconds."""
THREADS, MAX_WAITING, MAX_WARM = 4, 500, 12
"""The number of threads, the maximum number of waiting moves, and the maximum number of cached players."""

Key = tuple[str, str]
"""The text forms of a game and of a player."""


@contextmanager
def within_budget(stop: Stop, seconds: float = BUDGET) -> Iterator[None]:
    """A context whose work obeys `stop`, which is set after `seconds`."""
    timer = threading.Timer(seconds, stop.set)
    timer.daemon = True
    timer.start()
    try:
        with obeying(stop):
            yield
    finally:
        timer.cancel()


class Thinkers:
    """Players by game and text. Each computes in one thread at a time, and is then cached for the next move."""

    def __init__(self, threads: int = THREADS) -> None:
        """Create a pool with this number of threads."""
        self._pool = ThreadPoolExecutor(threads, "thinker")
        self._idle: OrderedDict[int, tuple[Key, Agent]] = OrderedDict()
        self._lock = threading.Lock()
        self._waiting = 0

    def submit(self, work: Callable[[], None]) -> Future[None]:
        """Do the work in a thread of the pool. Raises UsageError if too much work is waiting."""
        with self._lock:
            if self._waiting >= MAX_WAITING:
                raise UsageError(words()["busy"])
            self._waiting += 1

        def run() -> None:
            try:
                work()
            finally:
                with self._lock:
                    self._waiting -= 1

        return self._pool.submit(run)

    def choose(self, player: str, position: Position, seed: int, stop: Stop, seconds: float | None = None) -> str:
        """Return the move of a player in notation, within `seconds`.

        Raises the errors of `petteia.agent` and of `Agent.choose`.
        """
        with within_budget(stop, BUDGET if seconds is None else min(seconds, BUDGET)):
            key, agent = self._taken(player, position)
            agent.reset(seed)
            move = agent.choose(position, stop)
            self._give_back(key, agent)
            return move

    def check(self, player: str, position: Position, side: int, *, warm: bool = False) -> None:
        """Create a player before its game. Raises the errors of `petteia.agent`, and UsageError for a wrong side.

        With `warm`, the player also compiles its code, so that this takes no time from its clock.
        """
        seat = seats(position.rules)[side]
        stop = Stop()
        with within_budget(stop):
            key, agent = self._taken(player, position)
            if warm and position.to_move in agent.seats:
                stop.set()
                with suppress(Stopped):
                    agent.choose(position, stop)
            self._give_back(key, agent)
        if seat not in agent.seats:
            raise UsageError(words()["wrong_seat"].format(player=player, seat=seat))

    def close(self) -> None:
        """Accept no more work."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _taken(self, player: str, position: Position) -> tuple[Key, Agent]:
        """A cached player that is idle, or a new one."""
        key = (format_game(position.rules), player)
        with self._lock:
            for number, (other, agent) in self._idle.items():
                if other == key:
                    del self._idle[number]
                    return key, agent
        return key, agent_of(player, position.rules)

    def _give_back(self, key: Key, agent: Agent) -> None:
        with self._lock:
            self._idle[id(agent)] = (key, agent)
            while len(self._idle) > MAX_WARM:
                self._idle.popitem(last=False)
