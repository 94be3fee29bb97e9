"""The work of a report: its experiments are run, or gone on with, and there is a place for what else it computes.

Each version of the code that it depends on has a folder of its own, as trainings go on with no other. Round robins lie
beside these folders, as they depend on the code of their games alone.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from pydantic import TypeAdapter, ValidationError

from petteia.arena.cluster import Cluster, connected
from petteia.core.errors import InvalidError
from petteia.experiments.experiment import Result, code_digest, experiment, plan
from petteia.experiments.source import Scale
from petteia.experiments.tournament.declaration import TournamentPlan
from petteia.experiments.training import Training
from petteia.records.files import make_folder
from petteia.records.journal import Journal
from petteia.reports.engine.outcome import Progress

EXPERIMENTS, KEPT, ROUND_ROBINS = "experiments", "kept", "round-robins"
MAX_JOBS = 8


@dataclass(frozen=True)
class Work:
    """Where a report works, how large it is, and whom it tells of its progress."""

    folder: Path
    """of the experiments, and of what is kept"""
    scale: Scale
    """of the experiments"""
    seeds: int | None
    jobs: int
    on_progress: Progress

    def experiments(self, names: Sequence[str], cluster: str | None = None) -> dict[str, Result]:
        """Experiments of trainings, and tournaments, by name; done by a cluster if there is one."""
        results = {}
        with connected(cluster) as workers:
            for number, name in enumerate(names, 1):
                seeds = None if isinstance(plan(name), TournamentPlan) else self.seeds
                results[name] = self._run(name, f"{number} of {len(names)}: {name}", seeds, workers)
        return results

    def _run(self, name: str, words: str, seeds: int | None, workers: Cluster | None) -> Result:
        def progress(done: int, wanted: int, note: str) -> None:
            self.on_progress(done, wanted, f"{words}, {note}")

        return experiment(
            name,
            scale=self.scale,
            seeds=seeds,
            jobs=self.jobs,
            cluster=workers,
            folder=self.folder,
            progress=progress,
        )

    @property
    def round_robins(self) -> Path:
        """Where round robins are kept."""
        return self.folder.parent / ROUND_ROBINS

    def steps(self, name: str, kind: Any) -> tuple[Journal, list[Any]]:
        """The journal of what goes on step by step, and the steps in it, each of a kind."""
        journal = self.journal(f"{name}.jsonl")
        return journal, [typed(row, kind, journal.path) for row in journal.read()]

    def journal(self, name: str) -> Journal:
        """The journal of this name among what is kept."""
        make_folder(self.folder / KEPT, within=self.folder)
        return Journal(self.folder / KEPT / name, name)

    def place_of(self, training: Training) -> str:
        """The run of a training as it is called in the folder, which is the same wherever that is."""
        return training.run.path.resolve().relative_to(self.folder.resolve()).as_posix()


def typed(found: Any, kind: Any, path: Path) -> Any:
    """What was kept, as a `kind`."""
    try:
        return TypeAdapter(kind).validate_python(found)
    except ValidationError:
        raise InvalidError(f"{path}: is damaged: it does not hold what is kept there; remove it") from None


def begin(
    folder: Path,
    scale: Scale,
    seeds: int | None,
    jobs: int | None,
    on_progress: Progress | None,
    depends: tuple[Iterable[str], Iterable[Any]],
) -> Work:
    """Make the folder of a report and that of its work, which depends on experiments of these names and on things."""
    names, things = depends
    place = folder / EXPERIMENTS / code_digest(names, *things)[:8]
    make_folder(place, within=folder.parent)  # before the work, so that a folder that cannot be made costs none
    workers = jobs or min(os.cpu_count() or 1, MAX_JOBS)
    return Work(place, scale, seeds, workers, on_progress or (lambda done, wanted, note: None))


def seconds_of(trainings: Iterable[Training]) -> float:
    """Seconds of processor time that trainings took together, without compiling."""
    return sum(each.run.times().processor for each in trainings)


def usual_seconds(trainings: Iterable[Training]) -> float:
    """Seconds of processor time of one of them: the median."""
    return median(each.run.times().processor for each in trainings)


def duration(seconds: float) -> str:
    """A time in words."""
    for size, name in ((3600.0, "hour"), (60.0, "minute")):
        if seconds >= 1.5 * size:
            return f"{seconds / size:.0f} {name}s"
    return f"{seconds:.1f} seconds"
