"""A game in play: a session of `petteia.playing` in which both sides are people; programs are asked from the pool."""

from __future__ import annotations

import dataclasses
import datetime
import threading
import time
from typing import NamedTuple

from petteia.core.clock import Clock
from petteia.core.decision import ALLOWANCE, Limit, Outcome, Reason
from petteia.core.errors import InvalidError, UsageError
from petteia.core.protocol import CHANCE, Rules, format_move, to_move
from petteia.core.steps import Steps, continuations
from petteia.core.stop import Stop
from petteia.playing.clocks import Clocks
from petteia.playing.position import Position
from petteia.playing.session import Session
from petteia.records.game_record import GameRecord
from petteia.web.words import words

PERSON = "human"
PACES = {"slow": 2.0, "normal": 0.7, "fast": 0.0}
"""seconds between the moves of two programs"""
MOVES_AHEAD = 20
"""moves among which a program divides the time of a game"""


class Wish(NamedTuple):
    """A game that somebody wants to play."""

    rules: Rules
    players: tuple[str, str]
    position: str = ""
    """where it starts; empty: at the first position"""
    random: int = 0
    """random plies at the beginning"""
    record: GameRecord | None = None
    """the game that it goes on with"""
    clock: Clock | None = None
    owner: str = ""
    """whose game it is; nothing on one's own machine, where all games are"""


class Game:
    """A game in play. Its methods may be called from any thread."""

    def __init__(self, name: str, session: Session, players: tuple[str, str], seed: int) -> None:
        self.name, self.session, self.players, self.seed = name, session, players, seed
        self.lock = threading.RLock()
        self.version = 0
        """grows with all that changes"""
        self.is_turned = False
        self.pace = "normal"
        self.is_paused = False
        self.trouble = ""
        """why a player did not move, in words"""
        self.thought: Stop | None = None
        """ends the thought that goes on; None if nobody thinks"""
        self.moved_at = self.asked_at = time.monotonic()
        """when the last move was made, and when a program was asked for the next one"""
        self.was_shown = False
        self.set_clock(None, [])
        self.ended: Outcome | None = None
        """how it has ended, if not by its rules"""
        self.owner = ""
        self.date: datetime.date | None = None
        """when it was begun"""
        self.mistakes: tuple[int, int] | None = None
        """of players 0 and 1; None: nobody has looked"""

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.session.start.rules

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self.session.position

    @property
    def persons(self) -> tuple[int, ...]:
        """The sides that are people's."""
        return tuple(side for side in (0, 1) if self.players[side] == PERSON)

    @property
    def side(self) -> int | None:
        """Who is to move, 0 or 1; None if the game is over."""
        return None if self.outcome is not None else int(to_move(self.rules, self.position.state))

    @property
    def outcome(self) -> Outcome | None:
        """How the game has ended; None if it has not."""
        return self.ended or self.session.outcome

    @property
    def is_persons_turn(self) -> bool:
        """Whether a person is to move."""
        return self.side in self.persons

    @property
    def line(self) -> list[Position]:
        """All positions of the game."""
        positions = [self.session.start]
        for code in self.session.record().moves:
            positions.append(positions[-1].after(code))
        return positions

    @property
    def elapsed(self) -> float:
        """Seconds that who is to move has taken for the move so far; 0 while nobody thinks of it."""
        if self.thought is not None:
            return time.monotonic() - (self.moved_at if self.is_persons_turn else self.asked_at)
        return time.monotonic() - self.moved_at if self.is_persons_turn else 0.0

    @property
    def remaining(self) -> tuple[float, float] | None:
        """Seconds that players 0 and 1 have left now; None without clocks."""
        left = self.clocks.remaining
        if left is None:
            return None
        if self.ended is not None and self.ended.reason == "timeout":
            return (left[0], 0.0) if self.ended.winner == 0 else (0.0, left[1])
        if self.side is None:
            return left
        now = max(0.0, left[self.side] - self.elapsed)
        return (now, left[1]) if self.side == 0 else (left[0], now)

    @property
    def share(self) -> float | None:
        """Seconds that a program may take for the move that is due; None without clocks."""
        if self.clock is None or self.side is None:
            return None
        limit = self.clocks.limit(self.side, Limit())
        assert limit.remaining is not None
        return limit.remaining / (limit.moves_left or MOVES_AHEAD) + (limit.increment or 0.0)

    def set_clock(self, clock: Clock | None, spent: list[float]) -> None:
        """Give both players this clock; `spent` are the seconds that each ply has taken so far."""
        self.clock, self.clocks, self.spent = clock, Clocks(clock, ALLOWANCE.grace), list[float]()
        line = self.line if clock else []
        for before, seconds in zip(line, spent, strict=False):
            self._spend(before, seconds)

    def _spend(self, before: Position, seconds: float) -> None:
        self.spent.append(seconds)
        self.clocks.move(to_move(self.rules, before.state), seconds)

    def changed(self, seconds: float = 0.0) -> None:
        """Note a change, a move that took so many seconds; dice fall at once."""
        while self.side == CHANCE:
            self.session.step()
        if self.clock is not None:
            line = self.line
            del self.spent[len(line) - 1 :]
            self.clocks.take_back(len(self.spent))
            for before in line[len(self.spent) : -1]:
                self._spend(before, seconds)
                seconds = 0.0
        self.version += 1
        self.moved_at = time.monotonic()
        self.trouble = ""
        self.mistakes = None

    def play(self, move: str) -> None:
        """Who is to move makes a move, unless the time is up. Raises InvalidError for a move that is not legal."""
        if self.runs_out():
            return
        seconds = self.elapsed
        self.session.play(move)
        self.halt()
        self.changed(seconds)

    def runs_out(self) -> bool:
        """Whether the time of who is to move is up, by which the game is lost."""
        left = self.remaining
        if left is None or self.side is None or left[self.side] > 0:
            return False
        self._lose(self.side, "timeout")
        return True

    def _lose(self, side: int, reason: Reason) -> None:
        """The game ends, and is lost by a side."""
        self.halt()
        self.ended = Outcome(2 * side - 1, len(self.session.moves), reason)
        self.changed()

    def step(self, begun: Steps, step: int) -> Steps:
        """Make a step of a person's move. Returns the steps made by then; none when the move is complete.

        Raises InvalidError for a step that no legal move goes on with, UsageError if no person is to move.
        """
        if not self.is_persons_turn:
            raise UsageError(words()["not_your_turn"])
        found = continuations(self.rules, self.position.state, begun)
        if step not in found:
            begun, found = (), continuations(self.rules, self.position.state, ())
        if step not in found:
            raise InvalidError(words()["no_move"])
        if (move := found[step]) is None:
            return (*begun, step)
        self.play(format_move(self.rules, self.position.state, move))
        return ()

    def undo(self) -> None:
        """Take back to the last decision of a person, or of any player if there are no persons."""
        self.halt()
        self.session.undo()
        self.ended = None
        while self.persons and self.side not in self.persons and len(self.session.moves) > 0:
            self.session.undo()
        self.changed()

    def redo(self) -> None:
        """Make again what the last undo took back."""
        if self.ended is not None:
            raise UsageError(words()["over"])
        self.halt()
        self.session.redo()
        while self.persons and self.side not in self.persons and not self.session.is_over:
            try:
                self.session.redo()
            except UsageError:
                break
        self.changed()

    def resign(self) -> None:
        """The person to move gives up. Raises UsageError if none is to move."""
        if not self.is_persons_turn:
            raise UsageError(words()["not_your_turn"])
        assert self.side is not None
        self._lose(self.side, "resigned")

    def show(self) -> None:
        """Note that the game is shown. The time for the next move begins when that happens first."""
        if not self.was_shown:
            self.was_shown, self.moved_at = True, time.monotonic()

    def halt(self) -> None:
        """End the thought that goes on."""
        if self.thought is not None:
            self.thought.set()
            self.thought = None

    def record(self) -> GameRecord:
        """The record of the game so far."""
        record = self.session.record(self.date)
        return dataclasses.replace(record, players=self.players, outcome=self.outcome)
