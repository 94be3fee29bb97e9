"""Commands about learning: train, resume, runs, report."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from petteia.cli.output import print_json, print_table, progress, say
from petteia.cli.parameters import (
    PLAYER_HELP,
    Game,
    Json,
    Position,
    Runs,
    Seed,
    complete_player,
    complete_report,
    complete_run,
)

if TYPE_CHECKING:
    from petteia.experiments.training import Point, Training


def train(
    game: Game,
    learner: Annotated[
        Literal["q", "sarsa", "expected-sarsa", "double-q", "monte-carlo"],
        typer.Option(help="What values are moved towards."),
    ] = "q",
    opponent: Annotated[
        str,
        typer.Option(metavar="PLAYER", help=f"Whom to learn against, {PLAYER_HELP}.", autocompletion=complete_player),
    ] = "random",
    side: Annotated[
        str,
        typer.Option(metavar="SEAT", help="The side that learns: its name, 0 or 1; both: each against the other."),
    ] = "0",
    games: Annotated[int, typer.Option(metavar="N", help="Games to learn from.")] = 100_000,
    alpha: Annotated[
        str,
        typer.Option(
            metavar="A",
            help="Learning rate: 0.1, or 0.5,0.1@1000 (steps), or 0.5..0.1 (linear), or visits (1/n at the n-th visit "
            "of a value), or visits^0.7 (n^-0.7).",
        ),
    ] = "0.1",
    gamma: Annotated[float, typer.Option(metavar="G", help="Worth of a value one step later, 0 to 1.")] = 0.9,
    epsilon: Annotated[
        str | None,
        typer.Option(
            metavar="E", help="Probability of a random move: a number, steps or linear, as alpha.  [default: 0.5]"
        ),
    ] = None,
    temperature: Annotated[
        str | None,
        typer.Option(
            metavar="T",
            help="Instead of epsilon, in the same forms: moves in proportion to exp(value / temperature).",
        ),
    ] = None,
    initial: Annotated[float, typer.Option(metavar="V", help="Value of moves never tried.")] = 0.0,
    fold: Annotated[bool, typer.Option("--fold", help="Let mirror images share their values.")] = False,
    evaluate_every: Annotated[
        int | None,
        typer.Option(metavar="N", help="Games between two points of the curve.  [default: a hundredth of all]"),
    ] = None,
    evaluation_games: Annotated[int, typer.Option(metavar="N", help="Games without learning at each point.")] = 500,
    evaluate_against: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER",
            help="Who plays in the games without learning.  [default: the opponent]",
            autocompletion=complete_player,
        ),
    ] = None,
    max_plies: Annotated[int, typer.Option(metavar="N", help="A game is stopped there, without a reward.")] = 1000,
    position: Position = None,
    explore_starts: Annotated[
        bool, typer.Option("--explore-starts", help="Let games of learning start in any position.")
    ] = False,
    seed: Seed = 0,
    runs: Runs = None,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="Of the run.  [default: a new one]")] = None,
    as_json: Json = False,
) -> None:
    """Learn a game from nothing, in a run folder."""
    import petteia

    with _told() as tell:
        training = petteia.train(
            game,
            learner=learner,
            opponent=opponent,
            side=side,
            games=games,
            alpha=alpha,
            gamma=gamma,
            epsilon=epsilon,
            temperature=temperature,
            initial=initial,
            fold=fold,
            evaluate_every=evaluate_every,
            evaluation_games=evaluation_games,
            evaluate_against=evaluate_against,
            max_plies=max_plies,
            position=position,
            explore_starts=explore_starts,
            seed=seed,
            runs=runs,
            name=name,
            progress=tell,
        )
    _show("train", training, as_json)


def resume(
    run: Annotated[
        str,
        typer.Argument(metavar="RUN", show_default=False, help="Its folder or name.", autocompletion=complete_run),
    ],
    runs: Runs = None,
    as_json: Json = False,
) -> None:
    """Go on with a training that was interrupted or killed."""
    import petteia

    with _told() as tell:
        training = petteia.resume(run, runs=runs, progress=tell)
    _show("resume", training, as_json)


def runs(folder: Runs = None, as_json: Json = False) -> None:
    """List the runs: what they are and how far."""
    import petteia

    rows = petteia.runs(folder)
    if as_json:
        print_json("runs", runs=[row._asdict() for row in rows])
        return
    if not rows:
        say("there are no runs here; `petteia train` makes one")
        return
    scores = ["" if row.score is None else f"{row.score:.1%}" for row in rows]
    print_table(
        ("run", "game", "what", "games", "of", "state", "score"),
        [
            (row.name, row.game, row.what, row.done, row.wanted, row.state, score)
            for row, score in zip(rows, scores, strict=True)
        ],
    )


def report(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", show_default=False, help="Such as hare-and-hounds.", autocompletion=complete_report
        ),
    ],
    scale: Annotated[
        Literal["paper", "quick"], typer.Option(help="paper: as large as what it repeats. quick: smaller.")
    ] = "paper",
    seeds: Annotated[
        int | None, typer.Option(metavar="N", help="Trainings of each combination.  [default: what its files say]")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(metavar="N", help="Trainings at a time.  [default: the number of processors]")
    ] = None,
    folder: Annotated[Path, typer.Option(metavar="FOLDER", help="Where reports are written.")] = Path("reports"),
    as_json: Json = False,
) -> None:
    """Make a report: learn, measure, and write a page that shows it."""
    import petteia

    with progress("learning") as tell:
        made = petteia.report(
            name,
            scale=scale,
            seeds=seeds,
            jobs=jobs,
            folder=folder,
            progress=lambda done, wanted, note: tell(completed=done, total=wanted, note=note),
        )
    if as_json:
        print_json("report", page=str(made.page), summary=made.summary)
    else:
        print(f"the page is {made.page.resolve()}")


@contextmanager
def _told() -> Iterator[Callable[[int, int, Point | None], None]]:
    """A progress bar as a training wants it: told of games done, games wanted and the latest point."""
    with progress("learning") as tell:
        yield lambda done, wanted, point: tell(
            completed=done, total=wanted, note="" if point is None else f"score {point.score:.1%}"
        )


def _show(command: str, training: Training, as_json: bool) -> None:
    from petteia.core.protocol import seats

    path, last = training.run.path, training.last_points[-1]
    if as_json:
        points = [point.row() for point in training.points]
        print_json(command, run=str(path), game=training.run.description.game, **last.row(), points=points)
        return
    print(f"learned from {last.games:,} games, {last.states:,} states met; kept in {path}")
    both = training.configuration.side == "both"
    for each in training.last_points:
        interval = f"(95 % interval {each.low:.1%} to {each.high:.1%})"
        whose = f" of {seats(training.rules)[each.side]}" if both else ""
        print(f"score {each.score:.1%} {interval}{whose} in the last evaluation")


COMMANDS = {"train": train, "resume": resume, "runs": runs, "report": report}
