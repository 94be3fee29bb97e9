"""What is wrong with a training: every fault is looked for, and told with what shows it and what to try."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from petteia.analysis.doctor.evidence import Evidence
from petteia.analysis.doctor.faults import FAULTS, Fault
from petteia.analysis.doctor.remains import UnexaminedError
from petteia.analysis.doctor.signs import Figures
from petteia.analysis.doctor.strength import Strength, strength
from petteia.core.errors import InvalidError, NotFoundError
from petteia.experiments.played import PlayedSettings
from petteia.experiments.training import Training, open_training
from petteia.records.runs import list_runs


class Finding(NamedTuple):
    """Something that is wrong with a training."""

    fault: str
    """the name of the fault"""
    wrong: str
    """what is wrong, in words"""
    evidence: str
    """what shows it, in words"""
    change: str
    """what to try, in words"""
    options: str
    """the same as options of `petteia train`"""
    figures: Figures
    """the numbers of the evidence, by name"""


class Examined(NamedTuple):
    """Something that was looked at, or could not be."""

    fault: str
    """the name of the fault that was looked for"""
    examines: str
    """what was looked at, in words"""
    why_not: str
    """why it could not be examined; empty if it could"""


class Diagnosis(NamedTuple):
    """What an examination of a training has found."""

    run: str
    """the folder of the run"""
    game: str
    """the text form of the rules"""
    settings: str
    """what the training does, in a line"""
    games: int
    """games that it has learned from"""
    wanted: int
    """games to learn from in all"""
    findings: tuple[Finding, ...]
    """what is wrong; what spoils most comes first"""
    examined: tuple[Examined, ...]
    """all that was looked for, found or not"""

    strength: Strength | None
    """how strong the result is; None if nothing was saved"""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the faults that were found."""
        return tuple(finding.fault for finding in self.findings)


def doctor(run: str | Path | Training, *, runs: str | Path | None = None) -> Diagnosis:
    """Say what is wrong with a training, finished or not, and what to try.

    What it judges is the training; how strong the result is, it tells besides. It looks at the curve, at what was
    saved, at some hundred random games and at games of what was learned, for a few seconds. The same run gives the
    same words. Nothing is written.

    Args:
        run: the folder of a training or, in the folder `runs`, its name; or what `petteia.train` returned
        runs: folder of runs; default: PETTEIA_RUNS, else `runs`

    Returns:
        What was found, and what was examined.

    Raises:
        NotFoundError: there is no such run
        InvalidError: it is damaged, no training, or of code that has changed or that nobody vouches for

    """
    training = run if isinstance(run, Training) else _open(run, runs)
    training.check()
    _ = training.points  # whether they are sound, before anything that takes long
    seen, is_played = Evidence(training), isinstance(training.configuration, PlayedSettings)
    findings, examined = list[Finding](), list[Examined]()
    if training.run.weights.exists():
        seen.policy  # noqa: B018  # what cannot be read ends the examination
    for fault in FAULTS:
        if not isinstance(training.configuration.learner, fault.learners):
            continue
        why_not = ""
        try:
            if fault.of_measured and is_played:
                raise UnexaminedError("its curve is of games that it learned from, and goes on as long as it plays")
            figures = fault.sign(seen)
        except UnexaminedError as error:
            figures, why_not = None, str(error)
        examined.append(Examined(fault.name, fault.examines, why_not))
        if figures is not None:
            found = _finding(fault, figures)
            findings.append(found._replace(options="") if is_played else found)  # options are those of a training
    return Diagnosis(
        run=str(training.run.path),
        game=training.run.description.game,
        settings=str(training.configuration),
        games=training.games,
        wanted=training.configuration.games,
        findings=tuple(findings),
        examined=tuple(examined),
        strength=strength(seen) if training.run.weights.exists() else None,
    )


def _open(where: str | Path, runs: str | Path | None) -> Training:
    """The training; where there is none, what there is instead is told."""
    try:
        return open_training(where, runs)
    except NotFoundError:
        folder = Path(where)
        if trainings := list_runs(folder / "runs"):
            raise InvalidError(
                f"{folder}: is an experiment of {len(trainings)} trainings; name one of them, such as {trainings[0]}"
            ) from None
        if list_runs(folder):
            raise InvalidError(
                f"{folder}: is a folder of runs; name one of them, such as {list_runs(folder)[0]}"
            ) from None
        raise


def _finding(fault: Fault, figures: Figures) -> Finding:
    plain = {name: each.item() if isinstance(each, np.generic) else each for name, each in figures.items()}
    wrong, evidence, change, options = (
        text.format(**plain) for text in (fault.wrong, fault.evidence, fault.change, fault.options)
    )
    return Finding(fault.name, wrong, evidence, change, options, plain)
