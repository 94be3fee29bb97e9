"""The command `arena`: who meets whom, the same openings for all, and tables for people and programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import petteia
from petteia.cli import main

GAME = "kalah:pits=3,seeds=2"
BOUNDS = ("score", "low", "high")
PLAYERS = ("random", "simple", "greedy:depth=1", "greedy:depth=2")


def test_a_match_for_two_players_has_both_seats() -> None:
    found = petteia.tournament(GAME, PLAYERS, games=40)
    assert len(found.cells) == 6
    for cell in found.cells:
        mirrored = found.crosstable[cell.column, cell.row]
        assert mirrored == cell.turned
        assert mirrored.turned == cell._replace(**{name: pytest.approx(getattr(cell, name)) for name in BOUNDS})
        assert [sum(each) for each in cell.by_seat] == [20, 20]
        alone = petteia.match(GAME, cell.row, cell.column, games=40, seed=cell.seed, openings_seed=0, seats="both")
        assert (alone.units, alone.by_seat, alone.plies) == (cell.units, cell.by_seat, cell.plies)


def test_openings_are_the_same_in_all_matches() -> None:
    """Players that draw no lots play the same games whatever the seed of their match is, from the same openings."""
    matches = [
        petteia.match(GAME, "simple", "heuristic", games=40, openings="random:3", seed=seed, openings_seed=opening)
        for seed, opening in ((1, 7), (2, 7), (2, 8))
    ]
    assert matches[0].rows == matches[1].rows
    assert matches[1].rows != matches[2].rows


def test_a_player_more_changes_no_match() -> None:
    few, more = (petteia.tournament(GAME, players, games=10).cells for players in (PLAYERS[:3], PLAYERS))
    assert set(few) < set(more)


def test_a_gauntlet_is_played_by_the_first() -> None:
    found = petteia.tournament(GAME, PLAYERS, games=10, pairing="gauntlet")
    assert [(cell.row, cell.column) for cell in found.cells] == [("random", each) for each in PLAYERS[1:]]
    heads, rows = found.table()
    assert rows[1] == ["simple", rows[1][1], "", "", "", f"{found.average('simple'):.1%}"]
    assert len(heads) == 6
    seats = petteia.tournament(GAME, PLAYERS, games=10, pairing="gauntlet", seats="fixed", diagonal=True)
    assert len(seats.cells) == 7
    assert seats.table()[1][-1][0] == "average"


def test_standings_know_seats_and_lengths() -> None:
    found = petteia.tournament(GAME, PLAYERS, games=40)
    for each in found.standings:
        assert (each.as_first + each.as_second) / 2 == pytest.approx(each.score)
        assert each.plies > 5
    *others, last = found.standings
    assert last.superiority is None
    assert all(each.superiority >= 0.5 for each in others)


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["arena", GAME, *PLAYERS, "--games", "10", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["schema"], document["players"]) == (1, [*PLAYERS])
    assert [len(document[name]) for name in ("table", "standings")] == [6, 4]
    arguments = ["arena", GAME, *PLAYERS, "--games", "10", "--wide"]
    assert main(arguments) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("player ")
    assert "Elo" in shown
    assert shown.endswith("\nwins/draws of the row's player in per cent of 10 games\n")
    for jobs in ("1", "2"):
        assert main([*arguments, "--folder", f"kept{jobs}", "--jobs", jobs]) == 0
        assert capsys.readouterr().out.startswith(shown[:-1])
    assert Path("kept1/table.csv").read_bytes() == Path("kept2/table.csv").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ([GAME, "random"], 2, "must be a list of two players or more"),
        ([GAME, "random", "random"], 2, "contains 'random' twice"),
        ([GAME, "random", "simpel"], 2, "did you mean 'simple'"),
        ([GAME, "random", "simple", "--games", "3"], 2, 'must be even, because seats = "both" plays'),
        ([GAME, "random", "greedy", "--clock", "0"], 2, "clock"),
        ([GAME, "random", "simple", "--openings", "nowhere.txt"], 3, "there is no such file"),
    ],
)
def test_what_is_wrong_is_one_line(
    arguments: list[str], code: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["arena", *arguments]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert err.count("\n") == 1


def test_columns_are_those_that_were_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = ["arena", GAME, "random", "simple", "--games", "4"]
    assert main([*arguments, "--columns", "elo,score", "--folder", "kept"]) == 0
    heads = capsys.readouterr().out.split("\n\n")[1].splitlines()[0]
    assert heads.split() == ["player", "Elo", "score"]
    assert "    player & Elo & score \\\\" in Path("kept/standings.tex").read_text()
    assert main([*arguments, "--columns", "elo,eloo"]) == 2
    assert "there is no column 'eloo'; choose from margin, " in capsys.readouterr().err
    assert main([*arguments, "--wide"]) == 0
    assert "lost: too late" in capsys.readouterr().out


def test_who_lost_by_what_it_must_not_do_is_told_of_each(capsys: pytest.CaptureFixture[str]) -> None:
    found = petteia.tournament("tiny_games:Nim", ["misbehaving:Answers:how=none", "random", "simple"], games=4)
    assert {each.player: each.illegal for each in found.standings} == {
        "misbehaving:Answers:how=none": 8,
        "random": 0,
        "simple": 0,
    }
    assert found.crosstable["random", "misbehaving:Answers:how=none"].column_lost == (4, 0, 0)
    heads, rows = found.standings_table()
    assert [row[heads.index("lost: illegal")] for row in rows][-1] == "8"


def test_the_time_that_players_took_is_told_where_it_is_limited(tmp_path: Path) -> None:
    arguments = {"games": 2, "limit": petteia.Limit(seconds=0.02), "allowance": petteia.Allowance(grace=5.0)}
    found = petteia.tournament(GAME, ["random", "search"], folder=tmp_path / "timed", **arguments)
    times = {each.player: each for each in found.standings}
    assert times["search"].seconds_per_move > times["random"].seconds_per_move > 0.0
    (cell,) = found.cells
    assert times["search"].seconds_per_game == pytest.approx(cell.used[1].seconds / 2)
    assert cell.used[0].moves + cell.used[1].moves == pytest.approx(cell.plies * cell.games)
    assert "time per move" in found.standings_table()[0]
    again = petteia.tournament(GAME, ["random", "search"], folder=tmp_path / "timed", **arguments)
    assert again.cells == found.cells
    free = petteia.tournament(GAME, ["random", "search:nodes=10"], games=2)
    assert free.standings[0].seconds_per_move is None
    assert "time per move" not in free.standings_table(wide=True)[0]


def test_the_result_of_each_game_is_a_letter(tmp_path: Path) -> None:
    made = petteia.tournament(GAME, PLAYERS[:3], games=40, folder=tmp_path / "made")
    for cell in made.cells:
        alone = petteia.match(GAME, cell.row, cell.column, games=40, seed=cell.seed, openings_seed=0)
        letters = "".join({1.0: "V", 0.5: "=", 0.0: "X"}[row.score] for row in alone.rows)
        assert cell.letters == letters
        assert f"{cell.row} - {cell.column}" in made.game_list
        assert cell.turned.letters == letters.translate(str.maketrans("VX", "XV"))
    note, *lines = (tmp_path / "made" / "games.txt").read_text().splitlines()
    assert note.startswith("V: won by the first-named player")
    assert [line.split()[-1] for line in lines] == [cell.letters for cell in made.cells]
    assert made.cells[0].letters in (tmp_path / "made" / "index.html").read_text()
    shared = petteia.tournament(GAME, PLAYERS[:3], games=40, folder=tmp_path / "shared", jobs=2)
    assert shared.game_list == made.game_list


def test_a_training_at_its_stages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["train", GAME, "--features", "report", "--games", "400", "--name", "mine"]) == 0
    assert main(["train", GAME, "--games", "400", "--name", "table"]) == 0
    capsys.readouterr()
    assert main(["arena", GAME, "random", "--stages", "mine", "--games", "4", "--json"]) == 0
    players = json.loads(capsys.readouterr().out)["players"]
    assert players == ["random", *(f"theta:agent=mine,games={games}" for games in (3, 6, 12, 25, 50, 100, 200, 400))]
    assert main(["arena", GAME, "random", "--stages", "table"]) == 2
    assert "a run with a table saves only its last table" in capsys.readouterr().err


def test_players_that_do_not_import_or_start_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    players = ["random", "nowhere:Player", "simple", "own_players:NeverStarts"]
    assert main(["arena", GAME, *players, "--games", "4", "--start-timeout", "4", "--json"]) == 1
    out, err = capsys.readouterr()
    assert json.loads(out)["players"] == ["random", "simple"]
    left_out = [line for line in err.splitlines() if "a player that cannot start is left out" in line]
    assert ["nowhere:Player" in line for line in left_out] == [True, False]
    assert left_out[1].endswith("player own_players:NeverStarts: make took longer than 4 s")


@pytest.mark.parametrize(
    "players", [["random", "nowhere:Player"], ["nowhere:Player", "random", "simple", "--pairing", "gauntlet"]]
)
def test_without_a_broken_player_that_is_needed_nothing_is_played(
    players: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["arena", GAME, *players]) == 2
    assert capsys.readouterr().err.splitlines() == [
        f"petteia: players.{players.index('nowhere:Player')}: player 'nowhere:Player': "
        "there is no module 'nowhere' in the working directory or on Python's path"
    ]
