"""Trainings in run folders: the same bytes whatever happens to them, and clear words for what does not fit."""

from __future__ import annotations

import dataclasses
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pandas
import pytest
from flat_options import train
from matching_checksums import mend
from tiny_games import DiceRace, Nim

from petteia.core.errors import InvalidError, NotFoundError, PetteiaError, UsageError
from petteia.core.interrupt import InterruptLater
from petteia.experiments import training
from petteia.experiments.run_list import runs
from petteia.experiments.training import Training, resume
from petteia.games.hare_and_hounds import HareAndHounds
from petteia.records.runs import digest
from petteia.value_functions.table_file import load_table, save_table

SMALL: dict[str, Any] = {"games": 2000, "evaluate_every": 300, "evaluation_games": 40, "seed": 7}


def small(folder: Path, **settings: Any) -> Training:
    return train("hare-and-hounds", runs=folder, **{**SMALL, **settings})


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> str:
    return digest(small(tmp_path_factory.mktemp("undisturbed"), name="same").run)


def test_same_seed_same_bytes(tmp_path: Path, undisturbed: str) -> None:
    assert digest(small(tmp_path / "again", name="same").run) == undisturbed
    assert digest(small(tmp_path / "other", name="same", seed=8).run) != undisturbed


def test_curve_is_where_it_should_be_and_rises(tmp_path: Path) -> None:
    found = small(tmp_path, games=20_000, evaluate_every=3000, evaluation_games=400)
    assert [point.games for point in found.points] == [3000, 6000, 9000, 12_000, 15_000, 18_000, 20_000]
    for point in found.points:
        assert point.wins + point.draws + point.losses == 400
        assert point.low < point.score < point.high
    assert found.points[0].high < found.points[-1].low
    assert found.is_finished
    assert found.games == 20_000
    frame = pandas.DataFrame(found.points)
    assert list(frame.columns)[:2] == ["games", "wins"]
    assert frame["score"].iloc[-1] == found.points[-1].score


@pytest.mark.parametrize("rules", [Nim(), DiceRace()], ids=str)
@pytest.mark.parametrize("side", [0, 1])
def test_other_games_and_sides(rules: Any, side: int, tmp_path: Path) -> None:
    found = train(rules, side=side, games=3000, evaluate_every=1500, evaluation_games=400, runs=tmp_path)
    before = train(rules, side=side, games=1, evaluation_games=400, runs=tmp_path)
    assert found.points[-1].score > before.points[-1].score


def test_hare_learns_against_learned_hounds(tmp_path: Path) -> None:
    hounds = small(tmp_path, games=20_000)
    hare = small(tmp_path, side="hare", opponent=f"q:agent={hounds.run.path}", games=600, evaluate_every=5)
    assert hare.points[-1].score > hare.points[0].score


def test_interrupted_and_resumed(tmp_path: Path, undisturbed: str) -> None:
    interrupts = 0

    def interrupt(done: int, wanted: int, point: object) -> None:
        nonlocal interrupts
        interrupts += 1
        if interrupts % 3 == 0:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        small(tmp_path, name="same", progress=interrupt)
    while not training.open_training("same", tmp_path).is_finished:
        assert runs(tmp_path)[0].state == "unfinished"
        try:
            resume("same", runs=tmp_path, progress=interrupt)
        except KeyboardInterrupt:
            continue
    assert interrupts > 5
    assert digest(resume("same", runs=tmp_path).run) == undisturbed


def test_resumed_from_a_checkpoint_older_than_the_journal(tmp_path: Path, undisturbed: str) -> None:
    def stop(done: int, wanted: int, point: object) -> None:
        if done == 600:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        small(tmp_path, name="same", progress=stop)
    found = training.open_training("same", tmp_path)
    found.run.journal.append([{"games": 900}])
    with found.run.journal.path.open("a") as file:
        file.write('{"torn')
    assert digest(resume("same", runs=tmp_path).run) == undisturbed


def test_resumed_without_a_checkpoint(tmp_path: Path, undisturbed: str) -> None:
    found = small(tmp_path, name="same")
    found.run.weights.unlink()
    (found.run.path / "results.json").unlink()
    assert digest(resume(found.run.path).run) == undisturbed


def test_second_interrupt_raises_at_once() -> None:
    with InterruptLater() as interrupt:
        os.kill(os.getpid(), signal.SIGINT)
        assert interrupt.requested
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)


SCRIPT = """
import sys
from petteia import EvaluationGames, resume, train
name, folder, games = sys.argv[1:]
few = EvaluationGames(every=300, games=40)
try:
    train("hare-and-hounds", runs=folder, name=name, games=int(games), evaluation=few, seed=7)
except ValueError:
    resume(name, runs=folder)
"""


def kill_until_finished(folder: Path, games: int, kills: int, pause: tuple[float, float]) -> str:
    """Digest of a training run that was killed so many times at random moments, and then left alone."""
    arguments = [sys.executable, "-c", SCRIPT, "same", str(folder), str(games)]
    for _ in range(kills):
        with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            time.sleep(random.uniform(*pause))
            process.kill()
    subprocess.run(arguments, check=True, stderr=subprocess.DEVNULL)
    return digest(training.open_training("same", folder).run)


@pytest.mark.slow
def test_killed_and_resumed(tmp_path: Path) -> None:
    expected = digest(small(tmp_path / "left", name="same", games=30_000).run)
    assert kill_until_finished(tmp_path / "killed", 30_000, 2, (0.8, 1.6)) == expected


@pytest.mark.heavy
def test_killed_fifty_times(tmp_path: Path) -> None:
    games = 3_000_000
    expected = digest(small(tmp_path / "left", name="same", games=games).run)
    left = 50
    while left:
        kills = min(left, random.randint(1, 8))
        left -= kills
        folder = tmp_path / f"killed-{left}"
        assert kill_until_finished(folder, games, kills, (0.3, 6.0)) == expected, f"{left} kills left"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"games": 0}, "games 0"),
        ({"games": 10**15}, "games"),
        ({"evaluate_every": 0}, "evaluation.every 0"),
        ({"evaluation_games": -1}, "evaluation.games -1"),
        ({"max_plies": 0}, "max_plies 0"),
        ({"seed": -1}, "seed=-1"),
        ({"gamma": 1.5}, "gamma 1.5"),
        ({"gamma": float("nan")}, "gamma nan"),
        ({"alpha": "2"}, "alpha '2'"),
        ({"epsilon": "0.5,0.1"}, "epsilon '0.5,0.1'"),
        ({"side": "fox"}, "side 'fox'.*hounds.*hare"),
        ({"side": 2}, "side 2"),
        ({"learner": "sarsaa"}, "no learner 'sarsaa'; did you mean 'sarsa'?"),
        ({"opponent": "randm"}, "did you mean 'random'"),
        ({"opponent": "human"}, "'human' has no compiled form"),
        ({"opponent": "q:agent=nowhere"}, "nowhere"),
        ({"position": "0,1,3/3 hounds 0"}, "both stand on square 3"),
        ({"position": "4,6,8/10 hare 0"}, None),
        ({"position": "7,8,9/0 hounds 0"}, "the game is over; give"),
        ({"name": "../elsewhere"}, "run '../elsewhere'"),
    ],
)
def test_bad_settings_in_one_line(settings: dict[str, Any], message: str | None, tmp_path: Path) -> None:
    if message is None:
        small(tmp_path, games=1, **settings)
        return
    with pytest.raises(PetteiaError, match=message) as error:
        small(tmp_path, **settings)
    assert "\n" not in str(error.value)
    assert runs(tmp_path) == []


def test_opponent_must_fit_the_seat(tmp_path: Path) -> None:
    hounds = small(tmp_path, games=10)
    with pytest.raises(UsageError, match="cannot play the seat"):
        small(tmp_path, side="hare", opponent="q:agent=" + str(small(tmp_path, games=10, side="hare").run.path))
    with pytest.raises(UsageError, match="cannot play the seat"):
        small(tmp_path, opponent=f"q:agent={hounds.run.path}")


def test_a_changed_opponent_is_noticed(tmp_path: Path) -> None:
    hounds = small(tmp_path, games=10, name="hounds")
    hare = small(tmp_path, side=1, opponent=f"q:agent={hounds.run.path}", name="hare")
    (hare.run.path / "results.json").unlink()
    other = small(tmp_path, games=20)
    other.run.weights.replace(hounds.run.weights)
    with pytest.raises(InvalidError, match="the weights belong to another run"):
        resume("hare", runs=tmp_path)
    mend(hounds.run.path)
    with pytest.raises(InvalidError, match=r"opponent .* has changed"):
        resume("hare", runs=tmp_path)


def test_runs_tell_what_is_wrong(tmp_path: Path) -> None:
    found = small(tmp_path, name="sound", games=10)
    damaged = small(tmp_path, name="damaged", games=10).run
    (damaged.path / "run.json").write_text("{")
    row, other = runs(tmp_path)
    assert (row.name, row.state) == ("damaged", "damaged")
    assert (other.name, other.state, other.done) == ("sound", "finished", 10)
    with pytest.raises(NotFoundError, match="did you mean 'sound'"):
        resume("sond", runs=tmp_path)
    description = json.loads((found.run.path / "run.json").read_text())
    for field, value, message in (
        ("schema", 99, "schema 99"),
        ("kind", "match", "not a training"),
        ("provenance", {"petteia.learn.tabular": "0"}, r"petteia\.learn\.tabular has changed since the run was begun"),
    ):
        (found.run.path / "run.json").write_text(json.dumps({**description, field: value}))
        (found.run.path / "results.json").unlink(missing_ok=True)
        mend(found.run.path)
        with pytest.raises(InvalidError, match=message):
            resume("sound", runs=tmp_path)


@pytest.mark.parametrize(
    ("number", "change"),
    [(1, {"games": 7}), (1, {"side": 1}), (2, {"score": "high"}), (2, {"followed": [0.5]}), (2, {"luck": 1}), (3, {})],
)
def test_points_that_cannot_be_are_refused_although_the_checksums_are_right(
    number: int, change: dict[str, Any], tmp_path: Path
) -> None:
    run = train("hare-and-hounds", games=6, evaluate_every=2, evaluation_games=2, runs=tmp_path, name="same").run
    rows = [*run.journal.read(), run.journal.read()[-1]][: max(number + 1, 3)]
    rows[number] |= change
    run.journal.path.unlink()
    type(run.journal)(run.journal.path, run.identity).append(rows)
    mend(run.path)
    (row,) = runs(tmp_path)
    assert row.state == "damaged"
    assert f"points.jsonl, line {number + 1}: damaged; expected the point of the learning curve after" in row.what


def test_weights_that_stand_elsewhere_are_refused_although_the_checksums_are_right(tmp_path: Path) -> None:
    found = small(tmp_path, name="same", games=900)
    (found.run.path / "results.json").unlink()
    learned = load_table(found.run.weights, found.rules)
    save_table(found.run.weights, found.rules, learned._replace(games=600), found.run.place)
    with pytest.raises(InvalidError, match=r"points.jsonl: must end at game 600, where the weights were saved"):
        resume("same", runs=tmp_path)


def test_rules_may_be_given_as_value(tmp_path: Path) -> None:
    found = train(HareAndHounds(stall=0), runs=tmp_path, **{**SMALL, "games": 10})
    assert found.run.description.game == "hare-and-hounds:stall=0"
    assert dataclasses.is_dataclass(found)


def test_no_more_games_without_learning_than_were_learned_from(tmp_path: Path) -> None:
    def games(**options: Any) -> list[int]:
        points = train("hare-and-hounds", games=200, runs=tmp_path, **options).points
        return [point.wins + point.draws + point.losses for point in points]

    assert games(evaluate_every=20) == [20] * 9 + [500]
    assert sum(games()) == 99 * 2 + 500
    assert games(evaluate_every=80, evaluation_games=300) == [300, 300, 300]
    assert games(evaluate_every=80, learner="sarsa", side="both") == [80] * 4 + [500] * 2


def test_games_without_learning_are_the_same_however_often_it_was_stopped(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"games": 900, "name": "same", "evaluation_games": None}

    def stop(done: int, wanted: int, point: object) -> None:
        if done == 600:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        small(tmp_path / "stopped", progress=stop, **settings)
    stopped = resume("same", runs=tmp_path / "stopped")
    assert digest(stopped.run) == digest(small(tmp_path / "whole", **settings).run)
    assert [point.wins + point.draws + point.losses for point in stopped.points] == [300, 300, 500]
