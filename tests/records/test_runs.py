"""Run folders: made, named, found again and locked; refused when anything is off, or the rules have changed."""

from __future__ import annotations

import dataclasses
import errno
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import BaseModel
from raised_errors import one_line

from petteia.core.errors import InvalidError, NotFoundError, PetteiaError, UsageError
from petteia.games import game
from petteia.records import runs
from petteia.records.drafts import new_draft
from petteia.records.run_names import stem
from petteia.records.runs import create_run, digest, list_runs, open_run, runs_folder
from petteia.records.weights import save_weights

RULES = game("hare-and-hounds")
ROWS = [{"games": 300, "score": 0.5}, {"games": 600, "score": 0.75, "note": "ünïcode\n"}, {"games": 900}]


class Settings(BaseModel):
    alpha: float = 0.1
    games: int = 300
    opponent: str = "random"


def new_run(root: Path, **options: str) -> runs.Run:
    return create_run(root, "train", RULES, Settings(), {"learning": 7}, **options)


def test_a_run_comes_back_as_it_was_made(tmp_path: Path) -> None:
    made = new_run(tmp_path, label="q")
    assert made.path == tmp_path / "hare-and-hounds-q-0001"
    opened = open_run(made.path)
    assert opened == made
    assert opened.configuration(Settings) == Settings()
    assert opened.description.seeds == {"learning": 7}
    assert opened.description.game == "hare-and-hounds"
    assert opened.results() is None
    opened.check_same_code(RULES)
    with opened.locked():
        opened.journal.append(ROWS)
        opened.write_results({"wins": 3})
    assert opened.results() == {"wins": 3, "journal": opened.journal.checksum, "weights": None}
    assert opened.journal.read() == ROWS
    assert json.loads((made.path / "run.json").read_text())["schema"] == 2


def test_names_are_readable_and_never_taken_twice(tmp_path: Path) -> None:
    root = tmp_path / "deep" / "runs"
    assert [new_run(root, label="q").name for _ in range(3)] == [f"hare-and-hounds-q-000{i}" for i in (1, 2, 3)]
    assert (
        create_run(root, "train", game("hare-and-hounds:stall=0"), Settings(), {}).name == "hare-and-hounds-train-0001"
    )
    assert new_run(root, name="My_run.2").name == "My_run.2"
    with pytest.raises(UsageError) as raised:
        new_run(root, name="My_run.2")
    one_line(raised, "'My_run.2'", "already")
    assert [path.name for path in list_runs(root)] == sorted(path.name for path in root.iterdir())


@pytest.mark.parametrize(
    ("game_text", "expected"),
    [
        ("hare-and-hounds:stall=0", "hare-and-hounds-q"),
        ("my_module:Nim", "my-module-nim-q"),
        ("a.b:C:heaps=4", "a-b-c-q"),
    ],
)
def test_names_come_from_the_game(game_text: str, expected: str) -> None:
    assert stem(game_text, "q") == expected


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "/tmp/x", ".hidden", "a b", "ü", "x" * 101, "a\n", 5])
def test_impossible_names_are_refused(tmp_path: Path, name: str | int) -> None:
    with pytest.raises(UsageError) as raised:
        new_run(tmp_path, name=name)
    one_line(raised)
    assert list(tmp_path.iterdir()) == []


def test_where_runs_live(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PETTEIA_RUNS", raising=False)
    assert runs_folder() == Path("runs")
    monkeypatch.setenv("PETTEIA_RUNS", str(tmp_path))
    assert runs_folder() == tmp_path
    assert runs_folder("elsewhere") == Path("elsewhere")
    made = new_run(tmp_path)
    assert open_run(made.name) == made
    assert open_run(made.name, tmp_path) == made
    with pytest.raises(NotFoundError) as raised:
        open_run("hare-and-hounds-train-0002")
    one_line(raised, "did you mean 'hare-and-hounds-train-0001'?")
    with pytest.raises(PetteiaError) as long:
        open_run("x" * 5000)
    one_line(long, "File name too long")
    monkeypatch.chdir(made.path)
    assert open_run(".").name == made.name
    assert list_runs(tmp_path / "none") == []


def test_a_folder_that_cannot_be_written_gives_one_line(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("no folder")
    with pytest.raises(PetteiaError) as raised:
        new_run(tmp_path / "plain")
    one_line(raised, "cannot be written", "choose another folder")
    with pytest.raises(NotFoundError):
        open_run("x", tmp_path / "plain")


def test_a_full_disk_leaves_no_half_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(PetteiaError) as raised:
        new_run(tmp_path)
    one_line(raised, "No space left on device")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            {"schema": 1, "version": "0.1.2"},
            "the run has schema 1 and was begun by petteia 0.1.2, but petteia",
        ),
        ({"version": "0.1.2", "more": 3}, "which petteia 0.1.2 wrote"),
        ({"schema": None}, "damaged; schema"),
        ({"kind": 3}, "damaged; kind"),
        ({"more": 3}, "damaged; more"),
        ({"configuration": []}, "damaged; configuration"),
    ],
)
def test_runs_of_other_versions_and_damaged_ones_are_refused(
    tmp_path: Path, change: dict[str, object], reason: str
) -> None:
    run = new_run(tmp_path)
    file = run.path / "run.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | change))
    with pytest.raises(InvalidError) as raised:
        open_run(run.path)
    one_line(raised, str(run.path), reason)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b"{}"])
@pytest.mark.parametrize("name", ["run.json", "times.json"])
def test_damaged_files_of_a_run_are_refused(tmp_path: Path, name: str, content: bytes) -> None:
    run = new_run(tmp_path)
    (run.path / name).write_bytes(content)
    with pytest.raises(InvalidError) as raised:
        open_run(run.path).times()
    one_line(raised, name)


def test_a_configuration_of_another_form_and_damaged_results_are_refused(tmp_path: Path) -> None:
    class Other(BaseModel):
        depth: int

    run = new_run(tmp_path)
    with pytest.raises(InvalidError) as raised:
        run.configuration(Other)
    one_line(raised, "run.json", "depth")
    (run.path / "results.json").write_text("3")
    with pytest.raises(InvalidError) as results:
        run.results()
    one_line(results, "results.json")


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("version", "9.9", "petteia 9.9"),
        ("provenance", {"petteia.games.hare_and_hounds": "0"}, "petteia.games.hare_and_hounds has changed"),
        ("provenance", {}, "there is no record of the code of petteia with which the run was begun"),
        ("fingerprint", "0", "the rules of"),
    ],
)
def test_a_run_begun_by_other_code_does_not_go_on(tmp_path: Path, field: str, value: Any, reason: str) -> None:
    run = new_run(tmp_path)
    other = dataclasses.replace(run, description=run.description.model_copy(update={field: value}))
    with pytest.raises(InvalidError) as raised:
        other.check_same_code(RULES)
    one_line(raised, reason, "begin a new run")


def worked(root: Path, name: str, games: int = 300) -> runs.Run:
    """A finished run with a row, weights, and another row after which they were saved again."""
    run = create_run(root, "train", RULES, Settings(games=games), {"seed": 7}, name=name)
    for number, row in enumerate(ROWS[:2]):
        run.journal.append([row])
        save_weights(run.weights, "table", "hare-and-hounds", {"values": np.full(3, number)}, {}, run.place)
        shutil.copy(run.weights, run.path.with_name(f"{name}-{number}.safetensors"))
    run.write_results({"wins": 3})
    return run


def test_all_that_a_run_holds_belongs_together(tmp_path: Path) -> None:
    run, other = worked(tmp_path, "one"), worked(tmp_path, "other", 301)
    assert open_run(run.path).results() == run.results()
    assert run.weights.read_bytes() != other.weights.read_bytes()
    lines = run.journal.path.read_bytes().splitlines(keepends=True)
    wrong: list[tuple[str, bytes, str]] = [
        ("run.json", other.path.joinpath("run.json").read_bytes(), r"results.json: .*run.json"),
        ("results.json", other.path.joinpath("results.json").read_bytes(), "results.json: damaged"),
        ("weights.safetensors", other.weights.read_bytes(), r"weights.safetensors: the weights belong to another run"),
        (
            "weights.safetensors",
            tmp_path.joinpath("one-0.safetensors").read_bytes(),
            "the weights are not those that the finished run saved",
        ),
        ("points.jsonl", other.journal.path.read_bytes(), "points.jsonl, line 1: damaged"),
        ("points.jsonl", lines[0], "points.jsonl: the row to which weights.safetensors refers is missing"),
        (
            "points.jsonl",
            b"".join(lines)[:-1],
            "points.jsonl, line 2: damaged; the line break at the end of the file is missing",
        ),
        ("points.jsonl", b"", "points.jsonl: the row to which"),
    ]
    for file, content, message in wrong:
        before = (run.path / file).read_bytes()
        (run.path / file).write_bytes(content)
        with pytest.raises(InvalidError, match=message) as raised:
            open_run(run.path).check()
        one_line(raised)
        (run.path / file).write_bytes(before)
    run.journal.append(ROWS[2:])
    with pytest.raises(InvalidError, match=r"points.jsonl: the last row is not the last one that the run saved"):
        run.check()
    run.rewind()
    run.check()
    run.weights.unlink()
    with pytest.raises(InvalidError, match="the weights are not those that the finished run saved"):
        run.check()
    (run.path / "results.json").unlink()
    run.check()
    description = json.loads((run.path / "run.json").read_text())
    (run.path / "run.json").write_text(json.dumps(description))
    with pytest.raises(InvalidError, match=r"points.jsonl, line 1: damaged"):
        open_run(run.path).check()
    run.journal.path.unlink()
    open_run(run.path).check()  # before there is a row it is simply another run


def test_rows_beyond_the_weights_are_dropped(tmp_path: Path) -> None:
    run = worked(tmp_path, "one")
    (run.path / "results.json").unlink()
    run.journal.append(ROWS[2:])
    assert (run.rewind(), open_run(run.path).journal.read()) == (2, ROWS[:2])
    shutil.copy(tmp_path / "one-0.safetensors", run.weights)
    assert (run.rewind(), open_run(run.path).journal.read()) == (1, ROWS[:1])
    run.weights.unlink()
    assert (run.rewind(), open_run(run.path).journal.read()) == (0, [])


def test_the_digest_sees_everything_but_times_and_hidden_files(tmp_path: Path) -> None:
    one, two = new_run(tmp_path), new_run(tmp_path)
    assert digest(one) == digest(two)
    with one.locked():
        with one.timed():
            time.sleep(0.01)
        with one.timed():
            pass
        (one.path / ".weights.safetensors.1.tmp").write_text("half")
        assert 0.01 <= one.times().seconds < 1
        assert digest(one) == digest(two)
    one.journal.append(ROWS)
    assert digest(one) != digest(two)
    two.journal.append(ROWS)
    assert digest(one) == digest(two)
    (two.path / "results.json").write_text("{}")
    assert digest(one) != digest(two)


LEAVE = """
import os, sys
from pathlib import Path
from petteia.records.drafts import new_draft

for folder in map(Path, sys.argv[1:]):
    new_draft(folder).write_text("half")
    new_draft(folder).mkdir()
    (new_draft(folder)).symlink_to(folder)
"""


def test_what_a_killed_writer_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    run = new_run(tmp_path)
    theirs = [new_draft(folder) for folder in (tmp_path, run.path)]
    for path in theirs:
        path.write_text("half")
    before = {*tmp_path.rglob("*")}
    subprocess.run([sys.executable, "-c", LEAVE, str(tmp_path), str(run.path)], check=True)
    assert len({*tmp_path.rglob("*")} ^ before) == 6
    with run.locked():
        pass
    assert len({*tmp_path.rglob("*")} ^ before) == 3 + 1  # the lock
    other = new_run(tmp_path)
    assert {*tmp_path.rglob("*")} ^ before == {other.path, *other.path.rglob("*"), run.path / ".lock"}


def test_one_process_cannot_write_a_run_twice_at_once(tmp_path: Path) -> None:
    run = new_run(tmp_path)
    with run.locked(), pytest.raises(PetteiaError) as raised, run.locked():
        pass
    one_line(raised, str(run.path), "already")
    with run.locked():
        pass
