"""A game between people and programs, played ply by ply, without input, output or threads.

`play` makes a person's move. `step` lets a program make its move, or draws a chance outcome. A process can hold
thousands of sessions. With the same players and seed, a session plays the same game as the first game of a match
without random opening moves. The file has more than 400 lines, because it contains one class whose methods have
examples.
"""

from __future__ import annotations

import datetime
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NoReturn

from petteia.arena.alternate import legal_move
from petteia.arena.task import finished
from petteia.core.clock import Clock
from petteia.core.decision import ALLOWANCE, Decision, Fault, Limit, Outcome
from petteia.core.errors import Stopped, UsageError
from petteia.core.moves import read_move
from petteia.core.protocol import CHANCE, Rules, State, is_over, margin, seats, to_move
from petteia.core.random import stream
from petteia.core.stop import Stop, check_stop, obeying
from petteia.player_processes.process import Children
from petteia.players.human import HumanPlayer
from petteia.players.kept import check_unkept, keep_learner, open_kept
from petteia.players.player import UNLIMITED, Player, notices
from petteia.playing.advisers import Advisers
from petteia.playing.clocks import Clocks
from petteia.playing.dice import Dice
from petteia.playing.position import Position
from petteia.playing.step import Step, written
from petteia.policies.play_games import MAX_PLIES, match_keys
from petteia.records.game_record import GameRecord


class Session:
    """A game in progress. `petteia.session` starts a game, and `petteia.restore` continues a recorded game.

    A session is not thread-safe and cannot be pickled; save its record and restore it instead.

    Examples:
        >>> session = petteia.session("kalah", ("human", "greedy"))
        >>> session.play("6").move
        '6'
        >>> session.to_move, session.needs_move
        ('north', False)
        >>> session.step().move
        '6'
        >>> session.undo().text
        '4,4,4,4,4,4,0/4,4,4,4,4,4,0 s'
        >>> session.moves
        ()

    """

    def __init__(
        self,
        rules: Rules,
        players: tuple[Player, Player],
        start: State,
        *,
        moves: Sequence[int] | None = None,
        hint: Player | None = None,
        seed: int = 0,
        limit: Limit = UNLIMITED,
        clock: Clock | None = None,
        max_plies: int = MAX_PLIES,
        children: Children | None = None,
    ) -> None:
        """Create a session. The arguments must be valid; `petteia.session` and `petteia.restore` check them.

        `moves` contains the move codes of a continued game. `children` creates the child processes of the players. The
        session ends the child processes when it is closed.
        """
        self._start = Position(rules, start)
        for side, each in enumerate(players):
            if side not in each.seats:
                raise UsageError(f"player {each.name} does not play {seats(rules)[side]}; choose another player")
        self._players, self._limit, self._max_plies = players, limit, max_plies
        self._advisers = Advisers(rules, players, hint, children)
        self._children, self._is_closed = children, False
        self._clocks = Clocks(clock, (ALLOWANCE if children is None else children.allowance).grace)
        self._persons = tuple(side for side in (0, 1) if isinstance(players[side], HumanPlayer))
        if not self._persons:  # without persons, any player can be asked for hints
            self.check_limit()
        self._keys = match_keys(seed)
        self._dice = Dice(rules, self._keys.chance)
        self._line = [self._start]
        for code in moves or ():
            self._append(self.position.after(code))
        self._undone = list[list[Position]]()
        self._outcome: Outcome | None = None
        self._beginnings = -1 if moves is None else 0
        open_kept(players, rules, seed=seed, position=self._start.text)
        of_hint = () if hint is None else notices(hint, limit=limit)
        self._notices = list(dict.fromkeys((*notices(*players, limit=self._clocks.limit(0, limit)), *of_hint)))
        self._begin()

    @property
    def start(self) -> Position:
        """The start position of the game."""
        return self._start

    @property
    def position(self) -> Position:
        """The current position."""
        return self._line[-1]

    @property
    def players(self) -> tuple[str, str]:
        """The names of players 0 and 1, such as `greedy`."""
        return self._players[0].name, self._players[1].name

    @property
    def persons(self) -> tuple[str, ...]:
        """The seats of human players, such as `south`."""
        return tuple(seats(self._start.rules)[side] for side in self._persons)

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves and chance outcomes so far, as text."""
        return tuple(written(position) for position in self._line[1:])

    @property
    def undone(self) -> tuple[str, ...]:
        """The moves and chance outcomes that `redo` can make again, as text."""
        return tuple(written(position) for part in reversed(self._undone) for position in part)

    @property
    def to_move(self) -> str | None:
        """The seat to move, such as `south`; `chance` at a chance node; None if the game is over."""
        return None if self.is_over else self.position.to_move

    @property
    def whose(self) -> str | None:
        """The name of the player to move; `chance` at a chance node; None if the game is over."""
        side = self._side
        return None if side is None else "chance" if side == CHANCE else self._players[side].name

    @property
    def needs_move(self) -> bool:
        """Whether a person is to move, so that the next call must be `play` and not `step`."""
        return self._side in self._persons

    @property
    def remaining(self) -> tuple[float, float] | None:
        """The seconds left on the clocks of players 0 and 1; None without clocks.

        If a move is undone, the earlier times of both clocks are restored.
        """
        return self._clocks.remaining

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._outcome is not None

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the game; None if it is not over."""
        return self._outcome

    @property
    def notices(self) -> tuple[str, ...]:
        """Notices about the players for the user, one line each.

        If a player raises an error in its method `end_game`, the notices contain the error message.
        """
        return tuple(self._notices)

    def record(self, date: datetime.date | None = None) -> GameRecord:
        """Return the record of the game so far. `date` is the date in the record; None means no date."""
        codes = tuple(position.last[1] for position in self._line if position.last)
        return GameRecord(self._start.rules, self.players, self._start.state, codes, self._outcome, date)

    def play(self, move: str, seconds: float = 0.0) -> Step:
        """Play the move of the person whose turn it is.

        Args:
            move: the move as text
            seconds: the seconds that the person took, for the clock. A person who exceeds the remaining time loses the
                game, and the returned ply then has no move

        Raises:
            UsageError: it is not a person's turn
            InvalidError: the move is illegal; the message lists the legal moves

        """
        side = self._side_to_move("play")
        if side not in self._persons:
            raise UsageError(f"play: it is not a human player's turn, but the turn of {self.whose}; call step()")
        name, code = self._players[side].name, read_move(self._start.rules, self.position.state, move)
        try:
            self._clocks.check(side, name, seconds)
        except Fault as fault:
            return self._lose(side, fault)
        return self._make(name, code, seconds=seconds)

    def step(self, stop: Stop | None = None) -> Step | None:
        """Let the program to move make its move, or draw a chance outcome.

        Args:
            stop: ends the computation when it is set; the program then plays the best move found so far

        Returns:
            The ply. If the program failed and so lost the game, the move of the ply is None; see `outcome`. If `stop`
            was set before the call, or while a player in a child process was choosing its move, the result is None. The
            session is then unchanged.

        Raises:
            UsageError: it is a person's turn, or the game is over

        """
        side = self._side_to_move("step")
        if side in self._persons:
            raise UsageError("step: it is a human player's turn; call play(move)")
        if stop is not None and stop.is_set:
            return None
        rules, state = self._start.rules, self.position.state
        if side == CHANCE:
            return self._make("chance", self._dice.draw(state))
        mover = self._players[side]
        try:
            begin = time.perf_counter()
            with obeying(stop):
                decision = mover.choose(state, self._clocks.limit(side, self._limit))
            seconds = time.perf_counter() - begin
            self._clocks.check(side, mover.name, seconds)
            code = legal_move(rules, mover, state, decision.move)
        except Stopped:
            return None
        except Fault as fault:
            return self._lose(side, fault)
        return self._make(mover.name, code, decision, seconds)

    def advance(self, stop: Stop | None = None) -> tuple[Step, ...]:
        """Call `step` until a person is to move, the game is over, or `stop` is set. Return the plies played."""
        steps = []
        while not self.is_over and not self.needs_move and (step := self.step(stop)):
            steps.append(step)
        return tuple(steps)

    def undo(self) -> Position:
        """Take back the last decision of a person and all plies after it, even after the end of the game.

        If no person plays, the last decision of any player is taken back. Each player begins a new game at the restored
        position, by its method `new_game`. Chance draws the same outcomes as before.

        Returns:
            The current position.

        Raises:
            UsageError: there is no move to take back, or a player has already learned from the finished game

        """
        self._check_open("undo")
        check_unkept(self._players)
        for place in range(len(self._line) - 2, -1, -1):
            position = self._line[place]
            if to_move(position.rules, position.state) in (self._persons or (0, 1)):
                self._undone.append(self._line[place + 1 :])
                del self._line[place + 1 :]
                self._clocks.take_back(place)
                self._begin()
                return self.position
        raise UsageError("undo: there is no move to take back")

    def redo(self) -> Position:
        """Redo the plies that the last `undo` took back. A move after an undo discards these plies.

        Returns:
            The current position.

        Raises:
            UsageError: there is no ply to redo

        """
        self._check_open("redo")
        if not self._undone:
            raise UsageError("redo: there is no move to redo")
        for position in self._undone.pop():
            self._append(position)
        self._begin()
        return self.position

    def hint(self, player: str | Any | None = None, stop: Stop | None = None) -> Step | None:
        """Suggest a move for the side to move. The game does not change.

        Args:
            player: the player that suggests the move; default: the session's player for hints. If it cannot play the
                side to move, a search suggests the move
            stop: ends the computation when it is set, as in `step`

        Returns:
            The move and the position after it, or None if `stop` was set before there was a move.

        Raises:
            UsageError: the player is unknown, no player is to move, or no player can give a hint
            PetteiaError: the player fails or takes too long

        """
        side = self._side_to_move("hint")
        if side == CHANCE:
            raise UsageError("hint: no player is to move, because the position is a chance node; call step() first")
        rules, state = self._start.rules, self.position.state
        adviser, told = self._advisers.adviser(side, player, self._limit)
        self._notices += [line for line in told if line not in self._notices]
        with suppress(Stopped), obeying(stop):
            check_stop()
            adviser.new_game(rules, stream(self._keys.opening, len(self._line) - 1))
            decision = adviser.choose(state, self._limit)
            after = self.position.after(legal_move(rules, adviser, state, decision.move))
            return Step(adviser.name, written(after), decision, after)
        return None

    def check_limit(self) -> None:
        """Raise UsageError if the session limits the searches of players, but no player accepts such limits.

        A player counts as accepting limits if it accepts them for its moves or for hints. Clocks are not checked.
        """
        self._advisers.check_limit(self._limit, self._persons)

    def resign(self) -> None:
        """Resign for the person whose turn it is. If only one person plays, the person can resign at any time.

        Raises UsageError if the game is over. Also raises UsageError if no person is to move, unless exactly one person
        plays.
        """
        side = self._side_to_move("resign")
        if side not in self._persons:
            if len(self._persons) != 1:
                raise UsageError("resign: it is not a human player's turn")
            side = self._persons[0]
        self._undone.clear()
        self._outcome = Outcome(2 * side - 1, len(self._line) - 1, "resigned")
        keep_learner(self._players, self._outcome)

    def close(self) -> tuple[str, ...]:
        """Save the players that learn, and end the child processes. The session cannot be played afterwards.

        Returns:
            Messages of the players, such as what they have saved, one line each.

        """
        if self._is_closed:
            return ()
        self._is_closed = True
        try:
            return tuple(finished(*self._players))
        finally:
            if self._children is not None:
                self._children.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        go_on = "save session.record() and continue with petteia.restore(record, players)"
        raise TypeError(f"a Session cannot be pickled; {go_on}")

    def __repr__(self) -> str:
        first, second = self.players
        plies = len(self._line) - 1
        return f"<Session of {self._start.game}, {first} against {second}, {plies} plies, {self.to_move or 'over'}>"

    @property
    def _side(self) -> int | None:
        return None if self.is_over else int(to_move(self._start.rules, self.position.state))

    def _check_open(self, verb: str) -> None:
        if self._is_closed:
            raise UsageError(f"{verb}: the session is closed")

    def _side_to_move(self, verb: str) -> int:
        """Return the side to move. Raises UsageError if the game is over, with a message that starts with `verb`."""
        self._check_open(verb)
        if (side := self._side) is None:
            raise UsageError(f"{verb}: the game is over")
        return side

    def _begin(self) -> None:
        """Seed the dice, start the players, and check whether the game is over already."""
        self._outcome = None
        self._beginnings += 1
        self._dice.lay_out(each.state for each in self._line[:-1])
        self._begun = list[Player]()
        for side, key in enumerate((self._keys.first, self._keys.second)):
            try:
                self._players[side].new_game(self._start.rules, stream(key, self._beginnings))
            except Fault as fault:
                self._end(Outcome(2 * side - 1, len(self._line) - 1, fault.reason, str(fault)))
                return
            self._players[side].expect(self._start.rules, self.position.state, self._clocks.limit(side, self._limit))
            self._begun.append(self._players[side])
        self._see_end()

    def _lose(self, side: int, fault: Fault) -> Step:
        """End the game as a loss for `side`, and return a ply without a move."""
        self._end(Outcome(2 * side - 1, len(self._line) - 1, fault.reason, str(fault)))
        return Step(self._players[side].name, None, None, self.position)

    def _append(self, position: Position, seconds: float = 0.0) -> None:
        self._clocks.move(to_move(self._start.rules, self.position.state), seconds)
        self._line.append(position)

    def _make(self, who: str, code: int, decision: Decision | None = None, seconds: float = 0.0) -> Step:
        self._dice.pass_on(self.position.state)
        self._append(self.position.after(code), seconds)
        self._undone.clear()
        self._see_end()
        return Step(who, written(self.position), decision, self.position)

    def _see_end(self) -> None:
        plies = len(self._line) - 1
        if is_over(self._start.rules, self.position.state):
            self._end(Outcome(int(margin(self._start.rules, self.position.state)), plies))
        elif plies >= self._max_plies:
            self._end(Outcome(0, plies, "max-plies"))

    def _end(self, outcome: Outcome) -> None:
        self._outcome = outcome
        self._undone.clear()
        for each in self._begun:
            try:
                each.end_game(self.position.state)
            except Fault as fault:
                self._notices.append(str(fault))
        keep_learner(self._players, outcome)
