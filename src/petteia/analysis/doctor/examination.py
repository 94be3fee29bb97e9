"""The diagnosis of a training run: tests for all faults, with evidence and suggested changes."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from petteia.analysis.doctor.advice import advised, filled, in_words
from petteia.analysis.doctor.diagnosis import Diagnosis, Examined, Finding
from petteia.analysis.doctor.evidence import Evidence
from petteia.analysis.doctor.fault import Fault
from petteia.analysis.doctor.faults import FAULTS
from petteia.analysis.doctor.remains import UnexaminedError
from petteia.analysis.doctor.signs import Figures
from petteia.analysis.doctor.strength import strength
from petteia.core.errors import InvalidError, NotFoundError
from petteia.experiments.played import PlayedSettings
from petteia.experiments.training import Training, open_training
from petteia.records.runs import list_runs


def doctor(run: str | Path | Training, *, runs: str | Path | None = None) -> Diagnosis:
    """Diagnose a training run, finished or not, and suggest remedies.

    The diagnosis examines the learning curve, the saved values, several hundred random games, and games of the trained
    player. A diagnosis takes a few seconds, and also reports the playing strength of the trained player. The same run
    always gives the same diagnosis. The run is not changed.

    Args:
        run: the folder of a training run, or its name in the folder `runs`; or the result of `petteia.train`
        runs: folder of runs; default: PETTEIA_RUNS, else `runs`

    Returns:
        The faults that were found, and all checks that were made.

    Raises:
        NotFoundError: a run that does not exist
        InvalidError: a run that is damaged, is not a training run, or was made with changed or untrusted code

    Examples:
        >>> training = petteia.train("hare-and-hounds", petteia.TableLearner(alpha=0.0), games=3000)
        >>> diagnosis = petteia.doctor(training)
        >>> [finding.fault for finding in diagnosis.findings]
        ['frozen-values', 'small-steps', 'no-gain']

    """
    training = run if isinstance(run, Training) else _open(run, runs)
    training.check()
    _ = training.points  # reports a damaged journal before any long computation
    seen, is_played = Evidence(training), isinstance(training.configuration, PlayedSettings)
    findings, examined = list[Finding](), list[Examined]()
    if training.run.weights.exists():
        seen.policy  # noqa: B018  # reports a damaged file before any long computation
    for fault in FAULTS:
        if not isinstance(training.configuration.learner, fault.learners):
            continue
        if fault.beside is not None and {each.fault for each in findings} - {*fault.beside}:
            continue
        if {each.fault for each in findings} & {*fault.explained_by}:
            continue
        why_not = ""
        try:
            if fault.of_measured and is_played:
                raise UnexaminedError(
                    "the curve comes from the games that were played, so there are no evaluation games"
                )
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
    """Open the training run in a folder. If the folder contains several runs, the error suggests one of them."""
    try:
        return open_training(where, runs)
    except NotFoundError:
        folder = Path(where)
        if trainings := list_runs(folder / "runs"):
            raise InvalidError(
                f"{folder}: an experiment with {len(trainings)} training runs; give one of them, such as {trainings[0]}"
            ) from None
        if list_runs(folder):
            raise InvalidError(
                f"{folder}: a folder of runs; give one of them, such as {list_runs(folder)[0]}"
            ) from None
        raise


def _finding(seen: Evidence, fault: Fault, figures: Figures) -> Finding:
    plain = {name: each.item() if isinstance(each, np.generic) else each for name, each in figures.items()}
    wrong, evidence, change = (text.format(**plain) for text in (fault.wrong, fault.evidence, fault.change))
    options = ""
    if not isinstance(seen.settings, PlayedSettings):  # a table that learned while it played has no training options
        options = in_words(advised(seen, [filled(each, plain) for each in fault.tries]))
    return Finding(fault.name, wrong, evidence, change, options, plain)
