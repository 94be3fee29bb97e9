"""Requests of any kind to every address of the page: a sentence or a refusal follows, never a failure of the server."""

from __future__ import annotations

import gc
import random
import re
import resource
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the page needs the extra `web`")

from fastapi.routing import APIRoute
from fastapi.testclient import TestClient

from petteia.web.allowed import Allowed
from petteia.web.app import FOLDER, make_app
from petteia.web.guard import Door

NAMED = re.compile(r'\bname="([\w-]+)"')
GAMES = ("british-square:size=3", "hare-and-hounds", "amazons:width=4,height=4")
PARTS = ("0", "1", "9", "x", "kalah", "..%2f", "page.css")
"""what stands for a part of an address that is not the name of a game"""
WORDS = (
    *("", "0", "1", "2", "-1", "99", "9" * 30, "1,2", "x", "ä", "\x00", "<script>", "../../etc/passwd", "%00"),
    *("a" * 5000, "kalah", "kalah:pits=3", *GAMES, "os:path", "human", "random", "simple", "exact", "level:3"),
    *("search:depth=99", "theta:agent=../x", "normal", "pause", "go"),
    '[Game "kalah"]\n[First "a"]\n[Second "b"]\n[Result "*"]\n\n1. 3 *',
)
NEVER = str(10**9)
"""a version that no page has, so that what tells of changes ends at once"""
WARMING = 10_000
"""the number of requests in which the server compiles what it needs, and its caches fill"""
MORE_MEMORY, MORE_THREADS = 50, 8
"""megabytes and threads that a server may need more than after these requests"""


def addresses(app: Any) -> list[tuple[str, str]]:
    """The methods and paths of the application."""
    routes = [route for route in app.routes if isinstance(route, APIRoute)]
    return [(method, route.path) for route in routes for method in sorted(route.methods)]


def fields(app: Any) -> list[str]:
    """The names of what is sent: the fields of all forms, options of rules among them, and the parameters of links."""
    templates = (path.read_text(encoding="utf-8") for path in (FOLDER / "templates").glob("*.html"))
    sent = {name for template in templates for name in NAMED.findall(template)}
    asked = {each.name for route in app.routes if isinstance(route, APIRoute) for each in route.dependant.query_params}
    return sorted(sent | asked | {"first", "second", "first-own", "second-depth", "option-pits", "option-seeds"})


def requests(app: Any, games: list[str], chance: random.Random) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Methods, paths, and what is sent."""
    known, names = [*addresses(app), ("GET", "/static/{word}"), ("GET", "/{word}")], fields(app)
    while True:
        method, path = chance.choice(known)
        words = {field: chance.choice(WORDS) for field in chance.sample(names, chance.randrange(7))}
        if chance.random() < 0.5:
            words["version"] = str(chance.randrange(6))
        if path.endswith("/events"):
            words["since"] = NEVER
        if path.startswith("/games/"):
            path = path.replace("{name}", chance.choice(games))
        yield method, re.sub(r"\{[^}]*\}", lambda _: chance.choice(PARTS), path), words


def megabytes() -> float:
    """The resident memory of this process. Its maximum would include the exports that the test itself receives."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


@pytest.mark.parametrize("count", [300, pytest.param(100_000, marks=pytest.mark.heavy)])
def test_no_request_makes_the_server_fail_or_grow(tmp_path: Path, count: int) -> None:
    chance = random.Random(5)
    guarded = make_app(Allowed(frozenset()), tmp_path, Door(80))
    with TestClient(
        guarded, base_url="http://127.0.0.1", raise_server_exceptions=False, follow_redirects=False
    ) as client:
        games = ["AAAAAAAAAAAAAAAA", "x"]
        for name in GAMES:
            answer = client.post("/games", data={"game": name, "first": "human", "second": "human"})
            games.append(answer.headers["location"].rpartition("/")[2])
        for number, (method, path, words) in enumerate(requests(guarded.app, games, chance)):
            if number == min(WARMING, count - 1):
                held, threads = megabytes(), threading.active_count()
            if number == count:
                break
            answer = client.post(path, data=words) if method == "POST" else client.get(path, params=words)
            assert answer.status_code < 500, (path, words, answer.text)
        print(
            f"{count:,} requests; {held:.0f} MB after the first {min(WARMING, count):,}, {megabytes():.0f} MB after all"
        )
        assert megabytes() < held + MORE_MEMORY
        assert threading.active_count() <= threads + MORE_THREADS
