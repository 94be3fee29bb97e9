"""List the runs that are saved in a folder: training runs, and runs in which a player learned while playing."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from petteia.core.errors import PetteiaError
from petteia.experiments.played import PlayedSettings
from petteia.experiments.training import read_training
from petteia.records.runs import list_runs, runs_folder


class RunRow(NamedTuple):
    """A saved run, which may be damaged: its name, settings, progress and score."""

    name: str
    """the name of the run"""
    kind: str
    """the kind of the run"""
    game: str
    """the text form of the rules"""
    what: str
    """the settings of the run in one line; for a damaged run, the error"""
    done: int
    """the number of games learned from so far"""
    wanted: int
    """the total number of training games"""
    state: str
    """finished, unfinished or damaged; played for a run made by `petteia play`"""
    score: float | None
    """the score at the last point, or in the latest games of a run made by playing; if both sides learn, the mean of
    their scores"""


def runs(folder: str | Path | None = None) -> list[RunRow]:
    """List the runs in `folder` (default: PETTEIA_RUNS, else `runs`) by name, with settings and progress.

    Examples:
        >>> training = petteia.train("hare-and-hounds", games=1000, name="hounds")
        >>> [(row.name, row.done) for row in petteia.runs()]
        [('hounds', 1000)]

    """
    return [_run_row(path) for path in list_runs(runs_folder(folder))]


def _run_row(path: Path) -> RunRow:
    try:
        training = read_training(path)
        latest = [point.score for point in training.last_points]
        done, finished = training.games, training.is_finished
        played = isinstance(training.configuration, PlayedSettings)
    except PetteiaError as error:
        return RunRow(path.name, "?", "?", str(error), 0, 0, "damaged", None)
    return RunRow(
        name=path.name,
        kind=training.run.description.kind,
        game=training.run.description.game,
        what=str(training.configuration),
        done=done,
        wanted=training.configuration.games,
        state="played" if played else "finished" if finished else "unfinished",
        score=sum(latest) / len(latest) if latest else None,
    )
