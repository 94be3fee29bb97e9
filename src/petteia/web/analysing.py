"""The routes of the analysis page. Its form is sent as a query string, so each analysis has a URL of its own."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import NamedTuple

from fastapi import FastAPI, Request
from fastapi.responses import Response

from petteia.arena.exact import EXACT
from petteia.core.protocol import CHANCE, Rules, is_over, to_move
from petteia.playing.position import Position
from petteia.web import setup
from petteia.web.allowed import LONGEST_NAME, Allowed
from petteia.web.game import Game
from petteia.web.games import Games
from petteia.web.pictures import Painter
from petteia.web.requests import read_number, read_steps
from petteia.web.streams import Streams
from petteia.web.studies import KNOWN, Studies, Study
from petteia.web.study_view import graph, regret_in_points, study_view
from petteia.web.why_view import why_view
from petteia.web.words import result_in_words, words

Page = Callable[..., Response]
"""A function that renders a template with the given values."""


DONE = "done"
"""The data of the event that reports that an analysis is complete."""


class Studied(NamedTuple):
    """The analyses that a page shows: of a position, of a whole game, and of a single move."""

    position: Study | None
    """the analysis of the position; None if no player is to move"""
    game: Study | None
    """the review of the game; None if it was not requested"""
    move: Study | None
    """the comparison of a move with the best move; None if it was not requested"""

    @property
    def all(self) -> list[Study]:
        """The analyses of this tuple that are not None."""
        return [study for study in self if study is not None]

    @property
    def version(self) -> int:
        """A number that increases with each new result of an analysis."""
        return sum(study.version for study in self.all)

    @property
    def is_done(self) -> bool:
        """Whether all analyses are complete."""
        return all(study.is_done for study in self.all)


def add_analysis(
    app: FastAPI, games: Games, studies: Studies, streams: Streams, allowed: Allowed, painter: Painter, page: Page
) -> None:
    """Add the routes of the analysis page to the application."""

    def studied(game: Game, ply: int, by: str, why: str, *, reviews: bool) -> Studied:
        with game.lock:
            line, record = game.line, game.record()
        position = line[min(ply, len(line) - 1)]
        rules, state = position.rules, position.state
        is_choice = not is_over(rules, state) and to_move(rules, state) != CHANCE
        study = studies.of_position(position, by) if is_choice else None
        found = study.analysis if study is not None and study.is_done else None
        return Studied(
            study,
            studies.of_game(record, by) if reviews and record.moves else None,
            studies.of_move(position, by, found, why[:LONGEST_NAME]) if found is not None and why else None,
        )

    @app.get("/games/{name}/analysis")
    def analysis(
        request: Request,
        name: str,
        ply: str = "",
        by: str = "",
        own: str = "",
        review: str = "",
        begun: str = "",
        why: str = "",
    ) -> Response:
        game = games.find(name)
        by = _thinker(allowed, own.strip() or by, game.rules)
        number = read_number(ply, len(game.line) - 1)
        looked = studied(game, number, by, why, reviews=bool(review))
        # Read before the results, so that the page notices all later results.
        is_done, version = looked.is_done, looked.version
        with game.lock:
            values = study_view(game, painter, looked.position, number, read_steps(begun))
        refutation = looked.move.refutation if looked.move else None
        moves = looked.game.moves if looked.game else ()
        if looked.game is not None and is_done:
            games.note_mistakes(game, moves)
        offered = [offer for group in setup.offers(allowed, game.rules).values() for offer in group]
        return page(
            request,
            "analysis.html",
            **values,
            by=by,
            why=why,
            lines=refutation and why_view(game.rules, refutation, is_turned=game.is_turned),
            own=by if by not in (KNOWN, EXACT, *(offer.text for offer in offered)) else "",
            offered=offered,
            reviews=bool(review),
            version=version,
            waits=not is_done,
            status=_status(looked, values["position"], values["plies"]),
            troubles=sorted({study.trouble for study in looked.all if study.trouble}),
            was_slow=any(study.was_slow for study in looked.all),
            graph=graph(moves, values["plies"]) if moves else None,
            graph_known=how_reviewed(looked.game),
            mistakes=[move for move in moves if move.is_mistake],
            regrets={move.ply: move for move in moves},
            is_reviewed=looked.game is not None and looked.game.is_done,
            regret_in_points=regret_in_points,
        )

    @app.get("/games/{name}/analysis/events")
    async def events(
        name: str, ply: str = "", by: str = "", review: str = "", why: str = "", since: str = ""
    ) -> Response:
        """Send an event when the next result is available. When the page is closed, the analyses stop."""
        game = await asyncio.to_thread(games.find, name)
        by = _thinker(allowed, by, game.rules)
        number, known = read_number(ply, 0), read_number(since, 0)
        looked = await asyncio.to_thread(studied, game, number, by, why, reviews=bool(review))

        def changed() -> str:
            for study in looked.all:
                study.seen_at = time.monotonic()
            if looked.is_done:
                return DONE
            return "" if looked.version == known else str(looked.version)

        def left() -> None:
            for study in looked.all:
                studies.leave(study)

        return streams.until(changed, left)


def how_reviewed(study: Study | None) -> str:
    """Return a note for the chart of a game review: whether its values are exact, or which player computed them."""
    if study is None:
        return ""
    return words()["values_exact"] if study.by == EXACT else words()["values_of"].format(player=study.by)


def _thinker(allowed: Allowed, by: str, rules: Rules) -> str:
    """Check that an analysis may use `by`, the text form of a player or a constant such as `EXACT`, and return it.

    Raises UsageError for a player that is not allowed.
    """
    return by if by in (KNOWN, EXACT) else allowed.player(by, rules)


def _status(looked: Studied, position: Position, plies: int) -> str:
    """Return a status message for the analysis page: the progress of the analysis, or the result of the game."""
    if any(study.is_solving and not study.is_done for study in looked.all):
        return words()["solving"]
    if looked.game is not None and not looked.game.is_done:
        return words()["reviewing"].format(ply=min(len(looked.game.moves) + 1, plies), plies=plies)
    if (result := position.outcome) is not None:
        return words()["ended"].format(result=result_in_words(result))
    if looked.position is None:
        return words()["nobody_moves"]
    return words()["thought" if looked.position.is_done else "thinking"]
