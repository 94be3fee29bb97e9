"""The working folder of tests about whose code runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from untrusted_code import MODULE, RECORD

from petteia.foreign import trust


@pytest.fixture
def evil(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder with a module `evil`, of which nobody has heard; gives the file that it leaves once run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "states"))
    monkeypatch.setattr(trust, "_allowed", set())
    for name in ("evil", "mine"):
        (tmp_path / f"{name}.py").write_text(MODULE)
    (tmp_path / "game.txt").write_text(RECORD)
    return tmp_path / "evil.ran"
