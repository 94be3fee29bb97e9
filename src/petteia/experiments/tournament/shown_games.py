"""The games on the page of a tournament: the first ones of each match, each to step through."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from petteia.checking.sample import explain
from petteia.core.errors import PetteiaError
from petteia.core.protocol import seats
from petteia.experiments.tournament.games import first_games, kept_blocks
from petteia.experiments.tournament.matches import Cell, shown
from petteia.experiments.tournament.results import TournamentTable
from petteia.records.game_record import GameRecord
from petteia.render.html import Html, fold, game

MAX_OF_MATCH, MAX_OF_PAGE = 4, 60
"""games of a match that are shown, and of all matches"""
MAX_CHARACTERS = 16_000_000
"""of all games that are shown; one of Kalah takes some 300,000, one of the Amazons a million"""


def shown_games(result: TournamentTable) -> Iterator[str]:
    """What the page says of games: how many of them it shows, and these, match by match, the strongest players first.

    Of each match there is one game before there is a second one of any.
    """
    cells = _by_strength(result)[:MAX_OF_PAGE]
    maximum = min(MAX_OF_MATCH, MAX_OF_PAGE // len(cells))
    recorded, remarks = _recorded(result, cells, maximum)
    drawn: list[list[str]] = [[] for _ in cells]
    room = MAX_CHARACTERS
    for number in range(maximum):
        for games, parts in zip(recorded, drawn, strict=True):
            if number < len(games) and room > 0:
                parts.append(_shown(number, games[number]))
                room -= len(parts[-1])
    yield "<h2>Games</h2>"
    yield f"<p>{_how_many(result, maximum, sum(map(len, drawn)))}</p>"
    for remark in remarks:
        yield f"<p>{escape(remark)}.</p>"
    for cell, parts in zip(cells, drawn, strict=True):
        if parts:
            yield f"<h3>{escape(cell.row)} - {escape(cell.column)}: {escape(_score(result, cell))}</h3>"
            yield from parts


def _by_strength(result: TournamentTable) -> list[Cell]:
    """The matches, those of the strongest players first."""
    places = {each.player: place for place, each in enumerate(result.standings)}
    return sorted(result.cells, key=lambda cell: places.get(cell.row, 0) + places.get(cell.column, 0))


def _recorded(result: TournamentTable, cells: list[Cell], maximum: int) -> tuple[list[list[GameRecord]], list[str]]:
    """The first games of each of these matches, and why there are none of some."""
    kept = kept_blocks(result)
    recorded: list[list[GameRecord]] = []
    remarks: list[str] = []
    for cell in cells:
        games: list[GameRecord] = []
        try:
            games = first_games(result.plan, cell, kept[cell.row, cell.column], maximum)
        except PetteiaError as error:
            remarks.append(str(error))
        recorded.append(games)
    return recorded, remarks


def _how_many(result: TournamentTable, maximum: int, shown: int) -> str:
    """How many games the page shows, and which ones."""
    total = sum(cell.games for cell in result.cells)
    if shown == total:
        return f"All {total} games are shown."
    which = "the first game" if maximum == 1 else f"the first {maximum} games"
    if shown == sum(min(maximum, cell.games) for cell in result.cells):
        return f"{shown} of {total:,} games are shown: {which} of each match."
    return (
        f"{shown} of {total:,} games are shown: {which} of each match as far as there is room, "
        "those of the strongest players first."
    )


def _score(result: TournamentTable, cell: Cell) -> str:
    """What a match came to."""
    score = result.plan.declaration.tournament.score
    return shown(cell, score) + ("" if score == "margin" else " %")


def _shown(number: int, record: GameRecord) -> str:
    """The game of this number, folded below who played it and how it ended."""
    (first, second), names = record.players, seats(record.rules)
    return fold(f"game {number + 1}: {first} ({names[0]}) - {second} ({names[1]}), {_end(record)}", _drawn(record))


def _end(record: GameRecord) -> str:
    """Who won, after how many plies, and what the loser did, if it lost by that."""
    outcome = record.outcome
    if outcome is None:
        return "not finished"
    end = "drawn" if outcome.winner is None else f"won by {record.players[outcome.winner]}"
    return f"{end} after {outcome.plies} plies{f': {outcome.fault}' if outcome.fault else ''}"


def _drawn(record: GameRecord) -> Html:
    """The game to step through; where its drawing fails, what is wrong with it: that is no reason to lose the page."""
    try:
        return game(record)
    except Exception as error:  # a user's drawing can raise anything
        return Html(f"<p>The game cannot be drawn: {escape(explain(record.rules, error))}.</p>")
