"""A game in progress on the server. The moves of programs are computed by a pool of players."""

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
"""The pauses between the moves if two programs play each other, in seconds."""
MOVES_AHEAD = 20
"""The number of moves among which a program divides its remaining time, if the clock sets no number."""


class Wish(NamedTuple):
    """The settings of a new game."""

    rules: Rules
    players: tuple[str, str]
    position: str = ""
    """the start position, as text; empty for the initial position"""
    random: int = 0
    """the number of random plies before the game"""
    record: GameRecord | None = None
    """the recorded game that is continued; None for a new game"""
    clock: Clock | None = None
    owner: str = ""
    """the owner of the game, which identifies a browser; empty if only this machine can connect"""


class Game:
    """A game in progress. Its methods may be called from any thread."""

    def __init__(self, name: str, session: Session, players: tuple[str, str], seed: int) -> None:
        self.name, self.session, self.players, self.seed = name, session, players, seed
        self.lock = threading.RLock()
        self.version = 0
        """a number that grows with each change of the game"""
        self.is_turned = False
        self.pace = "normal"
        self.is_paused = False
        self.trouble = ""
        """the reason why a program did not move, as text; empty if there is none"""
        self.thought: Stop | None = None
        """the object that stops the current computation; None if nothing is computed"""
        self.thinker = ""
        """the text form of the program that computes, or last computed, a move; empty if there was none"""
        self.moved_at = self.asked_at = time.monotonic()
        """the time of the last move, and the time of the last request to a program"""
        self.was_shown = False
        self.set_clock(None, [])
        self.ended: Outcome | None = None
        """the outcome of a game that did not end by its rules; None for other games"""
        self.owner = ""
        self.date: datetime.date | None = None
        """the date on which the game began"""
        self.mistakes: tuple[int, int] | None = None
        """the numbers of mistakes of players 0 and 1; None if the game was not reviewed"""

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.session.start.rules

    @property
    def position(self) -> Position:
        """The current position of the game."""
        return self.session.position

    @property
    def persons(self) -> tuple[int, ...]:
        """The sides that people play."""
        return tuple(side for side in (0, 1) if self.players[side] == PERSON)

    @property
    def side(self) -> int | None:
        """The side to move, 0 or 1; None if the game is over."""
        return None if self.outcome is not None else int(to_move(self.rules, self.position.state))

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the game; None if it is not over."""
        return self.ended or self.session.outcome

    @property
    def is_persons_turn(self) -> bool:
        """Whether it is a person's turn."""
        return self.side in self.persons

    @property
    def waits(self) -> bool:
        """Whether the game waits for a program's move: on its turn, or because a person asked a program to move."""
        return self.side is not None and not self.trouble and (self.thought is not None or not self.is_persons_turn)

    @property
    def line(self) -> list[Position]:
        """The positions of the game, from the first to the current one."""
        positions = [self.session.start]
        for code in self.session.record().moves:
            positions.append(positions[-1].after(code))
        return positions

    @property
    def elapsed(self) -> float:
        """The seconds since the player to move began its move, or 0 if no clock runs."""
        if self.thought is not None:
            return time.monotonic() - (self.moved_at if self.is_persons_turn else self.asked_at)
        return time.monotonic() - self.moved_at if self.is_persons_turn else 0.0

    @property
    def remaining(self) -> tuple[float, float] | None:
        """The time left to players 0 and 1, in seconds; None in a game without clocks."""
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
        """The time limit, in seconds, for the next move of a program, or None in a game without clocks."""
        if self.clock is None or self.side is None:
            return None
        limit = self.clocks.limit(self.side, Limit())
        assert limit.remaining is not None
        return limit.remaining / (limit.moves_left or MOVES_AHEAD) + (limit.increment or 0.0)

    def set_clock(self, clock: Clock | None, spent: list[float]) -> None:
        """Set the clocks of both players, and subtract the time of the moves so far.

        `spent` contains the time of each ply, in seconds.
        """
        self.clock, self.clocks, self.spent = clock, Clocks(clock, ALLOWANCE.grace), list[float]()
        line = self.line if clock else []
        for before, seconds in zip(line, spent, strict=False):
            self._spend(before, seconds)

    def _spend(self, before: Position, seconds: float) -> None:
        self.spent.append(seconds)
        self.clocks.move(to_move(self.rules, before.state), seconds)

    def changed(self, seconds: float = 0.0) -> None:
        """Update the clocks and the version of the game after its moves have changed.

        `seconds` is the time that the last move took. If the position is a chance node, outcomes are first drawn until
        a player is to move.
        """
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
        """Make a move, or end the game if the time of the player is up. Raises InvalidError for an illegal move."""
        if self.runs_out():
            return
        seconds = self.elapsed
        self.session.play(move)
        self.halt()
        self.changed(seconds)

    def runs_out(self) -> bool:
        """Return whether the time of the player to move is up. If it is, this player loses the game."""
        left = self.remaining
        if left is None or self.side is None or left[self.side] > 0:
            return False
        self._lose(self.side, "timeout")
        return True

    def _lose(self, side: int, reason: Reason) -> None:
        self.halt()
        self.ended = Outcome(2 * side - 1, len(self.session.moves), reason)
        self.changed()

    def step(self, begun: Steps, step: int) -> Steps:
        """Add a step to a person's incomplete move, and play the move if it is then complete.

        Returns the steps of the incomplete move so far, including the new step. If the new step completes the move, the
        returned tuple is empty.

        Raises InvalidError if no legal move has this step, and UsageError if it is not a person's turn.
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
        """Take back moves until it is a person's turn again. If no person plays, take back only the last move."""
        self.halt()
        self.session.undo()
        self.ended = None
        while self.persons and self.side not in self.persons and len(self.session.moves) > 0:
            self.session.undo()
        self.changed()

    def redo(self) -> None:
        """Replay the moves that were taken back by the last undo."""
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
        """End the game as a loss of the person to move. Raises UsageError if it is not a person's turn."""
        if not self.is_persons_turn:
            raise UsageError(words()["not_your_turn"])
        assert self.side is not None
        self._lose(self.side, "resigned")

    def pause(self, is_paused: bool) -> None:
        """Pause a game of two programs and stop the current computation, or resume the game."""
        self.is_paused = is_paused
        if is_paused and not self.persons:
            self.halt()

    def show(self) -> None:
        """Record that a page shows the game. The first call starts the clock of the first move."""
        if not self.was_shown:
            self.was_shown, self.moved_at = True, time.monotonic()

    def halt(self) -> None:
        """Stop the current computation, if there is one."""
        if self.thought is not None:
            self.thought.set()
            self.thought = None

    def record(self) -> GameRecord:
        """Return the record of the game so far."""
        record = self.session.record(self.date)
        return dataclasses.replace(record, players=self.players, outcome=self.outcome)
