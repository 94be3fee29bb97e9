"""Experiments as data: what a file may say, the same bytes whatever happens, numbers checked by hand."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import math
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

import pandas
import pytest

import petteia
from petteia.cli import main
from petteia.core.errors import InvalidError, NotFoundError, PetteiaError, UsageError
from petteia.core.protocol import parse_move
from petteia.experiments import work
from petteia.experiments.declaration import stem
from petteia.experiments.experiment import experiment, list_experiments, plan, size_of
from petteia.experiments.measures import Column, last_quarter, reached, shown, spread, summarise
from petteia.experiments.results import ExperimentResult
from petteia.experiments.source import SCALES, shipped
from petteia.experiments.training import Point, open_training, train
from petteia.players import player
from petteia.records.runs import VERSION, folder_digest

SMALL = """
title = "Small & quick"
seeds = 2

[training]
game = "hare-and-hounds"
games = 400
evaluate_every = 100
evaluation_games = 20

[sweep]
alpha = [0.1, 0.5]
gamma = [0.5, 1]

[figure]
by = "alpha"

[quick]
games = 200
seeds = 3
"""
PARTS = {"title": 'title = "Small & quick"', "sweep": "alpha = [0.1, 0.5]", "training": "games = 400"}
FOLLOW = '[[measure.follow]]\nname = "start"\nposition = "0,1,3/10 hounds 0"\nmove = "1-5"\n'


def written(folder: Path, text: str = SMALL, name: str = "small.toml") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(text)
    return path


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> ExperimentResult:
    folder = tmp_path_factory.mktemp("made")
    return experiment(written(folder), folder=folder)


# What a file may say.


def test_a_plan_has_every_combination_and_seed(tmp_path: Path) -> None:
    found = plan(written(tmp_path))
    assert (found.name, found.combinations, found.runs, list(found.seeds)) == ("small", 4, 8, [0, 1])
    assert [cell.label for cell in found.cells()] == [
        "alpha=0.1, gamma=0.5",
        "alpha=0.1, gamma=1",
        "alpha=0.5, gamma=0.5",
        "alpha=0.5, gamma=1",
    ]
    assert {cell.options["games"] for cell in found.cells()} == {400}
    assert size_of(found) == (8, 8 * 400, 8 * 4 * 20)


def test_seeds_are_five_unless_said(tmp_path: Path) -> None:
    path = written(tmp_path, SMALL.replace("seeds = 2\n", ""))
    assert plan(path).declaration.seeds == 5
    assert list(plan(path, seeds=1).seeds) == [0]
    assert list(plan(written(tmp_path, SMALL.replace("seeds = 2", "seeds = 2\nseed = 7"))).seeds) == [7, 8]


def test_quick_changes_what_it_says(tmp_path: Path) -> None:
    found = plan(written(tmp_path), "quick")
    assert found.runs == 12
    assert {cell.options["games"] for cell in found.cells()} == {200}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (PARTS["title"], "", "title: is missing"),
        (PARTS["title"], "title = 3", "title: input should be a valid string"),
        (PARTS["title"], "title = ", "is not TOML: .*line 2"),
        (PARTS["title"], 'title = "x"\ntitel = "y"', "titel: there is no such field; did you mean 'title'"),
        ("seeds = 2", "seeds = 0", "seeds: input should be greater than or equal to 1"),
        ("seeds = 2", "seeds = true", "seeds: input should be a valid integer"),
        ("seeds = 2", "seed = -1", "seed: .*greater than or equal to 0"),
        ('game = "hare-and-hounds"', "", "training.game: is missing"),
        ('"hare-and-hounds"', '"hare-and-hound"', "did you mean 'hare-and-hounds'"),
        (PARTS["training"], "gaems = 400", "training.gaems: there is no such field; did you mean 'games'"),
        (PARTS["training"], 'games = "many"', "training.games: input should be a valid integer"),
        (PARTS["training"], "games = 0", r"training \(alpha=0.1, gamma=0.5\): games 0: must be in 1"),
        (PARTS["training"], "seed = 3", "training.seed: does not belong here"),
        (PARTS["training"], "position = 1979-05-27", "training.position: input should be a valid string"),
        (PARTS["training"], "alpha = 0.3", "sweep.alpha: is set in training, too"),
        (PARTS["sweep"], "alpha = []", "sweep.alpha: is empty"),
        (PARTS["sweep"], "alpha = 0.1", "sweep.alpha: must be a list"),
        (PARTS["sweep"], "alpha = [[0.1]]", "sweep.alpha.0: must be text, a number"),
        (PARTS["sweep"], "alpha = [0.5, 5e-1]", "sweep.alpha: has 0.5 twice"),
        (PARTS["sweep"], "alpha = [0.1, 2]", r"training \(alpha=2, gamma=0.5\): alpha '?2.*not in 0..1"),
        (PARTS["sweep"], "aplha = [0.1]", "sweep.aplha: there is no such field; did you mean 'alpha'"),
        (PARTS["sweep"], 'alpha = [0.1]\nlearner = ["r"]', "sweep.learner: input should be 'q', 'sarsa'"),
        ('by = "alpha"', 'by = "beta"', "figure.by: 'beta' is not swept; swept are alpha, gamma"),
        ('by = "alpha"', 'at = "beta"', "figure.at: there is no such field"),
        ("games = 200", "gmaes = 200", "quick.gmaes: there is no such field; did you mean 'games'"),
        ("games = 200", "alpha = 0.1", "quick.alpha: is swept"),
        ("seeds = 3", 'seeds = "x"', "seeds: input should be a valid integer"),
        ("[figure]", "[measure]\nreach = 2.0\n[figure]", "measure.reach: .*less than or equal to 1"),
        ("[figure]", "[measure]\nfollow = 3\n[figure]", "measure.follow: must be a list"),
        ("[figure]", FOLLOW.replace("move", "mov") + "[figure]", "measure.follow.0.mov: .*did you mean 'move'"),
        ("[figure]", FOLLOW.replace('move = "1-5"', "") + "[figure]", "measure.follow.0.move: is missing"),
        ("[figure]", FOLLOW + FOLLOW + "[figure]", "measure.follow: has the same name twice"),
        ("[figure]", FOLLOW.replace("1-5", "1-9") + "[figure]", "follow: move '1-9' is not legal"),
        ("[figure]", FOLLOW.replace("hounds 0", "hare 0") + "[figure]", "follow: .*1-5.*not legal"),
        ("[sweep]", 'side = "hare"\n' + FOLLOW + "[sweep]", "follow: .*side that learns is not to move"),
        (PARTS["training"], "games = 400\nreach = 0.5", "training.reach: does not belong here"),
        ("[figure]", '[measure]\nregret = ["some"]\n[figure]', "measure.regret.0: .*'reachable' or 'all'"),
        ("[figure]", '[measure]\nagainst = ["perfcet"]\n[figure]', "measure.against: .*did you mean 'perfect'"),
    ],
)
def test_what_is_wrong_in_one_line(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert old in SMALL
    path = written(tmp_path, SMALL.replace(old, new, 1))
    with pytest.raises(InvalidError, match=message) as error:
        experiment(path, folder=tmp_path / "experiments")
    assert "\n" not in str(error.value)
    assert str(error.value).startswith(str(path))
    assert not (tmp_path / "experiments").exists()


def test_what_is_no_experiment(tmp_path: Path) -> None:
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidError, match="is not UTF-8"):
        plan(tmp_path / "bytes.toml")
    with pytest.raises(InvalidError, match="is not TOML"):
        plan(written(tmp_path, "a=" + "[" * 5000))
    with pytest.raises(NotFoundError, match="did you mean 'alpha-gamma'"):
        plan("alpha-gama")
    with pytest.raises(InvalidError, match="quick: is missing"):
        plan(written(tmp_path, SMALL.partition("[quick]")[0]), "quick")
    with pytest.raises(UsageError, match="scale 'all': must be paper or quick"):
        plan("alpha-gamma", "all")  # type: ignore[arg-type]
    for settings, message in (({"seeds": 0}, "seeds 0"), ({"jobs": 0}, "jobs 0")):
        with pytest.raises(UsageError, match=message):
            experiment(written(tmp_path), folder=tmp_path, **settings)


def test_those_that_come_with_the_package_are_sound() -> None:
    assert {"alpha-gamma", "epsilon", "simple-hare", "convergence"} <= set(shipped())
    for name in shipped():
        for scale in SCALES:
            assert not size_of(plan(name, scale)).is_large
    rows = {row.name: row for row in list_experiments()}
    assert rows["alpha-gamma"][2:] == (rows["alpha-gamma"].question, "alpha, gamma", 9, 5, 13_500_000, 22_500_000)
    thesis = [rows[name] for name in ("alpha-gamma", "epsilon", "simple-hare", "convergence")]
    assert sum(row.games for row in thesis) == 5 * 4_410_000


def test_names_of_files_are_readable_and_differ() -> None:
    assert stem({"alpha": 0.1, "learner": "double-q"}) == "alpha-0.1_learner-double-q"
    strange = [{"opponent": text} for text in ("q:agent=a/b", "q:agent=a b", "q:agent=a-b", "x" * 300)]
    names = {stem(values) for values in strange}
    assert len(names) == 4
    assert all(re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,69}", name) for name in names)


# The same bytes.


def test_the_same_bytes_with_two_jobs_and_again(made: ExperimentResult, tmp_path: Path) -> None:
    before = folder_digest(made.folder)
    # the command is part of the provenance, and names the file
    again = experiment(made.plan.source, folder=tmp_path, jobs=2)
    assert folder_digest(again.folder) == before
    assert folder_digest(experiment(made.plan.source, folder=tmp_path, jobs=2).folder) == before
    assert folder_digest(experiment(made.plan.source, folder=tmp_path / "seeds", seeds=1).folder) != before


def test_more_values_and_seeds_change_no_other_training(made: ExperimentResult, tmp_path: Path) -> None:
    path = written(tmp_path, SMALL.replace("[0.1, 0.5]", "[0.3, 0.1]"))
    wider = experiment(path, folder=tmp_path, seeds=3)
    common = [run.name for run in (made.folder / "runs").iterdir() if run.name.startswith("alpha-0.1")]
    assert len(common) == 4
    for name in common:
        assert folder_digest(wider.folder / "runs" / name) == folder_digest(made.folder / "runs" / name)


def test_an_experiment_grows_in_its_folder(tmp_path: Path) -> None:
    source = written(tmp_path, SMALL.replace("[0.1, 0.5]", "[0.5]"))
    small = experiment(source, folder=tmp_path, seeds=1)
    first = small.cells[0].trainings[0].run.path
    before = first.stat().st_mtime_ns, (first / "weights.safetensors").stat().st_mtime_ns
    source.write_text(SMALL)
    grown = experiment(source, folder=tmp_path)
    assert (first.stat().st_mtime_ns, (first / "weights.safetensors").stat().st_mtime_ns) == before
    assert folder_digest(grown.folder) == folder_digest(experiment(source, folder=tmp_path / "new").folder)


def test_interrupted_and_resumed(made: ExperimentResult, tmp_path: Path) -> None:
    calls = 0

    def interrupt(done: int, wanted: int, note: str) -> None:
        nonlocal calls
        calls += 1
        assert 0 <= done <= wanted == 8 * 400
        if calls % 2:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt, match="the same command goes on"):
        experiment(made.plan.source, folder=tmp_path, jobs=2, progress=interrupt)
    for _ in range(5):
        with contextlib.suppress(KeyboardInterrupt):
            experiment(made.plan.source, folder=tmp_path, jobs=2, progress=interrupt)
    result = experiment(made.plan.source, folder=tmp_path, jobs=2)
    assert folder_digest(result.folder) == folder_digest(made.folder)


def test_an_interrupt_stops_a_training_that_would_go_on_for_long(tmp_path: Path) -> None:
    source = written(tmp_path, SMALL.replace("400", "50_000_000").replace("= 100", "= 1_000_000"))

    def interrupt(done: int, wanted: int, note: str) -> None:
        if done > 10_000:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        experiment(source, folder=tmp_path, jobs=2, progress=interrupt)
    begun = petteia.runs(tmp_path / "small" / "runs")
    assert [row.state for row in begun] == ["unfinished"] * 2
    assert all(0 < row.done < 10_000_000 for row in begun)


SCRIPT = """
import sys
from petteia.experiments.experiment import experiment
experiment(sys.argv[1], folder=sys.argv[2], jobs=2)
"""


def kill_until_finished(source: Path, folder: Path, kills: int, pause: tuple[float, float]) -> str:
    """Digest of an experiment that was killed so many times at random moments, and then left alone."""
    arguments = [sys.executable, "-c", SCRIPT, str(source), str(folder)]
    for _ in range(kills):
        with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            time.sleep(random.uniform(*pause))
            process.kill()
    subprocess.run(arguments, check=True, stderr=subprocess.DEVNULL)
    return folder_digest(folder / source.stem)


LONGER = SMALL.replace("games = 400", "games = 20_000").replace("evaluate_every = 100", "evaluate_every = 1000")


def test_killed_and_resumed(tmp_path: Path) -> None:
    source = written(tmp_path, LONGER)
    expected = folder_digest(experiment(source, folder=tmp_path / "left").folder)
    assert kill_until_finished(source, tmp_path / "killed", 2, (1.0, 2.5)) == expected


@pytest.mark.heavy
def test_killed_fifty_times(tmp_path: Path) -> None:
    source = written(tmp_path, LONGER.replace("20_000", "200_000") + FOLLOW)
    expected = folder_digest(experiment(source, folder=tmp_path / "left").folder)
    left = 50
    while left:
        kills = min(left, random.randint(1, 8))
        left -= kills
        folder = tmp_path / f"killed-{left}"
        assert kill_until_finished(source, folder, kills, (0.5, 5.0)) == expected, f"{left} kills left"


def test_a_folder_of_another_experiment_is_refused(tmp_path: Path) -> None:
    source = written(tmp_path)
    made = experiment(source, folder=tmp_path)
    source.write_text(SMALL.replace("games = 400", "games = 500"))
    with pytest.raises(InvalidError, match=r"was begun with other settings; remove .*, or choose another folder"):
        experiment(source, folder=tmp_path)
    source.write_text(SMALL)
    path = made.cells[0].trainings[0].run.path / "run.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "source": "0"}))
    with pytest.raises(InvalidError, match="the source code has changed"):
        experiment(source, folder=tmp_path)


def test_what_goes_wrong_in_a_training_is_told(tmp_path: Path) -> None:
    made = experiment(written(tmp_path), folder=tmp_path)
    damaged = made.cells[-1].trainings[-1].run
    (damaged.path / "results.json").unlink()
    damaged.weights.write_bytes(b"nothing")
    with pytest.raises(PetteiaError, match="weights"):
        experiment(written(tmp_path), folder=tmp_path, jobs=2)


# What is found.


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
            mine = points[(points.alpha == cell.cell.values["alpha"]) & (points.gamma == cell.cell.values["gamma"])]
            assert list(mine[mine.seed == seed].score) == [point.score for point in training.points]
    for name, values in runs.groupby(["alpha", "gamma"]).final:
        row = summary[(summary.alpha == name[0]) & (summary.gamma == name[1]) & (summary.measure == "final")].iloc[0]
        assert row["mean"] == pytest.approx(values.mean())
        assert (row.least, row.most, row.seeds, row.of) == (values.min(), values.max(), 2, 2)
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
        "4 combinations of alpha and gamma, 8 trainings, 3,200 games to learn from\n",
        "seeds: 0 to 1 for each combination\n",
        "processor: ",
        made.cells[0].trainings[0].run.description.source,
    ):
        assert part in text
    times = json.loads((made.folder / "times.json").read_text())
    assert times["begun"] <= times["updated"]


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
    assert (five.mean, five.least, five.most, five.seeds) == (pytest.approx(0.7), 0.5, 0.9, 5)
    assert (five.low, five.high) == (pytest.approx(0.7 - 0.19632, abs=1e-4), pytest.approx(0.7 + 0.19632, abs=1e-4))
    assert summarise([0.9, 1.0], is_share=True).high == 1.0
    assert summarise([None, 300, None], is_share=False) == (300, None, None, 300, 300, 1, 3)
    assert summarise([None, None], is_share=False).mean is None
    share, count = Column("", is_share=True), Column("")
    assert shown(five, share) == "70.0 [50.4, 89.6]"
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


def test_both_sides_and_how_they_play(tmp_path: Path) -> None:
    text = (
        SMALL.replace("games = 400", 'games = 400\nside = "both"\nfold = true')
        .replace("gamma = [0.5, 1]", "")
        .replace("[figure]", '[measure]\nregret = ["reachable", "all"]\nagainst = ["perfect"]\ngames = 20\n[figure]')
    )
    made = experiment(written(tmp_path, text), folder=tmp_path, jobs=2)
    assert [(cell.cell.label, cell.side) for cell in made.cells] == [
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
            assert run["given_away_all"] == judged.given_away
            assert 0 <= run["against_perfect"] <= 1  # type: ignore[operator]
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


# Very large ones.


LARGE = SMALL.replace("[0.1, 0.5]", repr([i / 5000 for i in range(1, 5001)]))


def test_a_million_trainings_must_be_meant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = plan(written(tmp_path, LARGE), seeds=100)
    assert size_of(found) == (1_000_000, 400_000_000, 80_000_000)
    with pytest.raises(UsageError, match=r"1,000,000 trainings, 400,000,000 games .*--yes"):
        experiment(written(tmp_path, LARGE), seeds=100, folder=tmp_path / "never")
    with pytest.raises(UsageError, match="that cannot be meant"):
        experiment(written(tmp_path, LARGE), seeds=10**6, folder=tmp_path / "never", large=True)
    with pytest.raises(UsageError, match="games to learn from"):
        experiment(written(tmp_path, SMALL.replace("400", "400_000_000")), folder=tmp_path / "never")
    assert not (tmp_path / "never").exists()
    monkeypatch.setattr(work, "MOST_RUNS", 7)
    with pytest.raises(UsageError, match="8 trainings"):
        experiment(written(tmp_path), folder=tmp_path)
    assert len(experiment(written(tmp_path), folder=tmp_path, large=True).runs) == 8


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_command_asks_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(work, "MOST_RUNS", 7)
    written(tmp_path)
    assert main(["experiment", "small.toml"]) == 2
    assert "8 trainings" in capsys.readouterr().err
    monkeypatch.setattr(sys, "stdin", Terminal("n\n"))
    assert main(["experiment", "small.toml"]) == 2
    assert "Go on?" in capsys.readouterr().err
    assert not (tmp_path / "experiments").exists()
    monkeypatch.setattr(sys, "stdin", Terminal("y\n"))
    assert main(["experiment", "small.toml"]) == 0
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert main(["experiment", "small.toml", "--yes"]) == 0


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path)
    assert main(["experiment", "small.toml", "--scale", "quick", "--seeds", "1", "--json", "--jobs", "2"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["schema"], document["folder"], document["seeds"]) == (1, "experiments/small-quick", [0])
    assert len(document["runs"]) == 4
    assert set(document["files"]) >= {"points.csv", "table.tex", "provenance.txt", "curves-alpha-0.1.svg"}
    assert main(["experiment", "small.toml", "--scale", "quick", "--seeds", "1"]) == 0
    out = capsys.readouterr().out
    assert "games to the first 90%" in out
    assert "experiments/small-quick" in out
    assert main(["experiment", "--list"]) == 0
    listed = capsys.readouterr().out
    assert all(name in listed for name in shipped())
    assert main(["experiment", "--list", "--json"]) == 0
    assert [row["name"] for row in json.loads(capsys.readouterr().out)["experiments"]] == list(shipped())
    assert main(["experiment"]) == 2
    assert "--list" in capsys.readouterr().err
    assert main(["experiment", "nowhere.toml"]) == 3
    written(tmp_path, SMALL.replace("alpha", "alhpa", 1), "wrong.toml")
    assert main(["experiment", "wrong.toml"]) == 4
    assert capsys.readouterr().err.count("\n") == 2


def test_trainings_of_an_experiment_are_runs(made: ExperimentResult) -> None:
    assert [row.state for row in petteia.runs(made.folder / "runs")] == ["finished"] * 8
    assert open_training(made.folder / "runs" / "alpha-0.1_gamma-1_seed-0").is_finished
