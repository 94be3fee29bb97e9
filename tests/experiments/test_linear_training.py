"""Trainings of linear values: the same bytes whatever happens to them, what they keep, and what they refuse."""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from folders import python_path
from linear_oracle import SPECIAL_ENDS, Oracle, Way, best, vector
from linear_trainings import ENDS, GAME, OTHER, RULES, SMALL, STAGES, saved, small

from petteia.cli import main
from petteia.core.errors import PetteiaError
from petteia.core.protocol import draw_move, initial, limits, parse_move, parse_state, play
from petteia.core.random import keys
from petteia.experiments.run_list import runs
from petteia.experiments.training import open_training, resume
from petteia.features.kalah_potentials import ReportFeatures
from petteia.policies.play_games import RngKeys
from petteia.records.runs import digest


def slow(settings: dict[str, Any]) -> Any:
    """The settings of a test among the slow ones: they compile much."""
    return pytest.param(settings, marks=pytest.mark.slow)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> str:
    return digest(small(tmp_path_factory.mktemp("undisturbed")).run)


# The same bytes.


@pytest.mark.slow
def test_same_seed_same_bytes(tmp_path: Path, undisturbed: str) -> None:
    assert digest(small(tmp_path / "again").run) == undisturbed
    assert digest(small(tmp_path / "other", seed=8).run) != undisturbed


class KilledError(Exception):
    pass


@pytest.mark.parametrize(
    "settings",
    [
        {},
        slow({"standardise": True, "learner": "td", "opponent": "self", "lambda_": 0.0, "knows_ends": True}),
        {"turns": "chain", "learner": "sarsa", "side": 1, "win_reward": 2.0, "learn_explored": True, "play_out": True},
        slow(
            {
                "depth": 2,
                "learner": "monte-carlo",
                "side": "both",
                "opponent": "self",
                "lambda_": 0.0,
                "weights": "report",
            }
        ),
    ],
    ids=["stages", "standardised", "chains", "searched"],
)
@pytest.mark.slow
def test_killed_and_resumed(settings: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is saved when it is killed: it goes on from the last checkpoint, behind which the journal may be."""
    expected = digest(small(tmp_path / "left", **settings).run)
    calls, killed = itertools.count(1), set()

    def kill(done: int, wanted: int, point: object) -> None:
        number = next(calls)
        monkeypatch.setattr("petteia.experiments.training.CHECKPOINT_SECONDS", 0.0 if number % 5 == 1 else 1e9)
        if number % 3 == 2:
            killed.add(next(stage for stage, end in enumerate(ENDS) if done <= end))
            raise KilledError

    with pytest.raises(KilledError):
        small(tmp_path, progress=kill, **settings)
    while not open_training("same", tmp_path).is_finished:
        try:
            resume("same", runs=tmp_path, progress=kill)
        except KilledError:
            continue
    assert killed == {0, 1, 2}
    assert digest(open_training("same", tmp_path).run) == expected


@pytest.mark.slow
def test_interrupted_and_resumed(tmp_path: Path, undisturbed: str) -> None:
    def interrupt(done: int, wanted: int, point: object) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt, match="petteia resume"):
        small(tmp_path, progress=interrupt)
    interrupts = 1
    while not open_training("same", tmp_path).is_finished:
        assert 0 < runs(tmp_path)[0].done <= ENDS[-1]
        try:
            resume("same", runs=tmp_path, progress=interrupt)
        except KeyboardInterrupt:
            interrupts += 1
    assert interrupts > 5
    assert digest(resume("same", runs=tmp_path).run) == undisturbed


SCRIPT = """
import json, os, signal, sys
import petteia.experiments.training as training
from flat_options import train
from linear_trainings import GAME, SMALL
folder, at, pause, settings = sys.argv[1:]
training.CHECKPOINT_SECONDS = float(pause)

def kill(done, wanted, point):
    if int(at) and done > int(at):
        os.kill(os.getpid(), signal.SIGKILL)

try:
    train(GAME, runs=folder, name="same", progress=kill, **{**SMALL, **json.loads(settings)})
except ValueError:
    training.resume("same", runs=folder, progress=kill)
"""


def script(folder: Path, at: int = 0, pause: float = 0.0, **settings: Any) -> subprocess.Popen[bytes]:
    """A process that begins a training run, or goes on with it, and kills itself after so many games."""
    arguments = [sys.executable, "-c", SCRIPT, str(folder), str(at), str(pause), json.dumps(settings)]
    return subprocess.Popen(arguments, env={**os.environ, "PYTHONPATH": python_path()}, stderr=subprocess.DEVNULL)


@pytest.mark.slow
def test_killed_for_good_in_every_stage(tmp_path: Path, undisturbed: str) -> None:
    for at in (100, 500, 900):
        assert script(tmp_path, at).wait() == -signal.SIGKILL
        assert open_training("same", tmp_path).games <= at + 300
    assert open_training("same", tmp_path).games > ENDS[0]
    assert script(tmp_path).wait() == 0
    assert digest(open_training("same", tmp_path).run) == undisturbed


@pytest.mark.heavy
def test_killed_fifty_times(tmp_path: Path) -> None:
    settings: dict[str, Any] = {
        "games": 1_500_000,
        "opponent": "greedy for 400000, then self:every=10000 for 500000, then self",
        "evaluate_every": 50_000,
    }
    expected = digest(small(tmp_path / "left", **settings).run)
    left, hit = 50, 0
    while left:
        folder, kills = tmp_path / f"killed-{left}", min(left, random.randint(1, 8))
        left -= kills
        for _ in range(kills):
            with script(folder, pause=0.3, **settings) as process:
                time.sleep(random.uniform(0.5, 4.0))
                process.kill()
            hit += process.returncode == -signal.SIGKILL
        assert script(folder, pause=0.3, **settings).wait() == 0
        assert digest(open_training("same", folder).run) == expected, f"{left} kills left"
    assert hit > 25


# What it learns, and what it keeps.


@pytest.mark.parametrize("side", [0, "random"])
def test_stages_meet_whom_they_say(side: int | str, tmp_path: Path) -> None:
    """The same weights as the slow second version, against random play, itself of the last hundred, and itself."""
    found = small(
        tmp_path,
        opponent="random for 50, then self:every=100 for 180, then self",
        games=270,
        side=side,
        epsilon="0.3..0.1",
        gamma=0.9,
        weights=0.125,
    )
    feature_set, numbers = ReportFeatures(), keys(SMALL["seed"], 8)
    oracle = Oracle(RULES, feature_set, np.full(40, 0.125), Way("q", side, 0.9, 0.5, "dutch"))
    frozen = oracle.weights.copy()

    def drawn(rules: Any, state: Any, random: Any) -> int:
        return draw_move(rules, state, random, [0] * limits(rules).moves)

    def by(weights: Any) -> Any:
        return lambda rules, state, random: best(rules, feature_set, weights, state, random, "ply", SPECIAL_ENDS)[
            1
        ].path[0]

    for number in range(270):
        if number % 100 == 0:
            frozen[:] = oracle.weights
        opponent = drawn if number < 50 else by(frozen) if number < 230 else by(oracle.weights)
        alpha, epsilon = 0.02 - 0.01 * number / 269, 0.3 - 0.2 * number / 269
        oracle.play_game(initial(RULES), opponent, alpha, epsilon, RngKeys(numbers[6], *numbers[:3]), number)
    np.testing.assert_allclose(saved(found).weights, oracle.weights, rtol=1e-8)


def test_the_history_has_what_it_should(tmp_path: Path) -> None:
    settings = {"opponent": "self", "alpha": 0.01, "marks": [1450, 405], "evaluate_every": 2000, "weights": 0.5}
    whole = saved(small(tmp_path, games=4001, name="whole", **settings))
    wanted = {*range(0, 4001, 100), *range(2002, 4002), *range(950, 1950), *range(1, 905)}
    assert whole.history_games.tolist() == sorted(wanted)
    assert whole.games == 4001
    assert (whole.history[0] == 0.5).all()
    for games in (1, 100, 1700, 1949, 4001):
        part = saved(small(tmp_path, games=games, name=f"part-{games}", **settings))
        place = whole.history_games.tolist().index(games)
        np.testing.assert_array_equal(whole.history[place], part.weights)
        np.testing.assert_array_equal(part.history[-1], part.weights)
    halves = [i for i, each in enumerate(whole.history_games) if each % 100 == 0 and each >= 2000]
    np.testing.assert_allclose(whole.mean, whole.history[halves].mean(axis=0), rtol=1e-12)


def test_both_sides_are_measured_and_their_points_tell_the_norm(tmp_path: Path) -> None:
    found = small(tmp_path, evaluation_games=300, alpha=0.05, lambda_=0.0, evaluate_against="random")
    assert [(point.games, point.side) for point in found.points] == [
        (games, side) for games in (300, 600, 900, 1200) for side in (0, 1)
    ]
    for point in found.last_points:
        assert point.score > 0.6
        assert point.norm == pytest.approx(float(np.linalg.norm(saved(found).weights)))
        assert point.states is None


def test_values_that_are_followed_are_those_of_the_mover(tmp_path: Path) -> None:
    position = "0,0,1,3/2,2,2,2 n"
    found = small(tmp_path, follow=[(position, "3"), ("2,2,2,0/2,2,2,0 s", "2")])
    weights = saved(found).weights
    for value, (state, move, sign) in zip(
        found.last_points[0].followed, ((position, "3", -1.0), ("2,2,2,0/2,2,2,0 s", "2", 1.0)), strict=True
    ):
        before = parse_state(RULES, state)
        after = play(RULES, before, parse_move(RULES, before, move))
        assert value == pytest.approx(sign * float(weights @ vector(ReportFeatures(), RULES, after)))


@pytest.mark.slow
def test_other_features(tmp_path: Path) -> None:
    found = small(tmp_path, features=OTHER, opponent="self", games=100)
    assert saved(found).features == OTHER
    assert np.any(saved(found).weights)


# Where it diverges.


def test_divergence_is_one_line_and_leaves_the_run_sound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("petteia.experiments.training.CHECKPOINT_SECONDS", 0.0)
    settings = {"alpha": "0.01,1@200", "opponent": "self", "lambda_": 0.9, "traces": "accumulating"}
    with pytest.raises(PetteiaError, match=r"diverged in game 2\d\d: .* smaller alpha, such as 0.1, or .*lambda") as e:
        small(tmp_path, **settings)
    assert e.value.exit_code == 1
    assert "\n" not in str(e.value)
    row = runs(tmp_path)[0]
    assert (row.state, row.done) == ("unfinished", open_training("same", tmp_path).games)
    assert 0 < row.done <= 300
    assert np.isfinite(saved(open_training("same", tmp_path)).weights).all()
    with pytest.raises(PetteiaError) as again:
        resume("same", runs=tmp_path)
    assert str(again.value) == str(e.value)
    assert main(["resume", "same", "--runs", str(tmp_path), "--json"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert str(e.value) in captured.err


def test_divergence_at_once(tmp_path: Path) -> None:
    with pytest.raises(PetteiaError, match=r"learning diverged in game 4: .*0\.1; remove this run, or choose"):
        small(tmp_path, alpha=1.0, lambda_=0.0, opponent="self")
    assert runs(tmp_path)[0].done == 1, "what comes of the first game is saved at once"


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], undisturbed: str) -> None:
    options = ("--features report --learner q --epsilon 0.1 --no-knows-ends --games 1200 --alpha 0.02..0.01 "
               "--lambda 0.5 --traces dutch --mark 10 --name same "
               "--evaluate-every 300 --evaluation-games 20 --seed 7 --json")  # fmt: skip
    assert main(["train", GAME, *options.split(), "--opponent", STAGES, "--runs", str(tmp_path)]) == 0
    assert '"schema"' in capsys.readouterr().out
    assert digest(open_training("same", tmp_path).run) == undisturbed
