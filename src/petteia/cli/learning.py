"""Commands about learning: train, resume, runs, report."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from petteia.cli.output import print_json, print_table, progress, say, terminal_width
from petteia.cli.parameters import (
    PLAYER_HELP,
    Game,
    Json,
    Runs,
    Seed,
    Wide,
    complete_learner,
    complete_player,
    complete_report,
    complete_run,
)

if TYPE_CHECKING:
    from petteia.experiments.pupil import Point
    from petteia.experiments.training import Training

PART = re.compile(", (?!then )")
"""stands between the settings of a run; `, then` stands between opponents"""


def train(
    game: Game,
    learner: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="What values are moved towards. Of tables: q, sarsa, expected-sarsa, double-q, monte-carlo, or your "
            "own as module:Name; with --features: q, sarsa, td or monte-carlo.  "
            "[default: q; with features monte-carlo, with --lambda sarsa]",
            autocompletion=complete_learner,
        ),
    ] = None,
    opponent: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER",
            help=f"Whom to learn against, {PLAYER_HELP}. With --features also self (as it is), self:every=10000 (as it "
            "was), and stages: 'greedy for 20000, then self'.  [default: random; with features self]",
            autocompletion=complete_player,
        ),
    ] = None,
    side: Annotated[
        str | None,
        typer.Option(
            metavar="SEAT",
            help="The side that learns: its name, 0 or 1; both: each against the other; with --features also random: "
            "drawn for each game.  [default: 0; with features both, against others than self random]",
        ),
    ] = None,
    games: Annotated[int, typer.Option(metavar="N", help="Games to learn from.")] = 100_000,
    alpha: Annotated[
        str | None,
        typer.Option(
            metavar="A",
            help="Learning rate: 0.1, or 0.5,0.1@1000 (steps), or 0.5..0.1 (linear); of tables also visits (1/n at the "
            "n-th visit of a value), or visits^0.7 (n^-0.7).  [default: 0.1; with features what moves a value by a "
            "hundredth of its error at first, by a ten-thousandth at last]",
        ),
    ] = None,
    gamma: Annotated[
        float | None,
        typer.Option(metavar="G", help="Worth of a value one step later, 0 to 1.  [default: 0.9; with features 1]"),
    ] = None,
    epsilon: Annotated[
        str | None,
        typer.Option(
            metavar="E",
            help="Probability of a random move, in the forms of alpha.  [default: 0.5]",
        ),
    ] = None,
    temperature: Annotated[
        str | None,
        typer.Option(
            metavar="T",
            help="Instead of epsilon, in the same forms: moves in proportion to exp(value / temperature). Of tables.",
        ),
    ] = None,
    initial: Annotated[
        float | None, typer.Option(metavar="V", help="Value of moves never tried. Of tables.  [default: 0]")
    ] = None,
    fold: Annotated[bool, typer.Option("--fold", help="Let mirror images share their values. Of tables.")] = False,
    explore_starts: Annotated[
        bool, typer.Option("--explore-starts", help="Let games of learning start in any position. Of tables.")
    ] = False,
    features: Annotated[
        str | None,
        typer.Option(
            metavar="SET",
            help="Learn a value that is linear in these features: report, report+pits, '(report+pits)*phases', "
            "my_module:Name. Without it, a table is learned.",
        ),
    ] = None,
    lambda_: Annotated[
        float | None,
        typer.Option("--lambda", metavar="L", help="How long eligibility traces last, 0 to 1.  [default: 0]"),
    ] = None,
    traces: Annotated[
        Literal["accumulating", "replacing", "dutch"] | None,
        typer.Option(help="Kind of the traces.  [default: accumulating]"),
    ] = None,
    turns: Annotated[
        Literal["ply", "chain"] | None,
        typer.Option(help="What an action is: a ply, or all plies until the turn passes.  [default: ply]"),
    ] = None,
    weights: Annotated[
        str | None,
        typer.Option(
            metavar="W", help="Those it begins with: a number, report, a run or a weights file.  [default: 0]"
        ),
    ] = None,
    depth: Annotated[
        int | None, typer.Option(metavar="N", help="Plies it looks ahead when it chooses.  [default: 1]")
    ] = None,
    won: Annotated[float | None, typer.Option(metavar="R", help="Reward of a game won.  [default: 1]")] = None,
    knows_ends: Annotated[
        bool | None,
        typer.Option(
            "--knows-ends/--no-knows-ends",
            help="Let ends be worth their reward when it chooses, or what their features say.  [default: knows-ends]",
        ),
    ] = None,
    learn_explored: Annotated[
        bool | None,
        typer.Option(
            "--learn-explored/--no-learn-explored",
            help="Learn about positions after random moves, too.  [default: sarsa and td do]",
        ),
    ] = None,
    to_the_end: Annotated[
        bool, typer.Option("--to-the-end", help="Let games go on when their winner is certain.")
    ] = False,
    standardise: Annotated[
        bool, typer.Option("--standardise", help="Centre and scale each feature by what it is in random games.")
    ] = False,
    mark: Annotated[
        list[int] | None,
        typer.Option(
            metavar="N",
            help="Keep the weights after each of a thousand games around here; may be given several times.  "
            "[default: 10000, 100000, 200000, 400000]",
        ),
    ] = None,
    evaluate_every: Annotated[
        int | None,
        typer.Option(metavar="N", help="Games between two points of the curve.  [default: a hundredth of all]"),
    ] = None,
    evaluation_games: Annotated[int, typer.Option(metavar="N", help="Games without learning at each point.")] = 500,
    evaluate_against: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER",
            help="Who plays in the games without learning.  [default: the opponent; with features greedy]",
            autocompletion=complete_player,
        ),
    ] = None,
    max_plies: Annotated[int, typer.Option(metavar="N", help="A game is stopped there, without a reward.")] = 1000,
    position: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            help="Start from this position instead of the game's first; several, with ; between them: from one drawn.",
        ),
    ] = None,
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
            fold=fold or None,
            explore_starts=explore_starts or None,
            features=features,
            lambda_=lambda_,
            traces=traces,
            turns=turns,
            weights=weights,
            depth=depth,
            won=won,
            knows_ends=knows_ends,
            learn_explored=learn_explored,
            to_the_end=to_the_end or None,
            standardise=standardise or None,
            marks=mark,
            evaluate_every=evaluate_every,
            evaluation_games=evaluation_games,
            evaluate_against=evaluate_against,
            max_plies=max_plies,
            position=position,
            seed=seed,
            runs=runs,
            name=name,
            progress=tell,
        )
    say(*training.notes)
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
    say(*training.advice)
    _show("resume", training, as_json)


def runs(folder: Runs = None, wide: Wide = False, as_json: Json = False) -> None:
    """List the runs: what they are and how far."""
    import petteia

    rows = petteia.runs(folder)
    if as_json:
        print_json("runs", runs=[row._asdict() for row in rows])
        return
    if not rows:
        say("there are no runs here; `petteia train` makes one")
        return
    what = [row.what for row in rows]
    if not wide and terminal_width() is not None:
        what = _told_apart(what)
    scores = ["" if row.score is None else f"{row.score:.1%}" for row in rows]
    print_table(
        ("run", "games", "of", "state", "score", "game", "what"),
        [
            (row.name, row.done, row.wanted, row.state, score, row.game, settings)
            for row, settings, score in zip(rows, what, scores, strict=True)
        ],
        wide=wide,
    )


def _told_apart(settings: list[str]) -> list[str]:
    """Settings without what all have in common, which is said."""
    parts = [PART.split(each) for each in settings]
    common = [part for part in parts[0] if len(parts) > 1 and all(part in each for each in parts)]
    for part in common:
        print(f"the same in all: {part}")
    return [", ".join(part for part in each if part not in common) for each in parts]


def report(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", show_default=False, help="hare-and-hounds or mancala.", autocompletion=complete_report
        ),
    ],
    scale: Annotated[
        Literal["quick", "paper", "all"],
        typer.Option(help="paper: as large as what it repeats. quick: smaller. all: with what that has left open."),
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
        print_json(
            command,
            run=str(path),
            game=training.run.description.game,
            **last.row(),
            points=points,
            notes=training.notes,
        )
        return
    met = "" if last.states is None else f", {last.states:,} states met"
    print(f"learned from {last.games:,} games{met}; kept in {path}")
    both = len(training.configuration.seats) > 1
    for each in training.last_points:
        interval = f"(95 % interval {each.low:.1%} to {each.high:.1%})"
        whose = f" of {seats(training.rules)[each.side]}" if both else ""
        print(f"score {each.score:.1%} {interval}{whose} in the last evaluation")


COMMANDS = {"train": train, "resume": resume, "runs": runs, "report": report}
