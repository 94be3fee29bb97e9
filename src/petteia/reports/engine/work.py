"""The work of a report: its experiments are run, or gone on with, and what else it computes is kept.

Each version of the code that it depends on has a folder of its own, as trainings go on with no other. What is kept lies
there as JSON, with the arguments that it was computed from: it is computed again only if these have changed.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from pydantic import TypeAdapter, ValidationError

from petteia.arena.cluster import Cluster, connected
from petteia.core.errors import InvalidError
from petteia.core.interrupt import InterruptLater
from petteia.experiments.experiment import code_digest, experiment, plan
from petteia.experiments.results import ExperimentResult
from petteia.experiments.source import Scale
from petteia.experiments.tournament.declaration import TournamentPlan
from petteia.experiments.tournament.results import TournamentResult
from petteia.experiments.training import Training
from petteia.experiments.work import STOPPED
from petteia.records.bounds import EVIDENCE
from petteia.records.files import make_folder
from petteia.records.journal import Journal
from petteia.records.rows import read_row, write_row
from petteia.reports.engine.outcome import Progress

EXPERIMENTS, KEPT = "experiments", "kept"
MOST_JOBS = 8


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

    def experiments(
        self, names: Sequence[str], cluster: str | None = None
    ) -> dict[str, ExperimentResult | TournamentResult]:
        """Experiments of trainings, and tournaments, by name; done by a cluster if there is one."""
        results = {}
        with connected(cluster) as workers:
            for number, name in enumerate(names, 1):
                seeds = None if isinstance(plan(name), TournamentPlan) else self.seeds
                results[name] = self._run(name, f"{number} of {len(names)}: {name}", seeds, workers)
        return results

    def _run(
        self, name: str, words: str, seeds: int | None, workers: Cluster | None
    ) -> ExperimentResult | TournamentResult:
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

    def kept(self, name: str, arguments: Mapping[str, Any], compute: Callable[[], Any], kind: Any = Any) -> Any:
        """What `compute` returns: read where it was kept, else computed and kept.

        Args:
            name: of its file
            arguments: all that it depends on besides the code
            compute: returns a JSON value, or a NamedTuple of such
            kind: the type of what it returns, as which it is read again

        """
        path, asked = self.folder / KEPT / f"{name}.json", plain(arguments)
        known = read_row(path, EVIDENCE, path.name) if path.exists() else {}
        if known.get("arguments") != asked:
            known = {"arguments": asked, "result": plain(compute())}
            self._make_folder()
            write_row(path, known, path.name)
        return typed(known.get("result"), kind, path)

    def kept_rows(
        self, name: str, keys: Iterable[str], compute: Callable[[str], Any], words: str, kind: Any = Any
    ) -> dict[str, Any]:
        """What `compute` returns for each key, as of `kept`; each is kept in a journal as soon as it is known."""
        journal, wanted = self.journal(f"{name}.jsonl"), list(dict.fromkeys(keys))
        known = {str(row.get("key")): row.get("result") for row in journal.read()}
        with InterruptLater() as interrupt:
            for number, key in enumerate(wanted, 1):
                if key not in known:
                    known[key] = plain(compute(key))
                    journal.append([{"key": key, "result": known[key]}])
                self.on_progress(number, len(wanted), words)
                if interrupt.requested:
                    raise KeyboardInterrupt(STOPPED)
        return {key: typed(known[key], kind, journal.path) for key in wanted}

    def steps(self, name: str, arguments: Mapping[str, Any], kind: Any) -> tuple[Journal, list[Any]]:
        """The journal of what goes on step by step, and the steps in it; with other arguments it is another one."""
        digest = hashlib.sha256(json.dumps(arguments).encode()).hexdigest()[:8]
        journal = self.journal(f"{name}-{digest}.jsonl")
        return journal, [typed(row, kind, journal.path) for row in journal.read()]

    def journal(self, name: str) -> Journal:
        """The journal of this name among what is kept."""
        self._make_folder()
        return Journal(self.folder / KEPT / name, name)

    def _make_folder(self) -> None:
        make_folder(self.folder / KEPT, within=self.folder)

    def place_of(self, training: Training) -> str:
        """The run of a training as it is called in the folder, which is the same wherever that is."""
        return training.run.path.resolve().relative_to(self.folder.resolve()).as_posix()


def typed(found: Any, kind: Any, path: Path) -> Any:
    """What was kept, as a `kind`."""
    try:
        return TypeAdapter(kind).validate_python(found)
    except ValidationError:
        raise InvalidError(f"{path}: is damaged: it does not hold what is kept there; remove it") from None


def plain(value: Any) -> Any:
    """A value as it is read again from JSON."""
    return json.loads(json.dumps(value, allow_nan=False))


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
    workers = jobs or min(os.cpu_count() or 1, MOST_JOBS)
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
