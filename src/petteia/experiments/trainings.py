"""Carry out all training runs of an experiment. Each has a run folder, so that the experiment can be resumed.

The training runs are carried out in threads, or on the workers of a cluster (`on_cluster`).

Besides the files of every experiment (see `petteia.experiments.experiment`), the folder contains the following files:

- `runs/`: a run folder for each combination of swept values and each seed
- `points.csv`: all points of all learning curves
- `runs.csv`: the summary statistics of each training run
- `summary.csv`: the mean and the confidence interval of each summary statistic over the seeds
- `curves*.svg`: figures of the learning curves
- `values*.svg`: figures of the learned values of selected moves
- `table*.tex`: the summary statistics as tables for LaTeX
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from petteia.arena.cluster import Cluster, connected
from petteia.core.errors import InvalidError, PetteiaError, UsageError
from petteia.core.hints import arguments_given
from petteia.core.interrupt import InterruptLater
from petteia.core.names import format_game
from petteia.core.protocol import Rules
from petteia.core.stop import Stop, obeying
from petteia.experiments.configuration import Configuration, configure
from petteia.experiments.declaration import Combination, Plan
from petteia.experiments.measures import Numbers, check, measure
from petteia.experiments.on_cluster import finish_on
from petteia.experiments.options import TrainingOptions, grouped
from petteia.experiments.outputs import write_outputs
from petteia.experiments.results import CellResult, ExperimentResult
from petteia.experiments.trainer import Point
from petteia.experiments.training import Training, begin, code_of, go_on, open_training
from petteia.experiments.work import MAX_RUNS, STOPPED, Progress, Size
from petteia.provenance.live import Parts
from petteia.provenance.reach import dependencies
from petteia.records.files import make_folder
from petteia.records.lock import locked

LARGEST = 10**7
"""the maximum number of training runs of an experiment"""
POLL_SECONDS = 0.1
RUNS = "runs"
TOLD = 3
"""the maximum number of damaged training runs that a message lists"""


class _DamagedError(InvalidError):
    """Raised if a run of the experiment is damaged. The other runs continue."""


class DamagedTrainingsError(InvalidError):
    """Raised if training runs are damaged. `result` contains the results of the other training runs."""

    def __init__(self, message: str, result: ExperimentResult) -> None:
        super().__init__(message)
        self.result = result


class _Work(NamedTuple):
    """A training run of an experiment before its start: its combination of swept values, its settings and its seed."""

    combination: Combination
    rules: Rules
    configuration: Configuration
    code: Parts
    """the digests of the code that the training depends on, without the rules"""
    seed: int
    name: str


class _Done(NamedTuple):
    """A finished training run, with its summary statistics."""

    training: Training
    numbers: Numbers


def run_trainings(
    path: Path, plan: Plan, jobs: int, progress: Progress, cluster: str | Cluster | None = None
) -> ExperimentResult:
    """Carry out all unfinished training runs of an experiment, and write the results to the folder `path`."""
    work = list(_all_work(plan))
    make_folder(path / RUNS, within=path.parent)
    with locked(path):
        with connected(cluster) as workers:
            if workers is None:
                done = _do(path, plan, work, jobs, progress)
            else:
                done = _do_on(workers, path, plan, work, progress)
        result = ExperimentResult(path, plan, *_cells(plan, work, done))
        if result.damaged:
            raise DamagedTrainingsError(_damage(done), result)
        write_outputs(result)
    return result


def size_of_trainings(plan: Plan) -> Size:
    """Return the numbers of training runs, training games and evaluation games of an experiment.

    Raises UsageError if there are too many training runs, and InvalidError if an option is invalid.
    """
    if plan.runs > LARGEST:
        raise UsageError(
            f"{plan.source}: the experiment has {plan.runs:,} training runs; sweep fewer values, so that it has "
            f"at most {LARGEST:,}"
        )
    looked_at = 1 if plan.runs > MAX_RUNS else None  # many combinations are checked only when they run
    given = [_given(plan, each) for each in islice(plan.combinations_of_values(), looked_at)]
    learning, evaluation = sum(each.games for each in given), sum(each.all_evaluation_games for each in given)
    times = plan.runs // len(given)
    return Size(plan.runs, learning * times, evaluation * times)


def code_of_trainings(plan: Plan) -> Parts:
    """Return digests of the code on which the training runs of an experiment depend."""
    code: Parts = {}
    for each in _all_work(plan):
        code |= dependencies(each.rules) | each.code
    return code


def _given(plan: Plan, combination: Combination) -> TrainingOptions:
    """Return the options of the training runs with one combination of swept values.

    This function does not check the options against the rules of the game.
    """
    options = {name: value for name, value in combination.options.items() if name != "game"}
    with _named(plan, combination), arguments_given("in a file"):
        return TrainingOptions(**grouped(options))


@contextmanager
def _named(plan: Plan, combination: Combination) -> Iterator[None]:
    """Return a context manager that adds the file and the combination of swept values to error messages."""
    try:
        yield
    except PetteiaError as error:
        where = f" ({combination.label})" if combination.values else ""
        raise InvalidError(f"{plan.source}: training{where}: {error}") from None


def _configured(combination: Combination, follow: Sequence[tuple[str, str]] = ()) -> tuple[Rules, Configuration]:
    options = dict(combination.options)
    with arguments_given("in a file"):
        return configure(options.pop("game"), **grouped(options), follow=follow)


def _all_work(plan: Plan) -> Iterator[_Work]:
    """Yield all training runs with their resolved settings.

    Raises InvalidError for a combination with invalid options.
    """
    follow = [(each.position, each.move) for each in plan.declaration.measure.follow]
    for combination in plan.combinations_of_values():
        with _named(plan, combination):
            rules, configuration = _configured(combination, follow)
            check(rules, configuration, plan.declaration.measure)
            code = code_of(rules, configuration)
        for seed in plan.seeds:
            yield _Work(combination, rules, configuration, code, seed, "_".join([*combination.stems, f"seed-{seed}"]))


def _do(path: Path, plan: Plan, work: list[_Work], jobs: int, progress: Progress) -> list[_Done | str]:
    """Carry out and measure all training runs in threads.

    The list has one entry for each training run: its results, or an error message if the training run is damaged.
    """
    wanted = sum(each.configuration.games for each in work)
    games = [0] * len(work)
    stopping, opening = Stop(), threading.Lock()

    def do(number: int) -> _Done | None:
        def on_progress(done: int, wanted: int, point: Point | None) -> None:
            games[number] = done

        with opening:  # opening writes to the folder of runs
            training = _training(path, work[number])
        with obeying(stopping):
            if not training.is_finished and not go_on(training, on_progress):
                return None
        games[number] = work[number].configuration.games
        sides = training.configuration.seats
        return _Done(training, {side: measure(training, side, plan.declaration.measure) for side in sides})

    with InterruptLater() as interrupt, ThreadPoolExecutor(jobs) as pool:
        futures = [pool.submit(do, number) for number in range(len(work))]
        waiting = set(futures)
        try:
            while waiting:
                ended, waiting = wait(waiting, POLL_SECONDS, FIRST_COMPLETED)
                for future in ended:
                    if not isinstance(future.exception(), _DamagedError):
                        future.result()
                progress(sum(games), wanted, f"{len(work) - len(waiting)} of {len(work)} trainings")
                if interrupt.requested:
                    raise KeyboardInterrupt(STOPPED)
        finally:
            stopping.set()
            pool.shutdown(cancel_futures=True)
    outcomes: list[_Done | str] = []
    for future in futures:
        outcome = str(error) if (error := future.exception()) else future.result()
        assert outcome is not None, "no training was stopped"
        outcomes.append(outcome)
    return outcomes


def _do_on(cluster: Cluster, path: Path, plan: Plan, work: list[_Work], progress: Progress) -> list[_Done | str]:
    """Carry out and measure all unfinished training runs on the workers of a cluster."""
    wanted = sum(each.configuration.games for each in work)
    damaged, learned, found = dict[Path, str](), dict[Path, int](), dict[Path, Numbers]()

    def trainings() -> Iterator[Training]:
        for each in work:
            try:
                yield _training(path, each)
            except _DamagedError as error:
                damaged[_folder(path, each)] = str(error)

    def tell(folder: Path, games: int, numbers: Numbers | None) -> None:
        learned[folder] = games
        if numbers is not None:
            found[folder] = numbers
        progress(sum(learned.values()), wanted, f"{len(found) + len(damaged)} of {len(work)} trainings")

    finish_on(cluster, trainings(), plan.declaration.measure, tell)
    folders = [_folder(path, each) for each in work]
    return [damaged.get(each) or _Done(open_training(each), found[each]) for each in folders]


def _damage(done: list[_Done | str]) -> str:
    """Return the error message that lists the damaged training runs."""
    damaged = [each for each in done if isinstance(each, str)]
    more = f"; and {len(damaged) - TOLD} more" if len(damaged) > TOLD else ""
    return (
        f"{len(damaged)} of {len(done)} training runs are damaged, and all others are finished: "
        f"{'; '.join(damaged[:TOLD])}{more}; remove the folders of the damaged runs, and repeat the command"
    )


def _training(path: Path, work: _Work) -> Training:
    """Open the training run in its run folder. If the folder does not exist, create the training run.

    Raises InvalidError if the folder contains another training run.
    """
    folder = _folder(path, work)
    if not folder.exists():
        return begin(work.rules, work.configuration, work.seed, folder.parent, work.name, code=work.code)
    try:
        training = open_training(folder)
    except PetteiaError as error:
        raise _DamagedError(str(error)) from None
    anew = f"remove {path}, or choose another folder"
    description = training.run.description
    begun = (training.configuration, description.game, training.run.seed)
    if begun != (work.configuration, format_game(work.rules), work.seed):
        raise InvalidError(f"{folder}: the run was begun with other settings; {anew}")
    training.run.check_same_code(work.rules, lambda: work.code, anew=anew)
    training.run.tidy()
    return training


def _folder(path: Path, work: _Work) -> Path:
    return path / RUNS / work.name


def _cells(plan: Plan, work: list[_Work], done: list[_Done | str]) -> tuple[list[CellResult], list[Combination]]:
    """Group the results by combination of swept values and by learning side.

    The first list contains a CellResult for each combination and each learning side. Combinations with damaged training
    runs are in the second list instead.
    """
    seeds = plan.declaration.seeds
    cells, damaged = [], []
    for first in range(0, len(work), seeds):
        combination = work[first].combination
        group = [each for each in done[first : first + seeds] if not isinstance(each, str)]
        if len(group) < seeds:
            damaged.append(combination)
            continue
        for side in group[0].numbers:
            trainings, numbers = [each.training for each in group], [each.numbers[side] for each in group]
            cells.append(CellResult(plan, combination, side, trainings, numbers))
    return cells, damaged
