"""A damaged run hides no others, and what is damaged is named."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from flat_options import train, unfinished_training
from raised_errors import one_line
from small_experiments import SMALL, written

from petteia.cli import main
from petteia.core.errors import InvalidError
from petteia.experiments.experiment import experiment
from petteia.experiments.run_list import runs
from petteia.experiments.training import resume


def test_one_damaged_run_does_not_hide_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in "abcd":
        train("hare-and-hounds", games=6, evaluate_every=3, evaluation_games=2, runs=tmp_path, name=name)
    description = tmp_path / "a" / "run.json"
    description.write_text(description.read_text().replace('"gamma": "0.9"', '"gamma": "0.8"'))
    journal = tmp_path / "b" / "points.jsonl"
    journal.write_bytes(journal.read_bytes().replace(b'"wins":', b'"Wins":', 1))
    (tmp_path / "c" / "run.json").unlink()
    (tmp_path / "c" / "run.json").mkdir()
    rows = runs(tmp_path)
    assert [row.state for row in rows] == ["damaged"] * 3 + ["finished"]
    reasons = ("a/results.json", "b/points.jsonl, line 1", "c/run.json: not a regular file", "q against random")
    assert all(reason in row.what for row, reason in zip(rows, reasons, strict=True))
    assert main(["runs", "--runs", str(tmp_path)]) == 0
    assert "damaged" in capsys.readouterr().out
    for name in "abcd":
        capsys.readouterr()
        player = f"q:agent={tmp_path / name}"
        code = main(["match", "hare-and-hounds", player, "random", "--games", "2", "--seats", "fixed"])
        assert (code == 0) == (name == "d")
        assert name == "d" or capsys.readouterr().err.startswith(f"petteia: {tmp_path / name}")


@pytest.mark.slow
def test_an_experiment_goes_on_beside_a_damaged_training(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = written(tmp_path, SMALL)
    place = tmp_path / "experiments" / "small" / "runs"
    first = experiment(source, folder=tmp_path / "experiments").cells[0].trainings[0].run
    for run in place.iterdir():
        if run != first.path:
            shutil.rmtree(run)
    for file in (first.path / "run.json", first.weights):
        content = file.read_bytes()
        file.unlink()
        with pytest.raises(InvalidError) as raised:
            experiment(source, folder=tmp_path / "experiments")
        one_line(raised, "1 of 8 training runs are damaged, and all others are finished", str(first.path))
        assert [row.state for row in runs(place)].count("finished") == 7
        assert main(["experiment", str(source), "--folder", str(tmp_path / "experiments")]) == 4
        shown = capsys.readouterr()
        assert shown.out.count("damaged") == 1, "the row of its combination"
        assert shown.err.count("are damaged") == 1
        file.write_bytes(content)
    assert experiment(source, folder=tmp_path / "experiments").cells


def test_listing_runs_imports_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "loud_game.py").write_text("raise AssertionError('it was imported')")
    file = unfinished_training(tmp_path / "runs").run.path / "run.json"
    file.write_text(file.read_text().replace('"game": "hare-and-hounds"', '"game": "loud_game:Game"'))
    (row,) = runs(tmp_path / "runs")
    assert (row.game, row.state) == ("loud_game:Game", "unfinished")


def test_times_that_are_missing_or_damaged(tmp_path: Path) -> None:
    run = unfinished_training(tmp_path).run
    (run.path / "times.json").unlink()
    assert resume(run.path).is_finished
    assert resume(run.path).run.times().seconds < 100
    times = json.loads((run.path / "times.json").read_text())
    (run.path / "times.json").write_text(json.dumps({**times, "seconds": float("inf")}) + "\n")
    with pytest.raises(InvalidError) as raised:
        run.times()
    one_line(raised, "times.json: damaged; remove this file, which only records the duration of the work")
