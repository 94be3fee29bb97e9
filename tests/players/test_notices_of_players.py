"""What people are told before a player plays: by every command that lets it, on stderr, and by what it returns."""

from __future__ import annotations

from pathlib import Path

import pytest

import petteia
from petteia.cli import main

GAME = "kalah:pits=2,seeds=2"
THETA = "theta:agent=report"
TOLD = f"player {THETA}: its weights were learned for kalah:leftovers=nobody, not for {GAME}"
TOURNAMENT = f"""
title = "Two"

[tournament]
game = "{GAME}"
players = ["simple", "{THETA}"]
games = 2
"""
TRAININGS = f"""
title = "One"
seeds = 2

[training]
game = "{GAME}"
opponent = "{THETA}"
games = 10
evaluate_every = 10
evaluation_games = 2

[measure]
against = ["{THETA}"]
games = 2
"""
SHORT = ("--games", "10", "--evaluate-every", "10", "--evaluation-games", "2")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PETTEIA_RUNS", raising=False)
    Path("tournament.toml").write_text(TOURNAMENT)
    Path("trainings.toml").write_text(TRAININGS)


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ("match", GAME, THETA, "random", "--games", "2"),
        ("best", GAME, "--player", THETA),
        ("differ", GAME, "random", THETA, "--positions", "2"),
        ("regret", GAME, THETA),
        ("regret", GAME, "random", "--against", THETA, "--over", "games", "--games", "2"),
        ("experiment", "tournament.toml"),
        ("experiment", "trainings.toml"),
        ("train", GAME, "--opponent", THETA, *SHORT),
        ("train", GAME, "--features", "store", "--opponent", f"{THETA} for 5, then self", *SHORT),
        ("train", GAME, "--features", "store", "--evaluate-against", THETA, *SHORT),
    ],
    ids=lambda command: " ".join(command[:4]),
)
@pytest.mark.parametrize("json", [False, True])
def test_every_command_tells_it_once_and_beside_the_result(command, json, capsys):
    assert main([*command, *(["--json"] if json else [])]) == 0
    out, err = capsys.readouterr()
    assert err.splitlines().count(f"petteia: {TOLD}") == 1
    assert json or TOLD not in out


@pytest.mark.slow
def test_what_is_returned_tells_it():
    assert petteia.differ(GAME, THETA, "random", positions=2).notes == (TOLD,)
    assert petteia.regret(GAME, "random", against=THETA, over="games", games=2).notes[0] == TOLD
    assert petteia.experiment("tournament.toml").notes == (TOLD,)
    assert petteia.experiment("trainings.toml").notes == (TOLD,)


def test_there_is_nothing_to_tell_under_the_rules_learned_for():
    assert petteia.differ("kalah:leftovers=nobody", THETA, "random", positions=2).notes == ()
