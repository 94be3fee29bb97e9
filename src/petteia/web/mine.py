"""The page of saved games: their list, the scores against each opponent, and upload and download of game records."""

from __future__ import annotations

import functools
import io
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from fastapi import FastAPI, Request, UploadFile
from fastapi.responses import Response, StreamingResponse

from petteia.core.errors import PetteiaError, UsageError
from petteia.core.protocol import seats
from petteia.players.levels import levels
from petteia.records.game_record import split_records
from petteia.web.allowed import Allowed
from petteia.web.game import PERSON
from petteia.web.games import Games
from petteia.web.guard import IMPORT
from petteia.web.requests import read_number
from petteia.web.shelf import DAY, MAX_KEPT, OLDEST, Entry
from petteia.web.words import words

ON_A_PAGE, MAX_FAULTS = 50, 5
"""The number of games on a page, and the maximum number of faults that are reported for a file."""
LEVEL = "level:"


class Row(NamedTuple):
    """A row in the list of saved games."""

    entry: Entry
    side: str
    """the side that the person played, if exactly one player was a person; otherwise empty"""
    opponent: str
    result: str
    kind: str
    """`won`, `drawn` or `lost`, if the game is finished and exactly one player was a person; otherwise empty"""
    mistakes: str
    """the number of the person's mistakes; the mistakes of both players, if both or neither of them were people; empty
    if the game was not reviewed"""


class Score(NamedTuple):
    """The results of a person against an opponent, in the games in which the person played `side`."""

    game: str
    opponent: str
    side: str
    won: int
    drawn: int
    lost: int

    @property
    def share(self) -> float:
        """The person's points per game, 0..1. A draw counts as half a point."""
        return (self.won + self.drawn / 2) / (self.won + self.drawn + self.lost)


class Imported(NamedTuple):
    """The result of loading a file of game records."""

    added: int
    known: int
    """the number of games in the file that had been saved before"""
    faults: list[str]


def add_mine(app: FastAPI, games: Games, allowed: Allowed, owner_of: Callable[[Request], str], page: Any) -> None:
    """Add the routes of the page of saved games to the application."""

    def shown(request: Request, number: int = 1, **more: Any) -> Response:
        rows = [row_of(allowed, entry) for entry in games.shelf.entries(owner_of(request))]
        pages = max(1, -(-len(rows) // ON_A_PAGE))
        number = min(max(number, 1), pages)
        listed = rows[(number - 1) * ON_A_PAGE : number * ON_A_PAGE]
        values = {"rows": listed, "count": len(rows), "number": number, "pages": pages, "scores": scores(rows)}
        values |= {"maximum": MAX_KEPT, "days": round(OLDEST / DAY)}
        return page(request, "mine.html", **values, **more)  # type: ignore[no-any-return]  # a page is an answer

    @app.get("/mine")
    def mine(request: Request, number: str = "") -> Response:
        return shown(request, read_number(number, 1))

    @app.get("/mine/games.txt")
    def exported(request: Request) -> Response:
        def told() -> Iterator[str]:
            for place, record in enumerate(games.shelf.records(owner_of(request))):
                yield f"\n{record}" if place else record

        headers = {"content-disposition": 'attachment; filename="games.txt"', "cache-control": "no-store"}
        return StreamingResponse(told(), media_type="text/plain; charset=utf-8", headers=headers)

    @app.post(IMPORT)
    def imported(request: Request, file: UploadFile) -> Response:
        lines = (line.rstrip("\r\n") for line in io.TextIOWrapper(file.file, encoding="utf-8-sig", errors="replace"))
        found = bring_in(games, allowed, lines, owner_of(request))
        told = words()["imported"].format(added=found.added, known=found.known)
        return shown(request, note=told, faults=found.faults)


def bring_in(games: Games, allowed: Allowed, lines: Iterable[str], owner: str) -> Imported:
    """Check and save the games in a file of records. Faulty games are reported and not saved."""
    there = set(games.shelf.records(owner))
    room, added, known, faults, left = games.shelf.room(), 0, 0, list[str](), 0
    for number, (begin, text) in enumerate(split_records(lines), 1):
        try:
            if number > MAX_KEPT:
                raise UsageError(words()["import_long"].format(maximum=f"{MAX_KEPT:,}"))
            record = allowed.record(text)
            if record.write() in there:
                known += 1
                continue
            if added == room:
                raise UsageError(words()["import_full"].format(maximum=f"{MAX_KEPT:,}"))
        except UsageError as error:
            faults.append(str(error))
            break
        except PetteiaError as error:
            left += 1
            if left <= MAX_FAULTS:
                faults.append(words()["import_fault"].format(number=number, line=begin + 1, error=error))
            continue
        games.bring_in(record, owner)
        there.add(record.write())
        added += 1
    if left > MAX_FAULTS:
        faults.append(words()["import_faults"].format(count=left - MAX_FAULTS))
    return Imported(added, known, faults)


def row_of(allowed: Allowed, entry: Entry) -> Row:
    """Return the row for a saved game in the list of saved games."""
    persons = [side for side in (0, 1) if entry.players[side] == PERSON]
    mine = persons[0] if len(persons) == 1 else None
    names = _seats(allowed, entry.game)
    who = [name_of_player(allowed, entry.game, text) for text in entry.players]
    opponent = f"{who[0]} – {who[1]}" if mine is None else who[1 - mine]
    mistakes = entry.mistakes
    counts = "" if mistakes is None else f"{mistakes[0]} – {mistakes[1]}" if mine is None else f"{mistakes[mine]}"
    side = "" if mine is None else names[mine]
    if entry.margin is None:
        return Row(entry, side, opponent, words()["unfinished"], "", counts)
    if mine is None:
        return Row(entry, side, opponent, entry.result, "", counts)
    own = entry.margin if mine == 0 else -entry.margin
    kind = "won" if own > 0 else "lost" if own < 0 else "drawn"
    return Row(entry, side, opponent, words()[f"result_{kind}"].format(margin=abs(own)), kind, counts)


def scores(rows: Iterable[Row]) -> list[Score]:
    """Return the scores of a person, by game, opponent and side."""
    counts = dict[tuple[str, str, str], list[int]]()
    for row in rows:
        if row.kind:
            found = counts.setdefault((row.entry.game, row.opponent, row.side), [0, 0, 0])
            found[("won", "drawn", "lost").index(row.kind)] += 1
    return [Score(*key, *found) for key, found in sorted(counts.items())]


@functools.lru_cache(maxsize=1000)
def name_of_player(allowed: Allowed, game: str, text: str) -> str:
    """Return the name of a player for display: the number and name of a playing level, or the text form of a player."""
    if text == PERSON:
        return words()["person"]
    if text.startswith(LEVEL):
        try:
            ladder = {f"{LEVEL}{each.number}": each.name for each in levels(allowed.rules(game))}
        except PetteiaError:  # a module that is no longer allowed
            ladder = {}
        if text in ladder:
            return words()["level_name"].format(number=text.removeprefix(LEVEL), name=ladder[text])
    return text


@functools.lru_cache(maxsize=1000)
def _seats(allowed: Allowed, game: str) -> tuple[str, str]:
    try:
        return seats(allowed.rules(game))
    except PetteiaError:  # a module that is no longer allowed
        return words()["first_side"], words()["second_side"]
