"""What is wrong with a training: every fault is looked for, and told with what shows it and what to try."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from petteia.analysis.doctor.advice import advised, filled, in_words
from petteia.analysis.doctor.diagnosis import Diagnosis, Examined, Finding
from petteia.analysis.doctor.evidence import Evidence
from petteia.analysis.doctor.faults import FAULTS, Fault
from petteia.analysis.doctor.remains import UnexaminedError
from petteia.analysis.doctor.signs import Figures
from petteia.analysis.doctor.strength import strength
from petteia.core.errors import InvalidError, NotFoundError
from petteia.experiments.played import PlayedSettings
from petteia.experiments.training import Training, open_training
from petteia.records.runs import list_runs


def doctor(run: str | Path | Training, *, runs: str | Path | None = None) -> Diagnosis:
    """Diagnose a training, finished or not, and suggest remedies.

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

    Examples:
        >>> training = petteia.train("hare-and-hounds", petteia.TableLearner(alpha=0.0), games=3000)
        >>> diagnosis = petteia.doctor(training)
        >>> [finding.fault for finding in diagnosis.findings]
        ['frozen-values', 'small-steps', 'no-gain']

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
        if fault.beside is not None and {each.fault for each in findings} - {*fault.beside}:
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
            findings.append(_finding(seen, fault, figures))
            if fault.ends_all:
                break
    is_ended = any(fault.ends_all and fault.name == each.fault for fault in FAULTS for each in findings)
    return Diagnosis(
        run=str(training.run.path),
        game=training.run.description.game,
        settings=str(training.configuration),
        games=training.games,
        wanted=training.configuration.games,
        findings=tuple(findings),
        examined=tuple(examined),
        strength=strength(seen) if training.run.weights.exists() and not is_ended else None,
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


def _finding(seen: Evidence, fault: Fault, figures: Figures) -> Finding:
    plain = {name: each.item() if isinstance(each, np.generic) else each for name, each in figures.items()}
    wrong, evidence, change = (text.format(**plain) for text in (fault.wrong, fault.evidence, fault.change))
    options = ""
    if not isinstance(seen.settings, PlayedSettings):  # options are those of a training
        options = in_words(advised(seen, [filled(each, plain) for each in fault.tries]))
    return Finding(fault.name, wrong, evidence, change, options, plain)
