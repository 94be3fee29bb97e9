"""Drawings as SVG and PNG, and positions that are set up."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from urllib.parse import quote

import pytest

pytest.importorskip("fastapi", reason="the page needs the extra `web`")

from pages import begin, choices, choose, client_of, do, field, status

from petteia.foreign.trust import allow
from petteia.web.allowed import Allowed

END = "0,0,0,0,0,0,40/0,0,0,0,0,0,8 s"


def alert(page: str) -> str:
    found = re.search(r'role="alert"[^>]*>([^<]*)<', page)
    return unescape(found[1]) if found else ""


def test_a_position_is_set_up_and_played(tmp_path: Path) -> None:
    with client_of(tmp_path) as client:
        first = client.get("/board", params={"game": "kalah", "second": "random"})
        assert status(first.text) == "south to move"
        sent = {"game": "kalah", "position": "0,0,0,0,0,1,20/4,4,4,4,4,4,3 s", "second": "random"}
        shown = client.get("/board", params=sent)
        assert field_of_text(shown.text) == sent["position"]
        image = re.search(r'<img src="([^"]*)"', shown.text)
        assert image
        assert client.get(unescape(image[1])).headers["content-type"] == "image/svg+xml"
        form = client.get("/new", params=sent).text
        assert field(form, "position") == sent["position"]
        assert '<option value="random" selected>' in form
        assert choices(begin(client, **sent).text) == ["5"]


@pytest.mark.parametrize(
    ("game", "position", "words"),
    [
        ("kalah", "1,2", "must look like"),
        ("kalah", "99,0,0,0,0,0,0/4,4,4,4,4,4,3 s", "stones"),
        ("british-square", "<script>", "must"),
        ("amazons", "x" * 3_000, "too long"),
        ("os:path", "", "not a game of petteia or of a trusted module"),
    ],
)
def test_what_is_no_position_is_a_sentence(tmp_path: Path, game: str, position: str, words: str) -> None:
    with client_of(tmp_path) as client:
        answer = client.get(f"/board?game={quote(game)}&position={quote(position)}")
        assert answer.status_code == 422
        assert words in alert(answer.text)
        assert "<script>" not in answer.text
        assert client.get(f"/board.svg?game={quote(game)}&position={quote(position or 'x')}").status_code == 422


def test_a_position_in_which_the_game_is_over_cannot_begin(tmp_path: Path) -> None:
    with client_of(tmp_path) as client:
        page = client.get("/board", params={"game": "kalah", "position": END}).text
        assert "The game is over in this position" in status(page)
        assert 'id="do-begin"' not in page


@pytest.mark.parametrize("game", ["kalah:pits=4,seeds=2", "hare-and-hounds", "british-square", "amazons", "pig:Pig"])
def test_random_positions(tmp_path: Path, game: str) -> None:
    allow(["pig"])
    with client_of(tmp_path, Allowed(frozenset({"pig"}), ("pig:Pig",))) as client:
        found = {
            field_of_text(client.get("/board", params={"game": game, "shuffle": "1", "plies": "6"}).text)
            for _ in range(8)
        }
        assert len(found) > 1
        first = field_of_text(client.get("/board", params={"game": game}).text)
        assert field_of_text(client.get("/board", params={"game": game, "shuffle": "1", "plies": "0"}).text) == first
        for text in found:
            assert begin(client, game, position=text).status_code == 200


def field_of_text(page: str) -> str:
    """The text of the position on the page."""
    found = re.search(r'name="position"[^>]*>([^<]*)</textarea>', page)
    assert found
    return unescape(found[1])


def test_pictures_of_a_game_as_svg_and_png(tmp_path: Path) -> None:
    with client_of(tmp_path) as client:
        answer = do(client, choose(client, begin(client, "hare-and-hounds"), "3"), "turn")
        svg, png = re.findall(r'<a href="([^"]*)" download', answer.text)
        assert client.get(svg).text.startswith("<svg")
        assert "rotate(180" in client.get(svg).text
        picture = client.get(png)
        assert picture.headers["content-type"] == "image/png"
        assert picture.content.startswith(b"\x89PNG")
        assert client.get(re.sub("[0-9a-f]{20}", "0" * 20, png)).status_code == 404


def test_a_drawing_that_is_too_large_is_no_png(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("petteia.web.boards.MAX_SIDE", 100)
    with client_of(tmp_path) as client:
        png = re.findall(r'<a href="([^"]*)" download', begin(client, "kalah").text)[1]
        answer = client.get(png)
        assert answer.status_code == 422
        assert "too large" in alert(answer.text)
