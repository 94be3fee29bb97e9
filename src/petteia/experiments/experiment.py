"""Run or resume an experiment, and write its results to a folder.

An experiment is a set of training runs (module `trainings`) or a tournament of players (module `tournament`). A file
with a section `[tournament]` declares a tournament. The folder of an experiment contains the following files:

- `experiment.toml`: a copy of the file that declares the experiment
- `runs/`: for training runs, a run folder for each of them
- `matches/`: for a tournament, one run folder for all matches
- `*.csv`, `*.svg`, `*.tex`: the results as rows, as figures, and as tables for LaTeX
- `provenance.txt`: all facts that are needed to repeat the experiment
- `times.json`: dates and durations. If the experiment is repeated on the same machine, all other files have the same
  bytes. The number of workers and interruptions does not matter
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from petteia.arena.cluster import Cluster
from petteia.core.errors import UsageError
from petteia.experiments.declaration import Plan, plan_trainings
from petteia.experiments.results import ExperimentResult
from petteia.experiments.source import SCALES, Scale, control_characters, read_source, shipped
from petteia.experiments.tournament.by_limit import TournamentByLimit, play_by_limit
from petteia.experiments.tournament.declaration import TOURNAMENT, TournamentPlan, plan_tournament
from petteia.experiments.tournament.play import code_of_matches, play_tournament
from petteia.experiments.tournament.results import TournamentResult
from petteia.experiments.trainings import code_of_trainings, run_trainings, size_of_trainings
from petteia.experiments.work import Progress, Size, check_figures, silent
from petteia.foreign.trust import allow, modules_named
from petteia.provenance.reach import dependencies, digest_of

Result = ExperimentResult | TournamentResult | TournamentByLimit
"""the result of an experiment: of training runs, of a tournament, or of a tournament under several limits"""


class ExperimentRow(NamedTuple):
    """A row of `list_experiments`: an experiment that comes with the package."""

    name: str
    """the name of the experiment"""
    title: str
    """the title of the experiment"""
    question: str
    """the question that the experiment answers"""
    swept: str
    """the options with several values; for a tournament, the two players of a match"""
    combinations: int
    """the number of combinations of these values"""
    seeds: int
    """the number of seeds for each combination"""
    games: int
    """the number of training games in all training runs"""
    evaluation: int
    """the number of evaluation games in all training runs"""


def plan(source: str | Path, scale: Scale = "paper", seeds: int | None = None) -> Plan | TournamentPlan:
    """Read and check an experiment, from a file or from the package.

    Args:
        source: a TOML file, or the name of an experiment of the package
        scale: `paper` for the full experiment, or `quick` for a shorter one with the settings in the section `[quick]`
            of the file
        seeds: the number of training runs of each combination of swept values; default: as in the file

    Raises:
        NotFoundError: there is no such file or experiment
        InvalidError: the file is malformed; the message names the field
        UsageError: the scale is unknown, a number is out of range, or `seeds` is given for a tournament

    """
    if scale not in SCALES:
        raise UsageError(f"scale {scale!r}: must be {' or '.join(SCALES)}")
    document = read_source(source)
    allow(modules_named(document.text))  # the user who runs an experiment trusts its file
    return (plan_tournament if TOURNAMENT in document.content else plan_trainings)(document, scale, seeds)


def experiment(
    source: str | Path,
    *,
    scale: Scale = "paper",
    seeds: int | None = None,
    jobs: int = 1,
    cluster: str | Cluster | None = None,
    folder: str | Path = "experiments",
    large: bool = False,
    progress: Progress | None = None,
) -> Result:
    """Run or resume the experiment that a file declares, and write its results to a folder.

    Args:
        source: a TOML file, or the name of an experiment of the package
        scale: `paper` for the full experiment, or `quick` for a shorter one, in a separate folder and with the settings
            in `[quick]`
        seeds: the number of training runs of each combination of swept values; default: as in the file; not for
            tournaments
        jobs: the number of training runs, or of games of a tournament, that run at the same time; it does not change
            the results
        cluster: the address of a Dask scheduler, or `local:N` for N local processes. The workers of the cluster then
            run the experiment, with the same results (docs/cluster.md)
        folder: the parent folder; the files are written to a subfolder with the name of the experiment
        large: allow more than 1,000 training runs or 1,000,000,000 games
        progress: called during the work, possibly by several threads in turn

    Returns:
        The results and their folder.

    Raises:
        NotFoundError: there is no such file or experiment
        InvalidError: the file is malformed (the message names the field), or the folder contains runs with other
            settings. If training runs are damaged, the error is a DamagedTrainingsError, which contains the results of
            the undamaged training runs
        UsageError: the scale is unknown, a number is out of range, or the experiment is large and `large` is False
        PetteiaError: the folder cannot be written, matplotlib is missing, or a cluster cannot be reached or is lost
        KeyboardInterrupt: the experiment was interrupted. The completed work is saved, and the same call continues the
            experiment

    Examples:
        >>> written = petteia.new_file("experiment", "rates")
        >>> result = petteia.experiment("rates.toml", scale="quick")
        >>> result.folder.name, len(result.rows)
        ('rates-quick', 2)

    """
    planned = plan(source, scale, seeds)
    if jobs < 1:
        raise UsageError(f"jobs {jobs}: must be 1 or more")
    check_figures()
    size = size_of(planned)
    if size.is_large and not large:
        raise UsageError(
            f"{planned.source}: the experiment is large: {size}; confirm the experiment with --yes, or in Python with "
            "large=True"
        )
    path = Path(folder) / folder_name(planned)
    on_progress = progress or silent
    if isinstance(planned, TournamentPlan) and planned.declaration.sweep.values:
        return play_by_limit(path, planned, jobs, on_progress, cluster)
    if isinstance(planned, TournamentPlan):
        return play_tournament(path, planned, jobs, on_progress, cluster)
    return run_trainings(path, planned, jobs, on_progress, cluster)


def folder_name(planned: Plan | TournamentPlan) -> str:
    """Return the name of an experiment's folder. Raises UsageError if it is not a valid folder name."""
    if not planned.name or planned.name.startswith(".") or control_characters(planned.name):
        raise UsageError(f"experiment {planned.name!r}: the name is not a valid folder name; rename the file")
    return planned.name if planned.scale == "paper" else f"{planned.name}-{planned.scale}"


def size_of(planned: Plan | TournamentPlan) -> Size:
    """Return the numbers of training runs and games of an experiment. Raises UsageError if they are too large."""
    if isinstance(planned, TournamentPlan):
        return Size(0, 0, planned.games)
    return size_of_trainings(planned)


def code_digest(names: Iterable[str], *things: Any) -> str:
    """Return a SHA-256 digest of the code on which the named experiments and the Python objects `things` depend.

    If the digest has not changed, an interrupted experiment can be resumed.
    """
    code = dependencies(*things)
    for name in names:
        planned = plan(name)
        code |= (
            code_of_matches(planned, planned.players)
            if isinstance(planned, TournamentPlan)
            else code_of_trainings(planned)
        )
    return digest_of(code)


def list_experiments() -> list[ExperimentRow]:
    """List the experiments that come with the package.

    Examples:
        >>> [row.name for row in petteia.list_experiments()][:3]
        ['alpha-gamma', 'both-sides', 'british-square-learners']

    """
    return [_row(plan(name)) for name in shipped()]


def _row(planned: Plan | TournamentPlan) -> ExperimentRow:
    size = size_of(planned)
    return ExperimentRow(
        name=planned.name,
        title=planned.declaration.title,
        question=planned.declaration.question,
        swept=", ".join(planned.swept),
        combinations=planned.combinations,
        seeds=len(planned.seeds),
        games=size.learning,
        evaluation=size.evaluation,
    )
