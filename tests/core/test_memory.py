"""What would not fit into memory is refused in a line before the system ends the process."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from raised_errors import one_line

from petteia.cli import main
from petteia.core import memory
from petteia.core.errors import PetteiaError
from petteia.value_functions import table
from petteia.value_functions.table import filled_table, rows, with_room

FULL = filled_table(np.arange(8), np.ones((8, 3)), 8, visits=np.ones((8, 3), np.int64), initial=2.0)
NEEDED = 9 * (8 + 3 * 8 + 3 * 8) + 32 * 8
"""bytes of a copy with one row more, and of its index"""


def test_a_table_grows_if_the_copy_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "memory_left", lambda: NEEDED)
    grown = with_room(FULL, 1)
    assert len(grown.keys) == 16
    assert all(np.array_equal(one, other) for one, other in zip(rows(grown), rows(FULL), strict=True))
    monkeypatch.setattr(table, "memory_left", lambda: NEEDED - 1)
    with pytest.raises(PetteiaError) as refused:
        with_room(FULL, 1)
    one_line(refused, "the table of 8 states has no room to grow", "learn from fewer games")


def test_memory_that_is_refused_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*given: object, **wanted: object) -> None:
        raise MemoryError("Unable to allocate 3 GiB")

    monkeypatch.setattr(table, "filled_table", refuse)
    with pytest.raises(PetteiaError, match="has no room to grow"):
        with_room(FULL, 1)
    monkeypatch.setattr("petteia.api.divide", refuse)
    monkeypatch.setattr("petteia.divide", refuse, raising=False)
    assert main(["perft", "hare-and-hounds", "2", "--divide"]) == 1
    assert capsys.readouterr().err == (
        "petteia: not enough memory: Unable to allocate 3 GiB; use options that need less memory\n"
    )


def test_what_is_left_is_the_least_of_all_that_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "CGROUPS", tmp_path)
    for name in ("MEMBERSHIP", "MACHINE", "PROCESS"):
        monkeypatch.setattr(memory, name, tmp_path / name)
    assert memory.memory_left() is None
    (tmp_path / "MACHINE").write_text("MemTotal: 9999 kB\nMemAvailable:    4000 kB\n")
    assert memory.memory_left() == 4_096_000
    (tmp_path / "MEMBERSHIP").write_text("0::/a/b\n")
    (tmp_path / "a" / "b").mkdir(parents=True)
    for folder, maximum, used in (("a", "5000", "2000"), ("a/b", "max", "2000")):
        (tmp_path / folder / "memory.max").write_text(f"{maximum}\n")
        (tmp_path / folder / "memory.current").write_text(f"{used}\n")
    assert memory.memory_left() == 3000


@pytest.mark.skipif(sys.platform != "linux", reason="asks the system how much there is")
def test_a_limit_of_addresses_counts() -> None:
    script = "from petteia.core.memory import memory_left; print(memory_left())"
    limit = 1 << 30
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )
    assert limit // 2 < int(done.stdout) < limit
