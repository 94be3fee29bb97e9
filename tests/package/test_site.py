"""The documentation site: every public object has an entry, no link is dead, and nothing is loaded from elsewhere."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from inspect import signature
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from folders import ROOT

import petteia

PUBLIC = [name for name in petteia.__all__ if name != "__version__"]
DIRECTIVE = re.compile(r"^::: (\S+)$", re.MULTILINE)
DESCRIBED = [
    name
    for path in sorted((ROOT / "docs" / "reference").glob("*.md"))
    for name in DIRECTIVE.findall(path.read_text(encoding="utf-8"))
]
"""the objects that pages of the reference name"""
OF_OTHERS = {"AECEnv", "Any", "Iterator", "Path", "Rules"}
"""what functions return besides: classes of other packages, and a name of the protocol"""
LOADED = re.compile(r"""(?:url\(|@import )["']?(?:https?:)?//""")
"""what makes a style sheet load a file from elsewhere"""


def public_methods(cls: type) -> list[str]:
    """The names of the public methods and properties of a class."""
    return [name for name, each in vars(cls).items() if name[0] != "_" and isinstance(each, FunctionType | property)]


def test_the_reference_describes_every_public_object_once() -> None:
    assert len(DESCRIBED) == len(set(DESCRIBED))
    assert {name for name in DESCRIBED if name.count(".") == 1} == {f"petteia.{name}" for name in PUBLIC}


def test_the_reference_describes_what_functions_return() -> None:
    functions = [getattr(petteia, name) for name in PUBLIC if inspect.isfunction(getattr(petteia, name))]
    returned = {
        word for each in functions for word in re.findall(r"\b[A-Z]\w+", str(signature(each).return_annotation))
    }
    assert returned >= {"Training", "MatchResult", "Position"}
    assert returned - {name.rpartition(".")[2] for name in DESCRIBED} == OF_OTHERS


class Page(NamedTuple):
    """What a page of the site has."""

    anchors: set[str]
    links: list[str]
    """targets of links"""
    loaded: list[str]
    """what a browser loads to show the page"""


class Reader(HTMLParser):
    """Collects what a page has."""

    def __init__(self) -> None:
        super().__init__()
        self.page = Page(set(), [], [])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value for name, value in attrs if value is not None}
        self.page.anchors.update(given[name] for name in ("id", "name") if name in given)
        if "href" in given:
            (self.page.loaded if tag == "link" else self.page.links).append(given["href"])
        if "src" in given:
            self.page.loaded.append(given["src"])


def read(text: str) -> Page:
    reader = Reader()
    reader.feed(text)
    return reader.page


def dead_links(path: str, pages: dict[str, Page], files: set[str]) -> Iterator[str]:
    """The links of a page, and what it loads, that lead to no file of the site, or to no anchor of a page."""
    for link in (*pages[path].links, *pages[path].loaded):
        target = urlsplit(urljoin(f"//site/{path}", link))
        if target.scheme or target.netloc != "site":
            continue
        file, anchor = unquote(target.path).lstrip("/") or "index.html", unquote(target.fragment)
        file = "index.html" if file == "." else file
        if file not in files or (anchor and anchor not in pages[file].anchors):
            yield f"{path}: {link}"


def from_elsewhere(page: Page) -> list[str]:
    return [each for each in page.loaded if urlsplit(each).scheme not in ("", "data") or each.startswith("//")]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built without a warning."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Page]:
    return {str(path.relative_to(site)): read(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}


@pytest.mark.slow
def test_no_link_of_the_site_is_dead(site: Path, pages: dict[str, Page]) -> None:
    files = {str(path.relative_to(site)) for path in site.rglob("*") if path.is_file()}
    assert len(pages) > 40
    assert not [link for path in pages for link in dead_links(path, pages, files)]


@pytest.mark.slow
def test_nothing_is_loaded_from_elsewhere(site: Path, pages: dict[str, Page]) -> None:
    assert not {path: found for path, page in pages.items() if (found := from_elsewhere(page))}
    styles = [path.read_text(encoding="utf-8") for path in site.rglob("*.css")]
    assert styles
    assert not [found for text in styles for found in LOADED.findall(text)]


@pytest.mark.slow
def test_public_objects_and_their_methods_have_anchors(pages: dict[str, Page]) -> None:
    anchors = {anchor for path, page in pages.items() if path.startswith("reference/") for anchor in page.anchors}
    classes = [name for name in PUBLIC if inspect.isclass(getattr(petteia, name))]
    methods = {f"{name}.{each}" for name in classes for each in public_methods(getattr(petteia, name))}
    assert methods >= {"Session.play", "Position.moves", "Sprt.verdict"}
    assert {f"petteia.{name}" for name in {*PUBLIC, *methods}} - anchors == set()


@pytest.mark.browser
def test_the_search_works_from_a_disk_and_asks_nobody(site: Path, browser: Any) -> None:
    page = browser.new_page()
    asked = list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.goto((site / "index.html").as_uri())
    page.fill("input.md-search__input", "regret")
    page.wait_for_selector(".md-search-result__link[href*='matches.html']")
    assert not [url for url in asked if not url.startswith("file:")]


def test_dead_links_and_files_from_elsewhere_are_found() -> None:
    text = (
        '<h1 id="top"><a href="b.html#gone"><a href="#top"><a href="c.html"><a href="https://a.org"><img src="//a/b">'
    )
    pages = {"a.html": read(text), "b.html": read("<p>")}
    assert list(dead_links("a.html", pages, set(pages))) == ["a.html: b.html#gone", "a.html: c.html"]
    assert from_elsewhere(pages["a.html"]) == ["//a/b"]
