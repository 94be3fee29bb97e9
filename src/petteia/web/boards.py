"""The routes for images of boards, as SVG and PNG, and for the page on which a position is set up."""

from __future__ import annotations

import re
import secrets
from typing import Any
from urllib.parse import urlencode

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response

from petteia.core.errors import NotFoundError, PetteiaError, UsageError
from petteia.core.names import format_game
from petteia.core.protocol import Rules, format_state, initial, legal, parse_state
from petteia.playing.position import Position
from petteia.render.picture import png
from petteia.web import setup
from petteia.web.allowed import Allowed
from petteia.web.game import Game
from petteia.web.games import MAX_RANDOM, Games, wander
from petteia.web.pictures import Painter, name_of_picture
from petteia.web.pictures import turned as turn
from petteia.web.requests import read_number
from petteia.web.words import result_in_words, words

PICTURE = {
    "content-type": "image/svg+xml",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "cache-control": "private, max-age=31536000, immutable",
}
"""The headers of a drawing. Their security policy allows only the styles that the drawing contains."""
MAX_FRAMES, MAX_SIDE = 300, 4000
"""The maximum number of frames in a list, and the maximum side of a drawing that is converted to PNG, in pixels."""
LONGEST_POSITION = 2_000
"""The maximum number of characters in the text of a position."""
RANDOM = 12
"""The default number of random plies that lead to a random position."""


def add_boards(app: FastAPI, games: Games, allowed: Allowed, painter: Painter, page: Any) -> None:
    """Add the routes for images of boards, and for the page on which a position is set up."""

    @app.get("/thumbnails/{name}.svg")
    def thumbnail(name: str) -> Response:
        rules = allowed.rules(name)
        svg = painter.picture(rules, initial(rules), None).svg
        return Response(svg, headers={**PICTURE, "cache-control": "private, max-age=3600"})

    @app.get("/board.svg")
    def drawn(game: str, position: str, move: str = "", turned: str = "") -> Response:
        """Return an SVG image of a position, or of the position after the move with the code `move`.

        If `turned` is any non-empty string, the board is drawn upside down.
        """
        rules = allowed.rules(game)
        shown = read_position(rules, position)
        if move:
            if (code := read_number(move, -1)) not in legal(rules, shown.state):
                raise UsageError(words()["no_move"])
            shown = shown.after(code)
        svg = painter.picture(rules, shown.state, shown.last).svg
        return Response(turn(svg) if turned else svg, headers=PICTURE)

    @app.get("/board")
    def board(request: Request, shuffle: str = "", plies: str = "", position: str = "") -> Response:
        """Show the page on which a position is set up.

        The page shows `position`, or the initial position if `position` is empty. If `shuffle` is not empty, the
        browser is redirected to a random position. It is reached from the initial position by `plies` random plies, or
        by fewer plies if the game would end.
        """
        sent = dict(request.query_params)
        rules, error, status = setup.rules_of(allowed, sent), "", 200
        kept = {"game": format_game(rules), **{key: sent[key] for key in setup.SIDES if sent.get(key)}}
        count = min(read_number(plies, RANDOM), MAX_RANDOM)
        if shuffle:
            state = wander(Position(rules, initial(rules)), count, secrets.randbits(62))
            found = {**kept, "position": format_state(rules, state), "plies": str(count)}
            return RedirectResponse(f"/board?{urlencode(found)}", 303)
        try:
            shown = read_position(rules, position) if position.strip() else Position(rules, initial(rules))
        except PetteiaError as failure:
            shown, error, status = Position(rules, initial(rules)), str(failure), 422
        picture = painter.picture(rules, shown.state, None)
        return page(  # type: ignore[no-any-return]  # a page is an answer
            request,
            "board.html",
            status,
            title=format_game(rules),
            kept=kept,
            picture=picture,
            image=f"/board.svg?{urlencode({'game': format_game(rules), 'position': shown.text})}"
            if picture.svg
            else "",
            alt=picture.title or shown.text,
            text=position if error else shown.text,
            status=_status(shown),
            is_over=shown.is_over,
            max_random=MAX_RANDOM,
            plies=count,
            error=error,
        )

    @app.get("/games/{name}/pictures/{ply}/{digest}.svg")
    def picture(name: str, ply: int, digest: str) -> Response:
        return Response(drawing(games.find(name), ply, digest), headers=PICTURE)

    @app.get("/games/{name}/pictures/{ply}/{digest}.png")
    def picture_in_pixels(name: str, ply: int, digest: str) -> Response:
        svg = drawing(games.find(name), ply, digest)
        sides = re.findall(r'\b(?:width|height)="([\d.]+)', svg.partition(">")[0])
        if any(float(side) > MAX_SIDE for side in sides):
            raise UsageError(words()["too_large"])
        return Response(png(svg), headers={**PICTURE, "content-type": "image/png"})

    def drawing(game: Game, ply: int, digest: str) -> str:
        with game.lock:
            line = game.line
            position = line[min(max(ply, 0), len(line) - 1)]
        digest, _, is_turned = digest.partition("-")
        if name_of_picture(game.rules, position.state, position.last) != digest:
            raise NotFoundError(words()["stale"])
        svg = painter.picture(game.rules, position.state, position.last).svg
        return turn(svg) if is_turned else svg

    @app.get("/games/{name}/frames")
    def frames(name: str, since: int) -> Response:
        game = games.find(name)
        with game.lock:
            line, is_turned = game.line, game.is_turned
        suffix = "-turned" if is_turned else ""
        found = []
        for ply in range(max(since, 0) + 1, len(line)):
            last = line[ply].last
            assert last is not None
            digest = name_of_picture(game.rules, line[ply].state, last)
            count = len(painter.frames(game.rules, *last))
            found += [f"/games/{name}/frames/{ply}/{place}/{digest}{suffix}.svg" for place in range(count)]
            found.append(f"/games/{name}/pictures/{ply}/{digest}{suffix}.svg")
        return JSONResponse(found[-MAX_FRAMES:])

    @app.get("/games/{name}/frames/{ply}/{place}/{digest}.svg")
    def frame(name: str, ply: int, place: int, digest: str) -> Response:
        game = games.find(name)
        with game.lock:
            line = game.line
        last = line[ply].last if 0 < ply < len(line) else None
        drawn = painter.frames(game.rules, *last) if last else []
        if not 0 <= place < len(drawn):
            raise NotFoundError(words()["stale"])
        return Response(turn(drawn[place]) if digest.endswith("-turned") else drawn[place], headers=PICTURE)


def read_position(rules: Rules, text: str) -> Position:
    """Parse a position in the notation of the game. Raises UsageError if the notation is invalid."""
    if len(text) > LONGEST_POSITION:
        raise UsageError(f"position: the text is too long; use at most {LONGEST_POSITION:,} characters")
    try:
        return Position(rules, parse_state(rules, text.strip()))
    except ValueError as error:
        raise UsageError(str(error)) from None


def _status(position: Position) -> str:
    """Return the side to move, or the result of the game, as text."""
    if (result := position.outcome) is not None:
        return words()["board_over"].format(result=result_in_words(result))
    mover = position.to_move
    assert mover is not None
    return words()["turn_person"].format(seat=mover)
