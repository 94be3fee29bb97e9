"""The texts of the page stand in one file, which holds no text that is not used."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("fastapi", reason="the page needs the extra `web`")

from petteia.web.app import FOLDER
from petteia.web.words import counted, words

MADE = r"(over|kind|pace|result)_\w+|\w+_one"
"""names that are put together"""


def test_all_texts_are_used() -> None:
    files = [*FOLDER.glob("*.py"), *(FOLDER / "templates").glob("*.html")]
    source = "\n".join(file.read_text(encoding="utf-8") for file in files)
    used = {*re.findall(r"\bwords\.(\w+)", source), *re.findall(r"[\"'](\w+)[\"']", source)}
    assert [name for name in words() if name not in used and not re.fullmatch(MADE, name)] == []


def test_one_is_counted_like_no_other_number() -> None:
    assert [counted("clock_moves", count) for count in (0, 1, 2)] == ["for 0 moves", "for 1 move", "for 2 moves"]
