"""Systems without POSIX: what needs it is refused in one line, and everything else works without it.

The tests run where they run, with the parts of POSIX taken away. They cannot show how Windows itself behaves.
"""

from __future__ import annotations

import os
import subprocess
import sys
from types import SimpleNamespace

import pytest
from command_line import Run

import petteia
from petteia.player_processes import process

WITHOUT_POSIX = """
import os, pkgutil, signal, sys, types
import asyncio, concurrent.futures.process, multiprocessing.connection, subprocess  # these look at the system, too
import distributed, fastapi, gymnasium, matplotlib.pyplot, numba, pettingzoo, pyspiel, scipy.special, typer, uvicorn

for name in ("fcntl", "resource", "termios", "pwd", "grp"):
    sys.modules[name] = None
for name in ("fork", "killpg", "setsid", "getpgrp", "sched_getaffinity", "O_NOFOLLOW"):
    delattr(os, name)
for name in ("SIGKILL", "SIGCHLD", "set_wakeup_fd"):
    delattr(signal, name)
sys.platform = "win32"
sys.modules["msvcrt"] = types.SimpleNamespace(LK_NBLCK=2, locking=lambda file, mode, count: None)

import petteia
OF_CHILDREN = ("child", "lifeline", "supervisor")
for module in pkgutil.walk_packages(petteia.__path__, "petteia."):
    if module.name.rpartition(".")[2] not in (*OF_CHILDREN, "__main__") and ".template_files" not in module.name:
        __import__(module.name)

training = petteia.train("hare-and-hounds", games=20, name="hounds")
assert petteia.resume("hounds").games == 20
assert petteia.match("hare-and-hounds", training, "random", games=2, clock="10").games == 2
assert petteia.doctor(training).games == 20
assert petteia.position("hare-and-hounds").best(depth=2).move
print("all works")
"""


@pytest.mark.slow
def test_all_but_child_processes_works_without_posix(tmp_path) -> None:
    variables = os.environ | {"NUMBA_DISABLE_JIT": "1", "PETTEIA_CACHE": str(tmp_path), "LOCALAPPDATA": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_POSIX], cwd=tmp_path, env=variables, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr[-2000:]) == (0, "all works\n", "")


def test_a_player_in_a_child_process_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "os", SimpleNamespace(name="nt"))
    with pytest.raises(petteia.UsageError) as error:
        petteia.match("kalah", "own_players:Drawing", "random", games=2)
    assert str(error.value) == (
        "player own_players:Drawing: this system does not support players in child processes; use in_process=True"
    )
    assert petteia.match("kalah", "own_players:Drawing", "random", games=2, in_process=True).games == 2


def test_the_command_names_its_option(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.setattr(process, "os", SimpleNamespace(name="nt"))
    ran = run("match", "kalah", "own_players:Drawing", "random", "--games", "2")
    assert ran.code == 2
    assert ran.err.count("\n") == 1
    assert "use --in-process" in ran.err
