"""The page: whole games by its forms, what is refused, and what goes on after a new start."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the page needs the extra `web`")

from fastapi.testclient import TestClient
from pages import HOST, NOTHING, address, begin, choices, choose, client_of, do, field, games_of, status

from petteia.core.protocol import seats
from petteia.foreign.trust import allow
from petteia.games import game as rules_of
from petteia.web.allowed import Allowed
from petteia.web.guard import MAX_BYTES, Door


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with client_of(tmp_path) as made:
        yield made


@pytest.mark.parametrize(
    "name", ["kalah:seeds=1", "hare-and-hounds:stall=2", "british-square:size=3", "amazons:width=4,height=4"]
)
def test_a_whole_game_is_played_by_forms(client: TestClient, name: str) -> None:
    answer = begin(client, name)
    assert answer.status_code == 200
    for _ in range(400):
        if not (steps := choices(answer.text)):
            break
        assert 'name="step"' in answer.text
        answer = choose(client, answer, steps[len(steps) // 2])
        assert answer.status_code == 200
    assert re.search("wins|draw", status(answer.text))
    record = client.get(f"{address(answer)}/record.txt").text
    assert "[Result" in record
    assert '"*"' not in record


def test_amazons_takes_three_clicks_and_can_be_cancelled(client: TestClient) -> None:
    rules = rules_of("amazons:width=4,height=4")
    answer = begin(client, "amazons:width=4,height=4")
    plies = 0
    for click in range(3):
        answer = choose(client, answer, choices(answer.text)[0])
        plies = answer.text.count('id="ply-1"')
        assert plies == (click == 2)
        assert ('data-key="Escape"' in answer.text) == (click < 2)
    assert status(answer.text) == f"{seats(rules)[1]} to move"


def test_a_program_answers(client: TestClient) -> None:
    answer = begin(client, "british-square:size=3", second="random")
    answer = choose(client, answer, choices(answer.text)[0])
    for _ in range(200):
        answer = client.get(address(answer))
        if "data-events" not in answer.text:
            break
        time.sleep(0.05)
    assert 'id="ply-2"' in answer.text
    undone = do(client, answer, "undo")
    assert 'id="ply-1"' not in undone.text
    assert 'id="ply-2"' in do(client, undone, "redo").text


def test_two_tabs_do_not_disturb_each_other(client: TestClient) -> None:
    one = begin(client, "british-square:size=3")
    other = client.get(address(one))
    choose(client, one, choices(one.text)[0])
    late = choose(client, other, choices(other.text)[1])
    assert late.status_code == 200
    assert "The game has changed in the meantime" in late.text
    assert 'id="ply-2"' not in late.text


def test_a_server_started_again_goes_on(tmp_path: Path) -> None:
    with client_of(tmp_path) as client:
        answer = begin(client, "hare-and-hounds")
        for _ in range(4):
            answer = choose(client, answer, choices(answer.text)[0])
        before = client.get(f"{address(answer)}/record.txt").text
        resigned = do(client, answer, "resign")
        assert "resigned" in status(resigned.text)
        ended = client.get(f"{address(answer)}/record.txt").text
    with client_of(tmp_path) as client:
        assert client.get(f"{address(answer)}/record.txt").text == ended != before
        page = client.get(address(answer))
        assert "resigned" in status(page.text)
        undone = do(client, page, "undo")
        assert "to move" in status(undone.text)
    with client_of(tmp_path) as client:
        redone = do(client, client.get(address(answer)), "redo")
        assert client.get(f"{address(redone)}/record.txt").text == before


@pytest.mark.parametrize(
    "player",
    [
        "search:depth=2,keep=0.5,order=random",
        "search:depth=2,keep=0.5,order=value,at=root,group=1",
        "search:depth=2,quiet=built,threshold=3,evaluation=margin",
        "search:time=1,manager=adaptive",
    ],
)
def test_players_are_named_with_all_options_of_theirs(player: str) -> None:
    assert NOTHING.player(player, rules_of("amazons:width=4,height=4")) == player


def test_nobody_is_asked_at_the_terminal_of_the_server(client: TestClient) -> None:
    answer = begin(client, "british-square:size=3")
    assert "choose a computer player" in do(client, answer, "ask", player="human").text
    assert client.get(f"{address(answer)}/analysis?by=human").status_code == 422
    mixed = begin(client, "kalah", second="mixed:first=random,second=human")
    assert mixed.status_code == 422


def test_a_link_sets_up_the_game_as_it_stands(client: TestClient) -> None:
    answer = choose(client, begin(client, "kalah"), "2")
    link = re.search(r'href="(/new\?[^"]*)"', answer.text)
    assert link
    form = client.get(unescape(link[1]))
    record = re.search(r'name="record"[^>]*>([^<]*)<', form.text)
    assert record
    again = begin(client, "kalah", record=unescape(record[1]))
    assert status(again.text) == status(answer.text) == "south to move"
    assert 'id="ply-1"' in again.text


def test_positions_variants_and_random_plies(client: TestClient) -> None:
    begun = begin(client, "kalah", **{"option-pits": "4", "option-seeds": "3", "random": "5"})
    assert "kalah:pits=4,seeds=3" in begun.text
    placed = begin(client, "kalah", position="0,0,0,0,0,1,20/4,4,4,4,4,4,3 s")
    assert choices(placed.text) == ["5"]


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"game": "os:path"}, "not a game of petteia or of a trusted module"),
        ({"game": "nonsense"}, "not a game of petteia or of a trusted module"),
        ({"game": "kalah", "option-pits": "99"}, "pits=99"),
        ({"game": "kalah", "position": "x"}, "position"),
        ({"game": "kalah", "second": "search:depth=9999"}, "at most 40"),
        ({"game": "kalah", "second": "search:table=9999"}, "at most 64"),
        ({"game": "kalah", "second": "theta:agent=/etc/passwd"}, "name of a run"),
        ({"game": "kalah", "second": "mixed:first=random,second=(theta:agent=../x)"}, "name of a run"),
        ({"game": "kalah", "second": "q:agent=report,save=/tmp/x"}, "the option names a file"),
        ({"game": "kalah", "second": "perfect:table=/etc/passwd"}, "the option names a file"),
        ({"game": "kalah", "second": "os:system"}, "the module is not trusted"),
        ({"game": "kalah", "second": "greedy:evaluation=os:system"}, "the module is not trusted"),
        ({"game": "kalah", "second": "/etc/passwd"}, "player"),
        ({"game": "kalah", "second": "x" * 1000}, "too long"),
        ({"game": "kalah", "random": "-1"}, "whole number"),
        ({"game": "kalah", "record": "nonsense"}, "record"),
        ({"record": '[Game "os:path"]\n'}, "not a game of petteia or of a trusted module"),
        ({"record": '[Game "kalah"]\n[First "a"]\n[Second "b"]\n[Result "*"]\n\n1. 9 *'}, "not legal"),
    ],
)
def test_what_is_no_game_is_a_sentence(client: TestClient, sent: dict[str, str], words: str) -> None:
    answer = client.post("/games", data=sent)
    assert answer.status_code == 422
    found = re.search(r'role="alert"[^>]*>([^<]*)<', answer.text)
    assert found
    assert words in unescape(found[1])


@pytest.mark.parametrize(
    "path",
    [
        "/games/x",
        "/games/AAAAAAAAAAAAAAAA",
        "/games/..%2f..%2fetc",
        "/static/../app.py",
        "/thumbnails/x.svg",
        "/new",
        "/new?game=/etc",
        "/games/AAAAAAAAAAAAAAAA/events?since=0",
    ],
)
def test_foreign_links_are_told(client: TestClient, path: str) -> None:
    assert client.get(path).status_code in (404, 422)


def test_stale_and_wrong_steps(client: TestClient) -> None:
    answer = begin(client, "kalah")
    for sent in ({"step": "x"}, {"step": ""}, {"step": "99", "version": field(answer.text, "version")}, {"step": "1"}):
        assert client.post(f"{address(answer)}/step", data=sent).status_code in (200, 422)
    stale = client.get(f"{address(answer)}?begun=7,8,9&ply=99")
    assert stale.status_code == 200
    assert 'data-key="Escape"' not in stale.text


def test_other_sites_and_hosts_are_refused(client: TestClient) -> None:
    data = {"game": "kalah"}
    assert client.post("/games", data=data, headers={"origin": "https://elsewhere.example"}).status_code == 403
    assert client.post("/games", data=data, headers={"origin": "null"}).status_code == 403
    assert client.post("/games", data=data, headers={"sec-fetch-site": "cross-site"}).status_code == 403
    assert client.post("/games", data=data, headers={"origin": HOST}).status_code == 200
    for host in ("elsewhere.example", "127.0.0.1.elsewhere.example", "10.0.0.1", ""):
        assert client.get("/", headers={"host": host}).status_code == 403
    assert client.get("/", headers={"host": "localhost:80"}).status_code == 200


def test_bodies_are_bounded(client: TestClient) -> None:
    assert client.post("/games", content=b"x" * (MAX_BYTES + 1)).status_code == 413

    def parts() -> Iterator[bytes]:
        for _ in range(20):
            yield b"x" * (MAX_BYTES // 10)

    assert client.post("/games", content=parts()).status_code == 413
    assert client.post("/games", data={f"f{i}": "x" for i in range(100)}).status_code == 422


def test_where_others_can_come_in_a_link_lets_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("petteia.web.guard.MAX_PER_MINUTE", 30)
    with client_of(tmp_path, door=Door(80, frozenset(["play.example"]), "secret")) as client:
        assert client.get("/").status_code == 403
        assert client.get("/?token=wrong").status_code == 403
        assert client.get("/", headers={"host": "elsewhere.example"}).status_code == 403
        answer = client.get("/new?game=kalah&token=secret")
        assert answer.status_code == 200
        assert "token" not in str(answer.url)
        assert client.get("/").status_code == 200
        assert 429 in {client.get("/static/icon.svg").status_code for _ in range(40)}


def test_policies(client: TestClient) -> None:
    answer = begin(client, "amazons")
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    assert not re.search(r"\sstyle=|<style|\son\w+=|<script(?! src=)", answer.text)
    picture = re.search(r'<img src="([^"]*)"', answer.text)
    assert picture
    drawn = client.get(picture[1])
    assert drawn.headers["content-type"] == "image/svg+xml"
    assert "sandbox" in drawn.headers["content-security-policy"]


@pytest.mark.parametrize("game", ["kalah", "amazons"])
def test_a_first_load_is_small(client: TestClient, game: str) -> None:
    """All that a page needs comes compressed, in fewer than 60,000 bytes."""
    page = begin(client, game)
    needed = re.findall(r'(?:src|<link[^>]* href)="([^"]*)"', page.text)
    assert len(needed) == 5
    answers = [page, *map(client.get, needed)]
    assert all(answer.headers.get("content-encoding") == "gzip" for answer in answers if len(answer.content) > 1000)
    assert sum(int(answer.headers["content-length"]) for answer in answers) < 60_000


def test_frames_of_a_sowing(client: TestClient) -> None:
    answer = choose(client, begin(client, "kalah"), "2")
    frames = client.get(f"{address(answer)}/frames?since=0").json()
    assert len(frames) == 5
    assert all(client.get(each).status_code == 200 for each in frames)
    turned = do(client, answer, "turn")
    assert "-turned.svg" in turned.text
    picture = re.search(r'<img src="([^"]*)"', turned.text)
    assert picture
    assert "rotate(180" in client.get(picture[1]).text


def test_two_programs_play_pause_and_go_on(client: TestClient) -> None:
    answer = begin(client, "british-square:size=3", "random", "random")
    paused = do(client, answer, "pace", pace="fast", do="pause")
    assert "paused" in status(paused.text)
    answer = do(client, paused, "pace", do="go")
    for _ in range(300):
        answer = client.get(address(answer))
        if "wins" in status(answer.text) or "draw" in status(answer.text):
            break
        time.sleep(0.02)
    else:
        pytest.fail("the programs do not play")


def test_programs_are_paused_however_fast_they_play(client: TestClient) -> None:
    answer = begin(client, "british-square", "random", "random")
    paused = client.post(f"{address(answer)}/pace", data={"version": "0", "do": "pause"})
    assert "paused" in status(paused.text)
    turned = client.post(f"{address(answer)}/turn", data={"version": "0"})
    assert "-turned.svg" in turned.text


def test_a_program_plays_a_move_when_asked(client: TestClient) -> None:
    answer = do(client, begin(client, "british-square:size=3"), "ask", player="random")
    for _ in range(100):
        answer = client.get(address(answer))
        if 'id="ply-1"' in answer.text:
            return
        time.sleep(0.05)
    pytest.fail("no move was played")


Work = list[Callable[[], None]]


@pytest.fixture
def waiting(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> Work:
    """The computations of programs, in their order. They do not start before the test calls them."""
    works: Work = []
    monkeypatch.setattr(games_of(client).thinkers, "submit", works.append)
    return works


def test_the_page_waits_for_a_program_that_was_asked(client: TestClient, waiting: Work) -> None:
    answer = do(client, begin(client, "british-square:size=3"), "ask", player="random")
    assert "data-events" in answer.text
    assert status(answer.text) == "first is thinking (random)"
    waiting[0]()
    answer = client.get(address(answer))
    assert 'id="ply-1"' in answer.text
    assert "data-events" not in answer.text
    assert status(answer.text) == "second to move"


@pytest.mark.parametrize(("change", "plies"), [({"pace": "slow"}, 1), ({"do": "pause"}, 0)])
def test_pace_and_pause_while_a_program_is_thinking(
    client: TestClient, waiting: Work, change: dict[str, str], plies: int
) -> None:
    answer = begin(client, "british-square:size=3", "random", "random")
    game = games_of(client).find(address(answer).rpartition("/")[2])
    answer = do(client, answer, "pace", pace="fast")
    answer = do(client, answer, "pace", **change)
    waiting.pop(0)()
    assert len(game.session.moves) == plies
    do(client, answer, "pace", pace="fast", do="go")
    waiting.pop(0)()
    assert len(game.session.moves) == plies + 1


@pytest.mark.parametrize(
    ("game", "position", "words"),
    [
        ("kalah", "0,0,0,0,0,1,26/0,0,0,0,0,0,21 s", "27 stones to 21, south wins"),
        ("kalah", "0,0,0,0,0,1,23/0,0,0,0,0,0,24 s", "24 stones each, a draw"),
        ("british-square:size=2", "xx/x. x", "4 stones to 0, first wins"),
        ("hare-and-hounds:stall=1", "0,1,3/10 hounds 0", "hare wins"),
    ],
)
def test_a_result_is_told_in_words(client: TestClient, game: str, position: str, words: str) -> None:
    answer = begin(client, game, position=position)
    while steps := choices(answer.text):
        answer = choose(client, answer, steps[-1])
    assert status(answer.text) == words


def test_a_board_without_a_drawing_is_not_turned(tmp_path: Path) -> None:
    allow(["tiny_games"])
    with client_of(tmp_path, Allowed(frozenset(["tiny_games"]))) as client:
        assert 'id="do-turn"' in begin(client, "kalah").text
        assert 'id="do-turn"' not in begin(client, "tiny_games:Nim").text
