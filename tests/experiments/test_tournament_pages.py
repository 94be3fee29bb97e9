"""The page of a tournament: all that it shows comes from the matches, and it needs nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import petteia
from petteia.experiments.tournament.page import series_charts, standings_chart
from petteia.experiments.tournament.series import series
from petteia.render.intervals import Measured, interval_chart

GAME = "kalah:pits=3,seeds=2"
PLAYERS = ("random", "simple", "greedy:depth=2")


def test_the_page_has_tables_charts_and_a_game(tmp_path: Path) -> None:
    made = petteia.tournament(GAME, PLAYERS, games=20, folder=tmp_path / "made")
    text = (tmp_path / "made" / "index.html").read_text()
    assert text.startswith("<!doctype html>")
    assert text.count("<table>") == 3
    for row in (*made.table()[1], *made.standings_table()[1]):
        assert all(f"<td>{cell}</td>" in text for cell in row)
    assert standings_chart(made)[0] in text
    assert not re.search(r'(?:src|href)="(?:https?:)?//', text)
    assert text.count('class="game"') == 12
    assert "12 of 60 games are shown: the first 4 games of each match." in text


def test_players_that_differ_in_one_number_have_a_chart(tmp_path: Path) -> None:
    players = ("random", *(f"search:nodes={nodes}" for nodes in (10, 100, 1000)), "greedy:depth=1", "greedy:depth=2")
    made = petteia.tournament(GAME, players, games=4, folder=tmp_path / "made")
    charts = [*series_charts(made)]
    assert [words.split(",")[0].split()[-1] for _, words in charts] == ["nodes", "depth"]
    text = (tmp_path / "made" / "index.html").read_text()
    assert all(chart in text for chart, _ in charts)
    assert "Strength by nodes" in charts[0][0]
    assert [*series_charts(petteia.tournament(GAME, PLAYERS, games=4))] == []


def test_groups_of_players_that_differ_in_one_number() -> None:
    found = series(
        ["theta:agent=a,games=200", "theta:agent=a,games=1000", "q", "theta:agent=b,games=5", "greedy:depth=2"]
    )
    assert found == [
        ("games", "theta:agent=a", (200.0, 1000.0), ("theta:agent=a,games=200", "theta:agent=a,games=1000"))
    ]
    assert series(["search:nodes=5,time=1", "search:nodes=9,time=1"])[0].others == "search:time=1"
    assert series(["greedy:depth=1", "greedy:depth=deep", "search:depth=3"]) == []


def test_a_game_with_dice_is_shown(tmp_path: Path) -> None:
    petteia.tournament("tiny_games:DiceRace", ("random", "simple"), games=10, folder=tmp_path / "made")
    text = (tmp_path / "made" / "index.html").read_text()
    assert "chance: " in text
    assert text.count('class="game"') == 4


def test_a_drawing_that_fails_costs_the_game_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> str:
        raise ZeroDivisionError("no room")

    monkeypatch.setattr("petteia.render.html.board_svg", fail)
    petteia.tournament(GAME, PLAYERS, games=4, folder=tmp_path / "made")
    text = (tmp_path / "made" / "index.html").read_text()
    assert "The game cannot be drawn: " in text
    assert text.count("<table>") == 3


def test_intervals_without_bounds() -> None:
    rows = [Measured("one", 1.0, 0.5, 1.5), Measured("won all", None, 2.0, None), Measured("unknown", None, None, None)]
    svg = interval_chart(rows, "Title", "Elo points")
    assert svg.startswith("<svg")
    assert svg == interval_chart(rows, "Title", "Elo points")
    assert interval_chart(rows[2:], "Title", "Elo points")
    with pytest.raises(ValueError, match="at least one row"):
        interval_chart([], "Title", "Elo points")


def test_names_are_text_on_the_page(tmp_path: Path) -> None:
    source = tmp_path / "odd.toml"
    source.write_text(
        'title = "<script>1</script>"\nquestion = "<b>?"\n'
        f'[tournament]\ngame = "{GAME}"\nplayers = ["random", "simple"]\n'
    )
    made = petteia.experiment(source, folder=tmp_path)
    text = (made.folder / "index.html").read_text()
    assert "<script>1" not in text
    assert "<b>?" not in text


def test_an_interval_chart_has_room_for_long_labels() -> None:
    label = "search:evaluation=mobility,keep=0.75,order=queen_distance,group=2,quiet=built,threshold=7,repeat=3"
    assert interval_chart([Measured(label, 1.0, 0.0, 2.0)], "A title", "x").startswith("<svg"), "without a warning"
