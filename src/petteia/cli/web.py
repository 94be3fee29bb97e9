"""The command that serves the page: web."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from petteia.cli.output import say, show
from petteia.cli.parameters import complete_game, takes_trust


@takes_trust
def web(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]", show_default=False, help="A game to open at once.", autocompletion=complete_game
        ),
    ] = None,
    players: Annotated[
        str, typer.Option(metavar="P,Q", help="Who plays it: two players, human for people.")
    ] = "human,search:time=1",
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to listen; others can come in by the link, which has a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="The port; 0: any that is free.")] = 8017,
    name: Annotated[
        list[str] | None,
        typer.Option(metavar="HOST", help="A name that it answers to behind a proxy; may be given several times."),
    ] = None,
    state: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Where games are kept.  [default: $XDG_STATE_HOME, else ~/.local/state]"),
    ] = None,
) -> None:
    """Play in the browser: serve the page on this machine."""
    from petteia.web.serve import read_players, serve

    say("Ctrl-C ends the server; its games are kept")
    serve(game, read_players(players), host=host, port=port, names=name or (), state=state, say=show)


COMMANDS = {"web": web}
