"""The texts of the project that people read: documents, docstrings, comments, messages, help, pages and notebooks."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from folders import ROOT

PACKAGE = ROOT / "src" / "petteia"
TOP = ("README.md", "ARCHITECTURE.md", "BENCHMARKS.md", "CHANGELOG.md", "CONTRIBUTING.md")
FOREIGN = ("*.min.js", "*.LICENSE.txt")
"""Files of other projects."""
CODE = re.compile(r"^```.*?^```$|`[^`]*`|\]\([^)]*\)|\{\{.*?\}\}|\{%.*?%\}", re.MULTILINE | re.DOTALL)
"""Blocks of code, code within a line, targets of links, and expressions of templates."""
COMMENTS = re.compile(r"^[ \t]*# .*(?:\n[ \t]*# .*)*|(?<=  )# .*", re.MULTILINE)
"""Comments of Python; whole lines of comments that follow each other are one comment."""
TAGS = re.compile(r"<[^>]*>")


class Text(NamedTuple):
    """A text that people read."""

    line: int
    """the line of the file in which it begins"""
    words: str
    """the text, without code"""


def documents() -> list[Path]:
    """All documents and notebooks."""
    folders = (ROOT / "docs").rglob("*.md"), (ROOT / "notebooks").glob("*.ipynb")
    return [*(ROOT / name for name in TOP), *(path for folder in folders for path in sorted(folder))]


def files_of(room: str) -> list[Path]:
    """The files of a folder or module of the package that contain texts."""
    place = PACKAGE / room
    found = sorted(place.rglob("*")) if place.is_dir() else [place.with_suffix(".py")]
    return [path for path in found if path.suffix in READERS and not any(map(path.match, FOREIGN))]


def texts_of(path: Path) -> list[Text]:
    """The texts in a file, without code."""
    content = path.read_text(encoding="utf-8")
    return [Text(line, CODE.sub(_blank, words)) for line, words in READERS[path.suffix](content)]


def _of_python(content: str) -> Iterator[Text]:
    """Docstrings, texts of two words or more, and comments."""
    parts = set[ast.AST]()
    for node in ast.walk(ast.parse(content)):
        words = ""
        if isinstance(node, ast.JoinedStr):
            parts |= set(node.values)
            words = " … ".join(str(each.value) for each in node.values if isinstance(each, ast.Constant))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in parts:
            words = node.value
        if " " in words:
            yield Text(node.lineno, words)
    for found in COMMENTS.finditer(content):
        yield Text(_line(content, found.start()), re.sub(r"^[ \t]*#", "", found[0], flags=re.MULTILINE))


def _of_notebook(content: str) -> Iterator[Text]:
    """Cells of text, and comments in cells of code. Their lines are counted within the cell."""
    for cell in json.loads(content)["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            yield Text(1, source)
        else:
            yield from (Text(_line(source, found.start()), found[0]) for found in COMMENTS.finditer(source))


def _as_it_is(content: str) -> Iterator[Text]:
    yield Text(1, content)


def _of_page(content: str) -> Iterator[Text]:
    yield Text(1, TAGS.sub(_blank, content))


def _line(content: str, place: int) -> int:
    return content.count("\n", 0, place) + 1


def _blank(found: re.Match[str]) -> str:
    return "\n" * found[0].count("\n")


READERS = {
    ".py": _of_python,
    ".md": _as_it_is,
    ".toml": _as_it_is,
    ".html": _of_page,
    ".js": _as_it_is,
    ".css": _as_it_is,
    ".ipynb": _of_notebook,
}
"""The function that finds the texts of each kind of file."""
