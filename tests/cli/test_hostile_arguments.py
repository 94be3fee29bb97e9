"""Numbers beyond all measure, and what is none: a command works, or says in one line what is wrong."""

from __future__ import annotations

import random
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest
from hostile_arguments import command_lines, prepare, warm_up

from petteia.cli import main

SECONDS = 0.5
"""after which a command that works is interrupted"""
# Ctrl-C may be typed while garbage is collected, where Python tells of it and goes on.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.fixture
def ring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The working folder with what is needed, and somebody who types Ctrl-C when that is asked for."""
    rung = list[str]()

    def interrupt(number: int, frame: FrameType | None) -> None:
        rung.append("rung")
        signal.raise_signal(signal.SIGINT)

    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PETTEIA_RUNS", raising=False)
    prepare(tmp_path)
    before = signal.signal(signal.SIGALRM, interrupt)
    yield rung
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def run(words: list[str], rung: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit code, and what is wrong with how the command has ended; empty if nothing is."""
    rung.clear()
    signal.setitimer(signal.ITIMER_REAL, SECONDS, SECONDS)
    try:
        code = main(words)
    except BaseException as error:
        return -1, f"{words} raised {type(error).__name__}: {error}"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    told = capsys.readouterr().err
    lines = [line for line in told.splitlines() if not line.startswith("petteia: compiling ")]
    allowed = (0, 1, 2, 3, 4, 130) if rung else (0, 1, 2, 3, 4)
    is_sound = code in allowed and not any(word in told for word in ("internal error", "Traceback"))
    is_one_line = code in (0, 130) or len(lines) == 1
    return code, "" if is_sound and is_one_line else f"{words} ended with {code}: {told}"


@pytest.mark.slow
def test_some(ring: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """None of experiments, which take long to import what they draw with."""
    chosen = random.Random(3).sample([words for words in command_lines() if words[0] != "experiment"], 50)
    ended = [run(words, ring, capsys) for words in chosen]
    assert [wrong for _, wrong in ended if wrong] == []
    assert {2, 4} <= {code for code, _ in ended}


@pytest.mark.heavy
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # an interrupt can come anywhere
def test_all(ring: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    warm_up()
    capsys.readouterr()
    codes, wrongs = Counter[int](), list[str]()
    for words in command_lines():
        code, wrong = run(words, ring, capsys)
        codes[code] += 1
        wrongs += [wrong] if wrong else []
    with capsys.disabled():
        print(f"\ntried {codes.total()}, held {codes.total() - len(wrongs)}; by exit code {dict(codes)}")
    assert wrongs == [], "\n".join(wrongs)
