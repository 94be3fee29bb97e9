"""Kernels that call themselves and each other, in processes that share a cache."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from petteia.core import announcements, cache
from petteia.core.kernel import Kernel, kernel

MODULE = """
import numpy as np

from petteia.core.kernel import kernel

@kernel
def down(number):
    return 0 if number <= 0 else number + down(number - 1)

@kernel
def outer(number):
    return 100 * down(number)

@kernel
def constant():
    return 1000 * down(4)

@kernel
def even(number):
    return 1 if number == 0 else odd(number - 1)

@kernel
def odd(number):
    return 0 if number == 0 else even(number - 1)

@kernel
def both(number):
    return 10 * even(number) + odd(number)
"""


class Process(NamedTuple):
    printed: str
    said: str


def _run(folder: Path, calls: str) -> Process:
    """What a new process prints of these calls, and what it says, with a cache in the folder."""
    done = subprocess.run(
        [sys.executable, "-c", f"from recursive import *; print({calls})"],
        cwd=folder,
        env={**os.environ, "PETTEIA_CACHE": str(folder / "cache")},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return Process(done.stdout.strip(), done.stderr)


@kernel
def even(number: int) -> int:
    return 1 if number == 0 else odd(number - 1)


@kernel
def odd(number: int) -> int:
    return 0 if number == 0 else even(number - 1)


@kernel
def down(number: int) -> int:
    return 0 if number <= 0 else number + down(number - 1)


def test_what_no_other_process_could_run_stays_in_memory(tmp_path, monkeypatch):
    monkeypatch.setenv("PETTEIA_CACHE", str(tmp_path))
    monkeypatch.setattr(announcements, "announce", str)
    cache._use.cache_clear()
    assert [even(5), odd(5), down(4)] == [0, 1, 10]
    assert [path.name.rpartition(".")[0] for path in tmp_path.glob("kernels-*/*")] == ["test_recursive_kernels.down"]
    assert Kernel(down.function)(4) == 10
    cache._use.cache_clear()


PROCESSES = {
    "the callee second": ["outer(4), down(4)", "outer(4), down(4)"],
    "the callee first": ["down(4), outer(4)", "outer(4)", "down(4)"],
    "a constant": ["constant()", "constant(), down(4)", "down(4), constant(), outer(4)"],
    "several types": ["down(np.int32(4)), down(4.5), down(4)", "down(np.int32(4)), down(4.5)", "down(4)"],
    "each other": ["even(5), odd(5)", "odd(5), even(5), both(4)", "both(4)", "even(4)"],
}
VALUES = {
    "constant()": "10000",
    "both(4)": "10",
    "down(4)": "10",
    "down(4.5)": "12.5",
    "down(np.int32(4))": "10",
    "even(4)": "1",
    "even(5)": "0",
    "odd(5)": "1",
    "outer(4)": "1000",
}


@pytest.mark.slow
@pytest.mark.parametrize("calls", PROCESSES.values(), ids=PROCESSES)
def test_every_process_gets_the_same_values(calls, tmp_path):
    (tmp_path / "recursive.py").write_text(MODULE, encoding="utf-8")
    for each in calls:
        assert _run(tmp_path, each).printed == " ".join(VALUES[call] for call in each.split(", "))


@pytest.mark.slow
def test_an_edited_callee_has_its_new_code_and_what_is_kept_is_not_compiled_again(tmp_path):
    file = tmp_path / "recursive.py"
    file.write_text(MODULE, encoding="utf-8")
    assert _run(tmp_path, "outer(4)").printed == "1000"
    assert _run(tmp_path, "outer(4), down(4)") == Process("1000 10", "")
    file.write_text(MODULE.replace("number + down", "2 * number + down"), encoding="utf-8")
    assert _run(tmp_path, "down(4), outer(4)").printed == "20 2000"
    assert _run(tmp_path, "outer(4), down(4)") == Process("2000 20", "")
