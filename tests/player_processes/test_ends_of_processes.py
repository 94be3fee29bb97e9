"""Processes end with those that started them, and start and end quietly."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from petteia.arena.workers import MAX_JOBS, Workers
from petteia.player_processes import lifeline


def descendants(process: int) -> list[int]:
    children = [
        int(found) for path in Path(f"/proc/{process}/task").glob("*/children") for found in path.read_text().split()
    ]
    return [*children, *(each for child in children for each in descendants(child))]


def seconds(process: int) -> float:
    """How long a process has worked."""
    words = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc").exists(), reason="asks Linux which processes there are")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGHUP], ids=lambda number: number.name)
def test_nobody_holds_the_output_of_a_match_that_was_killed(number: signal.Signals) -> None:
    reading, writing = os.pipe()
    command = [sys.executable, "-m", "petteia", "match", "kalah", "search:depth=100", "random"]  # which thinks for ever
    with subprocess.Popen(
        [*command, "--jobs", "2", "--games", "1000000", "--clock", "1000000"],
        stdout=writing,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),  # which nohup, around the tests, ignores
    ) as match:
        os.close(writing)
        until = time.monotonic() + 30.0
        while sorted(map(seconds, descendants(match.pid)))[1:2] < [1.2] and time.monotonic() < until:
            time.sleep(0.05)
        started = descendants(match.pid)
        match.send_signal(number)
        match.wait()
    try:
        assert len(started) == 3  # two that think, and what watches over them
        assert select.select([reading], [], [], 10.0)[0], "somebody still holds the output"
        assert os.read(reading, 1) == b""
    finally:
        os.close(reading)
        for each in started:
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)


def test_no_machine_has_use_for_more_processes() -> None:
    assert Workers(10**9).jobs == MAX_JOBS


def test_where_the_system_cannot_end_a_process_a_thread_does(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: int) -> int:
        raise OSError

    ended: list[bool] = []
    monkeypatch.setattr(lifeline.fcntl, "fcntl", refuse)
    monkeypatch.setattr(lifeline, "_end", ended.append)
    reading, writing = os.pipe()
    lifeline.end_with_parent(reading, group=False)
    time.sleep(0.1)
    assert not ended
    os.close(writing)
    until = time.monotonic() + 5.0
    while not ended and time.monotonic() < until:
        time.sleep(0.01)
    assert ended == [False]
    os.close(reading)


@pytest.mark.slow
@pytest.mark.parametrize("module", ["petteia.cli.entry", "typer", "petteia.cli.app", "petteia.api", "rich"])
def test_an_interrupt_while_it_starts_is_quiet(module: str) -> None:
    script = (
        "import os, signal, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {module!r}: os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Finder())\n"
        "from petteia.cli import main\n"
        "sys.argv[1:] = ['perft', 'hare-and-hounds', '2', '--divide']\n"
        "sys.exit(main())\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode in (130, -signal.SIGINT)  # for a shell these are the same
    assert (done.stdout, done.stderr) == ("", "petteia: interrupted\n")
