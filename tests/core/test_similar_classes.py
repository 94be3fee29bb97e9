"""Pairs of classes that are alike in name, module, fields, code or constants: compiled and plain code say the same."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from compiled_answers import module_of
from folders import python_path
from similar_classes import asked, compare

from petteia.core import identity
from petteia.core.kernel import runs_plain

pytestmark = pytest.mark.skipif(runs_plain(), reason="about compiled code")
HEAVY_PAIRS, BATCH = 10_000, 250


def confused(folder: Path, seed: int, pairs: int, stage: int) -> str:
    call = f"main(pathlib.Path({str(folder)!r}), {seed}, {pairs}, {stage})"
    environment = {**os.environ, "PYTHONPATH": python_path(), "PETTEIA_CACHE": str(folder / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", f"import pathlib; from similar_classes import main; {call}"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_two_hundred_pairs_are_not_confused(tmp_path):
    for stage in (0, 1):
        assert confused(tmp_path, 1, 100, stage) == "0 confused of 100\n"
    assert len(list((tmp_path / "cache").glob("kernels-*/similar_classes.asked.*"))) > 20


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(1000, 1000 + HEAVY_PAIRS // BATCH))
def test_ten_thousand_pairs_are_not_confused(seed, tmp_path):
    for stage in (0, 1):
        assert confused(tmp_path, seed, BATCH, stage) == f"0 confused of {BATCH}\n"


def test_a_confusion_is_seen(monkeypatch):
    """Two classes that are taken for each other, as they are where neither digests nor exact types are looked at."""
    text = "class Mine(NamedTuple):\n    size: int = 3\n    def answer(rules, number):\n        return {}.0\n"
    one, other = (module_of(text.format(number))["Mine"]() for number in (2, 3))
    monkeypatch.setattr(identity, "settle", lambda values: False)
    monkeypatch.setattr(asked, "_is_foreign", False)
    assert compare(one, "") + compare(other, "") > 0
