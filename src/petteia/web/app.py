"""The web application. Forms that change a game are answered with redirects, so the pages work without scripts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import (
    HTMLResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)
from fastapi.staticfiles import StaticFiles
from fastapi.templating import Jinja2Templates
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from petteia.core.errors import NotFoundError, PetteiaError, UsageError
from petteia.core.steps import Steps
from petteia.web import setup
from petteia.web.allowed import Allowed
from petteia.web.analysing import add_analysis
from petteia.web.boards import add_boards
from petteia.web.game import PACES, Game, Wish
from petteia.web.games import Games
from petteia.web.guard import OWNER, Door, Guard
from petteia.web.mine import add_mine
from petteia.web.pictures import Painter
from petteia.web.requests import Route, Sent, is_number, read_steps
from petteia.web.streams import Streams
from petteia.web.studies import Studies
from petteia.web.thinkers import Thinkers
from petteia.web.view import view
from petteia.web.words import words

FOLDER = Path(__file__).parent
SMALL = 1000
"""The minimum size, in bytes, of an answer that is compressed."""
STUDYING = 2
"""The maximum number of analyses at the same time."""
STRANGER = "-"
"""The owner of the games of browsers without cookies."""

templates = Jinja2Templates(
    env=Environment(
        loader=PackageLoader("petteia.web"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
)


def make_app(allowed: Allowed, state: Path, door: Door) -> Any:
    """Create the web application.

    `allowed` contains the games and players that requests may name. `state` is the folder of saved games. `door`
    contains the port and the host names of the server, and the token for access.
    """
    thinkers, painter = Thinkers(), Painter()
    games = Games(state, allowed, thinkers)
    studies, streams = Studies(Thinkers(STUDYING)), Streams()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        thinkers.close()
        studies.close()
        painter.close()

    app = FastAPI(lifespan=lifespan, openapi_url=None, docs_url=None, redoc_url=None)
    app.router.route_class = Route
    app.add_middleware(GZipMiddleware, minimum_size=SMALL)
    app.state.games = games
    app.mount("/static", StaticFiles(directory=FOLDER / "static"))

    def page(request: Request, template: str, code: int = 200, **values: Any) -> HTMLResponse:
        context = {"words": words(), "error": "", "note": "", "faults": [], **values}
        return templates.TemplateResponse(request, template, context, status_code=code)

    def owner_of(request: Request) -> str:
        """Return the ID of the browser's user, who owns the games that this browser creates.

        If only this machine can connect, the ID is empty, and all games belong to the same owner.
        """
        return request.cookies.get(OWNER) or STRANGER if door.is_open else ""

    def show(request: Request, game: Game, *, begun: Steps = (), ply: int | None = None, **more: Any) -> Response:
        with game.lock:
            game.show()
            games.go_on(game)
            values = view(game, painter, begun, ply)
            offered = setup.offers(allowed, game.rules)
            return page(request, "game.html", offered=offered, paces=PACES, **values, **more)

    def back(game: Game, begun: Steps = ()) -> RedirectResponse:
        query = f"?begun={','.join(map(str, begun))}" if begun else ""
        return RedirectResponse(f"/games/{game.name}{query}", 303)

    @app.exception_handler(PetteiaError)
    def failed(request: Request, error: PetteiaError) -> Response:
        status = 404 if isinstance(error, NotFoundError) else 422
        return page(request, "error.html", status, error=str(error))

    @app.exception_handler(RequestValidationError)
    def malformed(request: Request, error: RequestValidationError) -> Response:
        return page(request, "error.html", 404, error=words()["not_found"])

    @app.exception_handler(HTTPException)
    def missing(request: Request, error: HTTPException) -> Response:
        if error.status_code == 405 and request.method == "GET":  # a page that answered a form was reloaded
            return RedirectResponse(request.url.path.rpartition("/")[0] or "/", 303)
        return page(request, "error.html", error.status_code, error=words()["not_found"])

    @app.get("/")
    def home(request: Request) -> Response:
        cards = [(name, f"/thumbnails/{name}.svg") for name in setup.games(allowed)]
        return page(request, "home.html", cards=cards)

    @app.get("/new")
    def new(request: Request) -> Response:
        return page(request, "new.html", **setup.form(allowed, dict(request.query_params)))

    @app.post("/setup")
    def set_up(request: Request, sent: Sent) -> Response:
        return page(request, "new.html", **setup.form(allowed, sent))

    @app.post("/games")
    def begin(request: Request, sent: Sent) -> Response:
        try:
            return back(games.begin(setup.wish(allowed, sent)._replace(owner=owner_of(request))))
        except PetteiaError as error:
            return page(request, "new.html", 422, **(_refilled(allowed, sent) | {"error": str(error)}))

    @app.get("/games/{name}")
    def shown(request: Request, name: str, begun: str = "", ply: str = "") -> Response:
        return show(request, games.find(name), begun=read_steps(begun), ply=int(ply) if is_number(ply) else None)

    def changing(
        request: Request, name: str, sent: Mapping[str, str], change: Any, *, at_any_time: bool = False
    ) -> Response:
        """Call `change` to change a game, and return the game's page.

        The game is not changed if the form was sent from a page that shows an older version of the game.

        With the keyword argument `at_any_time=True`, forms from pages that show an older version of the game are
        accepted, too.
        """
        game = games.find(name)
        with game.lock:
            if not at_any_time and sent.get("version") != str(game.version):
                return show(request, game, note=words()["stale"])
            try:
                begun = change(game) or ()
            except PetteiaError as error:
                return show(request, game, error=str(error))
            if not begun:
                games.keep(game)
                games.go_on(game)
            return back(game, begun)

    @app.post("/games/{name}/step")
    def step(request: Request, name: str, sent: Sent) -> Response:
        chosen = read_steps(sent.get("step", ""))
        if len(chosen) != 1:
            raise UsageError("step: must be a whole number")
        return changing(request, name, sent, lambda game: game.step(read_steps(sent.get("begun", "")), chosen[0]))

    @app.post("/games/{name}/undo")
    def undo(request: Request, name: str, sent: Sent) -> Response:
        return changing(request, name, sent, Game.undo)

    @app.post("/games/{name}/redo")
    def redo(request: Request, name: str, sent: Sent) -> Response:
        return changing(request, name, sent, Game.redo)

    @app.post("/games/{name}/resign")
    def resign(request: Request, name: str, sent: Sent) -> Response:
        return changing(request, name, sent, Game.resign)

    @app.post("/games/{name}/turn")
    def turn(request: Request, name: str, sent: Sent) -> Response:
        def change(game: Game) -> None:
            game.is_turned = not game.is_turned

        return changing(request, name, sent, change, at_any_time=True)

    @app.post("/games/{name}/pace")
    def pace(request: Request, name: str, sent: Sent) -> Response:
        def change(game: Game) -> None:
            if sent.get("pace") in PACES:
                game.pace = sent["pace"]
            if "do" in sent:
                game.pause(sent["do"] == "pause")
            game.version += 1

        return changing(request, name, sent, change, at_any_time=True)

    @app.post("/games/{name}/ask")
    def ask(request: Request, name: str, sent: Sent) -> Response:
        def change(game: Game) -> None:
            if game.side is None:
                raise UsageError(words()["over"])
            player = allowed.player(sent.get("player", ""), game.rules)
            game.trouble = ""
            game.version += 1
            games.ask(game, player)

        return changing(request, name, sent, change)

    @app.post("/games/{name}/again")
    def again(request: Request, name: str) -> Response:
        game = games.find(name)
        start = game.session.start.text
        return back(games.begin(Wish(game.rules, game.players, start, clock=game.clock, owner=owner_of(request))))

    @app.get("/games/{name}/record.txt")
    def record(name: str) -> Response:
        game = games.find(name)
        with game.lock:
            return PlainTextResponse(game.record().write())

    @app.get("/games/{name}/events")
    async def events(name: str, since: int) -> Response:
        """Send an event when the game has changed since the version `since`."""
        game = await asyncio.to_thread(games.find, name)

        def changed() -> str:
            if game.version == since and game.lock.acquire(blocking=False):
                try:
                    games.go_on(game)
                finally:
                    game.lock.release()
            return "" if game.version == since else str(game.version)

        return streams.until(changed)

    add_boards(app, games, allowed, painter, page)
    add_mine(app, games, allowed, owner_of, page)
    add_analysis(app, games, studies, streams, allowed, painter, page)
    guarded = Guard(app, door)
    guarded.games = games  # type: ignore[attr-defined]  # used to begin a game at the start
    return guarded


def _refilled(allowed: Allowed, sent: Mapping[str, str]) -> dict[str, Any]:
    """Return the template context of the form for a new game, filled in with the submitted values.

    If a submitted value is invalid, return the context of an empty form for the same game. If this game is not offered,
    the form is for the first game offered.
    """
    try:
        return setup.form(allowed, sent)
    except PetteiaError:
        name = sent.get("game", "")
        known = name if name in setup.games(allowed) else setup.games(allowed)[0]
        return setup.form(allowed, {"game": known})
