"""Ctrl-C is heard within two seconds, also where a user's rules never return."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from folders import HELPERS

from petteia.core.interrupt import STACK, InterruptLater, LeftBehindError, deep_stacks, interruptible
from petteia.search.worker import Deadline, run_apart

ENDLESS = """
from my_nim import MyNim

class Endless(MyNim):
    def moves(rules, state, out):
        count = 1
        while state.stones < 30 and count:
            count = count * 3 % 7 + 1
        out[0] = 1
        return 1
"""
CODE = """
import os, signal, sys, threading, time
import petteia
from petteia.core.interrupt import InterruptLater, LeftBehindError
game = petteia.game("endless:Endless:stones=100")
def interrupted(call):
    threading.Timer(float(sys.argv[1]), lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    begin = time.perf_counter()
    try:
        call()
    except LeftBehindError as error:
        print("left behind" if "did not stop" in str(error) else error, time.perf_counter() - begin)
    except KeyboardInterrupt:
        print("interrupted", time.perf_counter() - begin)
petteia.perft(game, 2)
interrupted(lambda: petteia.perft(game, 6, position="33 first"))
"""


@pytest.mark.slow
@pytest.mark.parametrize("plain", [False, True])
def test_rules_that_never_return_are_left_behind(plain, tmp_path):
    subprocess.run([sys.executable, "-m", "petteia", "new-game", "my_nim"], cwd=tmp_path, check=True)
    (tmp_path / "endless.py").write_text(ENDLESS)
    variables = {"NUMBA_DISABLE_JIT": "1"} if plain else {}
    done = subprocess.run(
        [sys.executable, "-c", CODE, "0.5"],
        cwd=tmp_path,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    what, seconds = done.stdout.rsplit(maxsplit=1)
    assert what == "left behind"
    assert 0.5 < float(seconds) < 3.0
    assert done.returncode == 0


def test_work_elsewhere_gives_what_it_returns_or_raises():
    assert interruptible(lambda: interruptible(lambda: 7)) == 7
    with pytest.raises(ZeroDivisionError):
        interruptible(lambda: 1 // 0)
    threads = {interruptible(threading.get_ident) for _ in range(5)}
    assert len(threads) == 1
    assert threading.get_ident() not in threads


def test_threads_end_with_who_asked_them():
    def ask() -> None:
        interruptible(lambda: None)

    before = threading.active_count()
    for _ in range(20):
        thread = threading.Thread(target=ask)
        thread.start()
        thread.join()
    time.sleep(0.2)
    assert threading.active_count() <= before + 2


@pytest.mark.parametrize("seconds", [0.05, 5.0])
def test_an_interrupt_that_is_noted_leaves_only_what_does_not_return(seconds):
    """What returns in time is waited for, in whichever thread it was asked for."""
    results: list[Any] = []
    finished = threading.Event()

    def ask(work: Callable[[], object]) -> None:
        try:
            results.append(interruptible(work))
        except BaseException as error:
            results.append(type(error))

    with InterruptLater() as interrupt:
        thread = threading.Thread(target=ask, args=(lambda: finished.wait(seconds),))
        thread.start()
        interrupt._note(0, None)
        thread.join(4.0)
    finished.set()
    assert results == ([False] if seconds < 1 else [LeftBehindError])


def test_a_forked_child_has_a_thread_of_its_own():
    interruptible(lambda: None)
    child = os.fork()
    if child == 0:
        os._exit(interruptible(lambda: 7))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


IGNORED = ["sh", "-c", 'trap "" INT; exec "$@"', "sh"]
"""Begins a command with Ctrl-C ignored, as `nohup` and shells without job control do."""
NOTED = """
import os, signal
from petteia.core.interrupt import InterruptLater
with InterruptLater() as interrupt, InterruptLater() as inner:
    for _ in range(3):
        os.kill(os.getpid(), signal.SIGINT)
print(interrupt.requested, inner.requested, signal.getsignal(signal.SIGINT) is signal.SIG_IGN)
"""


def test_an_interrupt_that_was_ignored_from_the_start_stays_so():
    done = subprocess.run([*IGNORED, sys.executable, "-c", NOTED], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "False False True\n", "")


@pytest.mark.slow
def test_a_command_that_began_with_interrupts_ignored_goes_on():
    command = [sys.executable, "-m", "petteia", "prove", "proved_games:Patience", "--memory", "1", "--time", "3"]
    running = subprocess.Popen(
        [*IGNORED, *command], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=HELPERS
    )
    assert running.stderr is not None
    for line in running.stderr:
        if "at least 1 for first" in line:
            break
    for _ in range(2):
        running.send_signal(signal.SIGINT)
        time.sleep(0.2)
    out, err = running.communicate(timeout=60)
    assert "interrupted" not in out + err
    assert (running.returncode, "at least 1" in out) == (0, True), err


def stack_size() -> int:
    """The size that threads are started with: to ask for it sets the default."""
    size = threading.stack_size()
    threading.stack_size(size)
    return size


@pytest.fixture
def stacks(monkeypatch):
    """The sizes of stack with which threads are started, by their names; starting takes a while."""
    start, found = threading.Thread.start, []

    def noting(thread: threading.Thread) -> None:
        time.sleep(0.002)
        found.append((thread.name, stack_size()))
        start(thread)

    before = stack_size()
    monkeypatch.setattr(threading.Thread, "start", noting)
    yield found
    threading.stack_size(before)


def test_searches_that_begin_together_all_have_deep_stacks(stacks):
    together = threading.Barrier(8)

    def search() -> None:
        for _ in range(2):
            together.wait(5)
            assert run_apart(lambda: together.wait(5) >= 0, np.zeros(8, np.int64), Deadline(None)) == (True, False)

    callers = [threading.Thread(target=search, name="caller") for _ in range(8)]
    for each in callers:
        each.start()
    for each in callers:
        each.join()
    assert {size for name, size in stacks if name == "caller"} == {0}
    assert {size for name, size in stacks if name.startswith("search")} <= {STACK}
    assert stack_size() == 0


def test_a_user_search_has_a_deep_stack(stacks):
    done = threading.Thread(target=lambda: interruptible(lambda: None), name="caller")
    done.start()
    done.join()
    assert [size for name, size in stacks if name != "caller"] == [STACK]


@pytest.mark.usefixtures("stacks")
def test_a_size_of_stack_that_others_set_stays():
    with deep_stacks():
        threading.stack_size(1 << 20)
    assert stack_size() == 1 << 20
    threading.stack_size(STACK * 2)
    with deep_stacks():
        assert stack_size() == STACK * 2
    assert stack_size() == STACK * 2
