"""Restrictions on the games and players that requests may name.

Requests may only name games and players of this package, or of modules that were named on the command line.

Requests cannot name files on the server. The search depth and the memory of the named players are limited.
"""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path
from typing import NamedTuple

from petteia.core.errors import InvalidError, PetteiaError, UsageError
from petteia.core.names import GAME_NAMES, name_of
from petteia.core.options import Text, declared
from petteia.core.protocol import Rules
from petteia.core.text import IDENTIFIER, parse_call
from petteia.features.evaluations import EVALUATIONS
from petteia.foreign.trust import modules_named
from petteia.games import game
from petteia.players.settings import PLAYED_BY, text_by
from petteia.players.text import PLAYERS, KnownPlayer, written_out
from petteia.records.description import read_description
from petteia.records.game_record import GameRecord, read_record
from petteia.records.runs import WEIGHTS, list_runs, runs_folder
from petteia.records.weights import load_weights

LONGEST_NAME, LONGEST_RECORD = 300, 60_000
"""The maximum number of characters in the text form of a game or player, and in a game record."""
MAX_MOVES = 2_000
"""The maximum number of words in a game record."""
MAXIMUM = {"depth": 40, "nodes": 100_000_000, "time": 10, "table": 64, "memory": 500}
"""The maximum values of options that take time or memory: plies, nodes, seconds, megabytes, megabytes."""
FILES = {"q": ("save",), "perfect": ("table",)}
"""The options of players that name files of the machine, by player."""
TERMINAL = "human"
"""The name of the player that is a person at the terminal."""
AGENT = "agent"
REPORT = "report"


class RunAgent(NamedTuple):
    """A player that uses the values learned in a training run."""

    name: str
    """the name of the run"""
    text: str
    """the text form of the player"""
    game: str
    """the text form of the rules of the training"""


class Allowed(NamedTuple):
    """The games, players and custom modules that requests to the server may name."""

    modules: frozenset[str]
    """the names of the custom modules"""
    games: tuple[str, ...] = ()
    """the names of the custom games that were given on the command line"""

    def rules(self, text: str) -> Rules:
        """Return the rules of a game. Raises UsageError if the game is unknown or not allowed."""
        self._check_length("game", text)
        name = text.partition(":")[0]
        if name not in GAME_NAMES.values() and name not in self.modules:
            raise UsageError(
                f"game {text!r}: not a game of petteia or of a trusted module; to trust a module, start "
                "`petteia web` with --trust MODULE"
            )
        return game(text)

    def record(self, text: str) -> GameRecord:
        """Parse a game record. Raises InvalidError if it is malformed, and UsageError if its game is not allowed."""
        if len(text) > LONGEST_RECORD or len(text.split()) > MAX_MOVES:
            raise InvalidError(
                f"record: the text is too long; use at most {MAX_MOVES:,} words and {LONGEST_RECORD:,} characters"
            )
        text = text.replace("\r\n", "\n").strip() + "\n"
        if found := re.search(r'^\[Game (".*")\]\s*$', text, re.MULTILINE):
            try:
                self.rules(str(json.loads(found[1])))
            except json.JSONDecodeError:
                raise InvalidError(
                    'record: the header Game must contain a JSON string, such as [Game "kalah"]'
                ) from None
        return read_record(text)

    def player(self, text: str, rules: Rules) -> str:
        """Check the text form of a player, and return it. Raises UsageError if the player is not allowed."""
        self._check_length("player", text)
        call = parse_call(written_out(text), "player")
        if call.is_foreign:
            self._check_modules("player", text)
            return text
        kind = PLAYERS.get(call.name)
        if kind is None:
            raise UsageError(f"there is no player {call.name!r}; choose from {', '.join(PLAYERS)}")
        if call.name == TERMINAL:
            raise UsageError(f"player {call.name} plays at the terminal of the server; choose a computer player")
        for option, value in call.options.items():
            self._check_option(call.name, kind, option, value, rules)
        return text

    def agents(self, rules: Rules) -> list[RunAgent]:
        """Return the players of all training runs for this game, including runs with other options of the rules."""
        found = []
        for path in list_runs(runs_folder()):
            weights = path / WEIGHTS
            agent = _agent_of(path, weights.stat().st_mtime) if weights.exists() else None
            if agent and (agent.game == name_of(type(rules)) or agent.game.startswith(f"{name_of(type(rules))}:")):
                found.append(agent)
        return found

    def _check_option(self, name: str, kind: KnownPlayer, option: str, value: str, rules: Rules) -> None:
        where = f"player {name}: {option}={value}"
        if option in kind.parts:
            self.player(value, rules)
        elif option in FILES.get(name, ()):
            raise UsageError(f"{where}: the option names a file, which the web page does not allow; leave out {option}")
        elif option == AGENT:
            names = [REPORT, *(path.name for path in list_runs(runs_folder()))]
            if value not in names:
                raise UsageError(f"{where}: the agent must be the name of a run in the folder of runs")
        elif option in MAXIMUM and re.fullmatch(r"[0-9.]+", value) and float(value) > MAXIMUM[option]:
            raise UsageError(f"{where}: must be at most {MAXIMUM[option]:,} on the page")
        elif (
            not re.fullmatch(IDENTIFIER, value)
            and value not in EVALUATIONS
            and option in (takes := declared(kind.takes))
            and isinstance(takes[option].takes, Text)
        ):
            self._check_modules(where, value)

    def _check_modules(self, where: str, text: str) -> None:
        named = modules_named(text)
        if not named or not {*named} <= self.modules:
            raise UsageError(
                f"{where} {text!r}: the module is not trusted; to trust it, start `petteia web` with --trust MODULE"
            )

    @staticmethod
    def _check_length(what: str, text: str) -> None:
        if len(text) > LONGEST_NAME:
            raise UsageError(f"{what}: the text is too long; use at most {LONGEST_NAME} characters")


@functools.lru_cache(maxsize=1000)
def _agent_of(path: Path, changed: float) -> RunAgent | None:
    """Return the player of a run, or None if the run cannot be read or has no player.

    `changed` is the modification time of the weights file. It is a part of the cache key, so a changed file is read
    again.
    """
    try:
        description, _ = read_description(path)
        kind = load_weights(path / WEIGHTS).kind
        return RunAgent(path.name, text_by(path.name, kind), description.game) if kind in PLAYED_BY else None
    except PetteiaError:
        return None
