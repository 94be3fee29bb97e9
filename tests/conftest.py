"""One cache of compiled kernels for all runs of the suite, unless PETTEIA_CACHE names another; no modules left behind.

The cache is set before anything is imported, so that worker processes and the fresh ones that tests start share it; so
is the folder of the key by which runs are sealed, which is not that of who runs the suite.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from command_line import Ran, Run

ROOT = Path(__file__).parents[1]
TEMPORARY = tempfile.gettempdir() + os.sep
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
KEPT = (f"{ROOT}{os.sep}", f"{sys.prefix}{os.sep}")

os.environ.setdefault("PETTEIA_CACHE", str(ROOT / ".pytest_cache" / "kernels"))
os.environ["XDG_STATE_HOME"] = str(ROOT / ".pytest_cache" / "states")

signal.signal(signal.SIGINT, signal.default_int_handler)  # a suite in the background is started with Ctrl-C ignored

from petteia.foreign import trust  # noqa: E402 - it must find what is set here


@pytest.fixture(autouse=True)
def _everything_as_it_was(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Modules that a test has written or allowed are found and allowed by no other; tables are as wide as they are."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(trust, "_allowed", set())
    monkeypatch.delenv("COLUMNS", raising=False)  # which test runners set
    _forget(lambda name, file: not Path(file).exists())
    before = set(sys.modules)
    yield
    _forget(lambda name, file: name not in before)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command in an empty folder."""
    from petteia.cli import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PETTEIA_RUNS", raising=False)
    monkeypatch.setattr(sys, "path", [*sys.path])

    def command(*arguments: str) -> Ran:
        capsys.readouterr()
        code = main(arguments)
        return Ran(code, *capsys.readouterr())

    return command


_looked_at: dict[str, ModuleType] = {}
"""modules that are not of a test; to look at all of them again took 10 ms a test, a tenth of the time of the suite"""


def _forget(is_left_behind: Callable[[str, str], bool]) -> None:
    """Forget modules in temporary folders; the suite, and what it runs on, may be in one as well."""
    for name, module in [each for each in sys.modules.items() if _looked_at.get(each[0]) is not each[1]]:
        file = getattr(module, "__file__", None) or ""
        if not file.startswith(TEMPORARY) or file.startswith(KEPT):
            _looked_at[name] = module
        elif is_left_behind(name, file):
            del sys.modules[name]
