"""The command that shows and reviews recorded games: record."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from petteia.cli.output import INTERRUPTED, points, print_json, print_table, progress, say, show
from petteia.cli.parameters import (
    MEGABYTE,
    Depth,
    InProcess,
    Json,
    Memory,
    MoveTimeout,
    Nodes,
    PlayerMemory,
    Seed,
    StartTimeout,
    Time,
    allowance,
    complete_player,
    takes_trust,
)

if TYPE_CHECKING:
    from petteia.arena.review import Review
    from petteia.records.game_record import GameRecord


@takes_trust
def record(
    file: Annotated[Path, typer.Argument(metavar="FILE", show_default=False, help="A file of game records.")],
    number: Annotated[
        int, typer.Option("--game", metavar="N", min=1, help="Number of the game to show, counted from 1.")
    ] = 1,
    by: Annotated[
        str | None,
        typer.Option(
            "--review",
            metavar="PLAYER|exact",
            help="Player, such as search:depth=6, that reviews the game and finds the regret of each move; exact "
            "compares each move with perfect play, if the game can be solved.",
            autocompletion=complete_player,
        ),
    ] = None,
    slip: Annotated[
        float | None,
        typer.Option(
            metavar="POINTS",
            help="Largest regret, in points, that does not count as a mistake.  [default: 0 with exact, else 0.5]",
        ),
    ] = None,
    depth: Depth = None,
    time: Time = None,
    nodes: Nodes = None,
    memory: Memory = 2000,
    in_process: InProcess = False,
    move_timeout: MoveTimeout = 60.0,
    start_timeout: StartTimeout = 60.0,
    player_memory: PlayerMemory = 4000,
    seed: Seed = 0,
    as_json: Json = False,
) -> int:
    """Show a recorded game, or review it move by move.

    All games in the file are replayed and checked.
    """
    import petteia

    limits = {"--slip": slip, "--depth": depth, "--time": time, "--nodes": nodes}
    if by is None and (given := [name for name, value in limits.items() if value is not None]):
        raise petteia.UsageError(f"{given[0]}: works only with --review; add --review PLAYER, or leave {given[0]} out")
    games = list(petteia.saved_games(file))
    if number > len(games):
        raise petteia.UsageError(f"--game {number}: {file} has {len(games)} games; choose 1 to {len(games)}")
    if len(games) > 1:
        say(f"game {number} of {len(games)}; --game N shows another")
    game = games[number - 1]
    answer = None
    if by is not None:
        with progress("plies", len(game.moves)) as on_progress:
            answer = petteia.review(
                game,
                by=by,
                slip=slip,
                depth=depth,
                nodes=nodes,
                seconds=time,
                memory=memory * MEGABYTE,
                seed=seed,
                in_process=in_process,
                allowance=allowance(move_timeout, start_timeout, player_memory),
                progress=lambda move: on_progress(completed=move.ply),
            )
        say(*answer.notes)
    if as_json:
        print_json("record", **_document(game), **({} if answer is None else {"review": _reviewed(answer)}))
    else:
        _show(game, answer)
    return INTERRUPTED if answer is not None and answer.was_interrupted else 0


def _document(game: GameRecord) -> dict[str, Any]:
    from petteia.core.names import format_game
    from petteia.core.protocol import format_move, format_state

    states = game.states()
    return {
        "game": format_game(game.rules),
        "players": game.players,
        "date": game.date and game.date.isoformat(),
        "positions": [format_state(game.rules, state) for state in states],
        "moves": [format_move(game.rules, *ply) for ply in zip(states, game.moves, strict=False)],
        "outcome": game.outcome and game.outcome._asdict(),
    }


def _reviewed(answer: Review) -> dict[str, Any]:
    document = answer._asdict()
    return document | {name: [row._asdict() for row in document[name]] for name in ("moves", "sides")}


def _show(game: GameRecord, answer: Review | None) -> None:
    from petteia.render import board_text

    show(game.write())
    if answer is None:
        show(board_text(game.rules, game.states()[-1], moves=False))
        return
    show("values are those of best play" if answer.is_exact else f"values are those of {answer.by}")
    show("")
    print_table(
        ("ply", "who", "move", "best", "before", "after", "regret", "", "plies to end" if answer.is_exact else "depth"),
        [
            (
                each.ply,
                each.who,
                each.move,
                each.best or "",
                _known(each.before),
                _known(each.after),
                "" if each.regret is None else f"{each.regret:,.6g}",
                "mistake" if each.is_mistake else "",
                f"{(each.plies_to_end if answer.is_exact else each.depth) or ''}",
            )
            for each in answer.moves
        ],
    )
    if not answer.is_exact and answer.mistakes:
        show("")
        lines = [(each.ply, each.move, " ".join(each.line)) for each in answer.mistakes]
        print_table(("ply", "mistake", "line after the best move"), lines)
    show("")
    for side in answer.sides:
        mistakes = f"{side.mistakes} {'mistake' if side.mistakes == 1 else 'mistakes'} in {side.moves} moves"
        mean = f", mean regret {side.mean:,.6g} per move" if answer.is_exact and side.mean is not None else ""
        show(f"{side.seat} ({side.player}): {mistakes}{mean}")


def _known(value: float | None) -> str:
    return "" if value is None else points(value)


COMMANDS = {"record": record}
