"""What experiments find: rows, files and figures against the training runs, numbers checked by hand."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import statistics
from pathlib import Path

import pandas
import pytest
from flat_options import train
from small_experiments import FOLLOW, SMALL, written

import petteia
from petteia.arena.statistics import mean_interval
from petteia.core.protocol import parse_move
from petteia.experiments.experiment import experiment
from petteia.experiments.measures import Column, last_quarter, reached, shown, spread, summarise
from petteia.experiments.results import ExperimentResult
from petteia.experiments.scatter import MANY, Sample, mean_of_trainings
from petteia.experiments.training import Point, open_training
from petteia.players import player
from petteia.records.runs import VERSION, folder_digest


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> ExperimentResult:
    folder = tmp_path_factory.mktemp("made")
    return experiment(written(folder), folder=folder)


def test_a_training_is_the_same_alone(made: ExperimentResult, tmp_path: Path) -> None:
    cell = made.cells[1]
    alone = train(
        "hare-and-hounds",
        alpha=0.1,
        gamma=1,
        games=400,
        evaluate_every=100,
        evaluation_games=20,
        seed=1,
        runs=tmp_path,
        name=cell.trainings[1].run.name,
    )
    assert folder_digest(alone.run.path) == folder_digest(cell.trainings[1].run.path)


def test_rows_are_those_of_the_trainings(made: ExperimentResult) -> None:
    points, runs, summary = (pandas.DataFrame(rows) for rows in (made.points, made.runs, made.summary))
    assert len(points) == 4 * 2 * 4
    assert list(points.columns[:5]) == ["alpha", "gamma", "side", "seed", "games"]
    for cell in made.cells:
        for seed, training in zip((0, 1), cell.trainings, strict=True):
            assert training.run.description.seeds == {"seed": seed}
            mine = points[
                (points.alpha == cell.combination.values["alpha"]) & (points.gamma == cell.combination.values["gamma"])
            ]
            assert list(mine[mine.seed == seed].score) == [point.score for point in training.points]
    for name, values in runs.groupby(["alpha", "gamma"]).final:
        row = summary[(summary.alpha == name[0]) & (summary.gamma == name[1]) & (summary.measure == "final")].iloc[0]
        assert row["mean"] == pytest.approx(values.mean())
        assert (row.minimum, row.maximum, row.seeds, row.of) == (values.min(), values.max(), 2, 2)
        assert row.high == pytest.approx(min(1.0, values.mean() + 12.706 * values.std() / math.sqrt(2)), rel=1e-3)


def test_files_are_those_rows(made: ExperimentResult) -> None:
    for name, rows in (("points", made.points), ("runs", made.runs), ("summary", made.summary)):
        read = list(csv.DictReader(io.StringIO((made.folder / f"{name}.csv").read_text())))
        assert read == [{key: "" if value is None else str(value) for key, value in row.items()} for row in rows]
    assert (made.folder / "experiment.toml").read_text() == SMALL
    assert {path.name for path in made.folder.glob("*.svg")} == {"curves-alpha-0.1.svg", "curves-alpha-0.5.svg"}
    svg = (made.folder / "curves-alpha-0.5.svg").read_text()
    assert svg.startswith("<svg")
    assert "gamma = 1" in svg


def test_provenance_says_how_to_make_it_again(made: ExperimentResult) -> None:
    text = (made.folder / "provenance.txt").read_text()
    for part in (
        f"command: petteia experiment {made.plan.source} --scale paper --seeds 2\n",
        f"petteia: {VERSION}\n",
        "4 combinations of alpha and gamma, 8 training runs, 3,200 games to learn from\n",
        "seeds: 0 to 1 for each combination\n",
        "processor: ",
        made.cells[0].trainings[0].run.description.code,
    ):
        assert part in text
    times = json.loads((made.folder / "times.json").read_text())
    assert times["begun"] <= times["updated"]
    assert 0.0 < times["processor"] <= times["seconds"] + 0.1


def test_the_table_is_one_for_latex(made: ExperimentResult) -> None:
    text = (made.folder / "table.tex").read_text()
    assert r"\caption{Small \& quick: means of 2 seeds" in text
    assert r"\begin{tabular}{llrrrrr}" in text
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert len(rows) == 5
    assert {len(re.findall(r"(?<!\\)&", row)) for row in rows} == {6}
    assert text.count("{") == text.count("}")
    assert not re.search(r"(?<!\\)%", "\n".join(rows))


def points_of(scores: list[float]) -> list[Point]:
    return [Point(10 * (i + 1), 0, 0, 0, score, 0, 1, 5, 0) for i, score in enumerate(scores)]


def test_numbers_that_sum_up_a_curve() -> None:
    curve = points_of([0.1, 0.9, 0.2, 0.95, 0.3, 0.7, 0.8, 0.9])
    assert reached(curve, 0.9) == 20
    assert reached(curve, 0.96) is None
    assert last_quarter(curve) == pytest.approx(0.85)
    assert spread(curve) == pytest.approx(statistics.stdev([0.8, 0.9]))
    assert spread(points_of([0.5])) is None
    assert last_quarter(points_of([0.1, 0.2, 0.3, 0.4, 0.5])) == pytest.approx(0.45)


def test_numbers_over_seeds() -> None:
    five = summarise([0.5, 0.6, 0.7, 0.8, 0.9], is_share=True)
    assert (five.mean, five.minimum, five.maximum, five.seeds) == (pytest.approx(0.7), 0.5, 0.9, 5)
    assert five[:3] == mean_of_trainings(Sample((0.5, 0.6, 0.7, 0.8, 0.9), MANY))
    games = summarise([100, 200, 300], is_share=False)
    assert (games.low, games.high) == pytest.approx(mean_interval([100, 200, 300])[1:], abs=200)
    assert games.low == 0.0, "kept at 0 or more"
    assert summarise([0.9, 1.0], is_share=True).high <= 1.0
    assert summarise([None, 300, None], is_share=False) == (300, None, None, 300, 300, 1, 3)
    assert summarise([None, None], is_share=False).mean is None
    share, count = Column("", is_share=True), Column("")
    assert shown(five, share) == f"70.0 [{100 * five.low:.1f}, {100 * five.high:.1f}]"
    assert shown(summarise([None, 300, None], is_share=False), count) == "300 (1 of 3 seeds)"
    assert shown(summarise([None], is_share=False), count) == "never"


def test_values_that_are_followed(tmp_path: Path) -> None:
    text = SMALL.replace("[figure]", FOLLOW + "[figure]").replace("gamma = [0.5, 1]", "").replace("400", "2000")
    made = experiment(written(tmp_path, text), folder=tmp_path)
    values = [row["value of start"] for row in made.points]
    assert len(values) == len(made.points)
    assert len(set(values)) > 2
    assert made.cells[0].followed.shape == (2, 20, 1)
    assert (made.folder / "values-alpha-0.1.svg").exists()
    # the last is the value that the trained player tells
    training = made.cells[1].trainings[1]
    trained = player(f"q:agent={training.run.path}", training.rules)
    trained.new_game(training.rules, 0)
    state = training.rules.parse_state("0,1,3/10 hounds 0")
    move = parse_move(training.rules, state, "1-5")
    assert trained.choose(state, petteia.Limit()).values[move] == training.points[-1].followed[0]
    unfollowed = train("hare-and-hounds", games=10, evaluation_games=10, runs=tmp_path)
    assert "followed" not in unfollowed.run.journal.read()[-1]


@pytest.mark.slow
def test_a_value_that_is_followed_is_the_same_when_folded(tmp_path: Path) -> None:
    made = train(
        "hare-and-hounds",
        games=3000,
        evaluation_games=10,
        evaluate_every=500,
        fold=True,
        runs=tmp_path,
        follow=[("0,2,3/9 hounds 1", "2-5"), ("0,1,2/7 hounds 1", "2-5"), ("0,2,3/9 hounds 1", "3-6")],
    )
    for point in made.points:
        assert point.followed[0] == point.followed[1]
    assert made.points[-1].followed[0] != made.points[-1].followed[2]


@pytest.mark.slow
def test_both_sides_and_how_they_play(tmp_path: Path) -> None:
    text = (
        SMALL.replace("games = 400", 'games = 400\nside = "both"\nfold = true')
        .replace("gamma = [0.5, 1]", "")
        .replace("[figure]", '[measure]\nregret = ["reachable", "all"]\nagainst = ["perfect"]\ngames = 20\n[figure]')
    )
    made = experiment(written(tmp_path, text), folder=tmp_path, jobs=2)
    assert [(cell.combination.label, cell.side) for cell in made.cells] == [
        *(("alpha=0.1", 0), ("alpha=0.1", 1), ("alpha=0.5", 0), ("alpha=0.5", 1)),
    ]
    assert {cell.scores.shape for cell in made.cells} == {(2, 4)}
    assert made.table()[0][:2] == ["alpha", "learner"]
    assert [row[:2] for row in made.table()[1]][:2] == [["0.1", "hounds"], ["0.1", "hare"]]
    assert "learner = hare" in (made.folder / "curves-alpha-0.1.svg").read_text()
    for cell in made.cells:
        assert [run["last_quarter"] for run in cell.runs] == list(cell.scores[:, -1])
        for training, run in zip(cell.trainings, cell.runs, strict=True):
            agent = f"q:agent={training.run.path}"
            judged = petteia.regret("hare-and-hounds", agent, over="all", seat=cell.side)
            assert run["perfect_all"] == judged.perfect_share
            assert run["regret_all"] == judged.mean
            assert run["results_lost_all"] == judged.results_lost
            assert 0 <= run["against_perfect"] <= 1
    hare = made.cells[1]
    assert hare.runs[0]["against_perfect"] == 0.0  # the hounds win with best play
    assert "table-play.tex" in {path.name for path in made.folder.iterdir()}


def test_swept_options_with_names_of_columns(tmp_path: Path) -> None:
    text = SMALL.replace("games = 400", "").replace(
        "alpha = [0.1, 0.5]", 'games = [100, 250]\nside = ["hounds", "hare"]'
    )
    text = text.replace('by = "alpha"', 'by = "side"').partition("[quick]")[0]
    made = experiment(written(tmp_path, text.replace("gamma = [0.5, 1]", "")), folder=tmp_path)
    points = pandas.DataFrame(made.points)
    assert set(points.training_games) == {100, 250}
    assert set(points.games) == {100, 200, 250}
    assert set(points[points.training_side == "hare"].side) == {1}
    assert pandas.read_csv(made.folder / "points.csv").columns.is_unique


def test_trainings_of_an_experiment_are_runs(made: ExperimentResult) -> None:
    assert [row.state for row in petteia.runs(made.folder / "runs")] == ["finished"] * 8
    assert open_training(made.folder / "runs" / "alpha-0.1_gamma-1_seed-0").is_finished
