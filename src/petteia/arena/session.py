"""A game at the terminal: what people type, what they are shown, and the record at the end.

All input and output goes through two functions, so a session can be scripted.
"""

from __future__ import annotations

import datetime
import difflib
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from petteia.arena.alternate import legal_move
from petteia.arena.match import UNLIMITED
from petteia.core.decision import Fault, Limit, Outcome
from petteia.core.errors import PetteiaError, UsageError
from petteia.core.protocol import (
    CHANCE,
    Rules,
    State,
    chances,
    format_move,
    initial,
    is_over,
    legal,
    margin,
    play,
    seats,
    to_move,
)
from petteia.core.random import draw_index, next_word, stream
from petteia.games import name_of
from petteia.players import player
from petteia.players.human import HumanPlayer, Read, Write, read_move
from petteia.players.player import Player, check_limit, notices, scratch
from petteia.policies.play_games import MAX_PLIES, dice_of, match_keys
from petteia.records.game_record import GameRecord
from petteia.render import board_text, move_text
from petteia.render.boards import MOST_LISTED
from petteia.render.moves import list_moves, numbered_moves

LOST = {
    "illegal": "made an illegal move",
    "timeout": "took too long",
    "crashed": "failed",
    "resigned": "resigned",
}
"""what the loser did that ended the game before its end"""


class Session(NamedTuple):
    """The result of a game that people sat down to play."""

    record: GameRecord
    """the record of the game"""
    interrupted: bool
    """whether the input ended, or somebody interrupted it, before the game did"""


class _Stop(Exception):  # noqa: N818  # not an error
    """Somebody does not want to go on."""

    def __init__(self, outcome: Outcome | None) -> None:
        super().__init__()
        self.outcome = outcome


def play_session(
    rules: Rules,
    players: tuple[Player, Player],
    *,
    start: State | None = None,
    read: Read = input,
    write: Write = print,
    hint: Player | None = None,
    seed: int = 0,
    limit: Limit = UNLIMITED,
    max_plies: int = MAX_PLIES,
    date: datetime.date | None = None,
) -> Session:
    """Play a game between two players, any of them human, and show it.

    Args:
        rules: of the game
        players: those of seats 0 and 1
        start: a state that is not over; None: the initial one
        read: shows a prompt and returns the line typed, without its end; EOFError and KeyboardInterrupt end the session
        write: shows a text of one or more lines
        hint: who is asked for hints; None: the opponent. Who does not play the seat that asks, or gives no hints, is
            stood in for by a search, if the game can be searched
        seed: of chance and of the players
        limit: how much thought the players' moves, and hints, may take: replaces the own limits of players that search
        max_plies: after so many plies the game is a draw
        date: for the record

    Returns:
        the record of the game, also of one that was not finished

    Raises:
        UsageError: if a player cannot take its seat, or a limit is given that nobody here takes

    """
    names = seats(rules)
    for side, each in enumerate(players):
        if side not in each.seats:
            raise UsageError(f"player {each.name} does not play {names[side]}")
    sitting = _Sitting(rules, players, start or initial(rules), read, write, hint, seed, limit)
    sitting.check_limit()
    for notice in notices(*players, *([hint] if hint else []), limit=limit):
        write(notice)
    interrupted = False
    outcome = None
    try:
        outcome = sitting.play(max_plies)
    except _Stop as stop:
        outcome = stop.outcome
    except (EOFError, KeyboardInterrupt):
        interrupted = True
        write("\ninterrupted")
    finally:
        record = sitting.record(outcome, date)
        write(f"\n{_describe(rules, outcome)}\n\n{record.write()}")
        for each in players:
            try:
                remark = each.finish()
            except Fault as fault:
                remark = str(fault)
            if remark:
                write(remark)
    return Session(record, interrupted)


def _describe(rules: Rules, outcome: Outcome | None) -> str:
    if outcome is None:
        return "The game is not finished."
    after = f"after {outcome.plies} {'ply' if outcome.plies == 1 else 'plies'}"
    if outcome.winner is None:
        return f"A draw {after}{' (the limit of plies)' if outcome.reason == 'max-plies' else ''}."
    names = seats(rules)
    winner, loser = names[outcome.winner], names[1 - outcome.winner]
    score = f" by {abs(outcome.margin)}" if abs(outcome.margin) > 1 else ""
    why = f" ({loser} {LOST[outcome.reason]})" if outcome.reason in LOST else ""
    return f"Won by {winner}{score} {after}{why}."


class _Sitting:
    """A game in progress."""

    def __init__(
        self,
        rules: Rules,
        players: tuple[Player, Player],
        start: State,
        read: Read,
        write: Write,
        hint: Player | None,
        seed: int,
        limit: Limit,
    ) -> None:
        self.rules, self.players, self.read, self.write = rules, players, read, write
        self.hint, self.limit = hint, limit
        self.names = seats(rules)
        self.states, self.moves = [start], list[int]()
        self.keys = match_keys(seed)
        self.work = scratch(rules)
        self._lay_out_dice()
        self.undone = 0
        self.searcher: Player | None = None
        self.is_asked = self.is_shown = False

    @property
    def state(self) -> State:
        """The state on the board."""
        return self.states[-1]

    def play(self, max_plies: int) -> Outcome:
        """Play on until the game is over; _Stop if somebody does not want to."""
        title = name_of(type(self.rules))
        self.write(f"{title}: {self.names[0]} {self.players[0].name}, {self.names[1]} {self.players[1].name}")
        if any(map(self._is_human, (0, 1))):
            self.write("Type a move, or `help` for what else you can type.")
        watched = not any(map(self._is_human, (0, 1)))
        outcome = self._seat_players()
        while outcome is None:
            if watched:
                self._show_once()
            outcome = self._turn()
            if outcome is None and is_over(self.rules, self.state):
                outcome = Outcome(int(margin(self.rules, self.state)), len(self.moves))
            elif outcome is None and len(self.moves) >= max_plies:
                outcome = Outcome(0, len(self.moves), "max-plies")
        self._show_once()
        for each in self.begun:
            try:
                each.end_game(self.state)
            except Fault as fault:
                self.write(str(fault))
        return outcome

    def record(self, outcome: Outcome | None, date: datetime.date | None = None) -> GameRecord:
        """The record of the game so far."""
        names = (self.players[0].name, self.players[1].name)
        return GameRecord(self.rules, names, self.states[0], tuple(self.moves), outcome, date)

    def check_limit(self) -> None:
        """Raise a UsageError if there is a limit that nobody takes: neither those who play nor those who give hints."""
        asked = [*self.players, *([self.hint] if self.hint else [])]
        if self.limit == UNLIMITED or any(each.takes_limit for each in asked):
            return
        if all(self._adviser(side) for side in (0, 1) if self._is_human(side)):  # else a search gives the hints
            check_limit(self.limit, *asked)

    def _is_human(self, side: int) -> bool:
        return side != CHANCE and isinstance(self.players[side], HumanPlayer)

    def _seat_players(self) -> Outcome | None:
        """Tell both that a game begins; the outcome if one fails at that."""
        self.begun = list[Player]()
        for side, (key, each) in enumerate(zip((self.keys.first, self.keys.second), self.players, strict=True)):
            try:
                each.new_game(self.rules, stream(key, self.undone))
            except Fault as fault:
                return self._lost(side, fault)
            self.begun.append(each)
        return None

    def _lost(self, side: int, fault: Fault) -> Outcome:
        """The outcome of a game in which the player of `side` has committed a fault."""
        self.write(str(fault))
        return Outcome(2 * side - 1, len(self.moves), fault.reason, str(fault))

    def _show(self) -> None:
        self.write(f"\n{board_text(self.rules, self.state, moves=False)}\n")
        self.is_shown = True

    def _show_once(self) -> None:
        """Show the board, unless what was told of the last move has shown it."""
        if not self.is_shown:
            self._show()

    def _turn(self) -> Outcome | None:
        """A move, or whatever is typed instead of one; the outcome if it ends the game."""
        side = to_move(self.rules, self.state)
        if self._is_human(side):
            self._ask(side)
            return None
        if side == CHANCE:
            who, move = "chance", self._draw()
        else:
            mover = self.players[side]
            who = f"{self.names[side]} ({mover.name})"
            try:
                move = legal_move(self.rules, mover, self.state, mover.choose(self.state, self.limit).move)
            except Fault as fault:
                return self._lost(side, fault)
        self.write(f"{who}: {format_move(self.rules, self.state, move)}")
        self._play(move)
        return None

    def _draw(self) -> int:
        """An outcome of chance."""
        count = chances(self.rules, self.state, self.work.moves, self.work.probabilities)
        return int(self.work.moves[draw_index(self.dice[self.last], self.work.probabilities, count)])

    def _lay_out_dice(self) -> None:
        """Lay out the dice of this seed, those away that have fallen in the game so far.

        They are those of the first game of a match. So what follows a move that was taken back falls again as it did,
        and nobody can ask for better dice.
        """
        self.dice, self.last = dice_of(self.keys.chance, 0), CHANCE
        for state in self.states[:-1]:
            if (mover := to_move(self.rules, state)) == CHANCE:
                next_word(self.dice[self.last])
            else:
                self.last = mover

    def _play(self, move: int) -> None:
        text = move_text(self.rules, self.state, move)
        if (mover := to_move(self.rules, self.state)) != CHANCE:
            self.last = mover
        self.moves.append(move)
        self.states.append(play(self.rules, self.state, move))
        self.is_asked, self.is_shown = False, text is not None
        if text is not None:
            self.write(f"\n{text}\n")

    def _ask(self, side: int) -> None:
        """Read a line from the person who plays `side`, and do what it says."""
        if not self.is_asked:
            self._show_once()
            count = len(legal(self.rules, self.state))
            if count <= MOST_LISTED:
                self._list_moves()
            else:
                self.write(f"{count} moves; `moves` lists them")
            self.is_asked = True
        typed = " ".join(self.read(f"{self.names[side]}, your move: ").split())
        if typed in COMMANDS:
            COMMANDS[typed].run(self)
        elif typed:
            try:
                self._play(read_move(self.rules, self.state, typed))
            except ValueError as error:
                near = difflib.get_close_matches(typed, COMMANDS, 1)
                self.write(f"did you mean `{near[0]}`?" if near else str(error))

    def _list_moves(self) -> None:
        self.write(list_moves(self.rules, self.state))

    def _help(self) -> None:
        numbers = bool(numbered_moves(self.rules, self.state))
        example = format_move(self.rules, self.state, legal(self.rules, self.state)[0])
        self.write(
            f"Type a move as it is written, such as {example}{', or its number in the list' if numbers else ''}."
        )
        self.write("\n".join(f"  {name:<8}{command.help}" for name, command in COMMANDS.items()))

    def _undo(self) -> None:
        """Go back to where the person who is to move was to move before. Other players begin afresh from there."""
        side = to_move(self.rules, self.state)
        rivals = all(map(self._is_human, (0, 1)))
        for place in range(len(self.moves) - 1, -1, -1):
            mover = to_move(self.rules, self.states[place])
            if mover == side or (rivals and mover != CHANCE):
                del self.states[place + 1 :], self.moves[place:]
                self._lay_out_dice()
                self.undone += 1
                if outcome := self._seat_players():
                    raise _Stop(outcome)
                self.is_asked = self.is_shown = False
                return
        self.write("there is no move of yours to take back")

    def _hint(self) -> None:
        side = to_move(self.rules, self.state)
        try:
            self._advise(side)
        except PetteiaError as error:
            self.write(str(error))

    def _advise(self, side: int) -> None:
        adviser = self._adviser(side) or self._search()
        if adviser is None:
            self.write(f"nobody here can give a hint to {self.names[side]}; name a player for hints when you begin")
            return
        adviser.new_game(self.rules, stream(self.keys.opening, len(self.moves)))
        decision = adviser.choose(self.state, self.limit)
        legal_move(self.rules, adviser, self.state, decision.move)
        self.write(f"{adviser.name} would play {format_move(self.rules, self.state, decision.move)}")
        if decision.values:
            sign = 1 if side == 0 else -1
            values = sorted(((sign * value, move) for move, value in decision.values.items()), reverse=True)
            self.write(f"values for {self.names[side]}:")
            self.write("\n".join(f"  {format_move(self.rules, self.state, move)}  {v:+.3f}" for v, move in values))

    def _adviser(self, side: int) -> Player | None:
        """Who gives hints to this side, other than the search; None if nobody does."""
        adviser = self.hint or self.players[1 - side].adviser()
        return adviser if adviser is not None and side in adviser.seats else None

    def _search(self) -> Player | None:
        """A player that searches; None where the game cannot be searched."""
        if self.searcher is None:
            with suppress(UsageError):
                self.searcher = player("search", self.rules)
                for notice in notices(self.searcher, limit=self.limit):
                    self.write(notice)
        return self.searcher

    def _record(self) -> None:
        self.write(self.record(None).write())

    def _resign(self) -> None:
        side = to_move(self.rules, self.state)
        raise _Stop(Outcome(2 * side - 1, len(self.moves), "resigned"))

    def _quit(self) -> None:
        raise _Stop(None)


class _Command(NamedTuple):
    run: Callable[[_Sitting], None]
    help: str


COMMANDS = {
    "hint": _Command(_Sitting._hint, "what another player would do"),
    "undo": _Command(_Sitting._undo, "take back, to your previous turn"),
    "board": _Command(_Sitting._show, "show the board again"),
    "moves": _Command(_Sitting._list_moves, "list the legal moves"),
    "record": _Command(_Sitting._record, "show the game so far as text"),
    "resign": _Command(_Sitting._resign, "lose the game at once"),
    "quit": _Command(_Sitting._quit, "stop without finishing the game"),
    "help": _Command(_Sitting._help, "this list"),
}
"""What may be typed instead of a move."""
