"""Commands about the truth: solve."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from petteia.cli.output import print_json, print_table
from petteia.cli.parameters import Game, Json, Position

if TYPE_CHECKING:
    from petteia.solver.solution import Solution

MEGABYTE = 1_000_000


def solve(
    game: Game,
    position: Position = None,
    table: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where the solved positions are kept: read if it is there, else written."),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Verify every position by a second way, too; exit code 1 if one is wrong.")
    ] = False,
    memory: Annotated[int, typer.Option(metavar="MB", min=1, help="Memory that may be used.")] = 2000,
    as_json: Json = False,
) -> None:
    """Work out who wins, how, and how long it takes, for every position of a game without chance."""
    import petteia

    solution = petteia.solve(game, position=position, table=table, check=check, memory=memory * MEGABYTE)
    if as_json:
        document = solution._asdict()
        document["openings"] = {opening.move: opening.value for opening in solution.openings}
        document["opening_plies"] = {opening.move: opening.plies for opening in solution.openings}
        document["longest"] = solution.longest and solution.longest._asdict()
        print_json("solve", **document)
        return
    _show(solution)


def _show(solution: Solution) -> None:
    from petteia.core.protocol import seats
    from petteia.games import game

    names = seats(game(solution.game))

    def result(value: int, plies: int | None) -> str:
        if value == 0:
            return "nobody wins"
        score = f" by {abs(value)}" if abs(value) > 1 else ""
        return f"won by {names[0 if value > 0 else 1]}{score} in {plies} {'ply' if plies == 1 else 'plies'}"

    print(f"{solution.game}, {solution.position}: {result(solution.value, solution.plies)}")
    if solution.line:
        print(f"winning line: {' '.join(solution.line)}")
    print(
        f"{solution.positions:,} positions can be reached, images counted once: won by {names[0]} {solution.wins:,}, "
        f"by {names[1]} {solution.losses:,}, by nobody {solution.draws:,}"
    )
    if solution.numbered is not None:
        print(f"{solution.numbered:,} positions are numbered, and all were solved")
    if solution.longest is not None:
        print(f"longest win: {solution.longest.position}, {result(solution.longest.value, solution.longest.plies)}")
    if solution.checked:
        print("the table was checked: every position fits what follows from it")
    if solution.openings:
        print()
        print_table(
            ("move", "value", "plies"),
            [(each.move, each.value, "" if each.plies is None else each.plies) for each in solution.openings],
        )


COMMANDS = {"solve": solve}
