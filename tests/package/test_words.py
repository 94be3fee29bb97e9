"""All texts use the words of docs/glossary.md, and none that CONTRIBUTING.md lists as no longer used."""

from __future__ import annotations

import functools
import re
from pathlib import Path

import pytest
from folders import ROOT
from prose import PACKAGE, Text, documents, files_of, texts_of

CONTRIBUTING = ROOT / "CONTRIBUTING.md"
TABLE = re.compile(r"^\| no longer used \| use instead \|\n\|---\|---\|\n((?:\|.*\n)+)", re.MULTILINE)
ROOMS = sorted(
    path.stem for path in PACKAGE.iterdir() if (path.is_dir() or path.suffix == ".py") and path.stem[0] != "_"
)
PRECISE = {
    "in the mean": r"\bin\s+the\s+mean\b(?!\s+score)",
    "of ours": r"(?<!\bone )\bof\s+ours\b",
}
"""The regular expressions of words that have another meaning, too: `in the mean score`, `one of ours`."""


@functools.cache
def unused_words() -> dict[str, str]:
    """The words of the first column of the table in CONTRIBUTING.md, each with the words to use instead."""
    table = TABLE.search(CONTRIBUTING.read_text(encoding="utf-8"))
    assert table, "CONTRIBUTING.md: the table of words that are no longer used is missing"
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in table[1].splitlines()]
    return {word: instead for words, instead in rows for word in words.split(", ")}


def pattern(word: str) -> str:
    """The regular expression that finds a word or phrase, even across a line break."""
    return PRECISE.get(word, r"\b" + r"\s+".join(map(re.escape, word.split())) + r"\b")


def unused_words_in(text: Text) -> list[str]:
    """A message for each place of `text` in which an unused word stands."""
    words = TABLE.sub("", text.words)
    return [
        f"line {text.line + words.count(chr(10), 0, found.start())}: {word!r}; use instead: {instead}"
        for word, instead in unused_words().items()
        for found in re.finditer(pattern(word), words, re.IGNORECASE)
    ]


def found_in(path: Path) -> list[str]:
    """The messages about a file."""
    name = path.relative_to(ROOT)
    return [f"{name}, {each}" for text in texts_of(path) for each in unused_words_in(text)]


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.name)
def test_a_document_has_no_unused_word(path: Path) -> None:
    assert found_in(path) == []


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_has_no_unused_word(room: str) -> None:
    assert [each for path in files_of(room) for each in found_in(path)] == []


def test_unused_words_are_found_in_texts_alone(tmp_path: Path) -> None:
    document, module = tmp_path / "page.md", tmp_path / "module.py"
    document.write_text("It scores 0.5\nin the\nmean.\n`in the mean` and\n```\nin the mean\n```\n[a link](one's own)\n")
    module.write_text(
        '"""The score\nin the mean."""\n\nin_the_mean = verb = 1\n"""the value in the\nmean"""\n'
        'MESSAGE = f"{verb} in " f"the mean"\nKEY = "verb"\n# also where\n#   two  # known are\n'
    )
    found = [
        [each.split(";")[0] for text in texts_of(path) for each in unused_words_in(text)] for path in (document, module)
    ]
    assert found == [
        ["line 2: 'in the mean'"],
        [
            "line 2: 'in the mean'",
            "line 5: 'in the mean'",
            "line 7: 'in the mean'",
            "line 9: 'also where'",
            "line 10: 'known are'",
        ],
    ]
