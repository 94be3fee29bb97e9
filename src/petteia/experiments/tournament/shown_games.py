"""The games on the page of a tournament: the first games of each match. A reader can step through each game."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from petteia.checking.sample import explain
from petteia.core.protocol import seats
from petteia.experiments.tournament.games import first_of_matches
from petteia.experiments.tournament.matches import Cell, shown
from petteia.experiments.tournament.results import TournamentTable
from petteia.records.game_record import GameRecord
from petteia.render.html import Html, fold, game

MAX_OF_MATCH, MAX_OF_PAGE = 4, 60
"""the maximum number of games of a match on the page, and of all games on the page"""
MAX_CHARACTERS = 16_000_000
"""the maximum number of characters of all games on the page. A game of Kalah has about 300,000 characters, and a game
of the Amazons has a million."""


def shown_games(result: TournamentTable) -> Iterator[str]:
    """Yield the HTML of the games on the page, match by match, starting with the strongest players.

    If the page has no room for all games, the first games of all matches are chosen first. Then the second games are
    chosen, and so on, until the page is full.
    """
    cells = _by_strength(result)[:MAX_OF_PAGE]
    maximum = min(MAX_OF_MATCH, MAX_OF_PAGE // len(cells))
    recorded, remarks = first_of_matches(result, cells, maximum)
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
    """Return the matches, ordered by the strength of their players, strongest first."""
    places = {each.player: place for place, each in enumerate(result.standings)}
    return sorted(result.cells, key=lambda cell: places.get(cell.row, 0) + places.get(cell.column, 0))


def _how_many(result: TournamentTable, maximum: int, shown: int) -> str:
    """Return a sentence that states which games the page contains, and how many."""
    total = sum(cell.games for cell in result.cells)
    if shown == total:
        return f"All {total} games are shown."
    which = "the first game" if maximum == 1 else f"the first {maximum} games"
    if shown == sum(min(maximum, cell.games) for cell in result.cells):
        return f"{shown} of {total:,} games are shown: {which} of each match."
    return (
        f"{shown} of {total:,} games are shown: {which} of each match until the page is full, "
        "and matches of the strongest players first."
    )


def _score(result: TournamentTable, cell: Cell) -> str:
    """Return the result of a match as a string."""
    score = result.plan.declaration.tournament.score
    return shown(cell, score) + ("" if score == "margin" else " %")


def _shown(number: int, record: GameRecord) -> str:
    """Return a game as HTML, collapsed under a summary line with the players and the result."""
    (first, second), names = record.players, seats(record.rules)
    return fold(f"game {number + 1}: {first} ({names[0]}) - {second} ({names[1]}), {_end(record)}", _drawn(record))


def _end(record: GameRecord) -> str:
    """Return a phrase with the winner, the length of the game, and the fault of the loser if there is one."""
    outcome = record.outcome
    if outcome is None:
        return "not finished"
    end = "drawn" if outcome.winner is None else f"won by {record.players[outcome.winner]}"
    return f"{end} after {outcome.plies} plies{f': {outcome.fault}' if outcome.fault else ''}"


def _drawn(record: GameRecord) -> Html:
    """Return a game as HTML that shows its positions one by one. If the drawing fails, return the error message."""
    try:
        return game(record)
    except Exception as error:  # a custom drawing can raise anything
        return Html(f"<p>The game cannot be drawn: {escape(explain(record.rules, error))}.</p>")
