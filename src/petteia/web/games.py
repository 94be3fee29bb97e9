"""Games in play: sessions of `petteia.playing` in which players of the package are asked from the pool.

Each game is kept as its record on the shelf, so a server that is started again goes on with it.
"""

from __future__ import annotations

import dataclasses
import datetime
import re
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from weakref import WeakValueDictionary

from petteia.arena.review import ReviewedMove
from petteia.core.errors import InvalidError, NotFoundError, PetteiaError, Stopped, UsageError
from petteia.core.protocol import CHANCE, Rules, State, format_move, legal, seats, to_move
from petteia.core.random import below
from petteia.core.steps import Steps, continuations
from petteia.core.stop import Stop
from petteia.playing.begin import restore, session
from petteia.playing.position import Position
from petteia.playing.session import Session
from petteia.records.game_record import GameRecord
from petteia.web.allowed import Allowed
from petteia.web.shelf import Shelf
from petteia.web.thinkers import Thinkers

PERSON = "human"
DICE = "chance"
"""who moves where dice fall, as a session calls it"""
MOST_IN_MEMORY = 300
"""games that are held"""
FORM = re.compile(r"[A-Za-z0-9_-]{16}")
PACES = {"slow": 2.0, "normal": 0.7, "fast": 0.0}
"""seconds between the moves of two programs"""
MOST_RANDOM = 100
"""random plies that a game may begin with"""


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
        self.moved_at = 0.0
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
        return None if self.session.is_over else int(to_move(self.rules, self.position.state))

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

    def changed(self) -> None:
        """Note a change; dice fall at once."""
        while not self.session.is_over and self.side == CHANCE:
            self.session.step()
        self.version += 1
        self.moved_at = time.monotonic()
        self.trouble = ""
        self.mistakes = None

    def step(self, begun: Steps, step: int) -> Steps:
        """Make a step of a person's move. Returns the steps made by then; none when the move is complete.

        Raises InvalidError for a step that no legal move goes on with, UsageError if no person is to move.
        """
        if not self.is_persons_turn:
            raise UsageError("it is not your turn")
        found = continuations(self.rules, self.position.state, begun)
        if step not in found:
            begun, found = (), continuations(self.rules, self.position.state, ())
        if step not in found:
            raise InvalidError("this is no legal move here")
        if (move := found[step]) is None:
            return (*begun, step)
        self.session.play(format_move(self.rules, self.position.state, move))
        self.changed()
        return ()

    def undo(self) -> None:
        """Take back to the last decision of a person, or of any player if there are no persons."""
        self.halt()
        self.session.undo()
        while self.persons and self.side not in self.persons and len(self.session.moves) > 0:
            self.session.undo()
        self.changed()

    def redo(self) -> None:
        """Make again what the last undo took back."""
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
            raise UsageError("you can resign when it is your turn")
        self.session.resign()
        self.changed()

    def halt(self) -> None:
        """End the thought that goes on."""
        if self.thought is not None:
            self.thought.set()
            self.thought = None

    def record(self) -> GameRecord:
        """The record of the game so far."""
        return dataclasses.replace(self.session.record(self.date), players=self.players)


class Games:
    """The games of a server."""

    def __init__(self, folder: Path, allowed: Allowed, thinkers: Thinkers) -> None:
        self.shelf, self._allowed, self.thinkers = Shelf(folder), allowed, thinkers
        self._held: OrderedDict[str, Game] = OrderedDict()
        self._known: WeakValueDictionary[str, Game] = WeakValueDictionary()
        self._lock = threading.Lock()

    def begin(self, wish: Wish) -> Game:
        """Begin a game. Errors are those of `petteia.session` and of the players."""
        seed = secrets.randbits(62)
        people = (PERSON, PERSON)
        if wish.record is not None:
            record = dataclasses.replace(wish.record, players=people)
            made = restore(record, people, finished=True, seed=seed)
        else:
            made = session(wish.rules, people, position=wish.position or None, seed=seed)
            if wish.random:
                made = session(wish.rules, people, position=wander(made.position, wish.random, seed), seed=seed)
        for side, text in enumerate(wish.players):
            if text != PERSON:
                self.thinkers.check(text, made.position, side)
        game = Game(_new_name(), made, wish.players, seed)
        game.owner, game.date = wish.owner, datetime.date.today()  # the day of who plays
        with game.lock:
            game.changed()
        self._hold(game)
        self.keep(game)
        self.shelf.tidy()
        return game

    def bring_in(self, record: GameRecord, owner: str) -> None:
        """Keep a recorded game. A player who is none that the page may name counts as a person."""
        players = [self._player(text, record.rules) for text in record.players]
        kept = dataclasses.replace(record, players=(players[0], players[1])).write()
        seed = secrets.randbits(62)
        self.shelf.put(_new_name(), {"record": kept, "seed": seed, "players": players, "owner": owner})

    def _player(self, text: str, rules: Rules) -> str:
        try:
            return self._allowed.player(text, rules)
        except PetteiaError:
            return PERSON

    def find(self, name: str) -> Game:
        """The game of this name. Raises NotFoundError if there is none, InvalidError if its file is damaged."""
        if not FORM.fullmatch(name):
            raise NotFoundError("there is no such game")
        with self._lock:
            if game := self._known.get(name):
                self._held[name] = game
                self._held.move_to_end(name)
                return game
        game = self._read(name)
        return self._hold(game)

    def keep(self, game: Game) -> None:
        """Write the game to its file, whole or not at all."""
        kept = {
            "record": game.record().write(),
            "undone": game.session.undone,
            "seed": game.seed,
            "players": game.players,
            "turned": game.is_turned,
            "pace": game.pace,
            "paused": game.is_paused,
            "owner": game.owner,
            "mistakes": game.mistakes,
        }
        self.shelf.put(game.name, kept)

    def note_mistakes(self, game: Game, moves: Sequence[ReviewedMove]) -> None:
        """Keep how many mistakes both sides have made, if all plies of the game were looked at."""
        with game.lock:
            if game.mistakes is not None or len(moves) != len(game.session.moves):
                return
            names = seats(game.rules)
            first, second = (sum(move.is_mistake and move.who == name for move in moves) for name in names)
            game.mistakes = first, second
            self.keep(game)

    def go_on(self, game: Game) -> None:
        """Let the program that is to move think, if nobody thinks yet. To be called with the game's lock."""
        if game.thought is not None or game.side is None or game.is_persons_turn or game.trouble:
            return
        if not game.persons and (game.is_paused or time.monotonic() < game.moved_at + PACES[game.pace]):
            return
        self.ask(game, game.players[game.side])

    def ask(self, game: Game, player: str) -> None:
        """Let a player make the move that is due. To be called with the game's lock."""
        game.halt()
        stop, version = Stop(), game.version
        game.thought = stop
        position = game.position
        seed = (game.seed + 7919 * len(game.session.moves)) % (1 << 62)

        def work() -> None:
            move, trouble = "", ""
            try:
                move = self.thinkers.choose(player, position, seed, stop)
            except Stopped:
                trouble = f"player {player}: found no move in the time that it may take"
            except PetteiaError as error:
                trouble = str(error)
            except Exception as error:  # code of users can raise anything
                trouble = f"player {player}: {type(error).__name__}: {error}"
            with game.lock:
                if game.thought is not stop or game.version != version:
                    return
                game.thought = None
                if trouble:
                    game.version += 1
                    game.trouble = " ".join(trouble.split())[:300]
                    return
                game.session.play(move)
                game.changed()
                self.keep(game)
                if game.persons:
                    self.go_on(game)

        try:
            self.thinkers.submit(work)
        except UsageError as error:
            game.thought, game.trouble = None, str(error)
            game.version += 1

    def _hold(self, game: Game) -> Game:
        with self._lock:
            game = self._known.setdefault(game.name, game)
            self._held[game.name] = game
            while len(self._held) > MOST_IN_MEMORY:
                self._held.popitem(last=False)
        return game

    def _read(self, name: str) -> Game:
        kept = self.shelf.take(name)
        try:
            record = self._allowed.record(kept["record"])
            seed, (first, second) = int(kept["seed"]), map(str, kept["players"])
        except (ValueError, KeyError, TypeError) as error:
            raise InvalidError(f"the file of this game is damaged: {error}") from None
        people = (PERSON, PERSON)
        made = restore(dataclasses.replace(record, players=people), people, finished=True, seed=seed)
        if record.outcome is not None and record.outcome.reason == "resigned":
            made.resign()
        _make_undone(made, [str(move) for move in kept.get("undone", ())])
        game = Game(name, made, (first, second), seed)
        game.is_turned, game.is_paused = bool(kept.get("turned")), bool(kept.get("paused"))
        game.pace = kept["pace"] if kept.get("pace") in PACES else "normal"
        game.owner, game.date = str(kept.get("owner", "")), record.date
        game.mistakes = (int(found[0]), int(found[1])) if (found := kept.get("mistakes")) else None
        game.version = int(time.time())  # pages of before it was read are stale
        return game


def _new_name() -> str:
    """A name that nobody can guess."""
    return secrets.token_urlsafe(12)


def _make_undone(made: Session, moves: list[str]) -> None:
    """Make moves and take them back, so that they can be made again."""
    plies = len(made.moves)
    for move in moves:
        if made.to_move == DICE:
            made.step()  # they fall as they did
        else:
            made.play(move)
    while len(made.moves) > plies:
        made.undo()


def wander(position: Position, plies: int, seed: int) -> State:
    """The state after so many random plies, or before the game would be over."""
    random = [seed]
    for _ in range(min(plies, MOST_RANDOM)):
        moves = legal(position.rules, position.state)
        after = position.after(moves[below(random, len(moves))])
        if after.is_over:
            break
        position = after
    return position.state
