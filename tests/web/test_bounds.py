"""What the server bounds: games that are held and kept, and the time of a move; what it says of what it cannot use."""

from __future__ import annotations

import re
import time
from html import unescape
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the page needs the extra `web`")

from pages import address, begin, choices, choose, client_of

PATIENCE = 60.0
"""seconds within which a search is compiled and has come to the end of its budget"""


def alert(page: str) -> str:
    found = re.search(r'role="alert"[^>]*>([^<]*)<', page)
    return unescape(found[1]) if found else ""


def test_games_are_bounded_in_memory_and_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("petteia.web.games.MAX_IN_MEMORY", 2)
    monkeypatch.setattr("petteia.web.shelf.MAX_KEPT", 4)
    with client_of(tmp_path) as client:
        places = [address(begin(client, "british-square:size=3")) for _ in range(8)]
        assert len(list(tmp_path.glob("*.json"))) == 4
        assert client.get(places[-3]).status_code == 200  # on disk alone
    with client_of(tmp_path) as client:  # as a game is held as long as anything works on it
        removed = client.get(places[0])
        assert (removed.status_code, alert(removed.text)) == (404, "there is no such game; it may have been removed")


def test_a_move_is_bounded_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("petteia.web.thinkers.BUDGET", 0.5)
    with client_of(tmp_path) as client:
        answer = begin(client, "kalah:seeds=6", second="search:nodes=100000000")
        answer = choose(client, answer, choices(answer.text)[1])
        end = time.monotonic() + PATIENCE
        while "data-events" in answer.text:
            assert time.monotonic() < end
            time.sleep(0.05)
            answer = client.get(address(answer))
        assert 'id="ply-2"' in answer.text or "no move was found within the time" in alert(answer.text)


def test_a_form_of_before_a_new_start_is_stale(tmp_path: Path) -> None:
    with client_of(tmp_path) as client:
        page = begin(client, "british-square:size=3")
    with client_of(tmp_path) as client:
        late = choose(client, page, choices(page.text)[0])
        assert late.status_code == 200
        assert "The game has changed in the meantime" in alert(late.text)
        again = client.get(address(late))  # as a browser loads it again
        assert (again.status_code, address(again)) == (200, address(page))
        assert 'id="ply-1"' in choose(client, again, choices(again.text)[0]).text


@pytest.mark.parametrize(
    "content", ["", "{}", "[]", '{"record": 1}', "\x00", '{"record": "x", "seed": 0, "players": []}']
)
def test_a_damaged_file_is_a_sentence(tmp_path: Path, content: str) -> None:
    with client_of(tmp_path) as client:
        place = address(begin(client, "kalah"))
    (file,) = tmp_path.glob("*.json")
    file.write_text(content)
    with client_of(tmp_path) as client:
        answer = client.get(place)
        assert answer.status_code == 422
        assert alert(answer.text)


@pytest.mark.parametrize("game", ["kalah", "hare-and-hounds", "british-square", "amazons"])
def test_a_position_of_another_game_is_a_sentence(tmp_path: Path, game: str) -> None:
    with client_of(tmp_path) as client:
        answer = begin(
            client, game, position="4,4,4,4,4,4,0/4,4,4,4,4,4,0 s" if game != "kalah" else "0,1,3/10 hounds 0"
        )
        assert answer.status_code == 422
        assert "position" in alert(answer.text)
