"""Commands about experiments: experiment."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from petteia.cli.output import FAILED, print_json, print_table, progress, say, show
from petteia.cli.parameters import Jobs, Json, Wide, complete_experiment, takes_trust
from petteia.core.printable import one_line

if TYPE_CHECKING:
    from petteia.experiments.results import ExperimentResult
    from petteia.experiments.tournament.results import TournamentResult


@takes_trust
def experiment(
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="[FILE|NAME]",
            show_default=False,
            help="A TOML file, or the name of an experiment that comes with petteia.",
            autocompletion=complete_experiment,
        ),
    ] = None,
    list_them: Annotated[bool, typer.Option("--list", help="List the experiments that come with petteia.")] = False,
    scale: Annotated[
        Literal["paper", "quick"], typer.Option(help="paper: as the file says. quick: with what it says in [quick].")
    ] = "paper",
    seeds: Annotated[
        int | None, typer.Option(metavar="N", help="Trainings of each combination.  [default: what the file says]")
    ] = None,
    jobs: Jobs = 1,
    folder: Annotated[Path, typer.Option(metavar="FOLDER", help="Where experiments live.")] = Path("experiments"),
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before a very large experiment.")] = False,
    wide: Wide = False,
    as_json: Json = False,
) -> int:
    """Run an experiment that a file declares: train or play, measure, and draw.

    A tournament goes on without players of your own that are broken; exit code 1 if there are any.
    """
    import petteia

    if list_them:
        _list(as_json, wide)
        return 0
    if source is None:
        raise petteia.UsageError("which experiment? give a file or a name, or --list those that come with petteia")
    from petteia.experiments.tournament.declaration import TournamentPlan
    from petteia.experiments.trainings import DamagedTrainingsError

    try:
        with progress("games") as on_progress:
            result = petteia.experiment(
                source,
                scale=scale,
                seeds=seeds,
                jobs=jobs,
                folder=folder,
                large=yes or _is_meant(source, scale, seeds),
                progress=lambda done, wanted, note: on_progress(completed=done, total=wanted, note=note),
            )
    except DamagedTrainingsError as error:
        if not as_json:
            print_table(*error.result.table(), keys=len(error.result.words), wide=wide)
        raise
    _show(result, as_json, wide)
    return FAILED if isinstance(result.plan, TournamentPlan) and result.plan.broken else 0


def _is_meant(source: str, scale: Literal["paper", "quick"], seeds: int | None) -> bool:
    """Ask whoever sits at the terminal, if the experiment is very large."""
    from petteia.experiments.experiment import plan, size_of

    size = size_of(plan(source, scale, seeds))
    if not size.is_large or not sys.stdin.isatty():
        return False
    return typer.confirm(f"{one_line(source)} is large: {size}. Go on?", err=True)


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


def _show(result: ExperimentResult | TournamentResult, as_json: bool, wide: bool) -> None:
    from petteia.experiments.tournament.results import TournamentTable

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
    print_table(*result.table(), keys=len(result.words), wide=wide)
    if isinstance(result, TournamentTable) and result.standings:
        show("")
        print_table(*result.standings_table(), wide=wide)
    show(f"\n{result.note}; all of it is in {result.folder}")


COMMANDS = {"experiment": experiment}
