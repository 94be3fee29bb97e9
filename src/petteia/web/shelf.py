"""The files of saved games. Each game has one file, which is written atomically and removed when it is old."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from petteia.core.errors import InvalidError, NotFoundError, PetteiaError
from petteia.records.bounds import RECORD
from petteia.records.files import make_folder, read_file, write_file
from petteia.records.game_record import read_headers
from petteia.web.words import words

DAY = 24 * 3600.0
MAX_KEPT, OLDEST = 2000, 60 * DAY
"""The maximum number of files, and the age in seconds after which a file is removed."""


class Entry(NamedTuple):
    """A saved game in the list of games, with its players, date and result."""

    name: str
    game: str
    """the text form of the rules"""
    players: tuple[str, str]
    """the text forms of players 0 and 1"""
    date: str
    """the date on which the game began; empty if it is not known"""
    margin: int | None
    """the final margin of player 0; None if the game is not finished"""
    result: str
    """the result and the winner, as text; empty if the game is not finished"""
    mistakes: tuple[int, int] | None
    """the numbers of mistakes of players 0 and 1; None if the game was not reviewed"""
    owner: str
    """the owner of the game, which identifies a browser; empty if only this machine can connect"""


class Shelf:
    """The folder of saved games."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._entries: dict[Path, tuple[int, Entry]] = {}
        make_folder(folder)

    def put(self, name: str, kept: Mapping[str, Any]) -> None:
        """Save a game atomically.

        The dictionary `kept` contains the data of the game as JSON values. For example, the value of `record` is the
        game record as text.
        """
        write_file(self._path(name), json.dumps(kept))

    def take(self, name: str) -> dict[str, Any]:
        """Return the values that `put` has saved for a game.

        Raises NotFoundError for an unknown game, and InvalidError for a damaged file.
        """
        try:
            kept = json.loads(read_file(self._path(name), RECORD))
        except NotFoundError:
            raise NotFoundError(words()["no_game"]) from None
        except ValueError as error:
            raise InvalidError(words()["damaged"].format(error=error)) from None
        if not isinstance(kept, dict) or not isinstance(kept.get("record"), str):
            raise InvalidError(words()["damaged"].format(error=words()["no_record"]))
        return kept

    def entries(self, owner: str) -> list[Entry]:
        """Return the games of an owner, or of all owners if `owner` is empty, the most recently played game first.

        Damaged files are left out.
        """
        found, read = list[Entry](), dict[Path, tuple[int, Entry]]()
        for age, path in sorted(self._ages(), reverse=True):
            known = self._entries.get(path)
            try:
                entry = known[1] if known and known[0] == age else self._entry(path.stem)
            except (PetteiaError, ValueError, KeyError, TypeError):
                continue
            read[path] = age, entry
            if owner in ("", entry.owner):
                found.append(entry)
        self._entries = read
        return found

    def records(self, owner: str) -> Iterator[str]:
        """Yield the records of an owner's games, in the order in which the games were last played."""
        for entry in reversed(self.entries(owner)):
            try:
                yield str(self.take(entry.name)["record"])
            except PetteiaError:  # removed or damaged since
                continue

    def room(self) -> int:
        """The number of games that can still be saved."""
        return max(0, MAX_KEPT - len(self._ages()))

    def tidy(self) -> None:
        """Remove the files of old games, and the oldest files if there are too many."""
        ages = sorted(self._ages())
        old = (time.time() - OLDEST) * 1e9
        for place, (age, path) in enumerate(ages):
            if age < old or place < len(ages) - MAX_KEPT:
                path.unlink(missing_ok=True)

    def _ages(self) -> list[tuple[int, Path]]:
        """Return a pair for each file of a saved game: the modification time in nanoseconds, and the path."""
        found = []
        for path in self._folder.glob("*.json"):
            try:
                found.append((path.stat().st_mtime_ns, path))
            except FileNotFoundError:  # removed since
                continue
        return found

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.json"

    def _entry(self, name: str) -> Entry:
        kept = self.take(name)
        headers = read_headers(kept["record"])
        margin, _, words = headers["Result"].partition(" ")
        first, second = kept["players"]
        mistakes = kept.get("mistakes")
        return Entry(
            name,
            headers["Game"],
            (str(first), str(second)),
            headers.get("Date", ""),
            None if margin == "*" else int(margin),
            words,
            None if mistakes is None else (int(mistakes[0]), int(mistakes[1])),
            str(kept.get("owner", "")),
        )
