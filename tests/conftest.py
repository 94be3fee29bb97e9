"""One cache of compiled kernels for all runs of the suite, unless PETTEIA_CACHE names another; no modules left behind.

The cache is set before anything is imported, so that worker processes and the fresh ones that tests start share it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

os.environ.setdefault("PETTEIA_CACHE", str(Path(__file__).parents[1] / ".pytest_cache" / "kernels"))


@pytest.fixture(autouse=True)
def _everything_as_it_was(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Modules that a test has written into its folder are found by no other; tables are as wide as they are."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delenv("COLUMNS", raising=False)  # which test runners set
    before = set(sys.modules)
    yield
    place = str(tmp_path_factory.getbasetemp())
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", None)).startswith(place):
            del sys.modules[name]
