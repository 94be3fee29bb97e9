"""Commands that write a file to start from: new-game, new-player and the others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from petteia.cli.output import show
from petteia.cli.parameters import complete_game

Name = Annotated[
    str, typer.Argument(metavar="NAME", show_default=False, help="Of the file, without its ending, such as my_nim.")
]
Folder = Annotated[Path, typer.Option(metavar="FOLDER", help="Where the file is written.")]

OfGame = Annotated[
    str | None,
    typer.Option(
        metavar="GAME",
        help="The game that it is for, yours as module:Name.  [default: kalah; for what learns in tables "
        "hare-and-hounds]",
        autocompletion=complete_game,
    ),
]

ABOUT = {
    "player": "Write a player of your own, in ordinary Python, ready to be changed.",
    "policy": "Write a policy of your own, a player that runs compiled, ready to be changed.",
    "features": "Write a feature set of your own, to learn values with, ready to be changed.",
    "evaluation": "Write an evaluation of your own, to search with, ready to be changed.",
    "update-rule": "Write an update rule of your own, to learn in tables with, ready to be changed.",
}
"""The kinds of files that are for a game, and what their commands say of themselves."""


def new_game(name: Name, folder: Folder = Path()) -> None:
    """Write a small game of your own, ready to be changed."""
    _write("game", name, folder)


def new_experiment(
    name: Name,
    tournament: Annotated[
        bool, typer.Option("--tournament", help="Write a tournament of players, not a sweep of trainings.")
    ] = False,
    game: OfGame = None,
    folder: Folder = Path(),
) -> None:
    """Write an experiment of your own, a sweep of trainings or a tournament, ready to be changed."""
    _write("tournament" if tournament else "experiment", name, folder, game)


def _command(kind: str, about: str) -> Callable[..., Any]:
    def write(name: Name, game: OfGame = None, folder: Folder = Path()) -> None:
        _write(kind, name, folder, game)

    write.__doc__ = about
    return write


def _write(kind: str, name: str, folder: Path, game: str | None = None) -> None:
    import petteia

    written = petteia.new_file(kind, name, game=game, folder=folder)
    show(f"wrote {written.path}; next: {written.next}")


COMMANDS = {
    "new-game": new_game,
    **{f"new-{kind}": _command(kind, about) for kind, about in ABOUT.items()},
    "new-experiment": new_experiment,
}
