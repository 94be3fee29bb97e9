"""My games: kept over restarts with results and mistakes, scores, and files of records in and out."""

from __future__ import annotations

import re
import time
from html import unescape
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the page needs the extra `web`")

from fastapi.testclient import TestClient
from pages import NOTHING, begin, choices, choose, client_of, do, status

from petteia.records.game_record import read_records, write_records
from petteia.web.game import PERSON
from petteia.web.guard import MAX_FILE_BYTES, Door
from petteia.web.mine import name_of_player, row_of, scores
from petteia.web.shelf import Entry

WON = "kalah:pits=2,seeds=1"


def entry(margin: int | None, players: tuple[str, str] = (PERSON, "level:1"), game: str = "kalah") -> Entry:
    return Entry("x", game, players, "2026-01-02", margin, "", None, "")


def played(client: TestClient, game: str = WON, **more: str) -> Any:
    """The page of a game in which the first choice was taken until the end."""
    answer = begin(client, game, **more)
    while steps := choices(answer.text):
        answer = choose(client, answer, steps[0])
    return answer


def cells(page: str) -> list[list[str]]:
    """The rows of the tables of a page."""
    rows = re.findall(r"<tr>(.*?)</tr>", page, re.DOTALL)
    texts = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.DOTALL) for row in rows]
    return [[unescape(re.sub("<[^>]*>", "", text)).strip() for text in row] for row in texts]


def send(client: TestClient, content: str) -> Any:
    return client.post("/mine/import", files={"file": ("games.txt", content.encode(), "text/plain")})


def test_games_are_listed_after_a_restart(tmp_path: Path) -> None:
    with client_of(tmp_path) as client:
        assert "No games yet." in client.get("/mine").text
        played(client)
        resigned = do(client, begin(client, "kalah", second="random"), "resign")
        assert "resigned" in resigned.text
    with client_of(tmp_path) as client:
        rows = cells(client.get("/mine").text)
    assert ["kalah", "random", "south", "0", "0", "1", "0 %"] in rows
    assert any(row[:4] == ["kalah", "lost by 1", "south", "random"] for row in rows)
    assert any(row[0] == WON and row[3] == "a person – a person" for row in rows)


def test_mistakes_are_kept_once_a_game_was_reviewed(tmp_path: Path) -> None:
    with client_of(tmp_path) as client:
        answer = played(client)
        address = str(answer.url).partition("?")[0]
        assert cells(client.get("/mine").text)[-1][4] == "Review"
        for _ in range(600):
            page = client.get(f"{address}/analysis?ply=0&review=1").text
            if "data-events" not in page:
                break
            time.sleep(0.05)
        mistakes = page.count("has a regret")
    with client_of(tmp_path) as client:
        counts = cells(client.get("/mine").text)[-1][4]
        assert sum(map(int, counts.split(" – "))) == mistakes
        do(client, client.get(address), "undo")
        assert cells(client.get("/mine").text)[-1][4] == "Review"


def test_scores_count_games_of_one_person() -> None:
    entries = [entry(4), entry(-2), entry(0), entry(None), entry(3, ("level:1", PERSON)), entry(3, (PERSON, PERSON))]
    found = scores(row_of(NOTHING, each) for each in entries)
    name = name_of_player(NOTHING, "kalah", "level:1")
    assert [(each.opponent, each.side, each.won, each.drawn, each.lost) for each in found] == [
        (name, "north", 0, 0, 1),
        (name, "south", 1, 1, 1),
    ]
    assert [each.share for each in found] == [0, 0.5]
    assert name.startswith("level 1, ")


def test_rows_of_games_whose_module_is_not_named_any_more() -> None:
    row = row_of(NOTHING, entry(2, game="elsewhere:Game"))
    assert (row.side, row.opponent, row.result) == ("first", "level:1", "won by 2")


def test_all_games_go_out_as_one_file_and_come_in_again(tmp_path: Path) -> None:
    with client_of(tmp_path / "one") as client:
        played(client)
        choose(client, begin(client, "kalah"), "2")
        begin(client, "british-square:size=3", second="random")
        text = client.get("/mine/games.txt").text
    records = [*read_records(text)]
    assert len(records) == 3
    assert write_records(records) == text
    with client_of(tmp_path / "other") as client:
        assert "Games added: 3. Games that were saved already: 0." in send(client, text).text
        assert sorted(client.get("/mine/games.txt").text) == sorted(text)
        assert "Games added: 0. Games that were saved already: 3." in send(client, text.replace("\n", "\r\n")).text
        opened = re.findall(r'href="(/games/[^"/]*)"', client.get("/mine").text)
        assert len(opened) == 3
        assert all(client.get(each).status_code == 200 for each in opened)


def test_games_of_a_file_that_are_none_are_told_and_left_out(tmp_path: Path) -> None:
    record = '[Game "kalah"]\n[First "Anna"]\n[Second "level:1"]\n[Result "*"]\n\n1. {} *\n'
    with client_of(tmp_path) as client:
        answer = send(client, "\n".join([record.format("3"), record.format("9"), record.format("2")]))
        assert answer.status_code == 200
        text = unescape(answer.text)
        assert "Games added: 2." in text
        assert "Game 2, which begins in line 8, was left out: game record, line 6: ply 1:" in text
        assert {row[3] for row in cells(answer.text) if row[0] == "kalah"} == {
            name_of_player(NOTHING, "kalah", "level:1")
        }


@pytest.mark.parametrize("content", ["", "\x00", "[", '[Game "os:path"]\n', "x" * 200_000])
def test_files_that_are_none(tmp_path: Path, content: str) -> None:
    with client_of(tmp_path) as client:
        answer = send(client, content)
        assert answer.status_code == 200
        assert "Games added: 0." in answer.text
        assert 'role="alert"' in answer.text


def test_files_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = '[Game "kalah"]\n[First "human"]\n[Second "human"]\n[Result "*"]\n\n1. {} *\n'
    many = "\n".join(record.format(pit) for pit in (1, 2, 3))
    with client_of(tmp_path) as client:
        monkeypatch.setattr("petteia.web.shelf.MAX_KEPT", 2)
        assert "saved games is reached" in send(client, many).text
        assert client.get("/mine/games.txt").text.count("[Game") == 2
        assert (
            client.post("/mine/import", content=b"x", headers={"content-length": str(MAX_FILE_BYTES + 1)}).status_code
            == 413
        )
        assert client.post("/mine/import", content=iter([b"x"])).status_code == 413
        assert client.post("/mine/import", data={"file": "x"}).status_code in (404, 422)


def test_where_others_come_in_each_browser_has_its_own_games(tmp_path: Path) -> None:
    door = Door(80, token="secret")
    with client_of(tmp_path, door=door) as client:
        client.get("/?token=secret")
        begin(client, "kalah")
        assert client.get("/mine/games.txt").text.count("[Game") == 1
        client.cookies.clear()
        client.get("/?token=secret")
        assert client.get("/mine/games.txt").text == ""
        client.cookies.delete("petteia-owner")
        assert client.get("/mine/games.txt").text == ""
    with client_of(tmp_path) as client:
        assert client.get("/mine/games.txt").text.count("[Game") == 1


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ("-1 won by second (illegal)", "first made an illegal move, second wins"),
        ("+1 won by first (crashed)", "second failed, first wins"),
        ("0 draw (max-plies)", "a draw: the game reached the limit of 2 plies"),
    ],
)
def test_games_that_were_broken_off_say_so(tmp_path: Path, result: str, words: str) -> None:
    end = result.split()[0]
    text = f'[Game "british-square"]\n[First "a"]\n[Second "b"]\n[Result "{result}"]\n\n1. a1 2. e5 {end}\n'
    with client_of(tmp_path) as client:
        assert "Games added: 1." in send(client, text).text
        (link,) = re.findall(r'href="(/games/[^"/]*)"', client.get("/mine").text)
        assert status(client.get(link).text) == words
