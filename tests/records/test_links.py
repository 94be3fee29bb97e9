"""Nothing is written through a link that leads out of a folder."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from flat_options import unfinished_training
from raised_errors import one_line
from small_experiments import SMALL, written

from petteia.core.errors import PetteiaError
from petteia.experiments.experiment import experiment
from petteia.experiments.training import resume
from petteia.records.drafts import new_draft
from petteia.records.files import make_folder, write_file
from petteia.records.journal import Journal
from petteia.records.lock import locked
from petteia.reports.engine.work import Work, begin

TEXT = "what lies elsewhere\n"
TOURNAMENT = """
title = "Who beats whom"
[tournament]
game = "hare-and-hounds"
players = ["random", "simple"]
games = 2
"""
pytestmark = pytest.mark.skipif(not hasattr(os, "O_NOFOLLOW"), reason="this system has no links as others have")


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A file, beside a folder, that must stay as it is."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "file").write_text(TEXT)
    return tmp_path / "outside" / "file"


def refused(where: str, what: Any, *arguments: Any, **options: Any) -> None:
    with pytest.raises(PetteiaError) as raised:
        what(*arguments, **options)
    one_line(raised, where, "petteia does not write through links")


@pytest.mark.parametrize("name", [".lock", "points.jsonl", "weights.safetensors", "results.json", "times.json"])
def test_a_link_in_a_run_leads_to_no_writing(name: str, outside: Path, tmp_path: Path) -> None:
    run = unfinished_training(tmp_path / "runs").run
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
    run = unfinished_training(tmp_path / "elsewhere").run
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


def test_reports_do_not_leave_their_folder(outside: Path, tmp_path: Path) -> None:
    for link in ("report", "report/experiments"):
        shutil.rmtree(tmp_path / "reports", ignore_errors=True)
        (tmp_path / "reports" / link).parent.mkdir(parents=True)
        (tmp_path / "reports" / link).symlink_to(outside.parent)
        refused(link, begin, tmp_path / "reports" / "report", "quick", None, 1, None, ((), ()))
    work = Work(tmp_path, "quick", None, 1, lambda *words: None)
    (tmp_path / "kept").symlink_to(outside.parent)
    refused("kept", work.journal, "sum.jsonl")
    refused("kept", work.steps, "steps", Any)
    assert [*outside.parent.iterdir()] == [outside]


def test_journals_locks_and_files(outside: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(outside)
    refused("link", Journal(tmp_path / "link").append, [{"a": 1}])
    (tmp_path / ".lock").symlink_to(outside)
    with pytest.raises(PetteiaError, match="through links"), locked(tmp_path):
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
    with pytest.raises(PetteiaError, match="link: cannot be written"):
        Journal(tmp_path / "link").append([{"a": 1}])
    assert outside.read_text() == TEXT
