"""Where the server listens and whom it lets in, as the command line says."""

from __future__ import annotations

import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from petteia.cli import main
from petteia.web.guard import Door
from petteia.web.serve import _listening, read_players


@pytest.mark.parametrize(
    ("text", "players"),
    [
        ("human,random", ["human", "random"]),
        ("human,theta:depth=5", ["human", "theta:depth=5"]),
        ("q:agent=x,epsilon=.1,human", ["q:agent=x,epsilon=.1", "human"]),
        ("human", ["human"]),
    ],
)
def test_two_players_with_a_comma_between_them(text: str, players: list[str]) -> None:
    assert read_players(text) == players


def test_hosts() -> None:
    local, wide = Door(80), Door(80, frozenset(["play.example"]), "token")
    for host, by_local, by_wide in (
        ("127.0.0.1:80", True, True),
        ("localhost", True, True),
        ("[::1]:80", True, True),
        ("10.1.2.3:80", False, True),
        ("play.example", False, True),
        ("elsewhere.example", False, False),
    ):
        assert (local.knows(host), wide.knows(host)) == (by_local, by_wide)


def test_mistakes_are_a_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pytest.importorskip("uvicorn", reason="the page needs the extra `web`")
    state = ["--state", str(tmp_path), "--port", "0"]
    for arguments, words in (
        (["kalah", "--players", "human"], "give two players"),
        (["nonsense"], "there is no game"),
        (["kalah", "--players", "human,nonsense"], "there is no player"),
        (["kalah", "--clock", "60+"], "clock='60+': must be K/SECONDS"),
        (["kalah", "--clock", "0"], "the seconds must be more than 0"),
        (["--clock", "60"], "clock: this argument is allowed only with a game"),
        (["--players", "human,human"], "players: this argument is allowed only with a game"),
        (["--host", "203.0.113.7"], "choose another"),
    ):
        assert main(["web", *arguments, *state]) in (1, 2)
        told = capsys.readouterr().err
        assert words in told
        assert told.count("\n") == 1


def test_answers_do_not_wait_for_acknowledgements() -> None:
    """Connections send what is small at once (TCP_NODELAY); else each page waits 40 ms."""
    with _listening("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname()):
        connection, _ = listener.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_game_is_opened_at_once(tmp_path: Path) -> None:
    pytest.importorskip("uvicorn", reason="the page needs the extra `web`")
    command = [sys.executable, "-m", "petteia", "web", "kalah", "--port", "0"]
    for more, link in ((["--players", "human,random"], "http://127.0.0.1:"), (["--host", "0.0.0.0"], "?token=")):
        with subprocess.Popen(
            [*command, "--state", str(tmp_path), *more], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as process:
            assert process.stdout is not None
            printed = process.stdout.readline()
            process.terminate()
        assert "/games/" in printed
        assert link in printed


def test_a_game_under_a_clock_is_opened_at_once(tmp_path: Path) -> None:
    pytest.importorskip("uvicorn", reason="the page needs the extra `web`")
    command = [sys.executable, "-m", "petteia", "web", "british-square", "--players", "human,human"]
    with subprocess.Popen(
        [*command, "--clock", "2/75+1", "--port", "0", "--state", str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        with urllib.request.urlopen(process.stdout.readline().strip()) as answer:
            page = answer.read().decode()
        process.terminate()
    assert page.count(">1:15</span> for 2 moves") == 2
