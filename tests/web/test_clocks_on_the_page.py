"""Clocks on the page: they run while somebody thinks, are set back by an undo, and who has no time left has lost."""

from __future__ import annotations

import re
import time
from html import unescape
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the page needs the extra `web`")

from fastapi.testclient import TestClient
from pages import address, begin, choices, choose, client_of, do, status


def faces(page: str) -> list[str]:
    """What the clocks show."""
    found = re.findall(r'<span role="timer"[^>]*>([^<]*)</span>([^<]*)</dd>', page)
    return [unescape(f"{text}{moves}").strip() for text, moves in found]


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds that pass when the test says so."""
    clock = [100.0]
    monkeypatch.setattr("petteia.web.game.time.monotonic", lambda: clock[0])
    return clock


def first(client: TestClient, answer: Any) -> Any:
    return choose(client, answer, choices(answer.text)[0])


def test_time_runs_for_who_is_to_move_and_is_set_back(tmp_path: Path, now: list[float]) -> None:
    with client_of(tmp_path) as client:
        answer = begin(client, "british-square", clock="90+2")
        assert faces(answer.text) == ["1:30", "1:30"]
        now[0] += 20
        assert faces(client.get(address(answer)).text) == ["1:10", "1:30"]
        answer = first(client, answer)
        assert faces(answer.text) == ["1:12", "1:30"]
        now[0] += 31
        answer = first(client, answer)
        assert faces(answer.text) == ["1:12", "1:01"]
    with client_of(tmp_path) as client:
        answer = client.get(address(answer))
        assert faces(answer.text) == ["1:12", "1:01"]
        undone = do(client, answer, "undo")
        assert faces(undone.text) == ["1:12", "1:30"]
        assert faces(do(client, undone, "redo").text) == ["1:12", "1:32"]


def test_time_begins_when_the_game_is_first_shown(tmp_path: Path, now: list[float]) -> None:
    with client_of(tmp_path) as client:
        answer = client.post("/games", data={"game": "british-square", "clock": "90"}, follow_redirects=False)
        now[0] += 20
        answer = client.get(answer.headers["location"])
        assert faces(answer.text) == ["1:30", "1:30"]
        now[0] += 20
        assert faces(client.get(address(answer)).text) == ["1:10", "1:30"]


def test_who_has_no_time_left_has_lost(tmp_path: Path, now: list[float]) -> None:
    with client_of(tmp_path) as client:
        answer = first(client, begin(client, "hare-and-hounds", clock="30"))
        now[0] += 31
        late = first(client, answer)
        lost = "ran out of time"
        assert lost in status(late.text)
        assert faces(late.text) == ["0:00", "0:30"]  # the hounds, who are player 1, begin
        record = client.get(f"{address(answer)}/record.txt").text
        assert "(timeout)" in record
        assert "data-events" not in late.text
    with client_of(tmp_path) as client:
        assert lost in status(client.get(address(answer)).text)
        assert client.get(f"{address(answer)}/record.txt").text == record
        assert "lost" not in status(do(client, client.get(address(answer)), "undo").text)


def test_a_clock_for_some_moves(tmp_path: Path, now: list[float]) -> None:
    with client_of(tmp_path) as client:
        answer = begin(client, "british-square", clock="2/10")
        assert faces(answer.text) == ["0:10 for 2 moves", "0:10 for 2 moves"]
        answer = first(client, first(client, answer))
        assert faces(answer.text) == ["0:10 for 1 move", "0:10 for 1 move"]
        now[0] += 4
        assert faces(first(client, answer).text) == ["0:16 for 2 moves", "0:10 for 1 move"]


def test_a_program_divides_its_time(tmp_path: Path) -> None:
    with client_of(tmp_path) as client:
        answer = begin(client, "kalah:pits=3,seeds=2", second="search:time=9", clock="10")
        answer = first(client, answer)
        began = time.process_time()
        for _ in range(400):
            answer = client.get(address(answer))
            if choices(answer.text) or "wins" in status(answer.text):
                break
            time.sleep(0.02)
        assert time.process_time() > began
        assert "time" not in status(answer.text)
        assert faces(answer.text)[1] in ("0:10", "0:09", "0:08")


@pytest.mark.parametrize("text", ["x", "0", "-1", "1/", "5/x", "nan", "60+"])
def test_what_is_no_clock_is_a_sentence(tmp_path: Path, text: str) -> None:
    with client_of(tmp_path) as client:
        answer = begin(client, "kalah", clock=text)
        assert answer.status_code == 422
        assert "clock=" in answer.text
