"""The experiments of a report: code that runs or resumes them, and the folder in which results are saved.

Each version of the code has its own folder, because a training run can only be resumed with the same code. Round robins
are saved in a separate folder, because they depend only on the code that plays their games.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from pydantic import TypeAdapter, ValidationError

from petteia.arena.cluster import connected
from petteia.core.errors import InvalidError
from petteia.experiments.experiment import Result, code_digest, experiment, plan
from petteia.experiments.source import Scale
from petteia.experiments.tournament.declaration import TournamentPlan
from petteia.experiments.training import Training
from petteia.experiments.work import Progress, silent
from petteia.records.files import make_folder
from petteia.records.journal import Journal

EXPERIMENTS, KEPT, ROUND_ROBINS = "experiments", "kept", "round-robins"
MAX_JOBS = 8


@dataclass(frozen=True)
class Work:
    """The folders and settings with which the experiments of a report are run."""

    folder: Path
    """The folder of the experiments and the saved results."""
    scale: Scale
    """The scale of the experiments."""
    seeds: int | None
    jobs: int
    on_progress: Progress

    def experiments(self, names: Sequence[str], cluster: str | None = None) -> dict[str, Result]:
        """Run experiments and tournaments by name. If `cluster` is given, the workers of a cluster do the work."""
        with connected(cluster) as workers:
            return {
                name: experiment(
                    name,
                    scale=self.scale,
                    seeds=None if isinstance(plan(name), TournamentPlan) else self.seeds,
                    jobs=self.jobs,
                    cluster=workers,
                    folder=self.folder,
                    progress=self._progress(f"{number} of {len(names)}: {name}"),
                )
                for number, name in enumerate(names, 1)
            }

    def _progress(self, words: str) -> Progress:
        """Return a progress function that puts `words` and a comma before each status text."""
        return lambda done, wanted, note: self.on_progress(done, wanted, f"{words}, {note}")

    def steps(self, name: str, kind: Any) -> tuple[Journal, list[Any]]:
        """Return the journal of a step-by-step computation, and its saved steps as objects of type `kind`."""
        journal = self.journal(f"{name}.jsonl")
        return journal, [typed(row, kind, journal.path) for row in journal.read()]

    def journal(self, name: str) -> Journal:
        """Return the journal with this name in the folder of saved results."""
        make_folder(self.folder / KEPT, within=self.folder)
        return Journal(self.folder / KEPT / name, name)

    def place_of(self, training: Training) -> str:
        """Return the path of the folder of a training run, relative to the folder of the experiments."""
        return training.run.path.resolve().relative_to(self.folder.resolve()).as_posix()


def typed(found: Any, kind: Any, path: Path) -> Any:
    """Convert a saved value to the type `kind`. Raises InvalidError if the value does not fit the type."""
    try:
        return TypeAdapter(kind).validate_python(found)
    except ValidationError:
        raise InvalidError(
            f"{path}: the file is damaged: its rows do not have the expected type; remove the file and run the report "
            "again"
        ) from None


def begin(
    folder: Path,
    scale: Scale,
    seeds: int | None,
    jobs: int | None,
    on_progress: Progress | None,
    depends: tuple[Iterable[str], Iterable[Any]],
) -> Work:
    """Create the folder of a report and a subfolder for its experiments, and return a `Work` object.

    `depends` contains the names of experiments, and functions or classes. The name of the subfolder depends on the code
    of all these.
    """
    names, things = depends
    place = folder / EXPERIMENTS / code_digest(names, *things)[:8]
    make_folder(place, within=folder.parent)  # first, so that an error costs no work
    workers = jobs or min(os.cpu_count() or 1, MAX_JOBS)
    return Work(place, scale, seeds, workers, on_progress or silent)


def usual_time(trainings: Iterable[Training]) -> str:
    """Return the median processor time of the training runs as text, such as `3 minutes`."""
    return duration(median(each.run.times().processor for each in trainings))


def duration(seconds: float) -> str:
    """Return a number of seconds as text, such as `3 minutes`."""
    for size, name in ((3600.0, "hour"), (60.0, "minute")):
        if seconds >= 1.5 * size:
            return f"{seconds / size:.0f} {name}s"
    return f"{seconds:.1f} seconds"
