"""Commands for exact values: solve, prove, regret."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from petteia.cli.output import INTERRUPTED, print_json, print_table, say, show
from petteia.cli.parameters import (
    MEGABYTE,
    PLAYER_HELP,
    Game,
    InProcess,
    Json,
    Memory,
    MoveTimeout,
    PlayerMemory,
    Position,
    Seed,
    StartTimeout,
    allowance,
    complete_player,
    takes_trust,
)

if TYPE_CHECKING:
    from petteia.search.proof import Bounds, Proof
    from petteia.solver.solution import Solution


def solve(
    game: Game,
    position: Position = None,
    table: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="File of the solved positions: read if it exists, otherwise written."),
    ] = None,
    check: Annotated[
        bool,
        typer.Option("--check", help="Verify every position by a second method. If one is wrong, the exit code is 1."),
    ] = False,
    memory: Memory = 2000,
    as_json: Json = False,
) -> None:
    """Solve a game: find the value of every position.

    The result includes the winner under perfect play and the number of plies, or the expected margin of a game with
    chance. For one position of a game that is too large to solve, use petteia prove.
    """
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
    from petteia.core.protocol import has_chance, seats
    from petteia.games import game

    rules = game(solution.game)
    names, is_expected = seats(rules), has_chance(rules)

    def result(value: float, plies: int | None) -> str:
        if is_expected:
            return f"expected margin {_expectation(value)} for {names[0]}"
        if value == 0:
            return "nobody wins"
        score = f" by {abs(value)}" if abs(value) > 1 else ""
        return f"won by {names[0 if value > 0 else 1]}{score} in {plies} {'ply' if plies == 1 else 'plies'}"

    show(f"{solution.game}, {solution.position}: {result(solution.value, solution.plies)}")
    if solution.line:
        show(f"winning line: {' '.join(solution.line)}")
    won, by, nobody = ("better for", "for", "for neither") if is_expected else ("won by", "by", "by nobody")
    show(
        f"{solution.positions:,} reachable positions, symmetric ones counted once: {won} {names[0]} {solution.wins:,}, "
        f"{by} {names[1]} {solution.losses:,}, {nobody} {solution.draws:,}"
    )
    if solution.numbered is not None:
        show(f"all {solution.numbered:,} numbered positions were solved")
    if solution.longest is not None:
        show(f"longest win: {solution.longest.position}, {result(solution.longest.value, solution.longest.plies)}")
    if solution.checked:
        show("the table was checked: the value of every position agrees with its successors")
    if solution.openings and is_expected:
        show("")
        print_table(("move", "value"), [(each.move, _expectation(each.value)) for each in solution.openings])
    elif solution.openings:
        show("")
        print_table(
            ("move", "value", "plies"),
            [(each.move, each.value, "" if each.plies is None else each.plies) for each in solution.openings],
        )


def _expectation(value: float) -> str:
    return f"{value:+.6f}"


def prove(
    game: Game,
    position: Position = None,
    openings: Annotated[bool, typer.Option("--openings", help="Also prove the value of each legal move.")] = False,
    time: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Time limit in seconds.  [default: none]")
    ] = None,
    memory: Annotated[
        int, typer.Option(metavar="MB", min=1, help="Size of the transposition table, in megabytes.")
    ] = 200,
    as_json: Json = False,
) -> int:
    """Prove the value of one position by search.

    The search also suits games that are too large for petteia solve. If the time limit or Ctrl-C ends the search, the
    bounds of player 0's margin that are proved so far are shown.
    """
    import petteia
    from petteia.core.protocol import seats

    def tell(move: str | None, bounds: Bounds, nodes: int, seconds: float) -> None:
        of = "" if move is None else f"{move}: "
        say(f"{of}{_bounds(*bounds)} for {first}, {nodes:,} nodes, {seconds:.2f} s")

    first = seats(petteia.game(game))[0]
    proof = petteia.prove(
        game, position=position, openings=openings, seconds=time, memory=memory * MEGABYTE, progress=tell
    )
    if as_json:
        moves = {each.move: {"low": each.low, "high": each.high} for each in proof.openings}
        print_json("prove", **proof._asdict() | {"value": proof.value, "openings": moves})
    else:
        _show_proof(proof)
    return INTERRUPTED if proof.was_interrupted else 0


def _show_proof(proof: Proof) -> None:
    from petteia.core.protocol import seats
    from petteia.games import game

    names = seats(game(proof.game))
    show(f"{proof.game}, {proof.position}: {_proved(proof, names)}")
    if proof.move is not None:
        show(f"best move so far {proof.move}" if proof.value is None else f"best move {proof.move}")
    show(f"{proof.nodes:,} nodes in {proof.seconds:.2f} s")
    if proof.openings:
        show("")
        print_table(("move", f"margin for {names[0]}"), [(each.move, _bounds(*each[1:])) for each in proof.openings])


def _proved(proof: Proof, names: tuple[str, str]) -> str:
    if proof.value is None:
        return f"not proved, margin for {names[0]} {_bounds(proof.low, proof.high)}"
    if proof.value == 0:
        return "nobody wins"
    score = f" by {abs(proof.value)}" if abs(proof.value) > 1 else ""
    return f"won by {names[0 if proof.value > 0 else 1]}{score}"


def _bounds(low: int | None, high: int | None) -> str:
    if low is None:
        return "unknown" if high is None else f"at most {high}"
    if high is None:
        return f"at least {low}"
    return f"{low}" if low == high else f"{low} to {high}"


@takes_trust
def regret(
    game: Game,
    player: Annotated[
        str,
        typer.Argument(
            metavar="PLAYER",
            show_default=False,
            help=f"Player to measure, {PLAYER_HELP}.",
            autocompletion=complete_player,
        ),
    ],
    over: Annotated[
        Literal["games", "reachable", "all"],
        typer.Option(
            help="Positions to measure. games: positions of the player's own games. reachable: all reachable "
            "positions. all: also unreachable positions, in games that can enumerate all positions."
        ),
    ] = "reachable",
    sample: Annotated[
        int | None,
        typer.Option(metavar="N", help="Number of positions, drawn at random; not with --over games.  [default: all]"),
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option(
            metavar="SEAT",
            help="Side that the player plays: its name, 0, 1 or both.  [default: 0, or the only side it plays]",
        ),
    ] = None,
    against: Annotated[
        str,
        typer.Option(
            metavar="PLAYER", help="Opponent of the player. Requires --over games.", autocompletion=complete_player
        ),
    ] = "random",
    games: Annotated[int, typer.Option(metavar="N", help="Number of games. Requires --over games.")] = 1000,
    max_plies: Annotated[
        int, typer.Option(metavar="N", help="Maximum number of plies of a game. Requires --over games.")
    ] = 1000,
    table: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="File written by petteia solve --table.  [default: the game is solved first]"
        ),
    ] = None,
    memory: Memory = 2000,
    position: Position = None,
    in_process: InProcess = False,
    move_timeout: MoveTimeout = 60.0,
    start_timeout: StartTimeout = 60.0,
    player_memory: PlayerMemory = 4000,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Measure the regret of a player against perfect play.

    The regret of a move is the number of points that it loses against the best move. In a game with chance these are
    points of the expected margin, and a regret of 1e-9 or less counts as 0.
    """
    import petteia
    from petteia.core.protocol import has_chance
    from petteia.games import game as rules_of

    result = petteia.regret(
        game,
        player,
        over=over,
        sample=sample,
        seat=seat,
        against=against,
        games=games,
        position=position,
        table=table,
        seed=seed,
        max_plies=max_plies,
        memory=memory * MEGABYTE,
        in_process=in_process,
        allowance=allowance(move_timeout, start_timeout, player_memory),
    )
    say(*result.notes)
    if as_json:
        print_json("regret", seed=seed, **result._asdict())
        return
    places = {"games": f"its {result.games} games against {result.against}", "reachable": "all reachable positions"}
    part = "" if sample is None else f"{result.positions:,} of "
    seat = "both sides" if result.seat == "both" else result.seat
    show(f"{result.player} as {seat} at {result.game}, over {part}{places.get(result.over, 'all positions')}")
    won, drawn = ("leads", "level positions") if has_chance(rules_of(result.game)) else ("wins", "draws")
    interval = "" if result.low is None else f" (95 % interval {result.low:.4f} to {result.high:.4f})"
    print_table(
        ("", "measured"),
        [
            ("positions", f"{result.positions:,}"),
            ("perfect moves", f"{result.perfect_share:.2%}"),
            ("mean regret", f"{result.mean:.4f}{interval}"),
            ("largest regret", f"{result.largest:,.6g}"),
            (f"{won} lost", f"{result.wins_lost:,.6g} of {result.won:,}"),
            (f"{drawn} lost", f"{result.results_lost - result.wins_lost:,.6g}"),
        ],
    )


COMMANDS = {"solve": solve, "prove": prove, "regret": regret}
