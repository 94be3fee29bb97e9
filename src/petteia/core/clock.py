"""Clocks of games: how much time a player has for its moves.

    5/10        ten seconds for each five moves
    150         150 seconds for all moves of a game ("sudden death")
    60+1        60 seconds, and one more after each move

Whoever lets two players meet owns their clocks and measures from outside; a player is told by its `Limit` what is left.
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.decision import Limit
from petteia.core.errors import UsageError
from petteia.core.hints import argument
from petteia.core.numbers import finite_number

FORMS = "K/SECONDS (for each K moves), SECONDS (for a game) or SECONDS+INCREMENT (more after each move)"
TIME_IS_UP = "its time is up"
"""what is said of a player whose clock has run out"""
MAX_SECONDS = 10**9
NO_LIMIT = Limit()


class Clock(NamedTuple):
    """The time control of a player for a game."""

    seconds: float
    """at the beginning, and again for each further period"""
    moves: int | None = None
    """the number of moves of a period; None: all moves of the game"""
    increment: float = 0.0
    """seconds more after each move"""

    def __str__(self) -> str:
        period = "" if self.moves is None else f"{self.moves}/"
        return f"{period}{self.seconds:g}" + (f"+{self.increment:g}" if self.increment else "")

    def started(self) -> Remaining:
        """What is left at the beginning of a game."""
        return Remaining(self, self.seconds, 0)


class Remaining(NamedTuple):
    """What is left of a player's time."""

    clock: Clock
    seconds: float
    """time left; below 0 once a move has taken longer than there was time, within the grace"""
    made: int
    """moves made in this period"""

    def limit(self, limit: Limit) -> Limit:
        """`limit`, and what is left for the next move."""
        moves = None if self.clock.moves is None else self.clock.moves - self.made
        return limit._replace(
            remaining=max(self.seconds, 0.0), moves_left=moves, increment=self.clock.increment or None
        )

    def after(self, seconds: float) -> Remaining:
        """What is left after a move that took `seconds`."""
        left, made = self.seconds - seconds + self.clock.increment, self.made + 1
        if made == self.clock.moves:
            return Remaining(self.clock, left + self.clock.seconds, 0)
        return Remaining(self.clock, left, made)


def read_clock(given: str | Clock | None, limit: Limit = NO_LIMIT) -> Clock | None:
    """The clock that a text stands for; None stays None.

    Raises a UsageError for a text that has none of the three forms, and for a clock beside a time limit of each move.
    """
    if given is None:
        return None
    if limit.seconds is not None:
        both = argument("limit.seconds and clock", "time and clock", "--time and --clock")
        raise UsageError(f"{both}: give one of them; a clock is for all moves of a game")
    if isinstance(given, Clock):
        return _checked(given, str(given))
    text = str(given).strip()
    period, slash, rest = text.rpartition("/")
    amount, plus, more = rest.partition("+")
    seconds, increment = finite_number(amount), finite_number(more) if plus else 0.0
    if seconds is None or increment is None or (slash and not period.isdecimal()):
        raise UsageError(f"clock={text!r}: must be {FORMS}")
    return _checked(Clock(seconds, int(period) if slash else None, increment), text)


def _checked(clock: Clock, text: str) -> Clock:
    if not 0.0 < clock.seconds <= MAX_SECONDS:
        raise UsageError(f"clock={text!r}: the seconds must be more than 0")
    if clock.moves is not None and clock.moves < 1:
        raise UsageError(f"clock={text!r}: the number of moves must be 1 or more")
    if not 0.0 <= clock.increment <= MAX_SECONDS:
        raise UsageError(f"clock={text!r}: the increment must be 0 or more")
    return clock
