"""The command `petteia prove`: what it says, its document, Ctrl-C, and what it refuses."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys

import pytest
from folders import HELPERS

from petteia.cli import main
from petteia.search.memory import MEGABYTE
from petteia.search.searcher import memory_of_machine

PATIENCE = "proved_games:Patience"


@pytest.mark.slow
@pytest.mark.parametrize("as_json", [False, True])
def test_ctrl_c_ends_the_command_with_what_was_proved(as_json: bool) -> None:
    command = [sys.executable, "-m", "petteia", "prove", PATIENCE, "--memory", "1", *["--json"] * as_json]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", cwd=HELPERS)
    assert running.stderr is not None
    for line in running.stderr:
        if "at least 1 for first" in line:
            break
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=10)
    assert running.returncode == 130
    assert "Traceback" not in err
    if as_json:
        document = json.loads(out)
        assert [document[name] for name in ("low", "high", "value", "move", "was_interrupted")] == [
            *(1, None, None, "0"),
            True,
        ]
    else:
        assert out.startswith(f"{PATIENCE}, 90 0 first: not proved, margin for first at least 1\nbest move so far 0\n")


def ran(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(["prove", *arguments])
    return (code, *capsys.readouterr())


def test_the_command_says_who_wins_and_tells_how_far_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = ran(capsys, "british-square:size=3", "--memory", "1", "--openings")
    assert code == 0
    lines = out.splitlines()
    assert lines[:2] == ["british-square:size=3, .../.../... x: won by first", "best move a1"]
    assert lines[2].endswith(" s")
    assert lines[2].startswith("69 nodes in ")
    assert lines[4] == "move   margin for first"
    assert lines[6].split() == ["a1", "1"]
    assert [line.split()[0] for line in lines[6:]] == ["a1", "b1", "c1", "a2", "c2", "a3", "b3", "c3"]
    told = [line for line in err.splitlines() if "compiling" not in line]
    assert told[0].startswith("petteia: at least 1 for first, 39 nodes, 0.0")
    assert all(line.startswith("petteia: ") and line.endswith(" s") for line in told)
    assert any(line.startswith("petteia: b1: ") for line in told)


def test_the_command_from_a_position(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ran(capsys, "kalah:pits=2,seeds=2", "--position", "0,2,1/0,1,4 n", "--memory", "1")
    assert (code, out.splitlines()[0]) == (0, "kalah:pits=2,seeds=2, 0,2,1/0,1,4 n: won by north by 2")


def test_the_document_keeps_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ran(capsys, "kalah:pits=2,seeds=2", "--memory", "1", "--openings", "--json")
    document = json.loads(out)
    seconds, nodes = document.pop("seconds"), document.pop("nodes")
    assert (code, seconds >= 0, nodes > 0) == (0, True, True)
    assert document == {
        "schema": 1,
        "command": "prove",
        "game": "kalah:pits=2,seeds=2",
        "position": "2,2,0/2,2,0 s",
        "low": -2,
        "high": -2,
        "value": -2,
        "move": "2",
        "was_interrupted": False,
        "openings": {"1": {"low": -2, "high": -2}, "2": {"low": -2, "high": -2}},
    }
    document = json.loads(ran(capsys, PATIENCE, "--memory", "1", "--time", "0.1", "--json")[1])
    assert (document["low"], document["high"], document["value"], document["openings"]) == (1, None, None, {})


MACHINE = (
    f"bytes (the memory of this machine); on the command line, --memory takes 1 to {memory_of_machine() // MEGABYTE} "
    "megabytes"
)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (
            ("tiny_games:DiceRace",),
            2,
            "proofs do not support chance nodes; use `petteia solve` or `petteia best`",
        ),
        (
            ("solved_games:Maze",),
            2,
            "a game may last forever according to the method `limits`, so a proof cannot follow every game",
        ),
        (("kalah", "--time", "0"), 2, "seconds=0.0: must be more than 0"),
        (("kalah", "--time", "nan"), 2, "seconds=nan: must be more than 0"),
        (("kalah", "--time", "-1"), 2, "seconds=-1.0: must be more than 0"),
        (("kalah", "--time", "soon"), 2, "'--time': Input should be a valid number"),
        (("kalah", "--memory", "0"), 2, "'--memory'"),
        (("kalah", "--memory", str(10**9)), 2, MACHINE),
        (
            ("kalah", "--position", "0,0,0,0,0,0,30/0,0,0,0,0,1,17 s"),
            4,
            "the game is over; give a position with a legal move",
        ),
        (("kalah", "--position", "1,2"), 4, "position '1,2': must look like '4,4,4,4,4,4,0/4,4,4,4,4,4,0 s'"),
        (("kalah", "--position", "4,4,4,4,4,4,0/4,4,4,4,4,4,1 s"), 4, "the stones add up to 49; must be 48"),
        (("kalha",), 2, "did you mean 'kalah'?"),
        (("nowhere:Nim",), 3, "there is no module 'nowhere'"),
        (("proved_games:Rich",), 2, "the margins of the game are too large; all must be below 536,870,911"),
        (("proved_games:Patience:stones=1100",), 2, "a game is longer than 1,000 plies, the limit of proofs"),
        (
            ("proved_games:Patience:plies=25",),
            4,
            "a game is longer than the 25 plies that the method `limits` declares; to find the game, run: petteia "
            "check proved_games:Patience:plies=25",
        ),
        (
            ("hostile_games:Hostile:fault=no_moves", "--position", "28 first"),
            4,
            "a non-terminal position has no moves; to find it, run: petteia check hostile_games:Hostile:fault=no_moves",
        ),
        (("hostile_games:Hostile:fault=raises", "--position", "28 first"), 1, "ZeroDivisionError"),
        (("hostile_games:Hostile:fault=many_moves", "--position", "28 first"), 1, "IndexError"),
    ],
    ids=str,
)
def test_what_is_wrong_is_one_line_and_an_exit_code(
    arguments: tuple[str, ...], code: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    memory = () if "--memory" in arguments else ("--memory", "1")
    found, out, err = ran(capsys, *arguments, *memory)
    assert (found, out) == (code, "")
    *before, last = err.splitlines()
    assert message in last
    assert all(re.match("petteia: (compiling|at least|at most) ", line) for line in before)
