"""What commands take: arguments and options that several share, with their completion in the shell."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

if TYPE_CHECKING:
    from petteia.core.decision import Allowance

Command = TypeVar("Command", bound=Callable[..., Any])


def complete_game(incomplete: str) -> list[str]:
    """Names of games that begin with what has been typed."""
    from petteia.core.names import name_of
    from petteia.games import GAMES

    return [name for name in map(name_of, GAMES) if name.startswith(incomplete)]


def complete_player(incomplete: str) -> list[str]:
    """Names of players that begin with what has been typed."""
    from petteia.players import PLAYERS

    return [name for name in PLAYERS if name.startswith(incomplete)]


def complete_learner(incomplete: str) -> list[str]:
    """Names of learners that begin with what has been typed."""
    from petteia.learn import targets
    from petteia.learn.linear_targets import LINEAR_TARGETS

    return [name for name in {**targets.UPDATE_RULES, **LINEAR_TARGETS} if name.startswith(incomplete)]


def complete_run(incomplete: str) -> list[str]:
    """Folders of runs that begin with what has been typed."""
    from petteia.records.runs import list_runs, runs_folder

    return [path.name for path in list_runs(runs_folder()) if path.name.startswith(incomplete)]


def complete_experiment(incomplete: str) -> list[str]:
    """Names of experiments that come with the package and begin with what has been typed."""
    from petteia.experiments.source import shipped

    return [name for name in shipped() if name.startswith(incomplete)]


def complete_report(incomplete: str) -> list[str]:
    """Names of reports that begin with what has been typed."""
    from petteia.reports import REPORTS

    return [name for name in REPORTS if name.startswith(incomplete)]


Game = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        show_default=False,
        help="A game with its options, such as hare-and-hounds:stall=0, or your own as module:Name.",
        autocompletion=complete_game,
    ),
]
PLAYER_HELP = "such as random, simple, q:agent=RUN, or your own as module:Name"
OPENINGS_HELP = (
    "What games begin with: random:PLIES, none, a file with a position a line, or balanced:PLIES[,nodes=N], positions "
    "after random plies that are near even: exactly where the game is small enough to be solved, else by a search."
)
Position = Annotated[
    str | None, typer.Option(metavar="TEXT", help="Start from this position instead of the game's first.")
]
Seed = Annotated[
    int,
    typer.Option(metavar="N", help="Where the random numbers start; same seed, same result."),
]
Jobs = Annotated[int, typer.Option(metavar="N", help="How many workers share the work; the result is the same.")]
Cluster = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS|local:N",
        help="Let the workers of a Dask cluster do it: tcp://HOST:PORT of its scheduler. local:N: N processes here.",
    ),
]
INSTEAD = ", instead of the player's own limit."
Time = Annotated[float | None, typer.Option(metavar="SECONDS", help=f"Most time for a move{INSTEAD}")]
Nodes = Annotated[int | None, typer.Option(metavar="N", help=f"Most nodes searched for a move{INSTEAD}")]
Depth = Annotated[int | None, typer.Option(metavar="PLIES", help=f"Deepest search for a move{INSTEAD}")]
SEVERAL = " Several values, with commas: the tournament is played under each."
Times = Annotated[
    str | None, typer.Option("--time", metavar="SECONDS,...", help=f"Most time for a move{INSTEAD}{SEVERAL}")
]
ManyNodes = Annotated[
    str | None, typer.Option("--nodes", metavar="N,...", help=f"Most nodes searched for a move{INSTEAD}{SEVERAL}")
]
Depths = Annotated[
    str | None, typer.Option("--depth", metavar="PLIES,...", help=f"Deepest search for a move{INSTEAD}{SEVERAL}")
]
CLOCK_HELP = "Time of each player for a game: K/SECONDS for each K moves, SECONDS for all, SECONDS+INCREMENT."
Clock = Annotated[str | None, typer.Option(metavar="CLOCK", help=CLOCK_HELP)]
Clocks = Annotated[str | None, typer.Option("--clock", metavar="CLOCK,...", help=f"{CLOCK_HELP}{SEVERAL}")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")]
Grace = Annotated[
    float,
    typer.Option(
        metavar="SECONDS", help="By how much a move may take longer than --time or --clock allow without losing."
    ),
]
InProcess = Annotated[
    bool,
    typer.Option("--in-process", help="Keep your own players in this process, instead of in a child process each."),
]
MoveTimeout = Annotated[
    float, typer.Option(metavar="SECONDS", help="Most time for a move of your own players, if there is no --time.")
]
StartTimeout = Annotated[
    float, typer.Option(metavar="SECONDS", help="Most time for your own players to start, and to begin each game.")
]
Memory = Annotated[int, typer.Option(metavar="MB", min=1, help="Memory that solving may use.")]
PlayerMemory = Annotated[int, typer.Option(metavar="MB", help="Most memory for each of your own players.")]
MEGABYTE = 1_000_000
Runs = Annotated[
    Path | None,
    typer.Option("--runs", metavar="FOLDER", help="Where runs live.  [default: $PETTEIA_RUNS, else ./runs]"),
]
Wide = Annotated[bool, typer.Option("--wide", help="Print tables in one piece, however wide the terminal is.")]


def read_values(option: str, text: str | None, *, whole: bool) -> list[float]:
    """The numbers of an option that takes several, with commas between them; none if it is not given."""
    from petteia.core.errors import UsageError
    from petteia.core.numbers import finite_number, whole_number

    read = whole_number if whole else finite_number
    values = [read(part) for part in text.split(",")] if text is not None else []
    numbers = [each for each in values if each is not None]
    if len(numbers) < len(values):
        kind = "whole numbers" if whole else "numbers"
        raise UsageError(f"{option} {text}: must be {kind} with commas between them, such as 1,2")
    return numbers


Trust = Annotated[
    list[str] | None,
    typer.Option(
        "--trust", metavar="MODULE", help="Run code of this module where a file names it; may be given several times."
    ),
]


def takes_trust(command: Command) -> Command:
    """Give a command that reads files the option `--trust`, as its last."""

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
    """What players may take, from the options."""
    from petteia.core.decision import ALLOWANCE, Allowance

    given = ALLOWANCE.grace if grace is None else grace
    return Allowance(given, move_timeout, start_timeout, player_memory * MEGABYTE)
