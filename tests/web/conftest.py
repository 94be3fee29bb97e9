"""A server for the tests of the page in a real browser."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from folders import TESTS
from own_drawings import GAME, HOSTILE
from visits import Visit

MODULES = ("dropped_discs", "clicked_squares", "pig", "tiny_games", *(f"{name}_board" for name in HOSTILE))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("page")
    for name, drawing in HOSTILE.items():
        (folder / f"{name}_board.py").write_text(GAME + drawing)
    paths = [str(TESTS / "helpers"), str(TESTS.parent / "benchmarks" / "own_games")]
    command = [sys.executable, "-m", "petteia", "web", "--port", "0", "--state", str(folder / "games")]
    with subprocess.Popen(
        [*command, *(word for module in MODULES for word in ("--trust", module))],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip().rstrip("/")
        process.terminate()


@pytest.fixture
def visit(browser: Any, server: str) -> Iterator[Visit]:
    made = Visit(browser, server)
    yield made
    made.close()
