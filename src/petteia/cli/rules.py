"""Commands for games: games, perft, check."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Annotated

import typer

from petteia.cli.output import FAILED, INTERRUPTED, print_json, print_table, say, show
from petteia.cli.parameters import Game, Json, Position, Seed, complete_game, takes_trust


def games(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
            show_default=False,
            help="Game to list; module:Name for a custom game.  [default: all games of the package]",
            autocompletion=complete_game,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """List the games and the options of their rules."""
    import petteia

    rows = petteia.list_games(*([] if game is None else [game]))
    if as_json:
        print_json("games", games=[row._asdict() for row in rows])
    else:
        for row in rows:
            show(f"{row.name}: {row.about}")
            show(
                textwrap.fill(
                    f"played by {row.seats}; options: {row.options}", 80, initial_indent="  ", subsequent_indent="    "
                )
            )


def perft(
    game: Game,
    depth: Annotated[int, typer.Argument(metavar="DEPTH", show_default=False, help="Number of plies, 0 to 1000.")],
    divide: Annotated[
        bool, typer.Option("--divide", help="Also print the number of sequences that begin with each legal move.")
    ] = False,
    position: Position = None,
    as_json: Json = False,
) -> None:
    """Count the move sequences of DEPTH plies (perft).

    The count is used to test move generators.
    """
    import petteia

    rows = petteia.divide(game, depth, position=position) if divide else []
    nodes = sum(row.nodes for row in rows) if divide else petteia.perft(game, depth, position=position)
    if as_json:
        document = {"game": game, "position": position, "depth": depth, "nodes": nodes}
        print_json("perft", **document, **({"divide": {row.move: row.nodes for row in rows}} if divide else {}))
        return
    if divide:
        print_table(("move", "nodes"), rows)
    show(f"{nodes:,} nodes at depth {depth}")


@takes_trust
def check(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME...",
            show_default=False,
            help="Name of a game; with --game, also of a player, feature set, evaluation, update rule or part of a "
            "search. Custom names have the form module:Name.",
            autocompletion=complete_game,
        ),
    ],
    game: Annotated[
        str | None,
        typer.Option(
            metavar="GAME",
            help="Game of the component NAME; not needed if NAME is a game.",
            autocompletion=complete_game,
        ),
    ] = None,
    number: Annotated[int, typer.Option("--games", metavar="N", help="Maximum number of test games.")] = 1000,
    seed: Seed = 0,
    as_json: Json = False,
) -> int:
    """Check custom games and other components for errors.

    Code is tested both as plain Python and compiled. Every NAME is checked, and the exit code is 1 if one fails.
    """
    if len(names) > 1:
        return _check_each(names, game, number, seed, as_json)
    import petteia
    from petteia.checking.notes import folded
    from petteia.players.kinds import read_kind

    (name,) = names
    results = []
    what = {} if game is None else {read_kind(name): name}
    for result in petteia.check(game or name, **what, games=number, seed=seed):
        results.append(result)
        if not as_json:
            advice = f": {result.message}" if result.passed and result.message else ""
            show(f"{'ok  ' if result.passed else 'FAIL'}  {result.name}{advice}")
            if advice:
                show(*(f"      {line}" for line in result.more))
    failures = [result for result in results if not result.passed]
    lines = [line for result in failures for line in (result.message, *result.more)]
    say(*folded(lines, len(lines)))
    if failures:
        return 1
    if as_json:
        print_json("check", game=game or name, **what, checks=[result._asdict() for result in results])
    else:
        show(f"{name} passes all {len(results)} checks")
    return 0


def _check_each(names: Sequence[str], game: str | None, number: int, seed: int, as_json: bool) -> int:
    """Check each name separately, and list the names that failed.

    An error in one component does not stop the checks of the others.
    """
    from petteia.cli.entry import run
    from petteia.core.errors import UsageError

    if as_json:
        raise UsageError("--json: works only with one NAME; check the names one by one")
    options = ("--games", str(number), "--seed", str(seed), *(() if game is None else ("--game", game)))
    broken = []
    for name in names:
        show(f"{name}:")
        code = run(("check", *options, "--", name))
        if code == INTERRUPTED:
            return code
        if code != 0:
            broken.append(name)
    show(f"{len(names) - len(broken)} of {len(names)} pass" + (f"; broken: {', '.join(broken)}" if broken else ""))
    return FAILED if broken else 0


COMMANDS = {"games": games, "perft": perft, "check": check}
