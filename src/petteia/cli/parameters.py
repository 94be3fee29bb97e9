"""The arguments and options that several commands share, and the functions for their shell completion."""

from __future__ import annotations

import functools
import inspect
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

if TYPE_CHECKING:
    from petteia.core.decision import Allowance

Command = TypeVar("Command", bound=Callable[..., Any])


def complete_game(incomplete: str) -> list[str]:
    """Return all names of games that begin with the typed text."""
    from petteia.core.names import name_of
    from petteia.games import GAMES

    return [name for name in map(name_of, GAMES) if name.startswith(incomplete)]


def complete_player(incomplete: str) -> list[str]:
    """Return all names of players that begin with the typed text."""
    from petteia.players import PLAYERS

    return [name for name in PLAYERS if name.startswith(incomplete)]


def complete_learner(incomplete: str) -> list[str]:
    """Return all names of learners that begin with the typed text."""
    from petteia.learn import targets
    from petteia.learn.linear_targets import LINEAR_TARGETS

    return [name for name in {**targets.UPDATE_RULES, **LINEAR_TARGETS} if name.startswith(incomplete)]


def complete_run(incomplete: str) -> list[str]:
    """Return all names of runs that begin with the typed text."""
    from petteia.records.runs import list_runs, runs_folder

    return [path.name for path in list_runs(runs_folder()) if path.name.startswith(incomplete)]


def complete_experiment(incomplete: str) -> list[str]:
    """Return all names of the package's experiments that begin with the typed text."""
    from petteia.experiments.source import shipped

    return [name for name in shipped() if name.startswith(incomplete)]


def complete_report(incomplete: str) -> list[str]:
    """Return all names of reports that begin with the typed text."""
    from petteia.reports import REPORTS

    return [name for name in REPORTS if name.startswith(incomplete)]


Game = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        show_default=False,
        help="Game with its options, such as kalah or kalah:seeds=3; module:Name for a custom game.",
        autocompletion=complete_game,
    ),
]
PLAYER_HELP = "such as random, search:depth=4, q:agent=RUN, or module:Name for a custom player"
OPENINGS_HELP = (
    "Openings of the games: random:PLIES (random moves), none, a file with one position per line, or "
    "balanced:PLIES[,nodes=N]. Balanced openings are random positions in which both players have nearly equal chances. "
    "The chances are computed by solving the game if it is small enough, or else by a search of N nodes."
)
Position = Annotated[
    str | None, typer.Option(metavar="TEXT", help="Position to start from instead of the initial position.")
]
Seed = Annotated[
    int,
    typer.Option(metavar="N", help="Random seed; the same seed gives the same result."),
]
Jobs = Annotated[
    int, typer.Option(metavar="N", help="Number of parallel workers; the result is the same for any number.")
]
Cluster = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS|local:N",
        help="Dask cluster that does the work: tcp://HOST:PORT of the scheduler, or local:N for N local processes.",
    ),
]
INSTEAD = "; overrides the player's own limit."
TIME_HELP = f"Time limit per move, in seconds{INSTEAD}"
NODES_HELP = f"Maximum number of nodes searched per move{INSTEAD}"
DEPTH_HELP = f"Maximum search depth, in plies{INSTEAD}"
Time = Annotated[float | None, typer.Option(metavar="SECONDS", help=TIME_HELP)]
Nodes = Annotated[int | None, typer.Option(metavar="N", help=NODES_HELP)]
Depth = Annotated[int | None, typer.Option(metavar="PLIES", help=DEPTH_HELP)]
SEVERAL = " With several values, separated by commas, one tournament is played for each value."
Times = Annotated[str | None, typer.Option("--time", metavar="SECONDS,...", help=f"{TIME_HELP}{SEVERAL}")]
ManyNodes = Annotated[str | None, typer.Option("--nodes", metavar="N,...", help=f"{NODES_HELP}{SEVERAL}")]
Depths = Annotated[str | None, typer.Option("--depth", metavar="PLIES,...", help=f"{DEPTH_HELP}{SEVERAL}")]
CLOCK_HELP = (
    "Time control of each player: SECONDS per game, K/SECONDS per K moves, or SECONDS+INCREMENT, with INCREMENT "
    "seconds added after each move."
)
Clock = Annotated[str | None, typer.Option(metavar="CLOCK", help=CLOCK_HELP)]
Clocks = Annotated[str | None, typer.Option("--clock", metavar="CLOCK,...", help=f"{CLOCK_HELP}{SEVERAL}")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")]
Grace = Annotated[
    float,
    typer.Option(
        metavar="SECONDS",
        help="Tolerance of the time limits, in seconds. A player that exceeds --time or --clock by more than the "
        "tolerance loses the game.",
    ),
]
InProcess = Annotated[
    bool,
    typer.Option("--in-process", help="Run custom players in this process instead of in child processes."),
]
MoveTimeout = Annotated[
    float,
    typer.Option(metavar="SECONDS", help="Time limit per move of a custom player, in seconds, if --time is not given."),
]
StartTimeout = Annotated[
    float,
    typer.Option(
        metavar="SECONDS", help="Time limit for the start of a custom player, and for its method new_game, in seconds."
    ),
]
Memory = Annotated[int, typer.Option(metavar="MB", min=1, help="Memory limit for solving the game, in megabytes.")]
PlayerMemory = Annotated[int, typer.Option(metavar="MB", help="Memory limit of each custom player, in megabytes.")]
MEGABYTE = 1_000_000
Runs = Annotated[
    Path | None,
    typer.Option("--runs", metavar="FOLDER", help="Folder of the runs.  [default: $PETTEIA_RUNS, else ./runs]"),
]
Wide = Annotated[bool, typer.Option("--wide", help="Print tables at full width, even if the terminal is narrower.")]


def read_values(option: str, text: str | None, *, whole: bool) -> list[float]:
    """Parse a comma-separated list of numbers. Return an empty list if the option is not given (`text` is None)."""
    from petteia.core.errors import UsageError
    from petteia.core.numbers import finite_number, whole_number

    read = whole_number if whole else finite_number
    values = [read(part) for part in text.split(",")] if text is not None else []
    numbers = [each for each in values if each is not None]
    if len(numbers) < len(values):
        kind = "whole numbers" if whole else "numbers"
        raise UsageError(f"{option} {text}: must be {kind} separated by commas, such as 1,2")
    return numbers


Trust = Annotated[
    list[str] | None,
    typer.Option(
        "--trust",
        metavar="MODULE",
        help="Custom module that you trust: its code may run when a file, such as a run, names it. May be given "
        "several times.",
    ),
]


def takes_trust(command: Command) -> Command:
    """Add the option `--trust` to a command that reads files. The option names custom modules whose code may run."""

    @functools.wraps(command)
    def run(*arguments: Any, trust: list[str] | None = None, **options: Any) -> Any:
        from petteia.foreign.trust import allow

        allow(trust or ())
        return command(*arguments, **options)

    signature = inspect.signature(command, eval_str=True)
    last = inspect.Parameter("trust", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Trust)
    run.__signature__ = signature.replace(parameters=[*signature.parameters.values(), last])  # type: ignore[attr-defined]  # read by typer
    run.__annotations__ = command.__annotations__ | {"trust": Trust}
    return run  # type: ignore[return-value]  # it takes what `command` takes, and one option more


def allowance(move_timeout: float, start_timeout: float, player_memory: int, grace: float | None = None) -> Allowance:
    """Convert options of the command line to the time and memory limits of custom players."""
    from petteia.core.decision import ALLOWANCE, Allowance

    given = ALLOWANCE.grace if grace is None else grace
    return Allowance(given, move_timeout, start_timeout, player_memory * MEGABYTE)


def check_new(save: Path | None) -> None:
    """Raise an error if the record of a game cannot be written to the new file `save`.

    Commands call this function before they begin the game that is to be saved.
    """
    from petteia.core.errors import UsageError
    from petteia.records.files import WRITE, file_errors

    if save is not None and save.exists():
        raise UsageError(f"--save {save}: the file exists already; choose another name")
    if save is not None:
        with file_errors(WRITE, save), tempfile.TemporaryFile(dir=save.parent):
            pass
