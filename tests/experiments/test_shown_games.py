"""The games on the page of a tournament: which are shown, that they are those that were played, and how many."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import petteia
from petteia.arena.wakeups import Wakeups
from petteia.experiments.tournament import games
from petteia.experiments.tournament import shown_games as shown
from petteia.experiments.tournament.games import records
from petteia.experiments.tournament.results import TournamentTable
from petteia.records.game_record import GameRecord
from petteia.records.journal import Journal

GAME = "kalah:pits=3,seeds=2"
PLAYERS = ("random", "simple", "greedy:depth=2")


@pytest.fixture(autouse=True)
def calm(monkeypatch: pytest.MonkeyPatch) -> None:
    """No game is played again, however busy the machine that tests is."""
    monkeypatch.setattr(Wakeups, "take", lambda self: 0.0)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Callable[[TournamentTable], list[GameRecord]]:
    """The games that are shown of a tournament, in their order on the page."""

    def of(result: TournamentTable) -> list[GameRecord]:
        found: list[GameRecord] = []

        def note(record: GameRecord) -> str:
            found.append(record)
            return f"[{len(found) - 1}]"

        with monkeypatch.context() as patched:
            patched.setattr(shown, "game", note)
            page = "".join(shown.shown_games(result))
        return [found[int(number)] for number in re.findall(r"\[([0-9]+)\]", page)]

    return of


def test_they_are_those_that_were_played(drawn: Callable[[TournamentTable], list[GameRecord]]) -> None:
    result = petteia.tournament(GAME, PLAYERS, games=20)
    played = records(result)
    strongest = {each.player for each in result.standings[:2]}
    found = drawn(result)
    assert {*found[0].players} == strongest
    for place, cell in enumerate(result.cells):
        of_match = [each for each in found if {*each.players} == {cell.row, cell.column}]
        assert of_match == played[20 * place : 20 * place + shown.MAX_OF_MATCH]


@pytest.mark.parametrize("clock", ["2", None])
def test_games_that_cannot_be_played_again_are_shown_as_they_were(
    clock: str | None, drawn: Callable[[TournamentTable], list[GameRecord]]
) -> None:
    result = petteia.tournament(GAME, ("random", "own_players:Unseeded"), games=4, clock=clock)
    found = drawn(result)
    assert found == records(result)
    assert len(found) == 4
    assert len({each.moves for each in found}) > 1, "it is not the players' seeds that decide"


def test_each_match_has_one_before_any_has_two(
    monkeypatch: pytest.MonkeyPatch, drawn: Callable[[TournamentTable], list[GameRecord]]
) -> None:
    result = petteia.tournament(GAME, PLAYERS, games=20)
    monkeypatch.setattr(shown, "MAX_CHARACTERS", 300)  # of the line above a game, as it is not drawn here
    assert {frozenset(each.players) for each in drawn(result)} == {
        frozenset((cell.row, cell.column)) for cell in result.cells
    }
    assert len(drawn(result)) == len(result.cells)


def test_the_page_says_how_many_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    result = petteia.tournament(GAME, PLAYERS, games=4)
    for maximum, words in (
        (60, "All 12 games are shown."),
        (3, "3 of 12 games are shown: the first game of each match."),
        (2, "2 of 12 games are shown: the first game of each match until the page is full"),
    ):
        monkeypatch.setattr(shown, "MAX_OF_PAGE", maximum)
        assert words in "".join(shown.shown_games(result))


def test_a_game_that_is_lost_on_time_says_so() -> None:
    result = petteia.tournament(GAME, ["random", "own_players:Slow"], games=2, clock="0.05", in_process=True)
    page = "".join(shown.shown_games(result))
    assert page.count("won by random after") == 2
    assert "plies: player own_players:Slow" in page


def test_games_are_replayed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    petteia.tournament(GAME, PLAYERS, games=20, folder=tmp_path / "cup")
    page = (tmp_path / "cup" / "index.html").read_text()
    replayed: list[str] = []
    monkeypatch.setattr(games, "play_again", lambda plan, cell, count: replayed.append(cell.row))
    petteia.tournament(GAME, PLAYERS, games=20, folder=tmp_path / "cup")
    assert not replayed
    assert (tmp_path / "cup" / "index.html").read_text() == page


@pytest.mark.parametrize("content", ["", "{", '{"row": 3}\n', None])
def test_a_damaged_file_of_replayed_games_is_written_anew(tmp_path: Path, content: str | None) -> None:
    petteia.tournament(GAME, PLAYERS, games=20, folder=tmp_path / "cup")
    page, file = (tmp_path / "cup" / "index.html").read_text(), tmp_path / "cup" / "matches" / games.REPLAYED
    whole = file.read_text()
    file.write_text(whole[:-200] if content is None else content)
    petteia.tournament(GAME, PLAYERS, games=20, folder=tmp_path / "cup")
    assert (tmp_path / "cup" / "index.html").read_text() == page
    assert file.read_text() == whole


def test_replayed_games_of_other_results_are_replayed_again(tmp_path: Path) -> None:
    petteia.tournament(GAME, PLAYERS, games=20, folder=tmp_path / "cup")
    page, file = (tmp_path / "cup" / "index.html").read_text(), tmp_path / "cup" / "matches" / games.REPLAYED
    rows = Journal(file).read()
    Journal(file).rewrite([rows[0] | {"letters": rows[0]["letters"].translate(str.maketrans("VX", "XV"))}, *rows[1:]])
    petteia.tournament(GAME, PLAYERS, games=20, folder=tmp_path / "cup")
    assert (tmp_path / "cup" / "index.html").read_text() == page
    assert Journal(file).read() == rows


def test_more_games_and_players_are_replayed_too(tmp_path: Path, drawn: Callable[..., list[GameRecord]]) -> None:
    petteia.tournament(GAME, PLAYERS[:2], games=2, folder=tmp_path / "cup")
    extended = petteia.tournament(GAME, PLAYERS, games=20, folder=tmp_path / "cup")
    assert drawn(extended) == drawn(petteia.tournament(GAME, PLAYERS, games=20))
