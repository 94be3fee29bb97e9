"""Tables that go on learning: from those of other runs, against opponents in stages, with a gamma that changes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flat_options import train
from tiny_games import DiceRace, Nim

from petteia.cli import main
from petteia.core.errors import InvalidError, NotFoundError, PetteiaError, UsageError
from petteia.core.protocol import initial
from petteia.core.random import keys as words
from petteia.experiments.run_list import runs
from petteia.experiments.training import Training, resume
from petteia.learn.schedules import schedule
from petteia.learn.tabular import learn_games
from petteia.policies.play_games import RngKeys
from petteia.policies.policy import Lowest, Uniform
from petteia.records.runs import digest
from petteia.value_functions.table import Table, empty_table, rows
from petteia.value_functions.table_file import LearnedTable, load_table, save_table

NIM = Nim()
SMALL: dict[str, Any] = {"games": 300, "evaluate_every": 100, "evaluation_games": 20, "seed": 3}


def small(folder: Path, game: Any = NIM, **settings: Any) -> Training:
    return train(game, runs=folder, **{**SMALL, **settings})


def saved(training: Training) -> Table:
    return load_table(training.run.weights, training.rules).table


def learned_by_hand(table: Table, opponent: Any, first: int, count: int, gammas: Any = None) -> Table:
    drawn = words(SMALL["seed"], 8)
    return learn_games(
        *(NIM, initial(NIM), 0, table, opponent),
        alphas=np.full(count, 0.1),
        explorations=np.full(count, 0.5),
        gammas=np.full(count, 0.9) if gammas is None else gammas,
        keys=RngKeys(drawn[6], *drawn[:3]),
        first_game=first,
    )


def assert_same(one: Table, other: Table) -> None:
    for part, its in zip(rows(one), rows(other), strict=True):
        np.testing.assert_array_equal(part, its)


# Weights to begin with.


def test_a_table_goes_on_where_another_run_ended(tmp_path: Path) -> None:
    first = small(tmp_path, name="first")
    second = small(tmp_path, weights=str(first.run.path), opponent="simple", name="second")
    assert_same(saved(second), learned_by_hand(saved(first), Lowest(), 0, 300))
    assert second.games == 300
    assert f"begins with {first.run.path}" in str(second.configuration)


def test_the_table_may_be_a_file(tmp_path: Path) -> None:
    first = small(tmp_path, name="first")
    path = tmp_path / "table.safetensors"
    save_table(path, NIM, LearnedTable(saved(first), (0,), 300))
    by_file, by_run = (small(tmp_path, weights=str(each), name=None) for each in (path, first.run.path))
    assert_same(saved(by_file), saved(by_run))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"learner": "q"}, {"learner": "double-q"}),
        ({"learner": "double-q"}, {"learner": "sarsa"}),
        ({"alpha": "visits"}, {"alpha": "0.1"}),
        ({"alpha": "visits"}, {"alpha": "visits^0.7"}),
        ({"side": "both"}, {"side": 1}),
        ({"initial": 0.5}, {"initial": 0.5, "temperature": 0.2}),
    ],
)
def test_other_parameters_may_follow(first: dict[str, Any], second: dict[str, Any], tmp_path: Path) -> None:
    before = small(tmp_path, **first)
    after = small(tmp_path, **second, weights=str(before.run.path), games=1, evaluate_every=1)
    one, other = (dict(zip(*map(np.ndarray.tolist, rows(saved(each))), strict=True)) for each in (before, after))
    changed = [key for key in one if one[key] != other[key]]
    assert set(one) <= set(other)
    assert len(changed) <= 10, "one game changes little"


def test_it_resumes_to_the_same_bytes_although_the_first_run_is_gone(tmp_path: Path) -> None:
    first = small(tmp_path, name="first")
    text = str(first.run.path)
    whole = digest(small(tmp_path / "one", weights=text, name="same").run)

    def kill(done: int, wanted: int, point: object) -> None:
        if done >= 100:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        small(tmp_path / "two", weights=text, name="same", progress=kill)
    again = resume("same", runs=tmp_path / "two")
    assert digest(again.run) == whole


def test_weights_that_have_changed_before_anything_was_saved(tmp_path: Path) -> None:
    first = small(tmp_path, name="first")
    second = small(tmp_path, weights=str(first.run.path), name="second")
    for name in ("weights.safetensors", "results.json", "points.jsonl"):
        (second.run.path / name).unlink()
    save_table(tmp_path / "other", NIM, LearnedTable(empty_table(NIM), (0,), 0), first.run.place)
    (first.run.path / "results.json").unlink()
    (tmp_path / "other").replace(first.run.weights)
    with pytest.raises(InvalidError, match=r"the weights .*first have changed since the run began"):
        resume(second.run.path)


BAD_WEIGHTS: dict[str, tuple[dict[str, Any], type[PetteiaError], str]] = {
    "none": ({"weights": "nowhere"}, NotFoundError, "there is no run 'nowhere'"),
    "a number": ({"weights": 0.5}, UsageError, "weights 0.5: must be a run or a weights file"),
    "another side": ({"weights": "first", "side": 1}, InvalidError, "has not learned to play second; choose another"),
    "both sides": ({"weights": "first", "side": "both"}, InvalidError, "has not learned to play second; choose"),
    "another game": (
        {"game": DiceRace(), "weights": "first"},
        InvalidError,
        "learned for .*Nim, not for .*DiceRace",
    ),
    "other rules": ({"game": Nim(size=2), "weights": "first"}, InvalidError, "learned for .*Nim, not for .*Nim:"),
    "initial": ({"weights": "first", "initial": 0.5}, InvalidError, "learned with initial 0; give the same"),
    "visits": ({"weights": "first", "alpha": "visits"}, InvalidError, "lacks the numbers of visits for alpha visits"),
    "folded": ({"weights": "first", "fold": True}, InvalidError, "without fold; leave it out"),
}


@pytest.mark.parametrize("name", BAD_WEIGHTS)
def test_weights_that_do_not_fit(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings, kind, message = BAD_WEIGHTS[name]
    small(tmp_path / "runs", name="first")
    before = runs()
    with pytest.raises(kind, match=message) as error:
        small(tmp_path / "runs", **settings)
    assert "\n" not in str(error.value)
    assert runs() == before


@pytest.mark.slow
def test_weights_of_the_other_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    game: Any = {"game": "hare-and-hounds", "runs": tmp_path / "runs", "games": 10}
    train(**game, name="table")
    train(**game, name="features", features="squares")
    with pytest.raises(InvalidError, match="weights are of kind 'linear'; must be of kind 'table'"):
        train(**game, weights="features")
    with pytest.raises(InvalidError, match="weights are of kind 'table'; must be of kind 'linear'"):
        train(**game, weights="table", features="squares")


# Opponents in stages.


def test_stages_meet_whom_they_say(tmp_path: Path) -> None:
    found = small(tmp_path, opponent="random for 120, then simple", gamma="0.5..0.9")
    gammas = schedule("0.5..0.9", "gamma").over(0, 300, 300)
    table = learned_by_hand(empty_table(NIM), Uniform(), 0, 120, gammas[:120])
    assert_same(saved(found), learned_by_hand(table, Lowest(), 120, 180, gammas[120:]))
    assert found.configuration.against == "simple"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that can be killed")
def test_stages_resume_to_the_same_bytes(tmp_path: Path) -> None:
    options: dict[str, Any] = {"opponent": "random for 120, then simple", "gamma": "0.5,0.9@200", "name": "same"}
    whole = digest(small(tmp_path / "one", **options).run)
    for stop in (1, 110, 130, 250):

        def kill(done: int, wanted: int, point: object, stop: int = stop) -> None:
            if done >= stop:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            small(tmp_path / str(stop), **options, progress=kill)
        assert digest(resume("same", runs=tmp_path / str(stop)).run) == whole


BAD_STAGES = {
    "random for 0, then simple": "stage 1 has no games; a stage must have 1 or more",
    "random for 300, then simple": "stage 2 begins after all 300 games",
    "random, then simple": "stage 1 must have a number of games",
    "random for 100, simple": "stages must be separated by ', then '",
    "random for 100, then simpel": "did you mean 'simple'",
    "random for 100, then self": "a table plays against itself if both sides learn; use side both",
    "self": "a table plays against itself if both sides learn; use side both",
}


@pytest.mark.parametrize("opponent", BAD_STAGES)
def test_bad_stages_in_one_line(opponent: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=BAD_STAGES[opponent]) as error:
        small(tmp_path, opponent=opponent)
    assert "\n" not in str(error.value)
    assert runs(tmp_path) == []


def test_both_sides_have_no_stages(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="both sides learn; choose one side"):
        small(tmp_path, opponent="random for 100, then simple", side="both")


# Gamma.


@pytest.mark.parametrize("written", ["0.9", 0.9, "0.90"])
def test_the_same_gamma_is_the_same_training(written: Any, tmp_path: Path) -> None:
    found = small(tmp_path / "one", gamma=written, name="same")
    assert digest(found.run) == digest(small(tmp_path / "two", name="same").run)


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (("--gamma", "0.5..2"), 2, "--gamma '0.5..2': 2 is not in 0..1"),
        (("--gamma", "much"), 2, "--gamma 'much': must look like 0.5 (constant)"),
        (("--weights", "nowhere"), 3, "there is no run 'nowhere'"),
        (("--opponent", "random for 0, then simple"), 2, "stage 1 has no games"),
    ],
)
def test_on_the_command_line(
    options: tuple[str, ...], code: int, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "hare-and-hounds", *options, "--games", "100", "--runs", str(tmp_path)]) == code
    assert message in capsys.readouterr().err
