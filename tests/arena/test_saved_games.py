"""Games that a match keeps as records: the same games, written, read again, and shown by the command."""

from __future__ import annotations

from pathlib import Path

import pytest
from chance_games import BearOff

import petteia
from petteia.cli import main
from petteia.core.errors import InvalidError
from petteia.records.game_record import read_records, write_records

GAMES = ("kalah:pits=3,seeds=2", "hare-and-hounds", "british-square:size=3")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("jobs", [1, 2])
def test_records_are_the_games_of_the_match(game: str, jobs: int) -> None:
    quick = petteia.match(game, "random", "greedy:depth=1", games=10, seed=3)
    kept = petteia.match(game, "random", "greedy:depth=1", games=10, seed=3, moves=True, jobs=jobs)
    assert [(row.digest, row.margin, row.plies) for row in kept.rows] == [
        (row.digest, row.margin, row.plies) for row in quick.rows
    ]
    records = kept.records()
    assert len(records) == 10
    assert [each.players[0] for each in records] == ["random", "greedy:depth=1"] * 5
    assert [each.outcome.margin for each in records if each.outcome] == [row.margin for row in kept.rows]
    assert [*read_records(write_records(records))] == records
    assert quick.records() == []


def test_games_with_dice() -> None:
    kept = petteia.match(BearOff(), "random", "random", games=10, moves=True, in_process=True)
    for each, row in zip(kept.records(), kept.rows, strict=True):
        assert len(each.moves) == row.plies
        assert len(each.states()) == row.plies + 1


def test_an_error_names_the_line_in_the_whole_file() -> None:
    text = write_records(petteia.match(GAMES[0], "random", "random", games=4, moves=True).records())
    lines = text.split("\n")
    place = max(number for number, line in enumerate(lines, 1) if line.startswith("[Second"))
    broken = "\n".join(line.replace("Second", "Sceond") if n == place else line for n, line in enumerate(lines, 1))
    games = read_records(broken)
    assert len([next(games) for _ in range(3)]) == 3
    with pytest.raises(InvalidError, match=f"line {place}: there is no header named Sceond"):
        next(games)


def test_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = ["match", GAMES[0], "random", "simple", "--games", "4"]
    assert main([*arguments, "--save", "games.txt"]) == 0
    assert main([*arguments, "--save", "games.txt"]) == 2
    assert "exists already" in capsys.readouterr().err
    assert len([*petteia.saved_games("games.txt")]) == 4
    assert petteia.record("games.txt") == next(petteia.saved_games("games.txt"))
    assert main(["record", "games.txt", "--game", "3"]) == 0
    out, err = capsys.readouterr()
    assert err == "petteia: game 3 of 4; --game N shows another\n"
    assert out.startswith("[Game ")
    assert main(["record", "games.txt", "--game", "5"]) == 2
    assert "has 4 games; choose 1 to 4" in capsys.readouterr().err
    assert main([*arguments, "--save", "nowhere/games.txt"]) == 1
