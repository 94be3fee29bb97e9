"""Commands that create template files for a custom game, player or other component, or an experiment."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from petteia.cli.output import show
from petteia.cli.parameters import complete_game

Name = Annotated[
    str,
    typer.Argument(
        metavar="NAME", show_default=False, help="Name of the new file without its extension, such as my_nim."
    ),
]
Folder = Annotated[Path, typer.Option(metavar="FOLDER", help="Folder for the new file.")]

OfGame = Annotated[
    str | None,
    typer.Option(
        metavar="GAME",
        help="Game that the template is made for; module:Name for a custom game.  [default: kalah; hare-and-hounds for "
        "update rules and for sweeps of training runs]",
        autocompletion=complete_game,
    ),
]

ABOUT = {
    "player": "Create a template for a custom player in plain Python.",
    "policy": "Create a template for a custom policy, a compiled player.",
    "features": "Create a template for a custom feature set.",
    "evaluation": "Create a template for a custom evaluation function.",
    "update-rule": "Create a template for a custom tabular update rule.",
}
"""The kinds of components for which there is a template, each with the description of its command."""


def new_game(name: Name, folder: Folder = Path()) -> None:
    """Create a template for a custom game."""
    _write("game", name, folder)


def new_experiment(
    name: Name,
    tournament: Annotated[
        bool, typer.Option("--tournament", help="Create a tournament of players instead of a sweep of training runs.")
    ] = False,
    game: OfGame = None,
    folder: Folder = Path(),
) -> None:
    """Create a template for an experiment or a tournament.

    An experiment is a sweep of training runs.
    """
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
