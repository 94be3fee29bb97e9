"""Work that stops at any of its file operations goes on to the same bytes, and leaves nothing behind."""

from __future__ import annotations

import functools
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from failing_disk import FailingDisk, Stopped, Way
from flat_options import train
from raised_errors import in_one_line
from small_experiments import written

from petteia.core.errors import PetteiaError
from petteia.core.names import format_game
from petteia.experiments import outputs
from petteia.experiments.experiment import experiment
from petteia.experiments.tournament import outputs as tournament_outputs
from petteia.experiments.training import resume
from petteia.games import game
from petteia.records.files import make_folder, write_file
from petteia.records.runs import folder_digest
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.kept import kept
from petteia.reports.engine.settings import Match
from petteia.reports.engine.work import Work
from petteia.solver import files
from petteia.solver.tablebase import build
from petteia.value_functions.report_weights import REPORT_RULES

SWEEP = """
title = "Two rates"
seeds = 1

[training]
game = "hare-and-hounds"
games = 6
evaluate_every = 3
evaluation_games = 2

[sweep]
alpha = [0.1, 0.5]
"""
TOURNAMENT = """
title = "Who beats whom"

[tournament]
game = "hare-and-hounds"
players = ["random", "simple"]
games = 2
"""


def training(folder: Path) -> None:
    if (folder / "runs" / "same").exists():
        resume("same", runs=folder / "runs")
    else:
        train("hare-and-hounds", runs=folder / "runs", name="same", games=6, evaluate_every=3, evaluation_games=2)


def declared(name: str, folder: Path) -> None:
    experiment(Path(f"{name}.toml"), folder=folder)


@kept
def doubled(evidence: Evidence, text: str) -> str:
    return text * 2


def report(folder: Path) -> None:
    """What the engine of reports does."""
    make_folder(folder / "same")
    work = Work(folder / "same", "quick", None, 1, lambda *words: None)
    evidence = Evidence(format_game(REPORT_RULES), work, {})
    for text in ("a", "b"):
        doubled(evidence, text)
    journal, steps = work.steps("steps", dict[str, int])
    for number in range(len(steps), 3):
        journal.append([{"step": number}])
    for opponent in ("random", "heuristic"):
        evidence.cells(Match("random", opponent, 2))
    write_file(work.folder / "index.html", "the page")


def table(folder: Path) -> None:
    make_folder(folder)
    rules = game("kalah:pits=2,seeds=1")
    files.save(folder / "table", rules, build(rules))


JOBS: dict[str, Callable[[Path], None]] = {
    "training": training,
    "sweep": functools.partial(declared, "sweep"),
    "tournament": functools.partial(declared, "tournament"),
    "report": report,
    "table": table,
}


class Undisturbed(NamedTuple):
    """A job that was done without trouble."""

    digest: str
    operations: int


@pytest.fixture(autouse=True)
def _without_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outputs, "figures", lambda result: {"curves.svg": "a figure"})
    monkeypatch.setattr(tournament_outputs, "figure", lambda result: "a figure")


@pytest.fixture(scope="module")
def gone() -> Iterator[int]:
    """The number of a process that is no more."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    return process.pid


@pytest.fixture
def undisturbed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Undisturbed:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, SWEEP, "sweep.toml")
    written(tmp_path, TOURNAMENT, "tournament.toml")
    folder, job = tmp_path / "undisturbed", JOBS[name]
    job(tmp_path / "first")  # all is compiled then
    disk = FailingDisk(folder)
    with monkeypatch.context() as patched:
        disk.patch(patched)
        job(folder)
    return Undisturbed(folder_digest(folder), disk.count)


def stop(name: str, way: Way, at: int, folder: Path, process: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin the job, and stop at an operation."""
    with monkeypatch.context() as patched:
        patched.setattr("os.getpid", lambda: process)
        FailingDisk(folder, at, way).patch(patched)
        try:
            with in_one_line(f"operation {at}"):
                JOBS[name](folder)
        except Stopped:
            return
        except PetteiaError as error:
            if way != "full" or str(folder) not in str(error) or "No space left" not in str(error):
                raise AssertionError(f"{way} at {at}: {error}") from error


def check(name: str, way: Way, every: int, undisturbed: Undisturbed, tmp_path: Path, **given: Any) -> None:
    """Stop at every so many operations, and go on."""
    for at in range(0, undisturbed.operations, every):
        folder = tmp_path / way / str(at)
        stop(name, way, at, folder, **given)
        empty = [path for path in folder.rglob("[!.]*") if path.is_file() and path.stat().st_size == 0]
        assert way == "killed" or not empty, f"{way} at {at}"
        JOBS[name](folder)
        assert folder_digest(folder) == undisturbed.digest, f"{way} at {at}"
        left = [path for path in folder.rglob(".*") if path.name != ".lock"]
        assert not left, f"{way} at {at}"


@pytest.mark.parametrize("way", ["killed", "interrupted", "full"])
@pytest.mark.parametrize("name", JOBS)
def test_some_operations(
    name: str, way: Way, undisturbed: Undisturbed, tmp_path: Path, gone: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    check(name, way, undisturbed.operations // 4, undisturbed, tmp_path, process=gone, monkeypatch=monkeypatch)


@pytest.mark.heavy
@pytest.mark.parametrize("way", ["killed", "interrupted", "full"])
@pytest.mark.parametrize("name", JOBS)
def test_every_operation(
    name: str, way: Way, undisturbed: Undisturbed, tmp_path: Path, gone: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    check(name, way, 1, undisturbed, tmp_path, process=gone, monkeypatch=monkeypatch)
    print(f"{name}: {way} at each of {undisturbed.operations} operations")
