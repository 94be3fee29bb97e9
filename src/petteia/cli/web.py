"""The command that serves the web page: web."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from petteia.cli.output import say, show
from petteia.cli.parameters import Clock, complete_game, takes_trust


@takes_trust
def web(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
            show_default=False,
            help="Game to open at once; module:Name for a custom game.",
            autocompletion=complete_game,
        ),
    ] = None,
    players: Annotated[
        str | None,
        typer.Option(
            metavar="P,Q",
            help="Names of the two players of GAME, separated by a comma; human means a person.  "
            "[default: human,search:time=1]",
        ),
    ] = None,
    clock: Clock = None,
    host: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="Address to listen on; other machines need the printed link, which contains a token.",
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="Port to listen on; 0 selects any free port.")
    ] = 8017,
    name: Annotated[
        list[str] | None,
        typer.Option(metavar="HOST", help="Host name under which a proxy serves the page; may be given several times."),
    ] = None,
    state: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Folder in which games are saved.  [default: petteia/games in $XDG_STATE_HOME, else in "
            "~/.local/state]",
        ),
    ] = None,
) -> None:
    """Serve a page for play and analysis in the browser."""
    from petteia.web.serve import read_players, serve

    def tell(link: str) -> None:
        say("Ctrl-C stops the server; games are saved")
        show(link)

    chosen = None if players is None else read_players(players)
    serve(game, chosen, clock=clock, host=host, port=port, names=name or (), state=state, say=tell)


COMMANDS = {"web": web}
