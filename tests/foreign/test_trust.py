"""Whose code runs: what people name themselves, and what a file names only if somebody vouches for it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from flat_options import train
from raised_errors import one_line
from tiny_games import Nim
from untrusted_code import GAME, MODULE, RECORD, run_of_others

import petteia
from petteia.cli import main
from petteia.core.errors import InvalidError, UsageError
from petteia.experiments.run_list import runs
from petteia.foreign import trust
from petteia.foreign.loading import load_class
from petteia.records.fingerprint import fingerprint
from petteia.records.weights import save_weights
from petteia.value_functions.linear_file import load_linear

pytestmark = pytest.mark.usefixtures("evil")


def weights(path: Path, features: str, game: str = "hare-and-hounds") -> Path:
    tensors = {
        "weights": np.zeros(2),
        "mean": np.zeros(2),
        "history": np.zeros((0, 2)),
        "history_games": np.zeros(0, int),
    }
    described = {"features": features, "names": "[]", "games": "1", "kept": "0", "turns": "ply"}
    save_weights(path, "linear", game, tensors, described | {"fingerprint": fingerprint(GAME)})
    return path


# What a file names.


@pytest.mark.parametrize(
    "text", ["evil:Set", "squares+evil:Set", "evil:Set=1", "(squares+evil:Set)*phases", "a.evil:S"]
)
def test_weights_run_no_code(text: str, tmp_path: Path, evil: Path) -> None:
    with pytest.raises((InvalidError, UsageError)) as refused:
        load_linear(weights(tmp_path / "w", text), GAME)
    assert not evil.exists()
    if "=" not in text:
        one_line(refused, "names code of the module", "--trust")


def test_weights_run_no_game(tmp_path: Path, evil: Path) -> None:
    with pytest.raises(InvalidError, match=r"w: names code of the module 'evil', .* --trust evil"):
        petteia.load(weights(tmp_path / "w", "squares", "evil:Bot:size=3"))
    with pytest.raises(InvalidError, match="--trust evil"):
        petteia.weights(tmp_path / "w")
    with pytest.raises(InvalidError, match="--trust evil"):
        petteia.settling(tmp_path / "w")
    assert not evil.exists()


def test_records_run_no_code(evil: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["record", "game.txt"]) == 4
    assert "game.txt: game record, line 1: header Game: names code of the module 'evil'" in capsys.readouterr().err
    assert not evil.exists()


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("opponent", "evil:Bot"),
        ("opponent", "mixed:first=(evil:Bot),second=random,share=0.5"),
        ("opponent", "random for 5, then evil:Bot"),
        ("evaluate_against", "search:evaluation=evil:value"),
        ("learner", "evil:Rule:step=0.5"),
        ("game", "evil:Bot:size=3"),
    ],
)
def test_runs_of_others_run_no_code(field: str, text: str, tmp_path: Path, evil: Path) -> None:
    path = run_of_others(tmp_path / "runs", field, text)
    with pytest.raises(InvalidError, match=r"run.json: names code of the module 'evil'"):
        petteia.resume(path)
    assert main(["resume", str(path)]) == 4
    (row,) = runs(tmp_path / "runs")
    assert row.state == "unfinished"
    assert field == "evaluate_against" or text.partition(",")[0] in f"{row.game} {row.what}"
    assert not evil.exists()


@pytest.mark.parametrize("name", ["antigravity:X", "os.path:join", "types:X", "this:X"])
def test_modules_of_pythons_own_are_never_looked_up(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, name.partition(":")[0], raising=False)
    for ask in (
        lambda: petteia.game(name),
        lambda: petteia.match(GAME, name, "random"),
        lambda: train("kalah", features=name),
        lambda: train(GAME, learner=name),
        lambda: petteia.best("kalah", player=f"search:evaluation={name}"),
        lambda: load_linear(weights(tmp_path / "w", name), GAME),
    ):
        with pytest.raises((UsageError, InvalidError), match="is a module of Python itself"):
            ask()
    assert not {"antigravity", "this"} & set(sys.modules)


# Who vouches.


def test_the_command_line_vouches_for_what_it_names(evil: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["record", "--trust", "evil", "game.txt"]) == 4
    assert "evil.Bot must be" in (told := capsys.readouterr().err) or "Bot must be" in told
    assert evil.exists()


def test_what_stands_on_the_command_line_may_stand_in_a_file(tmp_path: Path, evil: Path) -> None:
    weights(tmp_path / "w", "evil:Set")
    main(["match", "hare-and-hounds", "theta:agent=w", "evil:Bot", "--games", "2"])
    assert evil.exists()


def test_what_is_imported_may_stand_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "nim.txt").write_text(RECORD.replace("evil:Bot", "tiny_games:Nim").replace("1-4", "1-1"))
    assert petteia.record(tmp_path / "nim.txt").rules == Nim()
    monkeypatch.delitem(sys.modules, "tiny_games")
    monkeypatch.setattr(trust, "_allowed", set())
    with pytest.raises(InvalidError, match="import it first"):
        petteia.record(tmp_path / "nim.txt")


# In the processes that are started.


@pytest.mark.parametrize("trusted", [True, False])
def test_children_may_what_their_parent_may(trusted: bool, evil: Path) -> None:
    if trusted:
        trust.allow(["evil"])
    result = petteia.match(GAME, "mine:Reader", "random", games=2)
    assert result.crashed == 2
    assert ("--trust evil" in result.notes[0]) != trusted
    assert evil.exists() == trusted


@pytest.mark.slow
def test_workers_may_what_their_parent_may(tmp_path: Path) -> None:
    """Code is allowed while the first player is made here; the processes make theirs anew."""
    (tmp_path / "mine.py").write_text(
        "from typing import NamedTuple\n"
        "class Bot(NamedTuple):\n"
        "    def choose(policy, rules, state, random, work):\n"
        "        from petteia.core.protocol import moves\n"
        "        from petteia.foreign.trust import allowed\n"
        "        assert 'evil' in allowed(), 'not allowed'\n"
        "        moves(rules, state, work.moves)\n"
        "        return work.moves[0]\n"
    )
    trust.allow(["evil"])
    result = petteia.match(GAME, "mine:Bot", "greedy", games=4, jobs=2, limit=petteia.Limit(depth=1))
    assert result.crashed == 0


# The working folder.


@pytest.mark.slow
def test_files_named_as_modules_of_pythons_own_break_nothing(tmp_path: Path) -> None:
    """Neither those who play in other processes nor what is imported late; the command lies elsewhere."""
    for name in ("types", "random", "logging", "statistics"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('not this one')\n")
    command = tmp_path / "elsewhere" / "petteia"
    command.parent.mkdir()
    command.write_text("import sys\nfrom petteia.cli import main\nif __name__ == '__main__':\n    sys.exit(main())\n")
    done = subprocess.run(
        [sys.executable, command, "match", "hare-and-hounds", "mine:Bot", "search:depth=1", "--games=4", "--jobs=2"],
        capture_output=True,
        text=True,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "not this one" not in done.stdout + done.stderr


@pytest.mark.parametrize("file", ["scipy.py", "scipy/__init__.py"])
def test_files_named_as_installed_packages_break_nothing(
    file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_text(MODULE)
    assert main(["match", "hare-and-hounds", "mine:Bot", "random", "--games", "4", "--in-process"]) == 0
    assert main(["match", "hare-and-hounds", "scipy:Bot", "random"]) == 2
    assert re.search(
        rf"another module 'scipy' is imported instead, .*site-packages.*; rename .*{file}, or add",
        capsys.readouterr().err,
    )


def test_a_module_that_is_found_by_another_way_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path / "link"), *sys.path])
    load_class("mine:Bot", "player")
