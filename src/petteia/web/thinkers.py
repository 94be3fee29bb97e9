"""A bounded pool of players that think of moves: each within a budget of time, and ended early by a `Stop`."""

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
"""seconds that a move may take"""
THREADS, MAX_WAITING, MAX_WARM = 4, 500, 12
"""players that think at once, moves that wait for their turn, and players that are kept with what they have compiled"""

Key = tuple[str, str]
"""the text forms of a game and of a player"""


@contextmanager
def within_budget(stop: Stop, seconds: float = BUDGET) -> Iterator[None]:
    """Within it, work is asked to end by `stop`, which is set when the budget is used up, by default that of a move."""
    timer = threading.Timer(seconds, stop.set)
    timer.daemon = True
    timer.start()
    try:
        with obeying(stop):
            yield
    finally:
        timer.cancel()


class Thinkers:
    """Players by game and text. Each thinks in one thread at a time; who is done is kept for the next move."""

    def __init__(self, threads: int = THREADS) -> None:
        """`threads`: how many think at once."""
        self._pool = ThreadPoolExecutor(threads, "thinker")
        self._idle: OrderedDict[int, tuple[Key, Agent]] = OrderedDict()
        self._lock = threading.Lock()
        self._waiting = 0

    def submit(self, work: Callable[[], None]) -> Future[None]:
        """Let a thread of the pool do the work. Raises UsageError if too much waits already."""
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
        """The move of a player, as written, after so many seconds at most.

        Errors are those of `petteia.agent` and of `Agent.choose`.
        """
        with within_budget(stop, BUDGET if seconds is None else min(seconds, BUDGET)):
            key, agent = self._taken(player, position)
            agent.reset(seed)
            move = agent.choose(position, stop)
            self._give_back(key, agent)
            return move

    def check(self, player: str, position: Position, side: int, *, warm: bool = False) -> None:
        """Make a player beforehand. Raises UsageError if it cannot take its seat; errors as of `petteia.agent`.

        `warm`: let it also compile what it needs, so that this takes no time of its clock.
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
        """Let no more work begin."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _taken(self, player: str, position: Position) -> tuple[Key, Agent]:
        """A player that is idle, or a new one."""
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
