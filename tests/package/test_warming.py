"""Compiling ahead: what is warmed up is not compiled again by the commands."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import petteia
from petteia.cli import main
from petteia.core.errors import PetteiaError
from petteia.core.kernel import runs_plain


def petteia_command(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "petteia", *arguments]
    return subprocess.run(command, cwd=folder, env=os.environ, capture_output=True, text=True, check=True)


@pytest.mark.slow
@pytest.mark.skipif(runs_plain(), reason="about compiled code")
def test_an_own_game_is_compiled_ahead(tmp_path):
    petteia_command(tmp_path, "new-game", "my_nim")
    warmed = petteia_command(tmp_path, "warmup", "my_nim:MyNim")
    names = ("perft", "matches", "search", "solving", "proofs", "learning")
    steps = [f"{name} ({number} of 6)" for number, name in enumerate(names, 1)]
    said = [line for line in warmed.stderr.splitlines() if " of 6)" in line]
    assert said == [f"petteia: my_nim:MyNim: {step}" for step in steps]
    for command in (
        ("perft", "my_nim:MyNim", "4"),
        ("match", "my_nim:MyNim", "greedy", "random", "--games", "4"),
        ("train", "my_nim:MyNim", "--games", "100"),
        ("solve", "my_nim:MyNim"),
        ("prove", "my_nim:MyNim", "--openings"),
    ):
        assert "compiling" not in petteia_command(tmp_path, *command).stderr


@pytest.mark.parametrize(
    ("names", "code", "message"),
    [
        (("nowhere:Nim",), 3, "there is no module 'nowhere'"),
        (("kalha",), 2, "did you mean 'kalah'?"),
        (("nonsense", "--game", "kalah"), 2, "nonsense"),
    ],
)
def test_what_is_not_there_is_said_in_one_line(names, code, message, capsys):
    assert main(["warmup", *names]) == code
    assert message in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["own_features:Stores", "own_faults:sound", "random", "q"])
def test_what_is_for_a_game_has_steps(name):
    assert [(step.name, step.done < step.steps) for step in petteia.warm_up(name, for_game="kalah:pits=2,seeds=2")]
    with pytest.raises(PetteiaError):
        list(petteia.warm_up(name))
