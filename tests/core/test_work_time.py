"""The time that work takes: without compiling, and without what other threads do."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from petteia.core.announcements import announced
from petteia.core.interrupt import interruptible
from petteia.core.work_time import work_time


def busy(seconds: float) -> None:
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def test_compiling_is_no_work_of_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its processor time is left out, and that of other threads: a training run of a second seemed to take ten."""
    other = threading.Thread(target=busy, args=(0.3,))
    other.start()
    before = work_time()
    with announced("something", tmp_path / "times"):
        busy(0.2)
    busy(0.1)
    interruptible(lambda: busy(0.15))
    found = work_time() - before
    other.join()
    assert found == pytest.approx(0.25, abs=0.03)
