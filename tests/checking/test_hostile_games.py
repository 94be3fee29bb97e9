"""Games that break the protocol: whatever uses them ends with one line or works, and never hangs or crashes."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest
from folders import HELPERS
from hostile_games import FAULTS, LISTING, REFUSED, USES

SEEN_AT_ONCE = set(FAULTS) - {"none", "endless", "huge_margin"}
"""what the first plies show"""


LONG = ("greedy", "regret")
"""what takes long to compile"""


@pytest.mark.slow
@pytest.mark.parametrize("use", [pytest.param(use, marks=[pytest.mark.heavy] * (use in LONG)) for use in USES])
def test_no_fault_brings_a_process_down(use: str) -> None:
    done = subprocess.run(
        [sys.executable, str(HELPERS / "hostile_games.py"), use],
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=300,
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, (done.returncode, lines[-1:], done.stderr[-2000:])
    assert len(lines) == 2 * len(FAULTS + LISTING)
    for game, fault, since, code, said in lines:
        told = f"{use} {game} {fault} since {since}: {code} {said}"
        last = (said.splitlines() or [""])[-1]
        assert "Traceback" not in said, told
        assert "internal error" not in said, told
        assert code in (0, 1, 2, 4), told
        if code:
            assert last.startswith("petteia: "), told
        if fault == "none":
            assert code == (2 if (use, game) in REFUSED else 0), told
        elif since == 0 and fault in SEEN_AT_ONCE:
            assert code == 2, told
            assert re.search(rf"petteia check hostile_games:{game}:fault=\w+,since=0$", last), told
