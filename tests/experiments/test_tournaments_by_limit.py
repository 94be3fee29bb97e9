"""A tournament under several limits of thought: the same tournaments as alone, a table, charts, and a page."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import petteia
from petteia.cli import main
from petteia.experiments.tournament.by_limit import grid, score_of_player

GAME = "kalah:pits=3,seeds=2"
PLAYERS = ("random", "search", "greedy")
LIMITS = [petteia.Limit(nodes=10), petteia.Limit(nodes=100)]


def test_each_limit_has_the_tournament_that_it_has_alone(tmp_path: Path) -> None:
    found = petteia.tournament_by_limit(GAME, PLAYERS, LIMITS, games=8, folder=tmp_path / "made")
    for limit, table in zip(LIMITS, found.tables, strict=True):
        assert table.cells == petteia.tournament(GAME, PLAYERS, games=8, limit=limit).cells
    heads, rows = found.table()
    assert heads == ["player", "nodes 10", "nodes 100"]
    scores = {each.player: each.score for each in found.tables[1].standings}
    assert all(row[2].startswith(f"{scores[row[0]]:.1%} (") for row in rows)
    assert {each.name for each in (tmp_path / "made").iterdir() if each.name[0] != "."} == {
        *("index.html", "limits.csv", "limits.tex", "nodes-10", "nodes-100")
    }
    text = (tmp_path / "made" / "index.html").read_text()
    ((chart, words),) = found.charts()
    assert chart in text
    assert "by nodes" in words
    assert 'href="nodes-100/index.html"' in text
    with (tmp_path / "made" / "limits.csv").open() as file:
        lines = [*csv.DictReader(file)]
    assert [(line["nodes"], line["player"]) for line in lines[3:]] == [("100", each) for each in scores]
    again = petteia.tournament_by_limit(GAME, PLAYERS, LIMITS, games=8, folder=tmp_path / "made", jobs=2)
    assert again.rows == found.rows


def test_the_score_of_a_player_lies_in_its_interval() -> None:
    found = petteia.tournament(GAME, PLAYERS, games=20)
    for each in found.standings:
        score = score_of_player(found, each.player)
        assert score.mean == pytest.approx(each.score)
        assert score.low < score.mean < score.high or each.score in (0.0, 1.0)


def test_two_kinds_of_limits_are_a_grid() -> None:
    limits = grid(depth=[1, 2, 3], nodes=[10, 1000], seconds=None)
    assert limits[:2] == [petteia.Limit(depth=1, nodes=10), petteia.Limit(depth=1, nodes=1000)]
    assert len(limits) == 6
    found = petteia.tournament_by_limit(GAME, PLAYERS[:2], limits, games=2)
    shown = [words for _, words in found.charts()]
    assert len(shown) == 2
    assert "by depth" in shown[0]
    assert "nodes 1000" in shown[1]
    assert grid(depth=None, nodes=[]) == [petteia.Limit()]


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
        (["--nodes", "10,x"], "--nodes 10,x: must be whole numbers with commas between them"),
        (["--nodes", "10,10"], "limits: has nodes 10 twice"),
        (["--time", "0.1,0"], "seconds=0.0: must be more than 0"),
        (["--depth", "1.5"], "must be whole numbers"),
    ):
        assert main([*arguments[:7], *wrong]) == 2
        error = capsys.readouterr().err
        assert words in error
        assert error.count("\n") == 1


def test_a_folder_with_another_tournament_is_left_alone(tmp_path: Path) -> None:
    petteia.tournament(GAME, PLAYERS[:2], games=2, folder=tmp_path / "one")
    with pytest.raises(petteia.InvalidError, match="holds a tournament under one limit"):
        petteia.tournament_by_limit(GAME, PLAYERS[:2], LIMITS, games=2, folder=tmp_path / "one")
    for limits in ([], [petteia.Limit()], [petteia.Limit(nodes=1), petteia.Limit(depth=1)]):
        with pytest.raises(petteia.UsageError, match="limits: must be one or more"):
            petteia.tournament_by_limit(GAME, PLAYERS[:2], limits)
