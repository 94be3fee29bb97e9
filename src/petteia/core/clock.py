"""Game clocks, which limit the total time of a player's moves.

- `5/10`: ten seconds for every five moves
- `150`: 150 seconds for all moves of a game ("sudden death")
- `60+1`: 60 seconds for the game, and one more second after each move

The program that runs a game keeps both clocks and measures the time of each move. A player receives its remaining time
in its `Limit`.
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.decision import Limit
from petteia.core.errors import UsageError
from petteia.core.hints import argument
from petteia.core.numbers import finite_number

FORMS = "K/SECONDS (for each K moves), SECONDS (for a game) or SECONDS+INCREMENT (added after each move)"
TIME_IS_UP = "its time is up"
"""The message about a player who has no time left on the clock."""
MAX_SECONDS = 10**9
NO_LIMIT = Limit()


class Clock(NamedTuple):
    """The time control of one player: a time for all moves of a game, or for each period of a fixed number of moves.

    Examples:
        >>> clock = petteia.Clock(60.0, increment=1.0)
        >>> print(clock)
        60+1
        >>> clock.started().after(2.5).seconds
        58.5

    """

    seconds: float
    """the seconds on the clock at the start of a game, which are added again at the start of each further period"""
    moves: int | None = None
    """the number of moves in a period; None if the period is the whole game"""
    increment: float = 0.0
    """seconds added after each move"""

    def __str__(self) -> str:
        period = "" if self.moves is None else f"{self.moves}/"
        return f"{period}{self.seconds:g}" + (f"+{self.increment:g}" if self.increment else "")

    def started(self) -> Remaining:
        """Return the state of the clock at the start of a game."""
        return Remaining(self, self.seconds, 0)


class Remaining(NamedTuple):
    """The state of a player's clock during a game: the seconds left, and the moves made in the current period."""

    clock: Clock
    seconds: float
    """seconds left; below 0 if the last move exceeded the time within the grace period"""
    made: int
    """the number of moves made in this period"""

    def limit(self, limit: Limit) -> Limit:
        """Return a copy of `limit` with the state of this clock.

        The state consists of the remaining time, the increment, and the number of moves left in the period.
        """
        moves = None if self.clock.moves is None else self.clock.moves - self.made
        return limit._replace(
            remaining=max(self.seconds, 0.0), moves_left=moves, increment=self.clock.increment or None
        )

    def after(self, seconds: float) -> Remaining:
        """Return the state of the clock after a move that took `seconds`."""
        left, made = self.seconds - seconds + self.clock.increment, self.made + 1
        if made == self.clock.moves:
            return Remaining(self.clock, left + self.clock.seconds, 0)
        return Remaining(self.clock, left, made)


def read_clock(given: str | Clock | None, limit: Limit = NO_LIMIT) -> Clock | None:
    """Convert `given`, a `Clock` or a string such as `5/10`, to a `Clock`. Return None if `given` is None.

    Raises UsageError if the string is malformed, if a number is out of range, or if `limit` already has a time limit
    per move.
    """
    if given is None:
        return None
    if limit.seconds is not None:
        both = argument("limit.seconds and clock", "time and clock", "--time and --clock")
        raise UsageError(f"{both}: give only one of them; a clock limits all moves of a game together")
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
