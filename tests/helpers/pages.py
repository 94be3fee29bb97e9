"""The page as a program sees it: what its forms hold, and sending them."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from petteia.web.allowed import Allowed
from petteia.web.app import make_app
from petteia.web.games import Games
from petteia.web.guard import Door

HOST = "http://127.0.0.1"
NOTHING, LOCAL = Allowed(frozenset()), Door(80)


def client_of(folder: Path, allowed: Allowed = NOTHING, door: Door = LOCAL) -> TestClient:
    return TestClient(make_app(allowed, folder, door), base_url=HOST)


def games_of(client: TestClient) -> Games:
    games: Games = client.app.games  # type: ignore[attr-defined]  # the application is a Guard, which holds its games
    return games


def begin(client: TestClient, game: str, first: str = "human", second: str = "human", **more: str) -> Any:
    return client.post("/games", data={"game": game, "first": first, "second": second, **more})


def field(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert found, name
    return unescape(found[1])


def choices(page: str) -> list[str]:
    return re.findall(r'<button form="steps" name="step" value="(\d+)"(?! id="step-\d+" class="anew")', page)


def address(answer: Any) -> str:
    return re.sub(r"\?.*", "", str(answer.url))


def choose(client: TestClient, answer: Any, step: str) -> Any:
    sent = {"version": field(answer.text, "version"), "begun": field(answer.text, "begun"), "step": step}
    return client.post(f"{address(answer)}/step", data=sent)


def do(client: TestClient, answer: Any, what: str, **more: str) -> Any:
    return client.post(f"{address(answer)}/{what}", data={"version": field(answer.text, "version"), **more})


def status(page: str) -> str:
    found = re.search(r'role="status"[^>]*>([^<]*)<', page)
    assert found
    return unescape(found[1])
