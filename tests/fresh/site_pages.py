"""What the site has besides the files of docs/: a hook of MkDocs and an extension of Griffe, named in mkdocs.yml.

A file of the repository to which a page links becomes a page, too, at its own path: a document as it is, a notebook as
its cells, any other file as a listing. README.md is the first page. The
reference reads the source without running it, except for docstrings that a decorator completes.
"""

from __future__ import annotations

import importlib
import inspect
import json
import posixpath
import re
import typing
from pathlib import Path
from types import UnionType
from typing import Any

from griffe import Class, Extension
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel

from petteia.core.options import declared

ROOT = Path(__file__).parents[2]
FIRST = "README.md"
LINK = re.compile(r"(?<=\]\()(?!\w+:|#)([^)#\s]+)")
"""the target of a link within the repository"""
NOTE = "*This page shows the cells of `{path}`. Run the notebook to see their output.*\n\n"


def linked_files(path: str) -> set[str]:
    """The files of the repository to which the file `path` links. Paths begin at the root."""
    targets = LINK.findall(content(path))
    found = {posixpath.normpath(posixpath.join(posixpath.dirname(path), target)) for target in targets}
    return {each for each in found if (ROOT / each).is_file()}


def page_path(path: str) -> str:
    """Where in the site the file `path` of the repository is."""
    if path == FIRST:
        return "index.md"
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    return path if path.endswith(".md") else f"{path.removesuffix('.ipynb')}.md"


def content(path: str) -> str:
    """The file `path` of the repository as Markdown."""
    text = (ROOT / path).read_text(encoding="utf-8") if not path.endswith((".png", ".svg")) else ""
    if path.endswith(".ipynb"):
        title, *cells = (_cell(cell) for cell in json.loads(text)["cells"])
        heading, _, rest = title.partition("\n")
        return "\n\n".join([heading, NOTE.format(path=path) + rest, *cells])
    return text if path.endswith(".md") else f"# `{path}`\n\n````{path.rpartition('.')[2]}\n{text}````\n"


def _cell(cell: dict[str, Any]) -> str:
    source = "".join(cell["source"])
    return f"```python\n{source}\n```" if cell["cell_type"] == "code" else source


def with_links(text: str, path: str) -> str:
    """The text of the file `path` with links to pages of the site in the place of links to files."""
    folder, page_folder = posixpath.dirname(path), posixpath.dirname(page_path(path))

    def changed(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(folder, found[0]))
        return posixpath.relpath(page_path(target), page_folder or ".") if (ROOT / target).is_file() else found[0]

    return LINK.sub(changed, text)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add a page for README.md, and for each file outside docs/ to which a page links."""
    to_read = {FIRST, *(f"docs/{file.src_uri}" for file in files.documentation_pages())}
    seen = set[str]()
    while to_read - seen:
        path = min(to_read - seen)
        seen.add(path)
        to_read |= linked_files(path)
        if not path.startswith("docs/"):
            page = File.generated(config, page_path(path), content=with_links(content(path), path))
            if not path.endswith((".md", ".ipynb")):
                page.inclusion = InclusionLevel.NOT_IN_NAV
            files.append(page)
    return files


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """A page of docs/ with its links to pages of the site."""
    return markdown if page.file.generated_by else with_links(markdown, f"docs/{page.file.src_uri}")


class CompletedOptions(Extension):
    """Describes the options that a class declares by its fields (`petteia.core.models.documented`) as Python does."""

    def on_class(self, *, cls: Class, **_: Any) -> None:
        """Read the docstring and the types of a class that has the decorator."""
        if cls.docstring and any(str(each.value) == "documented" for each in cls.decorators):
            completed = getattr(importlib.import_module(cls.module.path), cls.name)
            cls.docstring.value = inspect.getdoc(completed) or ""
            for name, option in declared(completed).items():
                cls.parameters[name].annotation = _type_text(option.type)


def _type_text(kind: Any) -> str:
    parts = typing.get_args(kind) if isinstance(kind, UnionType) or typing.get_origin(kind) is typing.Union else ()
    return " | ".join(map(_type_text, parts)) or ("None" if kind is type(None) else inspect.formatannotation(kind))
