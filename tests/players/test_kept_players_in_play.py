"""What cannot be kept of a player that learns while it plays, and `petteia play --keep`."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest
from kept_games import Q, lines, played
from own_modules import ENVIRONMENT
from small_agents import HARE

import petteia
from petteia.cli import main
from petteia.records.runs import folder_digest


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PETTEIA_RUNS", raising=False)


BAD: dict[str, tuple[str, int, str]] = {
    "no learner": (
        "--against simple",
        2,
        "--keep kept: neither simple nor human learns while it plays; give the player q ",
    ),
    "a table that only plays": (
        "--against q:agent=kept",
        2,
        "learns while it plays; give the player q a learning rate",
    ),
    "a q of nothing": (
        "--against q",
        2,
        "player q: option agent is missing; give a run or a weights file, as in q:agent=RUN\n",
    ),
    "two learners": (
        f"--by {Q} --against {Q}",
        2,
        "learn, but a run can save only one player; replace one of the players",
    ),
    "a training": (
        f"--against {Q} --keep trained",
        2,
        "is a run of kind 'train', but only a run made by playing can be continued; choose another",
    ),
    "another side": (
        f"--as hounds --against {Q}",
        2,
        "learned to play as hounds, not as hare; choose another name",
    ),
    "other rules": (f"hare-and-hounds:stall=5 --against {Q}", 4, "the run learned to play hare-and-hounds, not hare"),
    "another agent": (
        "--against q:agent=trained,alpha=0.1",
        2,
        "the run runs/kept already has a table; omit option agent, or choose another name",
    ),
    "no agent": ("--against q:agent=nowhere,alpha=0.1", 3, "there is no run 'nowhere'"),
    "save": (f"--against {Q},save=x", 2, "the table of the player is already saved in a run; omit option save"),
    "no name": (f"--against {Q} --keep ../x", 2, "run '../x': the name of a run must have 1 to 100 letters"),
    "a name in use": (
        f"--against {Q} --keep file",
        2,
        "run 'file': this run already exists in runs; resume this run, or",
    ),
    "a rate": ("--against q:alpha=2", 2, "alpha=2: must be a number in 0..1"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_in_one_line(name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    words, code, message = BAD[name]
    played(1)
    petteia.train(HARE, games=10, name="trained")
    Path("runs/file").touch()
    before = folder_digest(Path("runs"))
    options = words.split()
    if "--keep" not in options:
        options += ["--keep", "kept"]
    if "--as" not in options:
        options += ["--as", "hare"]
    if options[0].startswith("--"):
        options = ["hare-and-hounds", *options]
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 50))
    assert main(["play", *options]) == code
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""
    assert folder_digest(Path("runs")) == before


def test_without_a_run_a_learner_needs_an_agent(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "hare-and-hounds", "--as", "hare", "--against", Q]) == 2
    assert "as in q:agent=RUN; with --keep NAME, petteia play starts with an empty table" in capsys.readouterr().err


def test_on_the_command_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["play", "hare-and-hounds", "--as", "hare", "--against", Q, "--keep", "kept", "--seed"]
    for number in (1, 2):
        monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 60))
        assert main([*words, str(number)]) == 0
        shown = capsys.readouterr().out
        assert f"has learned from this game, which is game {number} of the run runs/kept" in shown
        assert ("continues the run runs/kept after game 1" in shown) == (number == 2)
    assert [row["seed"] for row in lines()] == [1, 2]


@pytest.mark.slow
def test_a_game_of_ones_own_and_code_that_has_changed(tmp_path: Path) -> None:
    petteia.new_game("my_nim", tmp_path)
    words = ["play", "my_nim:MyNim", "--as", "1", "--against", Q, "--keep", "nim", "--seed", "1"]

    def run(*given: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "petteia", *given]
        return subprocess.run(command, env=ENVIRONMENT, input="1\n" * 60, capture_output=True, text=True, check=False)

    for number in (1, 2):
        assert f"which is game {number} of the run runs/nim" in run(*words).stdout
    assert "played" in run("runs").stdout
    assert "as first" in run("doctor", "nim").stdout
    source = (tmp_path / "my_nim.py").read_text()
    assert "state.stones - move" in source
    (tmp_path / "my_nim.py").write_text(source.replace("state.stones - move", "state.stones - move + 0"))
    done = run(*words)
    assert done.returncode == 4
    assert done.stderr.count("\n") == 1
    assert "my_nim" in done.stderr
    assert "choose another name" in done.stderr
    assert "2" in run("runs").stdout
