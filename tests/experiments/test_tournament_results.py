"""What tournaments find: each match can be played alone, and what is written of them."""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
import tomllib
from pathlib import Path

import pandas
import pytest
from small_experiments import written
from small_tournaments import SMALL

import petteia
from petteia.experiments.experiment import experiment
from petteia.experiments.tournament.results import TournamentResult


def test_each_match_can_be_played_alone(small_tournament: TournamentResult) -> None:
    assert [(cell.row, cell.column) for cell in small_tournament.cells] == [
        *itertools.product(("random", "simple", "heuristic"), repeat=2)
    ]
    assert len({cell.seed for cell in small_tournament.cells}) == 9
    for cell in small_tournament.cells:
        alone = petteia.match(
            "kalah:pits=4,seeds=3", cell.row, cell.column, games=60, seats="fixed", openings="none", seed=cell.seed
        )
        assert cell.counts == (alone.wins, alone.draws, alone.losses)
        assert (cell.score, cell.low, cell.high) == (alone.score, alone.low, alone.high)
        assert cell.distinct == alone.distinct
    assert [cell.distinct for cell in small_tournament.cells if "random" not in (cell.row, cell.column)] == [1] * 4


def test_files_are_the_rows(small_tournament: TournamentResult) -> None:
    assert set(small_tournament.rows) == {"table", "standings", "comparison", "summary"}
    for name, rows in small_tournament.rows.items():
        read = list(csv.DictReader(io.StringIO((small_tournament.folder / f"{name}.csv").read_text())))
        assert read == [{key: "" if value is None else str(value) for key, value in row.items()} for row in rows]
    table = pandas.read_csv(small_tournament.folder / "table.csv")
    names = ["row", "column", "games", "wins", "draws", "losses", "score", "low", "high", "units", "distinct", "seed"]
    names += ["illegal", "timeouts", "crashed", "plies", "by_seat", "margins", "row_lost", "column_lost"]
    names += ["row_fault", "column_fault", "voided"]
    assert list(table.columns) == names
    assert (table.wins + table.draws + table.losses == 60).all()
    assert (small_tournament.folder / "experiment.toml").read_text() == SMALL


def test_the_comparison(small_tournament: TournamentResult) -> None:
    published = tomllib.loads(SMALL)["published"]
    frame = pandas.DataFrame(small_tournament.comparison)
    assert list(frame.published_wins) == [*itertools.chain(*published["wins"])]
    assert list(frame.published_draws) == [*itertools.chain(*published["draws"])]
    assert (frame.published_wins + frame.published_draws + frame.published_losses == 20).all()
    assert frame.log_likelihood.sum() == pytest.approx(small_tournament.log_likelihood)
    # The paper has a certain result the wrong way round.
    wrong = frame[frame.verdict == "differs"]
    assert set(zip(wrong.row, wrong.column, strict=True)) == {("simple", "simple")}
    rows = {(row["kind"], row["row"], row["column"]): row["words"] for row in small_tournament.summary}
    assert "of 20 games 0.0 wins, 0.0 draws and 20.0 losses" in rows["differs", "simple", "simple"]
    assert rows["log-likelihood", "", ""].startswith("log-likelihood of the table of a paper; ")
    assert (
        f"log-likelihood of the table of a paper {small_tournament.log_likelihood:.1f}, {len(wrong)} match"
        in small_tournament.note
    )


def test_the_table_is_one_for_latex(small_tournament: TournamentResult) -> None:
    text = (small_tournament.folder / "table.tex").read_text()
    assert r"\caption{Small \& quick: wins/draws of the first player in per cent of 60 games" in text
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert len(rows) == 5
    assert re.fullmatch(r"    simple & \S+ & 0\.0/0\.0\* d & 0\.0/0\.0 & \d+\.\d\\% \\\\", rows[2])


def test_the_figure_shows_marks(small_tournament: TournamentResult) -> None:
    text = (small_tournament.folder / "table.svg").read_text()
    assert text.startswith("<svg")
    for words in ("the first player wins", "A beats B, B beats C, and C beats A", "a deeper search scores less"):
        assert words in text
    kinds = ("edge", "intransitive", "depth")
    marked = [len({finding[1:3] for finding in small_tournament.findings if finding.kind == kind}) for kind in kinds]
    assert sum(marked) > 0
    colours = ("#0072b2", "#d55e00", "#009e73")
    shown = [len(re.findall(rf"<use [^>]*fill: {colour}", text.lower())) for colour in colours]
    assert shown == [count + 1 for count in marked]  # and one in the legend


def test_provenance_says_how_to_make_it_again(small_tournament: TournamentResult) -> None:
    text = (small_tournament.folder / "provenance.txt").read_text()
    for part in (
        f"command: petteia experiment {small_tournament.plan.source} --scale paper\n",
        "matches: 9 of 60 games: each of 3 players as first against each as second, itself included\n",
        "conditions: kalah:pits=4,seeds=3, seats fixed, openings none\n",
        "seed: 5; that of each match is in table.csv\n",
        "processor: ",
        small_tournament.run.description.code,
    ):
        assert part in text
    times = json.loads((small_tournament.folder / "times.json").read_text())
    assert times["begun"] <= times["updated"]


def test_both_seats_and_nothing_published(tmp_path: Path) -> None:
    text = (
        SMALL.partition("[findings]")[0]
        .replace('"fixed"', '"both"')
        .replace("diagonal = true\n", "")
        .replace('"none"', '"random:2"')
    )
    made = experiment(written(tmp_path, text), folder=tmp_path)
    assert [(cell.row, cell.column) for cell in made.cells] == [*itertools.combinations(made.plan.players, 2)]
    cells = {pair: cell.score for pair, cell in made.crosstable.items()}
    assert cells["heuristic", "random"] > 0.7
    assert cells["random", "heuristic"] == pytest.approx(1.0 - cells["heuristic", "random"])
    assert (made.summary, made.comparison) == ([], [])
    assert not (made.folder / "summary.csv").exists()
    assert not (made.folder / "comparison.csv").exists()
    assert made.note == "wins/draws of the row's player in per cent of 60 games"
