"""A tournament under several limits of thought: the same tournaments as alone, a table, charts, and a page."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import petteia
from petteia.cli import main
from petteia.experiments.experiment import experiment
from petteia.experiments.tournament.by_limit import score_of_player
from petteia.experiments.tournament.sweep import Sweep

GAME = "kalah:pits=3,seeds=2"
PLAYERS = ("random", "search", "greedy")
NODES = {"nodes": [10, 100]}
FILE = f"""
title = "By limit"
seed = 3

[tournament]
game = "{GAME}"
players = ["random", "search", "greedy"]
games = 8

[sweep]
nodes = [10, 100]

[findings]
intransitive = true

[quick]
games = 2
"""


def test_each_limit_has_the_tournament_that_it_has_alone(tmp_path: Path) -> None:
    found = petteia.tournament_by_limit(GAME, PLAYERS, NODES, games=8, folder=tmp_path / "made")
    for nodes, table in zip(NODES["nodes"], found.tables, strict=True):
        assert table.cells == petteia.tournament(GAME, PLAYERS, games=8, limit=petteia.Limit(nodes=nodes)).cells
    heads, rows = found.table()
    assert heads == ["player", "nodes 10", "nodes 100"]
    scores = {each.player: each.score for each in found.tables[1].standings}
    assert all(row[2].startswith(f"{scores[row[0]]:.1%} (") for row in rows)
    assert {each.name for each in (tmp_path / "made").iterdir() if each.name[0] != "."} == {
        *("experiment.toml", "index.html", "limits.csv", "limits.tex", "nodes-10", "nodes-100")
    }
    text = (tmp_path / "made" / "index.html").read_text()
    ((chart, words),) = found.charts()
    assert chart in text
    assert "by nodes" in words
    assert 'href="nodes-100/index.html"' in text
    with (tmp_path / "made" / "limits.csv").open() as file:
        lines = [*csv.DictReader(file)]
    assert [(line["nodes"], line["player"]) for line in lines[3:]] == [("100", each) for each in scores]
    again = petteia.tournament_by_limit(GAME, PLAYERS, NODES, games=8, folder=tmp_path / "made", jobs=2)
    assert again.rows == found.rows


def test_the_score_of_a_player_lies_in_its_interval() -> None:
    found = petteia.tournament(GAME, PLAYERS, games=20)
    for each in found.standings:
        score = score_of_player(found, each.player)
        assert score.mean == pytest.approx(each.score)
        assert score.low < score.mean < score.high or each.score in (0.0, 1.0)


def test_two_kinds_of_limits_are_a_grid() -> None:
    sweep = {"depth": [1, 2, 3], "nodes": [10, 1000]}
    conditions = Sweep(depth=(1, 2, 3), nodes=(10, 1000)).conditions
    assert conditions[:2] == [{"depth": 1, "nodes": 10}, {"depth": 1, "nodes": 1000}]
    assert len(conditions) == 6
    found = petteia.tournament_by_limit(GAME, PLAYERS[:2], sweep, games=2)
    assert found.plan.conditions == conditions
    shown = [words for _, words in found.charts()]
    assert len(shown) == 2
    assert "by depth" in shown[0]
    assert "nodes 1000" in shown[1]
    assert Sweep().conditions == [{}]


def test_clocks_are_swept_like_other_limits(tmp_path: Path) -> None:
    clocks = ["0.5+0.1", petteia.Clock(0.2, moves=5), "3"]
    found = petteia.tournament_by_limit(GAME, PLAYERS[:2], {"clock": clocks}, games=2, folder=tmp_path / "made")
    assert [each["clock"] for each in found.plan.conditions] == ["0.5+0.1", "5/0.2", "3"]
    assert [each.plan.declaration.tournament.clock for each in found.tables] == ["0.5+0.1", "5/0.2", "3"]
    assert found.table()[0] == ["player", "clock 0.5+0.1", "clock 5/0.2", "clock 3"]
    ((_, words),) = found.charts()
    assert words == "The score of each player by clock, with 95 % intervals."
    kept = [each.name for each in (tmp_path / "made").glob("clock-*")]
    assert len(kept) == 3
    text = (tmp_path / "made" / "index.html").read_text()
    assert all(f'href="{name}/index.html"' in text for name in kept)


def test_a_file_a_call_and_a_command_are_one_tournament(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file.toml").write_text(FILE)
    by_file = experiment("file.toml", scale="quick", folder="of")
    by_call = petteia.tournament_by_limit(GAME, PLAYERS, NODES, games=2, seed=3)
    assert by_file.rows == by_call.rows
    assert main(["arena", GAME, *PLAYERS, "--games", "2", "--seed", "3", "--nodes", "10,100", "--json"]) == 0
    by_command = json.loads(capsys.readouterr().out)
    assert main(["experiment", "file.toml", "--folder", "of", "--scale", "quick", "--json"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert [each["limit"] for each in again["limits"]] == [{"nodes": 10}, {"nodes": 100}]
    assert again["limits"] == by_command["limits"]


def test_the_file_that_is_left_plays_the_same_tournaments(tmp_path: Path) -> None:
    """That of the whole, and that of each limit."""
    made = tmp_path / "made"
    petteia.tournament_by_limit(GAME, PLAYERS, NODES, games=8, folder=made)
    for inner in (made, made / "nodes-10"):
        again = experiment(inner / "experiment.toml", folder=tmp_path / "again" / inner.name).folder
        for path in inner.rglob("table.csv"):
            assert path.read_bytes() == (again / path.relative_to(inner)).read_bytes()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("nodes = [10, 10]", "sweep.nodes: contains 10 twice"),
        ('clock = ["10", " 10.0"]', "sweep.clock: contains 10 twice"),
        ('clock = ["10", "0"]', "sweep: clock='0': the seconds must be more than 0"),
        ('time = [1]\nclock = ["10"]', "sweep: limit.seconds and clock: give only one of them"),
        ("games = [10, 20]", "sweep.games: this field belongs to another section"),
        ("noodles = [10, 20]", "sweep.noodles: there is no such field; did you mean 'nodes'"),
        ("nodes = 10", "sweep.nodes: must be a list"),
        ("max_plies = [10]", "sweep.max_plies: this field belongs to another section"),
    ],
)
def test_what_is_wrong_in_a_file_is_one_line(wrong: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "file.toml"
    path.write_text(FILE.replace("nodes = [10, 100]", wrong))
    with pytest.raises(petteia.InvalidError) as raised:
        experiment(path, folder=tmp_path)
    assert str(raised.value).startswith(f"{path}: {message}")
    assert "\n" not in str(raised.value)


def test_a_limit_stands_in_one_place(tmp_path: Path) -> None:
    path = tmp_path / "file.toml"
    path.write_text(FILE.replace("games = 8", "games = 8\nnodes = 5"))
    with pytest.raises(
        petteia.InvalidError, match=r"sweep\.nodes: is also set in the section \[tournament\]; remove one of them"
    ):
        experiment(path, folder=tmp_path)


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = ["arena", GAME, *PLAYERS, "--games", "4", "--nodes", "10,100"]
    assert main([*arguments, "--json"]) == 0
    limits = json.loads(capsys.readouterr().out)["limits"]
    assert [each["limit"]["nodes"] for each in limits] == [10, 100]
    assert len(limits[0]["table"]) == 3
    assert main(arguments) == 0
    assert capsys.readouterr().out.endswith("\nscore and Elo points of each player, from 4 games of each match\n")
    for wrong, words in (
        (["--nodes", "10,x"], "--nodes 10,x: must be whole numbers separated by commas"),
        (["--nodes", "10,10"], "sweep.nodes: contains 10 twice"),
        (["--time", "0.1,0"], "sweep.time.1: input should be greater than 0"),
        (["--clock", "1,"], "clock='': must be K/SECONDS"),
        (["--clock", "1,2", "--time", "1"], "--time and --clock: give only one of them"),
        (["--depth", "1.5"], "must be whole numbers"),
    ):
        assert main([*arguments[:7], *wrong]) == 2
        error = capsys.readouterr().err
        assert words in error
        assert error.count("\n") == 1


def test_a_folder_with_another_tournament_is_left_alone(tmp_path: Path) -> None:
    petteia.tournament(GAME, PLAYERS[:2], games=2, folder=tmp_path / "one")
    with pytest.raises(petteia.InvalidError, match="already contains a tournament without a sweep"):
        petteia.tournament_by_limit(GAME, PLAYERS[:2], NODES, games=2, folder=tmp_path / "one")
    for sweep, words in (
        ({}, "values are missing"),
        ({"nodes": []}, "values are missing"),
        ({"games": [1, 2]}, "games"),
    ):
        with pytest.raises(petteia.UsageError, match=f"^sweep.*{words}"):
            petteia.tournament_by_limit(GAME, PLAYERS[:2], sweep)
