"""Servers that are killed in games: what a page has shown is there when the server is started again."""

from __future__ import annotations

import http.client
import random
import re
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

import pytest

pytest.importorskip("uvicorn", reason="the page needs the extra `web`")

GAMES = (
    ("british-square", "human"),
    ("british-square", "random"),
    ("hare-and-hounds:stall=99", "human"),
    ("kalah:seeds=6", "random"),
)
Shown = dict[str, list[str]]
"""the moves that a page has shown last, by the address of the game"""


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address of a server, and its process, which is killed in the end."""
    command = [sys.executable, "-m", "petteia", "web", "--port", "0", "--state", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip().rstrip("/"), process
        finally:
            process.kill()


def opened(address: str, fields: dict[str, str] | None = None) -> tuple[str, str]:
    """The page that comes, and its path without a query."""
    sent = None if fields is None else urlencode(fields).encode()
    with urllib.request.urlopen(address, sent, timeout=30) as answer:
        return answer.read().decode(), re.sub(r"^https?://[^/]*|\?.*", "", answer.url)


def field(page: str, name: str) -> str:
    return unescape(re.findall(rf'name="{name}" value="([^"]*)"', page)[0])


def moves(page: str) -> list[str]:
    """The moves in the list of a game."""
    return [unescape(move) for move in re.findall(r'id="ply-\d+"[^>]*><span[^>]*>[^<]*</span> ([^<]*)</a>', page)]


def play(site: str, number: int, shown: Shown, seen: threading.Semaphore) -> None:
    """Play games until the server is gone; `seen` counts the pages that are seen."""
    chance = random.Random(number)
    game, second = GAMES[number % len(GAMES)]
    with suppress(urllib.error.URLError, ConnectionError, http.client.HTTPException):
        while True:
            page, path = opened(f"{site}/games", {"game": game, "first": "human", "second": second})
            while True:
                shown[path] = moves(page)
                seen.release()
                steps = re.findall(r'name="step" value="(\d+)" id="step-\d+"(?: class="on"|>)', page)
                if steps:
                    sent = {name: field(page, name) for name in ("version", "begun")}
                    page, _ = opened(f"{site}{path}/step", sent | {"step": chance.choice(steps)})
                elif "data-events" in page:
                    page, _ = opened(site + path)
                else:
                    break


@pytest.mark.parametrize("kills", [1, pytest.param(20, marks=pytest.mark.heavy)])
def test_a_killed_server_has_kept_what_it_has_shown(tmp_path: Path, kills: int) -> None:
    chance, shown = random.Random(1), Shown()
    for kill in range(kills):
        seen = threading.Semaphore(0)
        with served(tmp_path) as (site, process):
            players = [
                threading.Thread(target=play, args=(site, 10 * kill + one, shown, seen)) for one in range(len(GAMES))
            ]
            for player in players:
                player.start()
            for _ in range(chance.randrange(10, 100)):
                assert seen.acquire(timeout=60)
            process.kill()
            for player in players:
                player.join()
        with served(tmp_path) as (site, process):
            for path, moves_shown in shown.items():
                assert moves(opened(site + path)[0])[: len(moves_shown)] == moves_shown
        assert any(shown.values())
