"""The games of a tournament as records: played again, or kept with their moves where time decided."""

from __future__ import annotations

from pathlib import Path

import pytest

import petteia
from petteia.arena.wakeups import Wakeups
from petteia.cli import main
from petteia.core.errors import InvalidError, PetteiaError
from petteia.experiments.tournament.games import records
from petteia.experiments.tournament.results import TournamentTable
from petteia.records.game_record import read_records, write_records

GAME = "kalah:pits=3,seeds=2"
PLAYERS = ("random", "greedy", "search:nodes=30")


@pytest.fixture(autouse=True)
def calm(monkeypatch: pytest.MonkeyPatch) -> None:
    """No game is played again, however busy the machine that tests is."""
    monkeypatch.setattr(Wakeups, "take", lambda self: 0.0)


def letters(found: TournamentTable) -> str:
    """The results of all games by their records, as the list of the tournament has them."""
    kept = iter(records(found))
    told = ""
    for cell in found.cells:
        for _ in range(cell.games):
            each = next(kept)
            assert each.outcome is not None
            assert set(each.players) == {cell.row, cell.column}
            won = each.outcome.winner
            told += "=" if won is None else "V" if each.players[won] == cell.row else "X"
    assert next(kept, None) is None
    return told


@pytest.mark.parametrize("seats", ["both", "fixed"])
@pytest.mark.parametrize("clock", [None, "2"])
def test_each_game_has_its_record(seats: str, clock: str | None) -> None:
    found = petteia.tournament(GAME, PLAYERS, games=6, seats=seats, clock=clock, seed=4)
    assert letters(found) == "".join(cell.letters for cell in found.cells)
    assert [*read_records(write_records(records(found)))] == records(found)
    again = petteia.tournament(GAME, PLAYERS, games=6, seats=seats, clock=clock, seed=4)
    if clock is None:
        assert records(again) == records(found)


def test_games_with_a_clock_are_kept_in_the_folder(tmp_path: Path) -> None:
    first = petteia.tournament(GAME, PLAYERS[:2], games=6, clock="2", folder=tmp_path / "kept")
    again = petteia.tournament(GAME, PLAYERS[:2], games=6, clock="2", folder=tmp_path / "kept")
    assert records(first) == records(again)
    assert len(records(again)) == 6


def test_a_game_that_is_lost_on_time_says_so() -> None:
    found = petteia.tournament(GAME, ["random", "own_players:Slow"], games=2, clock="0.05", in_process=True)
    lost = [each.outcome for each in records(found)]
    assert [each is not None and each.reason for each in lost] == ["timeout", "timeout"]
    assert letters(found) == found.cells[0].letters == "VV"


def test_other_games_are_noticed() -> None:
    found = petteia.tournament(GAME, PLAYERS[:2], games=6)
    found.cells[0] = found.cells[0]._replace(plies=1.0)
    with pytest.raises(PetteiaError, match="random against greedy: the games cannot be recorded"):
        records(found)


def test_games_whose_end_was_not_kept_are_one_line() -> None:
    found = petteia.tournament(GAME, PLAYERS[:2], games=2, clock="2")
    found.blocks[0] = found.blocks[0] | {"moves": [(each[0], each[1][:-1]) for each in found.blocks[0]["moves"]]}
    with pytest.raises(InvalidError, match="the saved moves of a finished game are incomplete; play the tournament"):
        records(found)


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    command = ["arena", GAME, "random", "greedy", "--games", "4", "--save", "games.txt"]
    assert main(command) == 0
    assert len([*petteia.saved_games("games.txt")]) == 4
    assert main(command) == 2
    assert "--save games.txt: the file exists already" in capsys.readouterr().err
    assert main([*command[:6], "--save", "grid.txt", "--clock", "1,2"]) == 0
    assert len([*petteia.saved_games("grid.txt")]) == 8


def test_games_of_a_player_with_a_time_of_its_own_are_kept() -> None:
    found = petteia.tournament(GAME, ["random", "search:time=0.002"], games=4)
    assert all(each["moves"] for each in found.blocks)
    assert letters(found) == found.cells[0].letters
    assert any("plays different games each time" in note for note in found.notes)
