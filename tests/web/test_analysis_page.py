"""Analyses on the page: values on the board and in the list, reviews of games, and their ends."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the page needs the extra `web`")

from fastapi.testclient import TestClient
from pages import address, begin, choose, status

import petteia
from petteia.arena.review import ReviewedMove
from petteia.search.searcher import WON_POINTS
from petteia.web import studies as studies_module
from petteia.web.allowed import Allowed
from petteia.web.app import make_app
from petteia.web.guard import Door
from petteia.web.studies import Studies
from petteia.web.study_view import graph, points, regret_in_points
from petteia.web.thinkers import Thinkers


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    for budget in ("BUDGET_OF_SOLVING", "BUDGET_OF_POSITION", "BUDGET_OF_GAME"):  # compiling counts, too
        monkeypatch.setattr(studies_module, budget, 300.0)
    monkeypatch.setattr(studies_module, "LEFT", 300.0)
    with TestClient(make_app(Allowed(frozenset()), tmp_path, Door(80)), base_url="http://127.0.0.1") as made:
        yield made


def recorded(client: TestClient, game: str, *moves: str) -> str:
    """The address of a game in which these moves were made."""
    session = petteia.session(game, ("human", "human"))
    for move in moves:
        session.play(move)
    answer = client.post("/games", data={"record": session.record().write(), "first": "human", "second": "human"})
    return re.sub(r"\?.*", "", str(answer.url))


def finished(client: TestClient, address: str, **query: Any) -> str:
    """The page of an analysis when all is found."""
    for _ in range(4000):
        page = client.get(f"{address}/analysis", params=query)
        assert page.status_code == 200, page.text
        if "data-events" not in page.text:
            return str(page.text)
        assert '<noscript><meta http-equiv="refresh"' in page.text
        time.sleep(0.05)
    pytest.fail("the analysis does not end")


def table(page: str) -> dict[str, list[str]]:
    """The rows of the table of moves."""
    found = re.findall(r'<tr class="(\w+)"><th scope="row">(.*?)</th>(.*?)</tr>', page)
    return {move: [kind, *map(unescape, re.findall("<td>(.*?)</td>", rest))] for kind, move, rest in found}


def marks(page: str) -> list[tuple[str, str]]:
    """The values on the board: kinds and texts."""
    return re.findall(r'<g class="value (\w+)".*?<text[^>]*>(.*?)</text>', page, re.DOTALL)


def test_exact_values_are_on_the_board_and_in_the_table(client: TestClient) -> None:
    address = recorded(client, "hare-and-hounds")
    page = finished(client, address, ply=0)
    oracle, start = petteia.Oracle("hare-and-hounds"), petteia.position("hare-and-hounds")
    rows = table(page)
    assert set(rows) == set(start.moves)
    for move, (kind, value, regret, verdict, line, _) in rows.items():
        after = start.play(move)
        assert value == points(oracle.value(after.state))
        lost = oracle.value(start.state) - oracle.value(after.state)
        assert regret == (f"{lost:g}" if lost else "0")
        assert (kind, verdict[0]) == (("mistake", "✗") if lost else ("best", "✓"))
        assert f"in {oracle.distance(after.state) + 1} plies" in verdict
        assert line.split()[0] == move
    assert "The values are exact" in page
    assert {kind for kind, _ in marks(page)} <= {"best", "mistake"}
    assert all(text in ("+1", "−1") for _, text in marks(page))
    assert len(marks(page)) == 3  # hounds
    begun = re.search(r'name="begun" value="(\d+)"', page)
    assert begun
    further = finished(client, address, ply=0, begun=begun[1])
    assert marks(further)
    assert 'data-key="Escape"' in further


def test_where_nothing_is_solved_a_search_tells_depth_and_line(client: TestClient) -> None:
    address = recorded(client, "kalah", "3")
    page = finished(client, address, ply=1, by="search:depth=4")
    position = petteia.position("kalah").play("3")
    told = position.best("search:depth=4", lines=6)
    rows = table(page)
    assert [*rows] == [line.move for line in told.lines]
    assert [row[1] for row in rows.values()] == [points(line.value) for line in told.lines]
    assert [row[4] for row in rows.values()] == [" ".join(line.line) for line in told.lines]
    assert "The values are those of search:depth=4 at depth 4" in page
    assert len(marks(page)) == len(rows)
    assert not re.search(r"\sstyle=|<style|\son\w+=|<script(?! src=)", page)


def test_what_is_left_of_a_game_is_solved(client: TestClient) -> None:
    """Kalah is too large, but not at its end."""
    position = "0,0,0,0,0,2,23/0,0,0,0,2,1,20 s"
    answer = client.post("/games", data={"game": "kalah", "position": position, "first": "human", "second": "human"})
    page = finished(client, re.sub(r"\?.*", "", str(answer.url)), ply=0)
    assert "The values are exact" in page
    assert table(page)["6"][:2] == ["best", points(petteia.Oracle("kalah", position=position).value(position))]


def test_what_a_linear_agent_sees(client: TestClient) -> None:
    page = finished(client, recorded(client, "kalah"), ply=0, by="theta")
    told = petteia.best("kalah", player="theta")
    shown = re.findall(r'<tr><th scope="row">(.*?)</th><td>(.*?)</td>', page)
    assert [name for name, _ in shown] == [reason.feature for reason in told.reasons][: len(shown)]
    assert shown[0][1] == ", ".join(f"{part.weight:+.4g}" for part in told.reasons[0].parts)
    assert page.count('<svg class="bar"') == len(shown) > 3


def test_why_a_move_is_worse(client: TestClient) -> None:
    address = recorded(client, "kalah:pits=4,seeds=3", "2")
    page = finished(client, address, ply=1, by="theta:depth=2")
    worse = re.findall(r'href="[^"]*why=([^"&]*)"', page)
    assert worse
    page = finished(client, address, ply=1, by="theta:depth=2", why=worse[-1])
    lines = {move: row[4].split() for move, row in table(page).items()}
    best = next(iter(lines))
    assert re.findall("<figcaption>(.*?)</figcaption>", page) == [*lines[worse[-1]], *lines[best]]
    for image in re.findall(r'<img src="(/board.svg[^"]*)"', page):
        assert client.get(unescape(image)).text.startswith("<svg")
    assert "Features that differ" in page
    wrong = finished(client, address, ply=1, by="theta:depth=2", why="nonsense")
    assert "the analysis does not contain this move" in unescape(wrong)


def test_a_review_is_that_of_petteia_review(client: TestClient) -> None:
    moves = ("3-6", "10-7", "6-9", "7-8", "1-4")
    address = recorded(client, "hare-and-hounds", *moves)
    page = finished(client, address, ply=2, review="1")
    session = petteia.session("hare-and-hounds", ("human", "human"))
    for move in moves:
        session.play(move)
    told = petteia.review(session.record())
    assert told.mistakes
    listed = re.findall(r"▲ Ply (\d+): (\w+) played (\S+), which has a regret of (\S+); (\S+) was better", page)
    assert listed == [(str(m.ply), m.who, m.move, regret_in_points(m.regret), m.best) for m in told.mistakes]
    assert page.count('<path class="mistake"') == len(told.mistakes)
    assert page.count("<circle") == len(moves) - len(told.mistakes)
    assert page.count('<span class="regret">✗') == len(told.mistakes)


@pytest.mark.parametrize(
    "query", ["by=os:system", "by=nonsense", "by=perfect:table=/etc/passwd", "by=search:depth=999", "own=x:y"]
)
def test_who_may_not_be_named_is_told(client: TestClient, query: str) -> None:
    address = recorded(client, "kalah")
    assert client.get(f"{address}/analysis?{query}").status_code == 422
    assert client.get(f"{address}/analysis?ply=x&begun=99,x&review=0").status_code == 200


def test_what_cannot_be_valued_is_told(client: TestClient) -> None:
    address = recorded(client, "kalah", "1")
    assert "is allowed" in finished(client, address, ply=0, by="exact")
    page = finished(client, address, ply=0, by="random", review="1")
    assert "does not evaluate moves" in unescape(page)
    ended = client.post("/games", data={"game": "kalah", "position": "0,0,0,0,0,1,47/0,0,0,0,0,0,0 s"})
    assert ended.status_code in (200, 422)


def test_events_tell_when_more_is_found(client: TestClient) -> None:
    address = recorded(client, "kalah")
    path = f"{address}/analysis/events?ply=0&by=search:depth=5&since=0"
    with client.stream("GET", path) as answer:
        told = "".join(answer.iter_text())
    assert re.search(r"event: changed\ndata: (\d+|done)\n", told)


def test_a_study_that_is_left_ends_and_begins_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studies_module, "LEFT", 0.2)
    studies = Studies(Thinkers(1))
    position = petteia.position("kalah")
    study = studies.of_position(position, "search:time=9")
    assert studies.of_position(position, "search:time=9") is study
    studies.leave(study)
    for _ in range(200):
        if study.is_done:
            break
        time.sleep(0.05)
    assert study.is_done
    assert study.was_left
    again = studies.of_position(position, "search:time=9")
    assert again is not study
    studies.close()


def test_compiling_takes_no_time_from_solving(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which nothing is compiled yet tells exact values all the same."""
    seen: list[bool] = []
    solve = studies_module.oracle_of

    def slow(rules: Any, start: Any, memory: int) -> Any:
        if not seen:
            time.sleep(0.6)
        seen.append(True)
        return solve(rules, start, memory)

    monkeypatch.setattr(studies_module, "oracle_of", slow)
    finished(client, recorded(client, "hare-and-hounds"), ply=0)  # so that everything is compiled
    seen.clear()
    monkeypatch.setattr(studies_module, "BUDGET_OF_SOLVING", 0.5)
    monkeypatch.setattr(studies_module, "BUDGET_OF_POSITION", 60.0)
    studies = Studies(Thinkers(1))
    study = studies.of_position(petteia.position("hare-and-hounds"), "")
    for _ in range(1200):
        if study.is_done:
            break
        time.sleep(0.05)
    assert study.analysis is not None
    assert study.analysis.player == "exact"
    assert not study.was_slow
    studies.close()


def test_what_takes_too_long_to_solve_is_told(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studies_module, "BUDGET_OF_SOLVING", 0.0)
    monkeypatch.setattr(studies_module, "SEARCH", "search:depth=2")
    page = finished(client, recorded(client, "british-square"), ply=0)
    assert "The game could not be solved in time." in page
    assert "search:depth=2" in page


def test_the_graph_shows_won_ends_at_its_edges() -> None:
    def move(ply: int, before: float) -> ReviewedMove:
        return ReviewedMove(ply, "south", "1", "2", before, before, 0, ply == 2, False, None, 4, ())

    drawn = graph([move(1, 2.0), move(2, -99_990.0), move(3, 0.0)], 3)
    heights = [point.y for point in drawn["points"]]
    assert heights[1] == drawn["height"] - drawn["edge"]
    assert heights[0] < heights[2] == drawn["middle"] < heights[1]
    assert [point.is_mistake for point in drawn["points"]] == [False, True, False]


@pytest.mark.parametrize(
    ("regret", "told"), [(0, "0"), (0.004, "<0.01"), (0.006, "0.01"), (2, "2"), (0.25, "0.25"), (WON_POINTS, "a win")]
)
def test_regrets_have_no_sign_and_small_ones_are_none_of_zero(regret: float, told: str) -> None:
    assert regret_in_points(regret) == told


def test_the_end_of_a_game_is_told(client: TestClient) -> None:
    position = "0,0,0,0,0,1,26/0,0,0,0,0,0,21 s"
    answer = choose(client, begin(client, "kalah", position=position), "5")
    page = client.get(f"{address(answer)}/analysis?ply=1").text
    assert status(page) == "The game is over: 27 stones to 21, south wins."
