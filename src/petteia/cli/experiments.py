"""Commands that run experiments and tournaments: experiment, arena."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from petteia.cli.output import FAILED, print_json, print_table, progress, say, show
from petteia.cli.parameters import (
    OPENINGS_HELP,
    PLAYER_HELP,
    Clocks,
    Cluster,
    Depths,
    Game,
    Grace,
    InProcess,
    Jobs,
    Json,
    ManyNodes,
    MoveTimeout,
    PlayerMemory,
    Seed,
    StartTimeout,
    Times,
    Wide,
    allowance,
    check_new,
    complete_experiment,
    complete_player,
    complete_run,
    read_values,
    takes_trust,
)
from petteia.core.printable import one_line

if TYPE_CHECKING:
    from petteia.experiments.experiment import Result
    from petteia.experiments.tournament.by_limit import TournamentByLimit
    from petteia.experiments.tournament.results import TournamentTable


@takes_trust
def experiment(
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="[FILE|NAME]",
            show_default=False,
            help="TOML file, or name of an experiment that comes with petteia (see --list).",
            autocompletion=complete_experiment,
        ),
    ] = None,
    list_them: Annotated[bool, typer.Option("--list", help="List the experiments that come with petteia.")] = False,
    scale: Annotated[
        Literal["paper", "quick"],
        typer.Option(
            help="Size of the experiment. paper: as declared in the file. quick: smaller, with the values of the "
            "section [quick] of the file."
        ),
    ] = "paper",
    seeds: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Number of training runs per combination of parameters.  [default: as declared in the file]",
        ),
    ] = None,
    jobs: Jobs = 1,
    cluster: Cluster = None,
    folder: Annotated[Path, typer.Option(metavar="FOLDER", help="Folder for the results of experiments.")] = Path(
        "experiments"
    ),
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation of a very large experiment.")] = False,
    wide: Wide = False,
    as_json: Json = False,
) -> int:
    """Run the experiment that a TOML file declares.

    An experiment is a sweep of training runs or a tournament. Its tables and figures are written to a folder. Custom
    players that do not work are left out of a tournament, and the exit code is 1.
    """
    import petteia

    if list_them:
        _list(as_json, wide)
        return 0
    if source is None:
        raise petteia.UsageError(
            "no experiment is given; give a TOML file or the name of an experiment (--list shows the names)"
        )
    from petteia.experiments.tournament.declaration import TournamentPlan
    from petteia.experiments.trainings import DamagedTrainingsError

    try:
        with progress("games") as on_progress:
            result = petteia.experiment(
                source,
                scale=scale,
                seeds=seeds,
                jobs=jobs,
                cluster=cluster,
                folder=folder,
                large=yes or _is_confirmed(source, scale, seeds),
                progress=lambda done, wanted, note: on_progress(completed=done, total=wanted, note=note),
            )
    except DamagedTrainingsError as error:
        if not as_json:
            print_table(*error.result.table(), keys=len(error.result.words), wide=wide)
        raise
    _show(result, as_json, wide)
    return FAILED if isinstance(result.plan, TournamentPlan) and result.plan.broken else 0


@takes_trust
def arena(
    game: Game,
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[P Q ...]",
            show_default=False,
            help=f"Players, {PLAYER_HELP}; at least two, including those of --stages.",
            autocompletion=complete_player,
        ),
    ] = None,
    stages: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RUN",
            help="Training run with features. It adds up to 8 players, with the weights after n/128, n/64, ..., "
            "n/2 and n games, where n is the number of training games. May be given several times.",
            autocompletion=complete_run,
        ),
    ] = None,
    pairing: Annotated[
        Literal["round-robin", "gauntlet"],
        typer.Option(help="round-robin: all players meet each other. gauntlet: P meets all other players."),
    ] = "round-robin",
    games: Annotated[int, typer.Option(metavar="N", help="Number of games per match.")] = 100,
    openings: Annotated[
        str, typer.Option(metavar="OPENINGS", help=f"{OPENINGS_HELP} All matches have the same openings.")
    ] = "random:2",
    seats: Annotated[
        Literal["both", "fixed"],
        typer.Option(
            help="both: one match per pair of players, in which each opening is played twice, with sides exchanged. "
            "fixed: two matches per pair, one with each player as player 0."
        ),
    ] = "both",
    diagonal: Annotated[bool, typer.Option("--diagonal", help="Also let each player play against itself.")] = False,
    score: Annotated[
        Literal["points", "margin"],
        typer.Option(help="points: rank players by rating. margin: rank players by the mean margin of their games."),
    ] = "points",
    columns: Annotated[
        str | None,
        typer.Option(
            metavar="NAME,...",
            help="Columns of the standings in the terminal, on the page and in LaTeX: margin, margin-interval, games, "
            "results, pairs, score, first, second, elo, interval, all-at-once, superiority, plies, illegal, late and "
            "failed; with --time or --clock, also time-move and time-game.",
        ),
    ] = None,
    max_plies: Annotated[
        int, typer.Option(metavar="N", help="Maximum number of plies of a game; a longer game is a draw.")
    ] = 1000,
    time: Times = None,
    nodes: ManyNodes = None,
    depth: Depths = None,
    clock: Clocks = None,
    grace: Grace = 0.05,
    in_process: InProcess = False,
    move_timeout: MoveTimeout = 60.0,
    start_timeout: StartTimeout = 60.0,
    player_memory: PlayerMemory = 4000,
    seed: Seed = 0,
    jobs: Jobs = 1,
    cluster: Cluster = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Folder for matches, tables and figures; the same command resumes an interrupted tournament.",
        ),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="New file for the records of all games. The games are played again for this file, except timed games "
            "and games of custom players, whose moves were saved. See petteia record.",
        ),
    ] = None,
    wide: Wide = False,
    as_json: Json = False,
) -> int:
    """Play a tournament with a crosstable and Elo ratings.

    Custom players that do not work are reported and left out, and the exit code is 1.
    """
    import petteia
    from petteia.core.decision import Limit
    from petteia.experiments.tournament.games import records
    from petteia.players.at_stages import players_at_stages
    from petteia.records.files import write_file
    from petteia.records.game_record import write_records

    check_new(save)
    of_stages = [text for run in stages or () for text in players_at_stages(run)]
    limits: dict[str, Sequence[float | str]] = {
        "depth": read_values("--depth", depth, whole=True),
        "nodes": read_values("--nodes", nodes, whole=True),
        "time": read_values("--time", time, whole=False),
        "clock": [] if clock is None else clock.split(","),
    }
    sweep = {name: values for name, values in limits.items() if len(values) > 1}
    one: dict[str, Any] = {name: values[0] for name, values in limits.items() if len(values) == 1}
    everybody = [*(players or ()), *of_stages]
    options: dict[str, Any] = {
        "pairing": pairing,
        "games": games,
        "openings": openings,
        "seats": seats,
        "diagonal": diagonal,
        "score": score,
        "columns": columns,
        "max_plies": max_plies,
        "limit": Limit(one.get("depth"), one.get("nodes"), one.get("time")),
        "clock": one.get("clock"),
        "seed": seed,
        "jobs": jobs,
        "cluster": cluster,
        "folder": folder,
        "in_process": in_process,
        "allowance": allowance(move_timeout, start_timeout, player_memory, grace),
    }
    with progress("games") as on_progress:
        options["progress"] = lambda done, wanted, note: on_progress(completed=done, total=wanted, note=note)
        if sweep:
            found = petteia.tournament_by_limit(game, everybody, sweep, **options)
        else:
            result = petteia.tournament(game, everybody, **options)
    if save is not None:
        tables = found.tables if sweep else (result,)
        write_file(save, write_records(record for each in tables for record in records(each)))
    if sweep:
        _show_by_limit("arena", found, as_json, wide)
        return FAILED if found.plan.broken else 0
    kept = "" if folder is None else f"; saved in {folder}"
    say(*result.notes)
    if as_json:
        print_json("arena", seed=seed, players=list(result.plan.players), notes=result.notes, **result.rows)
    else:
        _show_table(result, wide)
        show("", *(each.words for each in result.findings))
        show(f"{result.note}{kept}")
    return FAILED if result.plan.broken else 0


def _show_by_limit(command: str, found: TournamentByLimit, as_json: bool, wide: bool) -> None:
    say(*found.notes)
    if as_json:
        limits = [{"limit": condition, **result.rows} for condition, result in found.under]
        seed = found.plan.declaration.seed
        print_json(command, seed=seed, players=list(found.players), notes=found.notes, limits=limits)
    else:
        print_table(*found.table(), wide=wide)
        show(f"\n{found.note}{'' if found.folder is None else f'; saved in {found.folder}'}")


def _show_table(result: TournamentTable, wide: bool) -> None:
    print_table(*result.table(), keys=len(result.words), wide=wide)
    if result.standings:
        show("")
        print_table(*result.standings_table(wide=wide), wide=wide)


def _is_confirmed(source: str, scale: Literal["paper", "quick"], seeds: int | None) -> bool:
    """Ask the user at the terminal for confirmation of a very large experiment."""
    from petteia.experiments.experiment import plan, size_of

    size = size_of(plan(source, scale, seeds))
    if not size.is_large or not sys.stdin.isatty():
        return False
    return typer.confirm(f"{one_line(source)} is large: {size}. Continue?", err=True)


def _list(as_json: bool, wide: bool) -> None:
    import petteia

    rows = petteia.list_experiments()
    if as_json:
        print_json("experiment", experiments=[row._asdict() for row in rows])
        return
    print_table(
        ("name", "title", "swept", "combinations", "seeds", "games", "evaluation"),
        [(row.name, row.title, row.swept, row.combinations, row.seeds, row.games, row.evaluation) for row in rows],
        wide=wide,
    )


def _show(result: Result, as_json: bool, wide: bool) -> None:
    from petteia.experiments.tournament.by_limit import TournamentByLimit
    from petteia.experiments.tournament.results import TournamentTable

    if isinstance(result, TournamentByLimit):
        _show_by_limit("experiment", result, as_json, wide)
        return

    say(*result.notes)
    files = sorted(path.name for path in result.folder.iterdir() if path.is_file() and not path.name.startswith("."))
    if as_json:
        print_json(
            "experiment",
            folder=str(result.folder),
            title=result.plan.declaration.title,
            seeds=list(result.plan.seeds),
            notes=result.notes,
            **result.rows,
            files=files,
        )
        return
    if isinstance(result, TournamentTable):
        _show_table(result, wide)
    else:
        print_table(*result.table(), keys=len(result.words), wide=wide)
    show(f"\n{result.note}; saved in {result.folder}")


COMMANDS = {"experiment": experiment, "arena": arena}
