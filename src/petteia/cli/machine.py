"""Commands that measure or prepare this computer: bench, warmup."""

from __future__ import annotations

from typing import Annotated

import typer

from petteia.cli.output import print_json, print_table, say, show
from petteia.cli.parameters import Json, complete_game, takes_trust


def bench(as_json: Json = False) -> None:
    """Benchmark training, play, search and solving."""
    from petteia.cli.bench import measure
    from petteia.records.machine import machine

    rows = []
    for row in measure():
        say(f"{row.name}: {row.value:,.4g} {row.unit}")
        rows.append(row)
    if as_json:
        print_json("bench", machine=machine(), figures=[row._asdict() for row in rows])
        return
    show("\n".join(f"{name}: {value}" for name, value in machine().items()) + "\n")
    print_table(("figure", "measured", "unit"), [(row.name, row.shown, row.unit) for row in rows])


@takes_trust
def warmup(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME]...",
            show_default=False,
            help="Name of a game; with --game, also of a player, feature set, evaluation, update rule or part of a "
            "search. Custom names have the form module:Name.  [default: all games of the package]",
            autocompletion=complete_game,
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(
            metavar="GAME",
            help="Game of the component NAME; not needed if NAME is a game.",
            autocompletion=complete_game,
        ),
    ] = None,
) -> None:
    """Compile games and custom components ahead of time.

    The compiled code is cached, and later commands start faster.
    """
    import petteia

    for step in petteia.warm_up(*(names or ()), for_game=game):
        say(f"{step.name}: {step.what} ({step.done + 1} of {step.steps})")


COMMANDS = {"bench": bench, "warmup": warmup}
