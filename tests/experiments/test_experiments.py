"""Experiments: the same bytes whatever happens, and very large ones only if they are meant."""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from matching_checksums import mend
from small_experiments import FOLLOW, SMALL, written

import petteia
from petteia.cli import main
from petteia.core.errors import InvalidError, PetteiaError, UsageError
from petteia.experiments import work
from petteia.experiments.experiment import experiment, plan, size_of
from petteia.experiments.results import ExperimentResult
from petteia.experiments.source import shipped
from petteia.records.runs import folder_digest


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> ExperimentResult:
    folder = tmp_path_factory.mktemp("made")
    return experiment(written(folder), folder=folder)


# The same bytes.


@pytest.mark.slow
def test_the_same_bytes_with_two_jobs_and_again(made: ExperimentResult, tmp_path: Path) -> None:
    before = folder_digest(made.folder)
    # the command is part of the provenance, and names the file
    again = experiment(made.plan.source, folder=tmp_path, jobs=2)
    assert folder_digest(again.folder) == before
    assert folder_digest(experiment(made.plan.source, folder=tmp_path, jobs=2).folder) == before
    assert folder_digest(experiment(made.plan.source, folder=tmp_path / "seeds", seeds=1).folder) != before


def test_more_values_and_seeds_change_no_other_training(made: ExperimentResult, tmp_path: Path) -> None:
    path = written(tmp_path, SMALL.replace("[0.1, 0.5]", "[0.3, 0.1]"))
    wider = experiment(path, folder=tmp_path, seeds=3)
    common = [run.name for run in (made.folder / "runs").iterdir() if run.name.startswith("alpha-0.1")]
    assert len(common) == 4
    for name in common:
        assert folder_digest(wider.folder / "runs" / name) == folder_digest(made.folder / "runs" / name)


@pytest.mark.slow
def test_an_experiment_grows_in_its_folder(tmp_path: Path) -> None:
    source = written(tmp_path, SMALL.replace("[0.1, 0.5]", "[0.5]"))
    small = experiment(source, folder=tmp_path, seeds=1)
    first = small.cells[0].trainings[0].run.path
    before = first.stat().st_mtime_ns, (first / "weights.safetensors").stat().st_mtime_ns
    source.write_text(SMALL)
    grown = experiment(source, folder=tmp_path)
    assert (first.stat().st_mtime_ns, (first / "weights.safetensors").stat().st_mtime_ns) == before
    assert folder_digest(grown.folder) == folder_digest(experiment(source, folder=tmp_path / "new").folder)


def test_interrupted_and_resumed(made: ExperimentResult, tmp_path: Path) -> None:
    calls = 0

    def interrupt(done: int, wanted: int, note: str) -> None:
        nonlocal calls
        calls += 1
        assert 0 <= done <= wanted == 8 * 400
        if calls % 2:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt, match="the same command continues"):
        experiment(made.plan.source, folder=tmp_path, jobs=2, progress=interrupt)
    for _ in range(5):
        with contextlib.suppress(KeyboardInterrupt):
            experiment(made.plan.source, folder=tmp_path, jobs=2, progress=interrupt)
    result = experiment(made.plan.source, folder=tmp_path, jobs=2)
    assert folder_digest(result.folder) == folder_digest(made.folder)


def test_an_interrupt_stops_a_training_that_would_go_on_for_long(tmp_path: Path) -> None:
    source = written(tmp_path, SMALL.replace("400", "50_000_000").replace("= 100", "= 1_000_000"))

    def interrupt(done: int, wanted: int, note: str) -> None:
        if done > 10_000:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        experiment(source, folder=tmp_path, jobs=2, progress=interrupt)
    begun = petteia.runs(tmp_path / "small" / "runs")
    assert [row.state for row in begun] == ["unfinished"] * 2
    assert all(0 < row.done < 10_000_000 for row in begun)


SCRIPT = """
import sys
from petteia.experiments.experiment import experiment
experiment(sys.argv[1], folder=sys.argv[2], jobs=2)
"""


def kill_until_finished(source: Path, folder: Path, kills: int, pause: tuple[float, float]) -> str:
    """Digest of an experiment that was killed so many times at random moments, and then left alone."""
    arguments = [sys.executable, "-c", SCRIPT, str(source), str(folder)]
    for _ in range(kills):
        with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            time.sleep(random.uniform(*pause))
            process.kill()
    subprocess.run(arguments, check=True, stderr=subprocess.DEVNULL)
    return folder_digest(folder / source.stem)


LONGER = SMALL.replace("games = 400", "games = 20_000").replace("evaluate_every = 100", "evaluate_every = 1000")


@pytest.mark.slow
def test_killed_and_resumed(tmp_path: Path) -> None:
    source = written(tmp_path, LONGER)
    expected = folder_digest(experiment(source, folder=tmp_path / "left").folder)
    assert kill_until_finished(source, tmp_path / "killed", 2, (1.0, 2.5)) == expected


@pytest.mark.heavy
def test_killed_fifty_times(tmp_path: Path) -> None:
    source = written(tmp_path, LONGER.replace("20_000", "200_000") + FOLLOW)
    expected = folder_digest(experiment(source, folder=tmp_path / "left").folder)
    left = 50
    while left:
        kills = min(left, random.randint(1, 8))
        left -= kills
        folder = tmp_path / f"killed-{left}"
        assert kill_until_finished(source, folder, kills, (0.5, 5.0)) == expected, f"{left} kills left"


def test_a_folder_of_another_experiment_is_refused(tmp_path: Path) -> None:
    source = written(tmp_path)
    made = experiment(source, folder=tmp_path)
    source.write_text(SMALL.replace("games = 400", "games = 500"))
    with pytest.raises(InvalidError, match=r"begun with other settings; remove .*, or choose another folder"):
        experiment(source, folder=tmp_path)
    source.write_text(SMALL)
    path = made.cells[0].trainings[0].run.path / "run.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "provenance": {"petteia.policies.play_games": "0"}}))
    mend(path.parent)
    with pytest.raises(
        InvalidError, match=r"petteia\.policies\.play_games has changed since the run was begun; remove"
    ):
        experiment(source, folder=tmp_path)


def test_what_goes_wrong_in_a_training_is_told(tmp_path: Path) -> None:
    made = experiment(written(tmp_path), folder=tmp_path)
    damaged = made.cells[-1].trainings[-1].run
    (damaged.path / "results.json").unlink()
    damaged.weights.write_bytes(b"nothing")
    with pytest.raises(PetteiaError, match="weights"):
        experiment(written(tmp_path), folder=tmp_path, jobs=2)


# Very large ones.


LARGE = SMALL.replace("[0.1, 0.5]", repr([i / 5000 for i in range(1, 5001)]))


@pytest.mark.slow
def test_a_million_trainings_must_be_meant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = plan(written(tmp_path, LARGE), seeds=100)
    assert size_of(found) == (1_000_000, 400_000_000, 80_000_000)
    with pytest.raises(UsageError, match=r"1,000,000 training runs, 400,000,000 training games .*--yes"):
        experiment(written(tmp_path, LARGE), seeds=100, folder=tmp_path / "never")
    with pytest.raises(UsageError, match="has 10,000,000,000 training runs; sweep fewer values"):
        experiment(written(tmp_path, LARGE), seeds=10**6, folder=tmp_path / "never", large=True)
    with pytest.raises(UsageError, match=r"8 training runs, 3,200,000,000 training games .*--yes"):
        experiment(written(tmp_path, SMALL.replace("400", "400_000_000")), folder=tmp_path / "never")
    assert not (tmp_path / "never").exists()
    monkeypatch.setattr(work, "MAX_RUNS", 7)
    with pytest.raises(UsageError, match="8 training runs"):
        experiment(written(tmp_path), folder=tmp_path)
    assert len(experiment(written(tmp_path), folder=tmp_path, large=True).runs) == 8


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.slow
def test_the_command_asks_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(work, "MAX_RUNS", 7)
    written(tmp_path)
    assert main(["experiment", "small.toml"]) == 2
    assert "8 training runs" in capsys.readouterr().err
    monkeypatch.setattr(sys, "stdin", Terminal("n\n"))
    assert main(["experiment", "small.toml"]) == 2
    assert "Continue?" in capsys.readouterr().err
    assert not (tmp_path / "experiments").exists()
    monkeypatch.setattr(sys, "stdin", Terminal("y\n"))
    assert main(["experiment", "small.toml"]) == 0
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert main(["experiment", "small.toml", "--yes"]) == 0


@pytest.mark.slow
def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    written(tmp_path)
    assert main(["experiment", "small.toml", "--scale", "quick", "--seeds", "1", "--json", "--jobs", "2"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["schema"], document["folder"], document["seeds"]) == (1, "experiments/small-quick", [0])
    assert len(document["runs"]) == 4
    assert set(document["files"]) >= {"points.csv", "table.tex", "provenance.txt", "curves-alpha-0.1.svg"}
    assert main(["experiment", "small.toml", "--scale", "quick", "--seeds", "1"]) == 0
    out = capsys.readouterr().out
    assert "games to the first 90%" in out
    assert "experiments/small-quick" in out
    assert main(["experiment", "--list"]) == 0
    listed = capsys.readouterr().out
    assert all(name in listed for name in shipped())
    assert main(["experiment", "--list", "--json"]) == 0
    assert [row["name"] for row in json.loads(capsys.readouterr().out)["experiments"]] == list(shipped())
    assert main(["experiment"]) == 2
    assert "--list" in capsys.readouterr().err
    assert main(["experiment", "nowhere.toml"]) == 3
    written(tmp_path, SMALL.replace("alpha", "alhpa", 1), "wrong.toml")
    assert main(["experiment", "wrong.toml"]) == 4
    assert capsys.readouterr().err.count("\n") == 2
