"""Running an experiment: what its file declares is done, resumed wherever it was stopped, and written into a folder.

There are two kinds: trainings (`trainings`), and tournaments (`tournament`), whose file has a section `[tournament]`.
Of both, the folder holds

- `experiment.toml`: the declaration, as it was given;
- `runs/` or `matches/`: where the work was done, one run folder for each training or one for all matches;
- rows as CSV, figures as SVG, tables for LaTeX;
- `provenance.txt`: what a reader must know to make it again;
- `times.json`: dates and durations. All other files are the same bytes whenever the same experiment is run on the same
  machine, by any number of workers, and however often it was stopped on the way.
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
"""What an experiment has found: of trainings, of a tournament, or of one under several limits."""


class ExperimentRow(NamedTuple):
    """An experiment that comes with the package."""

    name: str
    """the name of the experiment"""
    title: str
    """its title"""
    question: str
    """the question that it answers"""
    swept: str
    """the options of which several values are tried; of a tournament's matches those are the two players"""
    combinations: int
    """the number of combinations of these values"""
    seeds: int
    """the number of seeds for each combination"""
    games: int
    """games to learn from, in all trainings together"""
    evaluation: int
    """games without learning, in all"""


def plan(source: str | Path, scale: Scale = "paper", seeds: int | None = None) -> Plan | TournamentPlan:
    """The experiment in the file `source`, or of this name among those that come with the package.

    Args:
        source: a TOML file, or the name of an experiment that comes with the package
        scale: `paper`, or `quick`: with what the file says in `[quick]`
        seeds: trainings of each combination, instead of what the file says

    Raises:
        NotFoundError: there is no such file
        InvalidError: the file is not sound; the line names the field
        UsageError: there is no such scale, a number is out of range, or `seeds` is given for a tournament

    """
    if scale not in SCALES:
        raise UsageError(f"scale {scale!r}: must be {' or '.join(SCALES)}")
    document = read_source(source)
    allow(modules_named(document.text))  # whoever runs an experiment has declared it
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
        source: a TOML file, or the name of an experiment that comes with the package
        scale: `paper`, or `quick`: as the file says in `[quick]`, in a folder of its own
        seeds: trainings of each combination of swept values, instead of what the file says; not for tournaments
        jobs: trainings, or games of a tournament, at a time; the results are the same
        cluster: instead of jobs, the workers of a cluster: the address of a scheduler of Dask, or `local:N`, see
            docs/cluster.md; the results are the same
        folder: where experiments live; this one is put into the folder of its name there
        large: whether more than 1,000 trainings, or 1,000,000,000 games, are meant
        progress: called as the work goes on, maybe by several threads in turn

    Returns:
        What was found, and where it is.

    Raises:
        NotFoundError: there is no such file or experiment
        InvalidError: the file is not sound (the line names the field), or the folder holds other runs; as a
            DamagedTrainingsError, which has what the others have found: trainings are damaged
        UsageError: another scale; a number out of range; an experiment that is large without being meant so
        PetteiaError: a folder that cannot be written; no matplotlib; a cluster that cannot be reached or is lost
        KeyboardInterrupt: interrupted; the work is saved, and the same call goes on

    """
    planned = plan(source, scale, seeds)
    if jobs < 1:
        raise UsageError(f"jobs {jobs}: must be 1 or more")
    check_figures()
    size = size_of(planned)
    if size.is_large and not large:
        raise UsageError(
            f"{planned.source}: is large: {size}; if it is meant, say so with --yes (in Python large=True)"
        )
    path = Path(folder) / folder_name(planned)
    on_progress = progress or silent
    if isinstance(planned, TournamentPlan) and planned.declaration.sweep.values:
        return play_by_limit(path, planned, jobs, on_progress, cluster)
    if isinstance(planned, TournamentPlan):
        return play_tournament(path, planned, jobs, on_progress, cluster)
    return run_trainings(path, planned, jobs, on_progress, cluster)


def folder_name(planned: Plan | TournamentPlan) -> str:
    """The name of the folder of an experiment; UsageError if its file has a name that no folder should have."""
    if not planned.name or planned.name.startswith(".") or control_characters(planned.name):
        raise UsageError(f"experiment {planned.name!r}: its folder cannot be called so; give the file another name")
    return planned.name if planned.scale == "paper" else f"{planned.name}-{planned.scale}"


def size_of(planned: Plan | TournamentPlan) -> Size:
    """How much work an experiment is; UsageError if that is more than can be meant."""
    if isinstance(planned, TournamentPlan):
        return Size(0, 0, planned.games)
    return size_of_trainings(planned)


def code_digest(names: Iterable[str], *things: Any) -> str:
    """SHA-256, in hex, of the code that experiments of these names, and `things` besides, depend on.

    As long as it stays the same, work on them goes on where it stopped.
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
    """List the experiments that come with the package."""
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
