"""What lies elsewhere is not written to, what is no file or too large is not read, and damaged runs hide no others."""

from __future__ import annotations

import json
import os
import shutil
import tracemalloc
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flat_options import train
from nearly_full_disk import nearly_full_disk
from raised_errors import one_line
from small_experiments import SMALL, written

import petteia
from petteia.arena.openings import parse_openings
from petteia.cli import main
from petteia.core.errors import InvalidError, NotFoundError, PetteiaError, UsageError
from petteia.experiments.experiment import experiment
from petteia.experiments.run_list import runs
from petteia.experiments.training import Training, resume
from petteia.games import game
from petteia.learned.table_file import load_table
from petteia.records import bounds
from petteia.records.drafts import new_draft
from petteia.records.files import make_folder, read_file, write_file
from petteia.records.journal import Journal
from petteia.records.lock import locked
from petteia.records.weights import save_weights
from petteia.render.charts import Curve, line_chart
from petteia.reports.engine.work import Work, begin
from petteia.solver import files
from petteia.templates.writing import new_file

HARE = game("hare-and-hounds")
TEXT = "what lies elsewhere\n"
TOURNAMENT = """
title = "Who beats whom"
[tournament]
game = "hare-and-hounds"
players = ["random"]
games = 2
"""

pytestmark = pytest.mark.skipif(not hasattr(os, "O_NOFOLLOW"), reason="this system has no links as others have")


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A file, beside a folder, that must stay as it is."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "file").write_text(TEXT)
    return tmp_path / "outside" / "file"


def unfinished(folder: Path, name: str = "same") -> Training:
    """A training in which nothing was learned yet."""
    made = train("hare-and-hounds", games=6, evaluate_every=3, evaluation_games=2, runs=folder, name=name)
    for file in ("results.json", "weights.safetensors", "points.jsonl", ".lock"):
        (made.run.path / file).unlink()
    return made


def refused(where: str, what: Any, *arguments: Any, **options: Any) -> None:
    with pytest.raises(PetteiaError) as raised:
        what(*arguments, **options)
    one_line(raised, where, "is a link, and nothing is written through one")


# Links.


@pytest.mark.parametrize("name", [".lock", "points.jsonl", "weights.safetensors", "results.json", "times.json"])
def test_a_link_in_a_run_leads_to_no_writing(name: str, outside: Path, tmp_path: Path) -> None:
    run = unfinished(tmp_path / "runs").run
    (run.path / name).unlink(missing_ok=True)
    (run.path / name).symlink_to(outside)
    with pytest.raises(PetteiaError) as raised:
        resume(run.path)
    one_line(raised, name)
    assert outside.read_text() == TEXT
    (run.path / name).unlink()
    (run.path / name).symlink_to(tmp_path / "outside" / "none")
    if name in (".lock", "points.jsonl"):
        refused(name, resume, run.path)
    else:
        assert resume(run.path).is_finished  # the link was replaced by a file
    assert [*outside.parent.iterdir()] == [outside]


def test_a_run_or_a_folder_that_is_a_link(outside: Path, tmp_path: Path) -> None:
    run = unfinished(tmp_path / "elsewhere").run
    new_draft(run.path).write_text("half")
    before = sorted(path.name for path in run.path.iterdir())
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "same").symlink_to(run.path)
    refused("runs/same", resume, "same", runs=tmp_path / "runs")
    assert sorted(path.name for path in run.path.iterdir()) == before
    (tmp_path / "cluster").symlink_to(tmp_path / "elsewhere")  # as people have it, who are short of room
    assert resume("same", runs=tmp_path / "cluster").is_finished


@pytest.mark.parametrize("place", ["small", "small/runs", "small/matches", "small/runs/alpha-0.1_gamma-0.5_seed-0"])
def test_experiments_do_not_leave_their_folder(place: str, outside: Path, tmp_path: Path) -> None:
    source = written(tmp_path, TOURNAMENT if "matches" in place else SMALL)
    link = tmp_path / "experiments" / place
    link.parent.mkdir(parents=True)
    link.symlink_to(outside.parent)
    with pytest.raises(PetteiaError) as raised:
        experiment(source, folder=tmp_path / "experiments")
    one_line(raised, link.name)
    assert [*outside.parent.iterdir()] == [outside]


@pytest.mark.parametrize("name", ["...toml", ".toml", "..toml", ".hidden.toml", "a\tb.toml"])
def test_files_of_experiments_with_names_that_no_folder_should_have(name: str, tmp_path: Path) -> None:
    source = written(tmp_path / "sources", SMALL, name)
    with pytest.raises(UsageError) as raised:
        experiment(source, folder=tmp_path / "experiments")
    one_line(raised, "its folder cannot be called so")
    assert [path.name for path in tmp_path.iterdir()] == ["sources"]


def test_reports_do_not_leave_their_folder(outside: Path, tmp_path: Path) -> None:
    for link in ("report", "report/experiments"):
        shutil.rmtree(tmp_path / "reports", ignore_errors=True)
        (tmp_path / "reports" / link).parent.mkdir(parents=True)
        (tmp_path / "reports" / link).symlink_to(outside.parent)
        refused(link, begin, tmp_path / "reports" / "report", "quick", None, 1, None, ((), ()))
    work = Work(tmp_path, "quick", None, 1, lambda *words: None)
    (tmp_path / "kept").symlink_to(outside.parent)
    refused("kept", work.kept, "sum", {}, lambda: 3)
    refused("kept", work.steps, "steps", {}, Any)
    assert [*outside.parent.iterdir()] == [outside]


def test_journals_locks_and_files(outside: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(outside)
    refused("link", Journal(tmp_path / "link").append, [{"a": 1}])
    (tmp_path / ".lock").symlink_to(outside)
    with pytest.raises(PetteiaError, match="is a link"), locked(tmp_path):
        pass
    write_file(tmp_path / "link", "new")
    assert (outside.read_text(), (tmp_path / "link").read_text()) == (TEXT, "new")
    assert not (tmp_path / "link").is_symlink()
    (tmp_path / "folder").symlink_to(outside.parent)
    make_folder(tmp_path / "folder" / "made", within=tmp_path / "folder")
    refused("folder", make_folder, tmp_path / "folder" / "made", within=tmp_path)


def test_a_link_that_appears_at_the_last_moment(outside: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "link").symlink_to(outside)
    monkeypatch.setattr("petteia.records.files.refuse_link", lambda path: None)
    with pytest.raises(PetteiaError, match="link: cannot write it"):
        Journal(tmp_path / "link").append([{"a": 1}])
    assert outside.read_text() == TEXT


# What is read.


@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "huge"])
def test_what_is_no_file_or_too_large_is_refused_at_once(kind: str, tmp_path: Path) -> None:
    path, bound = tmp_path / "file", max(each.most for each in vars(bounds).values() if isinstance(each, bounds.Bound))
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path = Path("/dev/zero")
    elif kind == "folder":
        path.mkdir()
    else:
        with path.open("wb") as file:
            file.truncate(bound + 1)
    run = unfinished(tmp_path / "runs").run
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
        one_line(raised, str(path), "bytes are too many" if kind == "huge" else "is not a file")
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
        one_line(raised, "bytes are too many")
    assert journal.read() == [{"games": 1}]
    assert not (tmp_path / "weights").exists()


def test_of_what_does_not_begin_as_weights_do_no_more_is_read(tmp_path: Path) -> None:
    with (tmp_path / "zeros").open("wb") as file:
        file.truncate(bounds.WEIGHTS.most)
    with pytest.raises(InvalidError, match="is not a weights file"):
        load_table(tmp_path / "zeros", HARE)


def test_a_name_that_no_file_can_have(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError) as raised:
        read_file(tmp_path / "a\0b", bounds.RECORD)
    one_line(raised, "no file can be called so")


# Damaged ones among others.


def test_one_damaged_run_does_not_hide_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in "abcd":
        train("hare-and-hounds", games=6, evaluate_every=3, evaluation_games=2, runs=tmp_path, name=name)
    description = tmp_path / "a" / "run.json"
    description.write_text(description.read_text().replace('"gamma": 0.9', '"gamma": 0.8'))
    journal = tmp_path / "b" / "points.jsonl"
    journal.write_bytes(journal.read_bytes().replace(b'"wins":', b'"Wins":', 1))
    (tmp_path / "c" / "run.json").unlink()
    (tmp_path / "c" / "run.json").mkdir()
    rows = runs(tmp_path)
    assert [row.state for row in rows] == ["damaged"] * 3 + ["finished"]
    reasons = ("a/results.json", "b/points.jsonl, line 1", "c/run.json: is not a file", "q against random")
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
        one_line(raised, "1 of 8 trainings are damaged, the others are done", str(first.path), "makes them again")
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
    file = unfinished(tmp_path / "runs").run.path / "run.json"
    file.write_text(file.read_text().replace('"game": "hare-and-hounds"', '"game": "loud_game:Game"'))
    (row,) = runs(tmp_path / "runs")
    assert (row.game, row.state) == ("loud_game:Game", "unfinished")


def test_times_that_are_missing_or_damaged(tmp_path: Path) -> None:
    run = unfinished(tmp_path).run
    (run.path / "times.json").unlink()
    assert resume(run.path).is_finished
    assert resume(run.path).run.times().seconds < 100
    times = json.loads((run.path / "times.json").read_text())
    (run.path / "times.json").write_text(json.dumps({**times, "seconds": float("inf")}) + "\n")
    with pytest.raises(InvalidError) as raised:
        run.times()
    one_line(raised, "times.json: is damaged; nothing else depends on it, so remove it")


# A full disk, and signs that no chart has.


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


@pytest.mark.parametrize("text", ["\u5b66\u4e60", "\x07bell", "a\0b", "\u0639\u0631\u0628", "\U0001f415"])
def test_charts_of_any_signs(text: str) -> None:
    chart = line_chart([Curve(text, [1, 2], [1, 2]), Curve("other", [1, 2], [2, 2])], text, text, text)
    ElementTree.fromstring(chart.replace("xlink:", ""))
    assert ("\u5b66" in chart) == ("\u5b66" in text)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Small & quick", "bell \\u0007", "title: has a control character"),
        ("seeds = 2", f"seeds = {'9' * 5000}", "has a number of more digits than can be read"),
        ("seeds = 2", f"seeds = {'9' * 50}", "seeds: is a number beyond"),
        ("Small & quick", "a\0b", "is not TOML: Illegal character"),
    ],
)
def test_files_of_experiments_with_odd_values(old: str, new: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidError) as raised:
        experiment(written(tmp_path, SMALL.replace(old, new)), folder=tmp_path / "experiments")
    one_line(raised, message)
