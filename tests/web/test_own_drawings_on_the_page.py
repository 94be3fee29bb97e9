"""Drawings of users that raise, never end, or hold a script: the game is played all the same, and nothing is harmed."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from own_drawings import GAME, HOSTILE

pytest.importorskip("fastapi", reason="the page needs the extra `web`")

from fastapi.testclient import TestClient

from petteia.foreign.trust import allow
from petteia.web.allowed import Allowed
from petteia.web.app import make_app
from petteia.web.guard import Door

NOTES = {"raising": "KeyError", "endless": "takes too long", "untargeted": "outside the viewBox"}


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setattr("petteia.web.pictures.SECONDS", 0.5)
    names = [f"{name}_board" for name in HOSTILE]
    for name, drawing in zip(names, HOSTILE.values(), strict=True):
        Path(f"{name}.py").write_text(GAME + drawing)
    allow(names)
    app = make_app(Allowed(frozenset(names)), tmp_path / "games", Door(80))
    with TestClient(app, base_url="http://127.0.0.1") as made:
        yield made
    for name in names:
        sys.modules.pop(name, None)


def test_own_drawings_do_no_harm(client: TestClient) -> None:
    """All in one, as a process that draws takes a while to start."""
    for name in ("scripted", "raising", "untargeted", "endless", "scripted"):
        page = client.post("/games", data={"game": f"{name}_board:Pass", "first": "human", "second": "human"})
        assert page.status_code == 200
        assert "<script>alert" not in page.text
        assert NOTES.get(name, "") in page.text
        assert re.findall(r'name="step" value="(\d)" id="step-\d">([ab])<', page.text) == [("0", "a"), ("1", "b")]
        if picture := re.search(r'<img src="([^"]*)"', page.text):
            drawn = client.get(picture[1])
            assert drawn.headers["content-security-policy"].endswith("sandbox")
            assert "script-src" not in drawn.headers["content-security-policy"]
