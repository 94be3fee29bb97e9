"""Commands for learning: train, resume, runs, doctor, report."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from petteia.cli.output import print_json, print_table, progress, say, show, terminal_width
from petteia.cli.parameters import Cluster, Game, Json, Runs, Seed, Wide, complete_report, complete_run, takes_trust
from petteia.cli.training_options import arguments, takes_training_options

if TYPE_CHECKING:
    from petteia.experiments.trainer import Point
    from petteia.experiments.training import Training

PART = re.compile(", (?!then )")
"""The separator between the settings of a run. A comma before `then` separates opponents instead."""

Run = Annotated[
    str,
    typer.Argument(metavar="RUN", show_default=False, help="Name or folder of the run.", autocompletion=complete_run),
]


@takes_trust
@takes_training_options
def train(
    game: Game,
    *,
    seed: Seed = 0,
    runs: Runs = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Name of the new run.  [default: game, learner and a number]")
    ] = None,
    as_json: Json = False,
    **options: Any,
) -> None:
    """Train an agent to play a game and save it as a run."""
    import petteia

    with _progress_bar() as on_progress:
        training = petteia.train(game, seed=seed, runs=runs, name=name, progress=on_progress, **arguments(options))
    say(*training.notes)
    _show("train", training, as_json)


@takes_trust
def resume(
    run: Run,
    runs: Runs = None,
    as_json: Json = False,
) -> None:
    """Resume an interrupted training run."""
    import petteia

    with _progress_bar() as on_progress:
        training = petteia.resume(run, runs=runs, progress=on_progress)
    say(*training.advice)
    _show("resume", training, as_json)


def runs(folder: Runs = None, wide: Wide = False, as_json: Json = False) -> None:
    """List the runs with their progress and score."""
    import petteia

    rows = petteia.runs(folder)
    if as_json:
        print_json("runs", runs=[row._asdict() for row in rows])
        return
    if not rows:
        say("no runs found; create one with: petteia train GAME")
        return
    what = [row.what for row in rows]
    if not wide and terminal_width() is not None:
        what = _without_common(what)
    scores = ["" if row.score is None else f"{row.score:.1%}" for row in rows]
    print_table(
        ("run", "games", "of", "state", "score", "game", "what"),
        [
            (row.name, row.done, row.wanted, row.state, score, row.game, settings)
            for row, settings, score in zip(rows, what, scores, strict=True)
        ],
        wide=wide,
    )


def _without_common(settings: list[str]) -> list[str]:
    """Print the settings that all runs have in common, and return the other settings of each run."""
    parts = [PART.split(each) for each in settings]
    common = [part for part in parts[0] if len(parts) > 1 and all(part in each for each in parts)]
    for part in common:
        show(f"the same in all rows: {part}")
    return [", ".join(part for part in each if part not in common) for each in parts]


@takes_trust
def doctor(
    run: Run,
    runs: Runs = None,
    checks: Annotated[
        bool, typer.Option("--checks", help="List all checks, including those without a finding.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Diagnose problems of a training run and suggest remedies.

    The training may be unfinished.
    """
    import petteia

    diagnosis = petteia.doctor(run, runs=runs)
    if as_json:
        document = diagnosis._asdict()
        document["findings"] = [finding._asdict() for finding in diagnosis.findings]
        document["examined"] = [each._asdict() for each in diagnosis.examined]
        if (strength := diagnosis.strength) is not None:
            regret = None if strength.regret is None else strength.regret._asdict()
            document["strength"] = strength._asdict() | {"regret": regret}
        print_json("doctor", **document)
    else:
        show(diagnosis.text(terminal_width(), checks=checks))


def report(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            show_default=False,
            help="Name of the report: <petteia.reports:REPORTS>.",
            autocompletion=complete_report,
        ),
    ],
    scale: Annotated[
        Literal["quick", "paper", "all"],
        typer.Option(
            help="Size of the experiments. paper: as in the original study. quick: smaller. all: as paper, with "
            "additional experiments."
        ),
    ] = "paper",
    seeds: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Number of training runs per combination of parameters.  [default: as declared by the report]",
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Number of parallel workers; the result is the same for any number.  [default: the number of "
            "processors, at most 8]",
        ),
    ] = None,
    cluster: Cluster = None,
    folder: Annotated[Path, typer.Option(metavar="FOLDER", help="Folder for the reports.")] = Path("reports"),
    as_json: Json = False,
) -> None:
    """Run the experiments of a report and write its page."""
    import petteia

    with progress("learning") as on_progress:
        made = petteia.report(
            name,
            scale=scale,
            seeds=seeds,
            jobs=jobs,
            cluster=cluster,
            folder=folder,
            progress=lambda done, wanted, note: on_progress(completed=done, total=wanted, note=note),
        )
    if as_json:
        print_json("report", page=str(made.page), summary=made.summary)
    else:
        show(f"the page is {made.page.resolve()}")


@contextmanager
def _progress_bar() -> Iterator[Callable[[int, int, Point | None], None]]:
    """Return a context manager that shows a progress bar for a training run. It yields a callback that updates the bar.

    The arguments of the callback are the number of games so far, the total number of games, and the last point of the
    learning curve.
    """
    with progress("learning") as on_progress:
        yield lambda done, wanted, point: on_progress(
            completed=done, total=wanted, note="" if point is None else f"score {point.score:.1%}"
        )


def _show(command: str, training: Training, as_json: bool) -> None:
    from petteia.core.protocol import seats

    path, last = training.run.path, training.last_points[-1]
    if as_json:
        points = [point.row() for point in training.points]
        print_json(
            command,
            run=str(path),
            game=training.run.description.game,
            **last.row(),
            points=points,
            notes=training.notes,
        )
        return
    met = "" if last.states is None else f", {last.states:,} visited states"
    show(f"learned from {last.games:,} games{met}; saved in {path}")
    both = len(training.configuration.seats) > 1
    for each in training.last_points:
        interval = f"(95 % interval {each.low:.1%} to {each.high:.1%})"
        whose = f" of {seats(training.rules)[each.side]}" if both else ""
        show(f"score {each.score:.1%} {interval}{whose} in the last evaluation")


COMMANDS = {"train": train, "resume": resume, "runs": runs, "doctor": doctor, "report": report}
