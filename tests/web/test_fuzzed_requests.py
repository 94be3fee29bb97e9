"""Requests of any kind to any address of the page: a sentence or a refusal follows, never a failure of the server."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the page needs the extra `web`")

from fastapi.testclient import TestClient

from petteia.web.allowed import Allowed
from petteia.web.app import make_app
from petteia.web.guard import Door

GETS = (
    "/",
    "/new",
    "/thumbnails/{word}.svg",
    "/games/{game}",
    "/games/{game}/record.txt",
    "/games/{game}/frames",
    "/games/{game}/pictures/{word}/{word}.svg",
    "/games/{game}/frames/{word}/{word}/{word}.svg",
    "/games/{game}/analysis",
    "/static/{word}",
    "/{word}",
)
POSTS = (
    "/setup",
    "/games",
    *(f"/games/{{game}}/{what}" for what in ["step", "undo", "redo", "resign", "turn", "pace", "ask", "again"]),
)
FIELDS = (
    *("game", "first", "second", "first-own", "second-own", "first-depth", "position", "record", "random"),
    *("version", "begun", "step", "ply", "by", "own", "review", "since", "player", "pace", "do"),
    *("option-pits", "option-seeds"),
)
WORDS = (
    *(
        "",
        "0",
        "1",
        "2",
        "-1",
        "99",
        "9" * 30,
        "1,2",
        "x",
        "ä",
        "\x00",
        "<script>",
        "../../etc/passwd",
        "%00",
        "a" * 5000,
    ),
    *(
        "kalah",
        "kalah:pits=3",
        "british-square:size=3",
        "hare-and-hounds",
        "amazons:width=4,height=4",
        "os:path",
        "human",
    ),
    *("random", "simple", "exact", "level:3", "search:depth=99", "theta:agent=../x", "normal", "pause", "go"),
    '[Game "kalah"]\n[First "a"]\n[Second "b"]\n[Result "*"]\n\n1. 3 *',
)


@pytest.mark.parametrize("count", [200, pytest.param(100_000, marks=pytest.mark.heavy)])
def test_no_request_makes_the_server_fail(tmp_path: Path, count: int) -> None:
    chance = random.Random(5)
    with TestClient(
        make_app(Allowed(frozenset()), tmp_path, Door(80)),
        base_url="http://127.0.0.1",
        raise_server_exceptions=False,
        follow_redirects=False,
    ) as client:
        games = ["AAAAAAAAAAAAAAAA", "x"]
        for name in ("british-square:size=3", "hare-and-hounds", "amazons:width=4,height=4"):
            answer = client.post("/games", data={"game": name, "first": "human", "second": "human"})
            games.append(answer.headers["location"].rpartition("/")[2])
        for _ in range(count):
            words = {field: chance.choice(WORDS) for field in chance.sample(FIELDS, chance.randrange(7))}
            if chance.random() < 0.5:
                words["version"] = str(chance.randrange(6))
            is_post = chance.random() < 0.5
            path = chance.choice(POSTS if is_post else GETS)
            while "{word}" in path:
                path = path.replace("{word}", chance.choice(("0", "1", "9", "x", "kalah", "..%2f", "page.css")), 1)
            path = path.replace("{game}", chance.choice(games))
            answer = client.post(path, data=words) if is_post else client.get(path, params=words)
            assert answer.status_code < 500, (path, words, answer.text)
