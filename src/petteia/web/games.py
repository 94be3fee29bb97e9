"""The games on the server. A pool of threads computes the moves of programs.

Each game is saved as a record, so that the games continue when the server is started again.
"""

from __future__ import annotations

import dataclasses
import datetime
import re
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar
from weakref import WeakValueDictionary

from petteia.arena.review import ReviewedMove
from petteia.core.clock import read_clock
from petteia.core.errors import InvalidError, NotFoundError, PetteiaError, Stopped, UsageError
from petteia.core.protocol import Rules, State, legal, seats
from petteia.core.random import below
from petteia.core.stop import Stop
from petteia.playing.begin import restore, session
from petteia.playing.position import Position
from petteia.playing.session import Session
from petteia.records.game_record import GameRecord
from petteia.web.allowed import Allowed
from petteia.web.game import PACES, PERSON, Game, Wish
from petteia.web.shelf import Shelf
from petteia.web.thinkers import Thinkers
from petteia.web.time_limit import limited
from petteia.web.words import words

Result = TypeVar("Result")

DICE = "chance"
"""The name that a session uses for chance where it names the player to move."""
MAX_IN_MEMORY = 300
"""The maximum number of games in memory."""
FORM = re.compile(r"[A-Za-z0-9_-]{16}")
MAX_RANDOM = 100
"""The maximum number of random plies at the start of a game."""


class Games:
    """The games of a server."""

    def __init__(self, folder: Path, allowed: Allowed, thinkers: Thinkers) -> None:
        self.shelf, self._allowed, self.thinkers = Shelf(folder), allowed, thinkers
        self._held: OrderedDict[str, Game] = OrderedDict()
        self._known: WeakValueDictionary[str, Game] = WeakValueDictionary()
        self._lock = threading.Lock()

    def begin(self, wish: Wish) -> Game:
        """Begin a game with the settings in `wish`. Raises the same errors as `petteia.session` and `petteia.agent`."""
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
                self.thinkers.check(text, made.position, side, warm=wish.clock is not None)
        game = Game(_new_name(), made, wish.players, seed)
        game.set_clock(wish.clock, [0.0] * len(made.moves))
        game.owner, game.date = wish.owner, datetime.date.today()  # the date of the server
        with game.lock:
            game.changed()
        self._hold(game)
        self.keep(game)
        self.shelf.tidy()
        return game

    def bring_in(self, record: GameRecord, owner: str) -> None:
        """Save a game whose record a user has uploaded.

        Players that the server does not allow are replaced by human players.
        """
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
        """Return the game with this name.

        Raises NotFoundError for an unknown game, and InvalidError for a damaged file.
        """
        if not FORM.fullmatch(name):
            raise NotFoundError(words()["no_game"])
        with self._lock:
            if game := self._known.get(name):
                self._held[name] = game
                self._held.move_to_end(name)
                return game
        game = self._read(name)
        return self._hold(game)

    def keep(self, game: Game) -> None:
        """Save the game to its file atomically."""
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
            "clock": game.clock and str(game.clock),
            "spent": [round(each, 3) for each in game.spent],
        }
        self.shelf.put(game.name, kept)

    def note_mistakes(self, game: Game, moves: Sequence[ReviewedMove]) -> None:
        """Count the mistakes of each side in a review, and save the counts with the game.

        Nothing is saved if the review is incomplete.
        """
        with game.lock:
            if game.mistakes is not None or len(moves) != len(game.session.moves):
                return
            names = seats(game.rules)
            first, second = (sum(move.is_mistake and move.who == name for move in moves) for name in names)
            game.mistakes = first, second
            self.keep(game)

    def go_on(self, game: Game) -> None:
        """Start computing the next move if a program is to move. The caller must hold the lock of the game.

        If no program is to move, or if the move is already being computed, the method does nothing.
        """
        if game.runs_out():
            self.keep(game)
        if game.thought is not None or game.side is None or game.is_persons_turn or game.trouble:
            return
        if not game.persons and (game.is_paused or time.monotonic() < game.moved_at + PACES[game.pace]):
            return
        self.ask(game, game.players[game.side])

    def ask(self, game: Game, player: str) -> None:
        """Compute a move by `player` in another thread, and play it. The caller must hold the lock of the game."""
        game.halt()
        stop = Stop()
        game.thought, game.thinker, game.asked_at = stop, player, time.monotonic()
        position, share = game.position, game.share
        seed = (game.seed + 7919 * len(game.session.moves)) % (1 << 62)

        def work() -> None:
            move, trouble = _attempt(player, lambda: self.thinkers.choose(player, position, seed, stop, share))
            with game.lock:
                if game.thought is not stop:
                    return
                if not trouble:
                    _, trouble = _attempt(player, lambda: game.play(move or ""))
                if trouble:
                    game.thought = None
                    game.version += 1
                    game.trouble = " ".join(trouble.split())[:300]
                    return
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
            while len(self._held) > MAX_IN_MEMORY:
                self._held.popitem(last=False)
        return game

    def _read(self, name: str) -> Game:
        kept = self.shelf.take(name)
        try:
            record = self._allowed.record(kept["record"])
            seed, (first, second) = int(kept["seed"]), map(str, kept["players"])
        except (ValueError, KeyError, TypeError) as error:
            raise InvalidError(words()["damaged"].format(error=error)) from None
        people = (PERSON, PERSON)
        made = restore(dataclasses.replace(record, players=people), people, finished=True, seed=seed)
        _make_undone(made, [str(move) for move in kept.get("undone", ())])
        game = Game(name, made, (first, second), seed)
        game.is_turned, game.is_paused = bool(kept.get("turned")), bool(kept.get("paused"))
        game.pace = kept["pace"] if kept.get("pace") in PACES else "normal"
        game.ended = None if made.is_over else record.outcome
        game.set_clock(read_clock(kept.get("clock")), [float(each) for each in kept.get("spent", ())])
        game.owner, game.date = str(kept.get("owner", "")), record.date
        game.mistakes = (int(found[0]), int(found[1])) if (found := kept.get("mistakes")) else None
        game.version = int(time.time())  # older pages are outdated
        return game


def _attempt(player: str, work: Callable[[], Result]) -> tuple[Result, str] | tuple[None, str]:
    """Call `work`. Return its result and an empty string, or None and an error message if the player fails.

    The message names the player.
    """
    try:
        return limited(work), ""
    except Stopped:
        return None, words()["no_time"].format(player=player)
    except PetteiaError as error:
        return None, str(error)
    except Exception as error:  # custom code can raise any error
        return None, f"player {player}: {type(error).__name__}: {error}"


def _new_name() -> str:
    """Return a random name that cannot be guessed."""
    return secrets.token_urlsafe(12)


def _make_undone(made: Session, moves: list[str]) -> None:
    """Play moves in a session and take them back, so that `redo` can play them again."""
    plies = len(made.moves)
    for move in moves:
        if made.to_move == DICE:
            made.step()  # the outcome is the same as before
        else:
            made.play(move)
    while len(made.moves) > plies:
        made.undo()


def wander(position: Position, plies: int, seed: int) -> State:
    """Return the state after at most `plies` random moves from `position`. Stop before a move that ends the game."""
    random = [seed]
    for _ in range(min(plies, MAX_RANDOM)):
        moves = legal(position.rules, position.state)
        after = position.after(moves[below(random, len(moves))])
        if after.is_over:
            break
        position = after
    return position.state
