"""The documents use the words of docs/glossary.md, and none that CONTRIBUTING.md lists as no longer used."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from folders import ROOT

CONTRIBUTING = ROOT / "CONTRIBUTING.md"
REFERENCE = ROOT / "docs" / "cli.md"
"""written by `make docs` from the help of the commands"""
TOP = ("README.md", "ARCHITECTURE.md", "BENCHMARKS.md", "CHANGELOG.md", "CONTRIBUTING.md")
DOCUMENTS = [ROOT / name for name in TOP] + sorted({*(ROOT / "docs").glob("*.md")} - {REFERENCE})
TABLE = re.compile(r"^\| no longer used \| use instead \|\n\|---\|---\|\n((?:\|.*\n)+)", re.MULTILINE)
CODE = re.compile(r"^```.*?^```$|`[^`]*`|\]\([^)]*\)", re.MULTILINE | re.DOTALL)
"""blocks of code, code within a line, and targets of links"""


def unused_words() -> dict[str, str]:
    """The words of the first column of the table in CONTRIBUTING.md, each with those to use instead."""
    table = TABLE.search(CONTRIBUTING.read_text(encoding="utf-8"))
    assert table, "CONTRIBUTING.md: the table of words that are no longer used is missing"
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in table[1].splitlines()]
    return {word: instead for words, instead in rows for word in words.split(", ")}


def prose(text: str) -> str:
    """The text of a document without code, link targets and the table of words; line breaks are kept."""
    without_table = TABLE.sub(_blank, text)
    return CODE.sub(_blank, without_table)


def _blank(found: re.Match[str]) -> str:
    return "\n" * found[0].count("\n")


def pattern(word: str) -> str:
    """The regular expression that finds a word or phrase, even across a line break."""
    return r"\b" + r"\s+".join(map(re.escape, word.split())) + r"\b"


def unused_words_in(text: str) -> list[str]:
    """A message for each place of `text` in which an unused word stands."""
    plain = prose(text)
    return [
        f"line {plain.count(chr(10), 0, found.start()) + 1}: {word!r}; use instead: {instead}"
        for word, instead in unused_words().items()
        for found in re.finditer(pattern(word), plain, re.IGNORECASE)
    ]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_a_document_has_no_unused_word(path: Path) -> None:
    assert unused_words_in(path.read_text(encoding="utf-8")) == []


def test_unused_words_are_found_in_prose_alone() -> None:
    assert unused_words_in("It scores 0.5\nin the\nmean.") == ["line 2: 'in the mean'; use instead: on average"]
    assert unused_words_in("`in the mean` and\n```\nin the mean\n```\n[a link](one's own)") == []
