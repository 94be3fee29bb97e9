"""A pool of players that compute moves. Each computation has a time limit, and can be stopped with a `Stop` object."""

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
"""The text form of a game, and the text form of a player."""


@contextmanager
def within_budget(stop: Stop, seconds: float = BUDGET) -> Iterator[None]:
    """Context manager that stops the computation in its block when `stop` is set. After `seconds`, it sets `stop`."""
    timer = threading.Timer(seconds, stop.set)
    timer.daemon = True
    timer.start()
    try:
        with obeying(stop):
            yield
    finally:
        timer.cancel()


class Thinkers:
    """A pool of threads in which players choose moves.

    Players are cached between moves. Each cached player is used by one game at a time.
    """

    def __init__(self, threads: int = THREADS) -> None:
        """Create a pool with `threads` threads."""
        self._pool = ThreadPoolExecutor(threads, "thinker")
        self._idle: OrderedDict[int, tuple[Key, Agent]] = OrderedDict()
        self._lock = threading.Lock()
        self._waiting = 0

    def submit(self, work: Callable[[], None]) -> Future[None]:
        """Call `work` in a thread of the pool. Raises UsageError if too many calls are waiting already."""
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
        """Return the move that a player chooses within `seconds`, as text.

        Raises the same errors as `petteia.agent` and `Agent.choose`.
        """
        with within_budget(stop, BUDGET if seconds is None else min(seconds, BUDGET)):
            key, agent = self._taken(player, position)
            agent.reset(seed)
            move = agent.choose(position, stop)
            self._give_back(key, agent)
            return move

    def check(self, player: str, position: Position, side: int, *, warm: bool = False) -> None:
        """Check that a player can be created, and that it can play `side`, before a game begins.

        Raises the same errors as `petteia.agent`, and UsageError if the player does not play `side`.

        With the keyword argument `warm=True`, the code of the player is also compiled. If the code were compiled during
        the game, the compilation would use up time on the player's clock.
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
        """Stop accepting work, and cancel all calls that have not started."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _taken(self, player: str, position: Position) -> tuple[Key, Agent]:
        """Return a cached player that is idle, or a new player."""
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
