"""Files that cannot be used: what is no file, is too large, has an impossible name, or does not fit on the disk."""

from __future__ import annotations

import os
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from flat_options import train, unfinished_training
from nearly_full_disk import nearly_full_disk
from raised_errors import one_line
from small_experiments import SMALL, written

import petteia
from petteia.arena.openings import parse_openings
from petteia.core.errors import InvalidError, NotFoundError, PetteiaError, UsageError
from petteia.experiments.experiment import experiment
from petteia.experiments.run_list import runs
from petteia.experiments.training import resume
from petteia.games import game
from petteia.records import bounds
from petteia.records.files import read_file
from petteia.records.journal import Journal
from petteia.records.weights import save_weights
from petteia.solver import files
from petteia.templates.writing import new_file
from petteia.value_functions.table_file import load_table

HARE = game("hare-and-hounds")

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")


@pytest.mark.parametrize("name", ["...toml", ".toml", "..toml", ".hidden.toml", "a\tb.toml"])
def test_files_of_experiments_with_names_that_no_folder_should_have(name: str, tmp_path: Path) -> None:
    source = written(tmp_path / "sources", SMALL, name)
    with pytest.raises(UsageError) as raised:
        experiment(source, folder=tmp_path / "experiments")
    one_line(raised, "not a valid folder name")
    assert [path.name for path in tmp_path.iterdir()] == ["sources"]


@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "huge"])
def test_what_is_no_file_or_too_large_is_refused_at_once(kind: str, tmp_path: Path) -> None:
    path, bound = (
        tmp_path / "file",
        max(each.maximum for each in vars(bounds).values() if isinstance(each, bounds.Bound)),
    )
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path = Path("/dev/zero")
    elif kind == "folder":
        path.mkdir()
    else:
        with path.open("wb") as file:
            file.truncate(bound + 1)
    run = unfinished_training(tmp_path / "runs").run
    readers = {
        "weights": lambda: load_table(path, HARE),
        "table": lambda: files.load(path, HARE),
        "record": lambda: petteia.record(path),
        "openings": lambda: parse_openings(str(path), HARE),
        "experiment": lambda: experiment(path, folder=tmp_path),
        "journal": lambda: Journal(path).read(),
    }
    tracemalloc.start()
    for read in readers.values():
        with pytest.raises(PetteiaError) as raised:
            read()
        one_line(raised, str(path), "too large" if kind == "huge" else "not a regular file")
    for file in ("points.jsonl", "times.json", "results.json", "weights.safetensors", "run.json"):
        (run.path / file).unlink(missing_ok=True)
        (run.path / file).symlink_to(path)
        with pytest.raises(PetteiaError) as raised:
            resume(run.path).run.times()
        one_line(raised, file)
        (row,) = runs(tmp_path / "runs")
        assert row.state == ("unfinished" if file == "times.json" else "damaged")
        if file != "run.json":
            (run.path / file).unlink()
    assert tracemalloc.get_traced_memory()[1] < 50_000_000
    tracemalloc.stop()


def test_nothing_is_written_that_could_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("petteia.records.journal.JOURNAL", bounds.Bound("a journal", 100))
    monkeypatch.setattr("petteia.records.weights.WEIGHTS", bounds.Bound("a weights file", 100))
    journal = Journal(tmp_path / "points.jsonl")
    journal.append([{"games": 1}])
    for write in (
        lambda: journal.append([{"games": 2}]),
        lambda: save_weights(tmp_path / "weights", "table", "nim", {"values": np.zeros(9)}, {}),
    ):
        with pytest.raises(PetteiaError) as raised:
            write()
        one_line(raised, "too large")
    assert journal.read() == [{"games": 1}]
    assert not (tmp_path / "weights").exists()


def test_of_what_does_not_begin_as_weights_do_no_more_is_read(tmp_path: Path) -> None:
    with (tmp_path / "zeros").open("wb") as file:
        file.truncate(bounds.WEIGHTS.maximum)
    with pytest.raises(InvalidError, match="not a weights file"):
        load_table(tmp_path / "zeros", HARE)


def test_a_name_that_no_file_can_have(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError) as raised:
        read_file(tmp_path / "a\0b", bounds.RECORD)
    one_line(raised, "not a valid file name")


def test_a_full_disk_leaves_no_empty_file_and_is_named(tmp_path: Path) -> None:
    full, roomy = tmp_path / "full", tmp_path / "roomy"
    roomy.mkdir()
    full.mkdir()
    for name, write in (
        ("own.py", lambda folder: new_file("game", "own", folder=folder)),
        ("table", lambda folder: petteia.solve("kalah:pits=2,seeds=1", table=folder / "table")),
        ("runs", lambda folder: train("hare-and-hounds", games=6, evaluation_games=2, runs=folder / "runs")),
    ):
        write(roomy)  # what it takes to write is compiled, which says so and keeps files of its own
        with nearly_full_disk(100), pytest.raises(PetteiaError) as raised:
            write(full)
        one_line(raised, f"{full}/{name}", "File too large")
        assert not [path for path in full.rglob("*") if path.is_file()]
