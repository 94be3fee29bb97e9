"""Players of users' modules that do what they must not: the game is lost, all else goes on, and nothing is left."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from multiprocessing import resource_tracker
from pathlib import Path

import pytest
from folders import HELPERS
from misbehaving import FORGED
from tiny_games import Nim

import petteia
from petteia.arena.match import match
from petteia.arena.match_result import MatchResult
from petteia.arena.workers import Workers
from petteia.cli import main
from petteia.core.decision import Allowance, Fault, Limit
from petteia.core.errors import UsageError

NIM = Nim()
GAME = "tiny_games:Nim"
PATIENT = Allowance(move_timeout=20.0, start_timeout=20.0, memory=600_000_000)
HURRIED = PATIENT._replace(move_timeout=0.2)
"""for those that never answer"""
MARK = "PETTEIA_TEST_MARK"
needs_proc = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="processes are counted in /proc")


@pytest.fixture(autouse=True)
def left(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[[], set[int]]]:
    """Which processes this test has left behind; there must be none when it ends."""
    mark = f"{MARK}={tmp_path}"
    resource_tracker.ensure_running()  # which lives as long as this process
    monkeypatch.setenv(MARK, str(tmp_path))

    def find() -> set[int]:
        return {pid for pid in _processes() if pid != os.getpid() and mark in _environment(pid)}

    yield find
    until = time.monotonic() + 10
    while find() and time.monotonic() < until:
        time.sleep(0.02)
    remaining = find()
    while find():  # a test that failed must not leave one that goes on starting others
        for pid in find():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
    assert remaining == set()


def _processes() -> list[int]:
    return [int(path.name) for path in Path("/proc").glob("[0-9]*")]


def _environment(pid: int) -> list[str]:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/environ").read_text(errors="replace").split("\0")
    return []


def _is_asleep(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().startswith(b"sleep")
    return False


def lost(result: MatchResult, seat: int) -> dict[str, int]:
    """How the player of this place lost all its games."""
    assert (result.losses if seat == 0 else result.wins) == result.games
    assert len({row.digest for row in result.rows}) >= 1
    return {name: count for name in ("illegal", "timeouts", "crashed") if (count := getattr(result, name))}


def against_random(text: str, seat: int, **arguments: object) -> MatchResult:
    pair = (text, "random") if seat == 0 else ("random", text)
    return match(NIM, *pair, games=2, openings="none", **{"allowance": PATIENT} | arguments)  # type: ignore[arg-type]


# In a game.

DEEDS = {
    "raise": ("crashed", r"misbehaving\.py, line \d+: ZeroDivisionError: integer division"),
    "odd": ("crashed", r"misbehaving\.py, line \d+: OddError: two lines"),
    "mute": ("crashed", r"misbehaving\.py, line \d+: MuteError$"),
    "generator": ("crashed", r"misbehaving\.py, line \d+: GeneratorExit$"),
    "interrupt": ("crashed", r"misbehaving\.py, line \d+: KeyboardInterrupt$"),
    "exit": ("crashed", r"misbehaving\.py, line \d+: SystemExit: 0$"),
    "read": ("crashed", r"misbehaving\.py, line \d+: EOFError"),
    "os_exit": ("crashed", "its process has ended with exit code 3"),
    "signal": ("crashed", "its process was ended by SIGSEGV"),
    "hold": ("crashed", "its process has ended with exit code 4"),
    "close_all": ("crashed", "its process has ended with exit code 1"),
    "shout": ("crashed", "its process sent a malformed message"),
    "loop": ("timeouts", r"choose took longer than 0\.2 s"),
    "stop": ("timeouts", r"choose took longer than 0\.2 s"),
    **dict.fromkeys(FORGED, ("crashed", "its process sent a malformed message: ")),
    "eat": ("crashed", r"misbehaving\.py, line \d+: MemoryError"),
}


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("how", DEEDS)
def test_who_misbehaves_loses_the_game_and_the_match_goes_on(how: str, seat: int) -> None:
    reason, words = DEEDS[how]
    patience = HURRIED if how in ("loop", "stop") else PATIENT
    result = against_random(f"misbehaving:Bad:how={how}", seat, allowance=patience)
    assert lost(result, seat) == {reason: 2}
    assert {row.reason for row in result.rows} == {reason.removesuffix("s") if reason == "timeouts" else reason}
    for row in result.rows:
        assert re.search(f"^player misbehaving:Bad:how={how}: .*{words}", row.fault)
    (note,) = [note for note in result.notes if "lost 2 games" in note]
    assert result.rows[0].fault in note


@needs_proc
@pytest.mark.parametrize("how", ["print", "print_much", "close", "spawn", "escape", "nothing"])
def test_what_harms_nobody_costs_nothing(how: str) -> None:
    harmless = against_random("misbehaving:Bad", 0)
    result = against_random(f"misbehaving:Bad:how={how}", 0)
    assert [row.digest for row in result.rows] == [row.digest for row in harmless.rows]
    assert {row.reason for row in result.rows} == {"over"}
    assert result.notes[-1] == "goodbye"


@needs_proc
@pytest.mark.parametrize(
    ("how", "reason"),
    [
        *((how, "illegal") for how in ("none", "text", "fraction", "negative", "large", "huge", "list")),
        *((how, "crashed") for how in ("no_value", "no_line", "no_values", "huge_depth")),
        ("no_move", "illegal"),
    ],
)
@pytest.mark.parametrize("in_process", [False, True])
def test_an_answer_that_is_no_move_loses(how: str, reason: str, in_process: bool) -> None:
    result = against_random(f"misbehaving:Answers:how={how}", 0, in_process=in_process)
    assert lost(result, 0) == {reason: 2}


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("how", "reason"), [("raise", "crashed"), ("os_exit", "crashed"), ("loop", "timeouts")])
def test_to_fail_when_a_game_begins_loses_it(how: str, reason: str, seat: int) -> None:
    quick = PATIENT._replace(start_timeout=2.0)
    result = against_random(f"misbehaving:Bad:how={how},when=new_game", seat, allowance=quick)
    assert lost(result, seat) == {reason: 2}
    assert {row.plies for row in result.rows} == {0}


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize("when", ["end_game", "finish"])
@pytest.mark.parametrize("how", ["raise", "exit", "os_exit", "loop"])
def test_to_fail_after_a_game_changes_no_result(how: str, when: str) -> None:
    patience = HURRIED if how == "loop" else PATIENT
    result = against_random(f"misbehaving:Bad:how={how},when={when}", 0, allowance=patience)
    assert [row._replace(fault="") for row in result.rows] == [*against_random("misbehaving:Bad", 0).rows]
    assert any(note.startswith("player misbehaving:Bad:how=") for note in result.notes)


@needs_proc
def test_both_may_fail() -> None:
    result = match(NIM, "misbehaving:Bad:how=raise", "misbehaving:Bad:how=os_exit", games=4, allowance=PATIENT)
    assert (result.crashed, result.games) == (4, 4)
    assert len(result.notes) == 3  # of each player's faults, and the farewell of the one that is still there


@needs_proc
@pytest.mark.slow
def test_a_child_that_is_dead_is_started_again_and_one_that_raised_is_not(tmp_path: Path) -> None:
    for how, processes in (("os_exit", 3), ("raise", 1), ("loop", 3)):
        note = tmp_path / how
        patience = HURRIED if how == "loop" else PATIENT
        match(NIM, f"misbehaving:Bad:how={how},note={note}", "random", games=3, seats="fixed", allowance=patience)
        assert len(set(note.read_text().split())) == processes


# Time.


@needs_proc
@pytest.mark.parametrize("seat", [0, 1])
def test_a_limit_of_time_holds_and_is_measured_from_outside(seat: int) -> None:
    clock = time.monotonic()
    result = against_random("misbehaving:Bad:how=loop", seat, limit=Limit(seconds=0.05), allowance=Allowance())
    assert lost(result, seat) == {"timeouts": 2}
    assert "choose took longer than 0.1 s" in result.rows[0].fault
    assert time.monotonic() - clock < 20


@needs_proc
def test_a_new_game_is_not_on_the_clock() -> None:
    result = against_random("misbehaving:Slow", 0, limit=Limit(seconds=0.1), allowance=Allowance(grace=5.0))
    assert result.timeouts == 0


# Of modules.

MODULES = {
    "raise ValueError('no')": r"ValueError: no",
    "raise BaseException('no')": r"BaseException: no",
    "raise KeyboardInterrupt": r"KeyboardInterrupt",
    "import sys; sys.exit(0)": r"SystemExit: 0",
    "import os; os._exit(0)": r"its process has ended with exit code 0",
    "while True: pass": r"importing module .* takes longer than 1 s",
    "def f(: pass": r"line 1: ",
}


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize("code", MODULES)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_module_that_does_not_import_is_a_usage_error(
    code: str, seat: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "unsound.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(UsageError, match=MODULES[code]) as raised:
        against_random("unsound:Bot", seat, allowance=Allowance(start_timeout=1.0))
    assert "unsound" in str(raised.value)
    assert "\n" not in str(raised.value)
    assert "unsound" not in sys.modules


# Inside.


@pytest.mark.parametrize("how", ["raise", "odd", "mute", "generator", "exit"])
def test_what_is_raised_inside_loses_too(how: str) -> None:
    result = against_random(f"misbehaving:Bad:how={how}", 0, in_process=True)
    assert lost(result, 0) == {"crashed": 2}
    assert re.search(DEEDS[how][1], result.rows[0].fault)


def test_inside_there_are_no_processes(left: Callable[[], set[int]], tmp_path: Path) -> None:
    note = tmp_path / "note"
    against_random(f"misbehaving:Bad:note={note}", 0, in_process=True)
    assert note.read_text().split() == [str(os.getpid())]


# What survives the trip.


@needs_proc
# Other commands.


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize("how", ["raise", "exit", "os_exit", "loop"])
def test_other_commands_end_in_a_line(how: str) -> None:
    text = f"misbehaving:Bad:how={how}"
    patience = HURRIED if how == "loop" else PATIENT
    calls: list[Callable[[], object]] = [
        lambda: petteia.best(NIM, player=text, allowance=patience),
        lambda: petteia.differ(NIM, text, "random", positions=2, allowance=patience),
        lambda: petteia.regret(NIM, text, allowance=patience),
        lambda: petteia.regret(NIM, text, over="games", games=2, allowance=patience),
    ]
    for call in calls:
        with pytest.raises(Fault, match=f"^player {text}: ") as raised:
            call()
        assert "\n" not in str(raised.value)


@needs_proc
@pytest.mark.parametrize("how", ["raise", "os_exit", "loop"])
def test_a_game_at_the_terminal_is_won_by_the_other(how: str) -> None:
    shown: list[str] = []
    patience = HURRIED if how == "loop" else PATIENT
    session = petteia.play_at_terminal(
        NIM, f"misbehaving:Bad:how={how}", "random", write=shown.append, allowance=patience
    )
    assert session.record.outcome is not None
    assert session.record.outcome.margin == -1
    assert session.record.outcome.reason == ("timeout" if how == "loop" else "crashed")
    assert any(line.startswith("player misbehaving:Bad") for line in shown)


@needs_proc
def test_a_hint_that_fails_is_a_line() -> None:
    shown, typed = list[str](), iter(["hint", "quit"])
    session = petteia.play_at_terminal(
        NIM, "human", "misbehaving:Bad:how=raise", read=lambda _: next(typed), write=shown.append
    )
    assert any("ZeroDivisionError" in line for line in shown)
    assert session.record.outcome is None


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_json_stays_json(jobs: str, capfd: pytest.CaptureFixture[str]) -> None:
    text = ["match", GAME, "misbehaving:Bad:how=print", "misbehaving:Bad:how=raise", "--games", "4", "--json"]
    assert main([*text, "--jobs", jobs]) == 0
    out, err = capfd.readouterr()
    document = json.loads(out)
    assert (document["wins"], document["crashed"], len(document["rows"])) == (4, 4, 4)
    assert "ZeroDivisionError" in document["rows"][0]["fault"]
    assert "hello from the player" in err or document["plies"] == 0
    assert "misbehaving:Bad:how=raise lost 4 games by failing" in err


# Tournaments.

TOURNAMENT = """
title = "Bad company"
[tournament]
game = "tiny_games:Nim"
players = ["misbehaving:Bad", "misbehaving:Bad:how=loop", "misbehaving:Bad:how=os_exit"]
games = 2
time = 0.2
grace = 0.3
"""


@pytest.mark.slow
@needs_proc
def test_a_tournament_goes_on_and_says_what_was_done(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(TOURNAMENT)
    result = petteia.experiment(tmp_path / "bad.toml", folder=tmp_path)
    sums = [sum(getattr(cell, name) for cell in result.cells) for name in ("illegal", "timeouts", "crashed")]
    assert sums == [0, 3, 3]
    assert re.fullmatch(r".*; lost \(!\) by taking too long 3, by failing 3", result.note)
    assert [note.split(": ")[-1] for note in result.notes] == [
        "choose took longer than 0.5 s (the first game that it lost in this way)",
        "its process has ended with exit code 3 (the first game that it lost in this way)",
        "with a time limit or a clock, the same command plays different games each time",
    ]
    _, rows = result.table()
    assert [sum("!" in cell for cell in row) for row in rows] == [2, 2, 2]


@needs_proc
# Processes.


@needs_proc
@pytest.mark.slow
def test_workers_live_as_long_as_they_are_used(tmp_path: Path, left: Callable[[], set[int]]) -> None:
    note = tmp_path / "note"
    text = f"misbehaving:Bad:note={note}"
    with Workers(2) as workers:
        rows = [match(NIM, text, "random", games=8, seed=seed, workers=workers).rows for seed in range(3)]
        living = left()
    assert len(set(note.read_text().split())) == 3  # two in workers, one here
    assert len(living) == 2 + 2 * 3  # a child has a supervisor
    assert rows == [match(NIM, text, "random", games=8, seed=seed).rows for seed in range(3)]


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize(
    ("how", "jobs", "inside"), [("loop", 1, False), ("spawn", 2, False), ("loop", 2, True), ("escape", 1, False)]
)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda number: number.name)
def test_nothing_is_left_when_the_command_is_ended(
    number: signal.Signals, how: str, jobs: int, inside: bool, tmp_path: Path, left: Callable[[], set[int]]
) -> None:
    note = tmp_path / "note"
    players = (f"misbehaving:Bad:how={how},note={note}", "misbehaving:Bad")
    begun = subprocess.Popen(
        [sys.executable, "-m", "petteia", "match", GAME, *players, "--games", "100000", "--jobs", str(jobs)]
        + ["--in-process"] * inside,
        cwd=HELPERS,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
    )
    until = time.monotonic() + 60
    while not (note.exists() and len(note.read_text().split()) >= (1 if jobs == 1 else 3)):
        assert time.monotonic() < until
        time.sleep(0.02)
    while how == "spawn" and not any(map(_is_asleep, left())):
        assert time.monotonic() < until
        time.sleep(0.02)
    time.sleep(0.2)
    assert len(left()) >= 3
    begun.send_signal(number)
    out, _ = begun.communicate(timeout=60)
    assert out == b""
    assert begun.returncode == (130 if number == signal.SIGINT else -number)
    until = time.monotonic() + 5
    while left() and time.monotonic() < until:
        time.sleep(0.02)
    assert left() == set()
