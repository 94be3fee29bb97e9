"""A game at the terminal: prompts, commands, messages, and the record at the end.

All input and output uses the functions `read` and `write`. So a script can replace them and play a game.
"""

from __future__ import annotations

import datetime
import difflib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from petteia.core.clock import Clock
from petteia.core.decision import ALLOWANCE, Allowance, Limit, Outcome
from petteia.core.errors import InvalidError, PetteiaError, UsageError
from petteia.core.moves import numbered_moves, typed_move
from petteia.core.names import format_game, name_of
from petteia.core.protocol import Rules, State, format_move, legal, seats
from petteia.games import game as rules_of
from petteia.players.human import Read, Write
from petteia.players.player import UNLIMITED
from petteia.playing.begin import restore, session
from petteia.playing.position import Position, Result
from petteia.playing.session import Session
from petteia.playing.step import Step
from petteia.policies.play_games import MAX_PLIES
from petteia.records.game_record import GameRecord
from petteia.render import board_text, move_text
from petteia.render.boards import MAX_LISTED
from petteia.render.moves import list_moves

LOST = {
    "illegal": "made an illegal move",
    "timeout": "took too long",
    "crashed": "failed",
    "resigned": "resigned",
}
"""The reasons for which a game ends early. Each text follows the name of the loser."""


class TerminalGame(NamedTuple):
    """The result of a game at the terminal."""

    record: GameRecord
    """the record of the game"""
    interrupted: bool
    """whether Ctrl-C or the end of the input stopped the game"""


def play_at_terminal(
    game: str | Rules,
    first: str | Any = "human",
    second: str | Any = "random",
    *,
    position: str | State | Position | None = None,
    resume: GameRecord | None = None,
    hint: str | Any | None = None,
    keep: str | Path | None = None,
    runs: str | Path | None = None,
    limit: Limit = UNLIMITED,
    clock: str | Clock | None = None,
    max_plies: int = MAX_PLIES,
    seed: int = 0,
    in_process: bool = False,
    allowance: Allowance = ALLOWANCE,
    read: Read = input,
    write: Write = print,
) -> TerminalGame:
    """Play a game in the terminal or in a notebook.

    Args:
        game: the rules or their text form
        first: player 0, as text, a run or weights file, a training run, an agent, or a player or policy as a Python
            object; `human` is the person at the terminal
        second: player 1, in the same forms
        position: the start position, as a state, text or position; default: the initial position
        resume: the record of an unfinished game under these rules, which is continued
        hint: the player that gives hints; default: the opponent. If it cannot play the side to move, a search gives the
            hint
        keep: the name of the run in which a learning player `q` is saved, as in `petteia.session`
        runs: folder of runs; default: PETTEIA_RUNS, else `runs`
        limit: limit of a player's search for a move or hint; it replaces the players' own search limits
        clock: the time of each player for the game, people included, as in `petteia.match`
        max_plies: the game is drawn after this number of plies
        seed: seed of chance and of the players, 0..2^63-1
        in_process: run custom players in this process instead of in a child process each
        allowance: limits on the resources of players, besides `limit`
        read: function that shows a prompt and returns the typed line; EOFError and KeyboardInterrupt end the game
        write: function that shows a text of one or more lines

    Returns:
        The record of the game, which may be unfinished, and whether the game was interrupted.

    Raises:
        UsageError: a game, a player or an option is unknown. A player cannot play its seat, or no player supports the
            limit. `position` and `resume` are both given. `keep` is given without exactly one player that learns, or
            names a run of another kind, such as a training run
        NotFoundError: a module, a class, a run or a file is missing
        InvalidError: the position is malformed or finished. The record belongs to another game or to a finished game. A
            file is damaged or belongs to other rules. The run that `keep` names has other rules or changed code
        PetteiaError: the run that `keep` names cannot be written, for example because another process writes to it

    Examples:
        >>> played = petteia.play_at_terminal("kalah", read=lambda prompt: "resign", write=lambda text: None)
        >>> played.record.outcome.reason
        'resigned'

    """
    rules = rules_of(game)
    if resume is not None and position is not None:
        raise UsageError(
            "position and resume are mutually exclusive, because a record contains its own position; omit one of them"
        )
    if resume is not None and (type(resume.rules) is not type(rules) or resume.rules != rules):
        raise InvalidError(
            f"resume: the record is from a game of {format_game(resume.rules)}, not of {format_game(rules)}"
        )
    how: dict[str, Any] = {
        "hint": hint,
        "keep": keep,
        "runs": runs,
        "seed": seed,
        "limit": limit,
        "clock": clock,
        "max_plies": max_plies,
        "in_process": in_process,
        "allowance": allowance,
    }
    if resume is None:
        begun = session(rules, (first, second), position=position, **how)
    else:
        begun = restore(resume, (first, second), **how)
    try:
        begun.check_limit()
    except UsageError:
        begun.close()
        raise
    for notice in begun.notices:
        write(notice)
    return _Terminal(begun, read, write).play()


def _describe(rules: Rules, outcome: Outcome | None, result: Result | None) -> str:
    """Describe the result of a game in a sentence that begins, for example, with `Won by south by 6`."""
    if outcome is None:
        return "The game is not finished."
    points = f", {result.points}," if result and result.points else ""
    after = f"{points} after {outcome.plies} {'ply' if outcome.plies == 1 else 'plies'}"
    if outcome.winner is None:
        return f"A draw{after}{' (the limit of plies)' if outcome.reason == 'max-plies' else ''}."
    names = seats(rules)
    winner, loser = names[outcome.winner], names[1 - outcome.winner]
    score = f" by {abs(outcome.margin)}" if abs(outcome.margin) > 1 else ""
    why = f" ({loser} {LOST[outcome.reason]})" if outcome.reason in LOST else ""
    return f"Won by {winner}{score}{after}{why}."


class _Terminal:
    """A session in which people type their moves."""

    def __init__(self, session: Session, read: Read, write: Write) -> None:
        self.session, self.read, self.write = session, read, write
        self.rules = session.start.rules
        self.told = len(session.notices)
        self.is_watched = not session.persons
        self.is_asked = self.is_shown = self.has_left = False
        self.spent = 0.0
        """the number of seconds that the person to move has taken so far"""

    @property
    def state(self) -> State:
        """The current state of the game."""
        return self.session.position.state

    def play(self) -> TerminalGame:
        """Play until the game is over or a person stops it."""
        interrupted = False
        try:
            self._play()
        except (EOFError, KeyboardInterrupt):
            interrupted = True
            self.write("\ninterrupted")
        finally:
            record = self.session.record(datetime.date.today())
            told = _describe(self.rules, record.outcome, self.session.position.outcome)
            self.write(f"\n{told}\n\n{record.write()}")
            for remark in self.session.close():
                self.write(remark)
        return TerminalGame(record, interrupted)

    def _play(self) -> None:
        names, players = seats(self.rules), self.session.players
        self.write(f"{name_of(type(self.rules))}: {names[0]} {players[0]}, {names[1]} {players[1]}")
        if not self.is_watched:
            self.write("Type a move, or `help` for what else you can type.")
        while not self.session.is_over and not self.has_left:
            if self.session.needs_move:
                self._ask()
                continue
            if self.is_watched:
                self._show_once()
            self._step()
        outcome = self.session.outcome
        if outcome is None or outcome.reason == "resigned":
            return
        if outcome.fault:
            self.write(outcome.fault)
        self._show_once()
        self._tell()

    def _tell(self) -> None:
        """Print the notices about players that were added after the last call."""
        for notice in self.session.notices[self.told :]:
            self.write(notice)
        self.told = len(self.session.notices)

    def _show(self) -> None:
        self.write(f"\n{board_text(self.rules, self.state, moves=False)}\n")
        self.is_shown = True

    def _show_once(self) -> None:
        """Show the board, unless it was already shown with the last move."""
        if not self.is_shown:
            self._show()

    def _step(self) -> None:
        """Play the move of a program or a random chance outcome, and print it."""
        seat = self.session.to_move
        step = self.session.step()
        if step is not None and step.move is not None:
            who = "chance" if seat == "chance" else f"{seat} ({step.who})"
            self.write(f"{who}: {step.move}")
            self._show_move(step)

    def _show_move(self, step: Step) -> None:
        board = step.position.board
        assert board.move is not None
        text = move_text(self.rules, board.before, board.move)
        self.is_asked, self.is_shown = False, text is not None
        if text is not None:
            self.write(f"\n{text}\n")

    def _ask(self) -> None:
        """Read the move or command that the person to move types, and execute it."""
        if not self.is_asked:
            self._show_once()
            count = len(legal(self.rules, self.state))
            if count <= MAX_LISTED:
                self._list_moves()
            else:
                self.write(f"{count} legal moves; to list them, type `moves`")
            self.is_asked = True
        begin = time.perf_counter()
        typed = " ".join(self.read(f"{self.session.to_move}, your move{self._time_left()}: ").split())
        self.spent += time.perf_counter() - begin
        if typed in COMMANDS:
            COMMANDS[typed].run(self)
        elif typed:
            try:
                code = typed_move(self.rules, self.state, typed)
            except InvalidError as error:
                near = difflib.get_close_matches(typed, COMMANDS, 1)
                self.write(f"did you mean `{near[0]}`?" if near else str(error))
            else:
                step = self.session.play(format_move(self.rules, self.state, code), self.spent)
                self.spent = 0.0
                if step.move is not None:
                    self._show_move(step)

    def _time_left(self) -> str:
        """The time that the player to move has left, as text; empty without clocks."""
        if self.session.remaining is None:
            return ""
        side = seats(self.rules).index(self.session.to_move or "")
        return f" ({max(0.0, self.session.remaining[side] - self.spent):.1f} s left)"

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
        try:
            self.session.undo()
        except UsageError:
            self.write("you have made no move to take back")
        else:
            self.is_asked = self.is_shown = False

    def _hint(self) -> None:
        try:
            step = self.session.hint()
        except PetteiaError as error:
            self.write(str(error))
            return
        self._tell()
        assert step is not None
        assert step.decision is not None
        self.write(f"{step.who} would play {step.move}")
        if step.decision.values:
            seat = self.session.to_move
            sign = 1 if seat == seats(self.rules)[0] else -1
            values = sorted(((sign * value, move) for move, value in step.decision.values.items()), reverse=True)
            self.write(f"values for {seat}:")
            self.write("\n".join(f"  {format_move(self.rules, self.state, move)}  {v:+.3f}" for v, move in values))

    def _record(self) -> None:
        self.write(self.session.record().write())

    def _resign(self) -> None:
        self.session.resign()

    def _quit(self) -> None:
        self.has_left = True


class _Command(NamedTuple):
    run: Callable[[_Terminal], None]
    help: str


COMMANDS = {
    "hint": _Command(_Terminal._hint, "show the move that another player suggests"),
    "undo": _Command(_Terminal._undo, "take back the moves since your previous turn"),
    "board": _Command(_Terminal._show, "show the board again"),
    "moves": _Command(_Terminal._list_moves, "list the legal moves"),
    "record": _Command(_Terminal._record, "show the game so far as text"),
    "resign": _Command(_Terminal._resign, "lose the game at once"),
    "quit": _Command(_Terminal._quit, "stop without finishing the game"),
    "help": _Command(_Terminal._help, "show this list"),
}
"""the commands that can be typed instead of a move"""
