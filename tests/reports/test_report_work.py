"""Work of reports: what is computed and what is played is kept, and is the same in any order."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from petteia.core.errors import InvalidError
from petteia.reports.engine.work import Work, duration


def worked(folder: Path, jobs: int = 1) -> tuple[Work, list[tuple[int, int, str]]]:
    told: list[tuple[int, int, str]] = []
    folder.mkdir(exist_ok=True)
    return Work(folder, "quick", None, jobs, lambda *words: told.append(words)), told


def failing(*arguments: Any) -> Any:
    raise AssertionError("it was computed again")


def test_what_was_computed_is_kept(tmp_path: Path) -> None:
    work, _ = worked(tmp_path)
    assert work.kept("sum", {"numbers": (1, 2)}, lambda: {"sum": 3.5}) == {"sum": 3.5}
    assert work.kept("sum", {"numbers": (1, 2)}, failing) == {"sum": 3.5}
    assert work.kept("sum", {"numbers": (1, 3)}, lambda: {"sum": 4}) == {"sum": 4}, "it depends on its arguments"


def test_rows_are_kept_one_by_one(tmp_path: Path) -> None:
    work, told = worked(tmp_path)

    def compute(key: str) -> Any:
        if key == "bad":
            raise KeyboardInterrupt
        return {"result": key * 2}

    with pytest.raises(KeyboardInterrupt):
        work.kept_rows("rows", ["a", "bad"], compute, "rows")
    assert work.kept_rows("rows", ["a"], failing, "rows") == {"a": {"result": "aa"}}
    assert work.kept_rows("rows", ["b", "a", "b"], compute, "rows")["b"] == {"result": "bb"}
    assert told[-1] == (2, 2, "rows")


def test_what_is_kept_is_of_its_kind_and_unchanged(tmp_path: Path) -> None:
    work, _ = worked(tmp_path)
    work.kept("sum", {}, lambda: "three")
    with pytest.raises(InvalidError, match=r"sum.json: is damaged: it does not hold what is kept there; remove it"):
        work.kept("sum", {}, failing, int)
    (file,) = tmp_path.rglob("sum.json")
    file.write_text(file.read_text().replace("three", "throw"))
    with pytest.raises(InvalidError, match=r"sum.json: is damaged: its checksum does not match"):
        work.kept("sum", {}, failing)
    work.kept_rows("rows", ["a"], lambda key: key, "rows")
    (file,) = tmp_path.rglob("rows.jsonl")
    file.rename(file.with_name("other.jsonl"))
    with pytest.raises(InvalidError, match=r"other.jsonl, line 1: is damaged"):
        work.kept_rows("other", ["a"], failing, "rows")


def test_durations() -> None:
    assert [duration(each) for each in (3.25, 89.0, 120.0, 43_200.0)] == [
        *("3.2 seconds", "89.0 seconds", "2 minutes", "12 hours")
    ]


def test_what_is_kept_is_json(tmp_path: Path) -> None:
    work, _ = worked(tmp_path)
    assert work.kept("numbers", {}, lambda: (1.0, np.float64(0.1).item())) == [1.0, 0.1]
    assert json.loads((tmp_path / "kept" / "numbers.json").read_text())["result"] == [1.0, 0.1]
