"""The page of a report: whole, self-contained, and true to the run it shows."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from petteia.core.errors import UsageError
from petteia.records.game_record import read_record
from petteia.reports import hare_and_hounds, report


@pytest.fixture
def shortened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hare_and_hounds, "GAMES", 3000)
    monkeypatch.setattr(hare_and_hounds, "TENTH", 1)
    monkeypatch.setattr(hare_and_hounds, "EVALUATION", 50)
    monkeypatch.setattr(hare_and_hounds, "MATCH_GAMES", 200)


@pytest.mark.usefixtures("shortened")
def test_page_of_hare_and_hounds(tmp_path: Path) -> None:
    made = report("hare-and-hounds", folder=tmp_path / "reports", runs=tmp_path / "runs", seed=3)
    folder = made.page.parent
    text = made.page.read_text()
    assert folder == tmp_path / "reports" / "hare-and-hounds"
    assert json.loads((folder / "summary.json").read_text()) == made.summary
    elsewhere = re.findall(r'(?:src|href)="(?!#)[^"]*"|url\((?!#)[^)]*\)|@import', text)
    assert not elsewhere, "the page must need nothing else"
    record = read_record((folder / "game.txt").read_text())
    assert text.count("<figure>") == 2 + 1 + len(record.moves)
    assert f"{made.summary['match']['wins'] / 200:.2%}" in text
    assert len((folder / "points.csv").read_text().splitlines()) == 1 + 10
    assert f"q:agent={tmp_path / 'runs'}" in text


@pytest.mark.usefixtures("shortened")
def test_same_seed_same_page(tmp_path: Path) -> None:
    pages = []
    for name in ("one", "two"):
        made = report("hare-and-hounds", folder=tmp_path / name, runs=tmp_path / name / "runs", seed=3)
        pages.append(made.page.read_text().replace(f"/{name}/", "/"))
    assert pages[0] == pages[1]


def test_unknown_report() -> None:
    with pytest.raises(UsageError, match="no report 'chess'; known are hare-and-hounds"):
        report("chess")
