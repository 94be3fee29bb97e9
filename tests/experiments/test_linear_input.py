"""What training runs of linear values refuse, in one line each; and the weights that they begin with and go on from."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree
from typing import Any

import numpy as np
import pytest
from flat_options import train
from linear_trainings import GAME, OTHER, RULES, saved, small
from matching_checksums import mend

from petteia.cli import main
from petteia.core.errors import InvalidError, NotFoundError, UsageError
from petteia.core.protocol import parse_state
from petteia.core.random import keys
from petteia.experiments.run_list import runs
from petteia.experiments.training import Training, resume
from petteia.features.feature_set import names
from petteia.features.kalah_potentials import ReportFeatures
from petteia.features.standardised import measure
from petteia.games import game
from petteia.records.runs import folder_digest
from petteia.records.weights import games_learned, load_weights, save_weights
from petteia.value_functions.linear_file import KIND, LearnedWeights, load_linear, save_linear

LATER = "; a stage must have 1 or more"
BAD: dict[str, tuple[dict[str, Any], str]] = {
    "features": ({"features": "reprt"}, "no feature set 'reprt'; did you mean 'report'"),
    "another game's": ({"features": "squares"}, "works only for hare-and-hounds, not for kalah"),
    "features twice": ({"features": "report+report"}, "'report' appears twice"),
    "gamma": ({"gamma": 1.01}, "gamma 1.01: 1.01 is not in 0..1"),
    "gamma nan": ({"gamma": float("nan")}, "gamma nan: nan is not in 0..1"),
    "lambda over": ({"lambda_": 1.5}, "lambda_ 1.5: must be a number in 0..1"),
    "lambda under": ({"lambda_": -0.1}, "lambda_ -0.1: must be a number in 0..1"),
    "lambda of Monte Carlo": ({"learner": "monte-carlo"}, "choose target q or sarsa or td, or leave it out"),
    "learner": ({"learner": "double-q"}, "target 'double-q': with features it must be one of q, sarsa, td,"),
    "traces": ({"traces": "french"}, "traces 'french': must be one of accumulating,"),
    "reward": ({"reward": "points"}, "reward 'points': must be one of result, margin"),
    "turns": ({"turns": "turn"}, "turns 'turn': must be one of ply, chain"),
    "alpha": ({"alpha": "visits"}, "alpha 'visits': must look like"),
    "epsilon": ({"epsilon": 2}, "epsilon 2: 2 is not in 0..1"),
    "win_reward": ({"win_reward": 0.0}, "win_reward 0: must be a number, more than 0"),
    "win_reward nan": ({"win_reward": float("nan")}, "win_reward nan: must be a number, more than 0"),
    "depth": ({"depth": 0}, "depth 0: must be in 1..20"),
    "depth and chains": ({"depth": 2, "turns": "chain"}, "depth: does not work with turns chain"),
    "chains and a search": (
        {"learner": "rootstrap", "turns": "chain"},
        "target rootstrap: does not work with turns chain; leave",
    ),
    "lambda of a search": ({"learner": "rootstrap", "lambda_": 0.5}, "lambda_: rootstrap has no traces; choose"),
    "a draw to either side": ({"draw_reward": 0.5}, "draw_reward: works only if one side learns.*choose a side"),
    "marks": ({"marks": [0]}, r"marks \[0\]: must be numbers of games, in 1..1"),
    "side": ({"side": "west"}, "side 'west'.*south.*or random or both"),
    "weights": ({"weights": 1e9}, "weights 1e.09: must be in -100..100"),
    "weights nan": ({"weights": "nan"}, "weights nan: must be in"),
    "weights of the report": ({"weights": "report", "features": "pits"}, "belong to features 'report', not to 'pits'"),
    "temperature": ({"temperature": 0.5}, "temperature: works only with tables; leave it out"),
    "initial": ({"initial": 1.0}, "initial: works only with tables; leave it out"),
    "fold": ({"fold": True}, "fold: works only with tables; leave it out"),
    "explore_starts": ({"explore_starts": True}, "explore_starts: works only with tables; leave it out"),
    "max_plies": ({"max_plies": 0}, "max_plies 0"),
    "games": ({"games": 0}, "games 0"),
    "a stage of no games": ({"opponent": "greedy for 0, then self"}, f"stage 1 has no games{LATER}"),
    "no games left": ({"opponent": "random for 1200, then self"}, f"stage 2 begins after all 1,200 games{LATER}"),
    "too long": ({"opponent": "random for 1300, then self"}, f"stage 2 begins after all 1,200 games{LATER}"),
    "too short": ({"opponent": "greedy for 5, then self for 6"}, "the stages have 11 games, the training 1,200"),
    "too long at the end": ({"opponent": "greedy for 5, then self for 1200"}, "have 1,205 games, the training 1,200"),
    "no length": ({"opponent": "greedy, then self"}, "stage 1 must have a number of games"),
    "nobody": ({"opponent": "greedy for 5, then "}, "stage 2 has no opponent"),
    "every": ({"opponent": "self:every=150"}, "every must be a multiple of 100 games"),
    "every 0": ({"opponent": "self:every=0"}, "every must be a multiple of 100 games"),
    "unknown opponent": ({"opponent": "greedi for 5, then self"}, "did you mean 'greedy'"),
    "self with options": ({"opponent": "self:often=5"}, "self has only the option every, as in self:every="),
    "opponent without a policy": ({"opponent": "human"}, "'human' has no compiled form"),
    "both and an opponent": ({"side": "both"}, "both sides learn"),
    "weights of raw features": (
        {"weights": "report", "standardise": True},
        "weights 'report': need features without standardisation; leave out standardise",
    ),
    "no comma": ({"opponent": "greedy for 100 then self"}, "stages must be separated by ', then '"),
    "no then": ({"opponent": "greedy for 100, self"}, "stages must be separated by ', then '"),
    "never renewed": ({"opponent": "self:every=1200"}, "is never renewed in 1,200 games; give a smaller number"),
    "marks beyond": ({"marks": [10**13]}, r"marks \[10000000000000\]: must be numbers of games, in 1..1000000000000"),
    "phases of phases": ({"features": "report*phases*phases"}, "uses the same phases twice"),
    "games and a half": ({"games": 1.5}, "games 1.5: must be a whole number"),
    "depth and a half": ({"depth": 2.5}, "depth 2.5: must be a whole number"),
    "depth of truth": ({"depth": True}, "depth True: must be a whole number"),
    "a text for gamma": ({"gamma": "x"}, "gamma 'x': must look like 0.5 .constant."),
    "a text for lambda": ({"lambda_": "1"}, "lambda_ '1': must be a number"),
    "a mark alone": ({"marks": 5}, "marks 5: must be numbers of games, in 1..1"),
    "marks of text": ({"marks": ["5"]}, r"marks \['5'\]: must be numbers of games, in 1..1"),
    "a list of weights": ({"weights": [1, 2]}, r"weights \[1, 2\]: must be a number or text"),
    "a long list of weights": ({"weights": [0.0] * 99}, r"weights \[0.0, .{71}\.\.\.: must be a number or text"),
    "a number for a player": ({"opponent": 5}, "opponent 5: must be the text of a player"),
    "a list for a word": ({"traces": []}, r"traces \[\]: must be one of accumulating"),
    "half a seat": ({"side": 0.5}, "side 0.5: must be the number or the name of a seat"),
    "neither true nor false": ({"standardise": "no"}, "standardise 'no': must be True or False"),
    "a feature set itself": ({"features": ReportFeatures()}, "ReportFeatures.*must be text, such as 'report"),
    "a number for a position": ({"position": 5}, "position 5: must be a state of the game, or text"),
    "positions without moves": (
        {"follow": ["ab"]},
        r"follow \['ab'\]: must be a sequence of pairs",
    ),
    "too much": ({"games": 10**9, "features": "report*phases"}, "need too much memory; use fewer"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_settings_in_one_line(name: str, tmp_path: Path) -> None:
    settings, message = BAD[name]
    with pytest.raises(UsageError, match=message) as error:
        small(tmp_path, **settings)
    assert "\n" not in str(error.value)
    assert runs(tmp_path) == []


@pytest.mark.parametrize("option", ["lambda_", "traces", "turns", "depth", "win_reward", "knows_ends", "marks"])
def test_options_of_features_without_features(option: str, tmp_path: Path) -> None:
    values = {"traces": "dutch", "turns": "chain", "marks": [5], "knows_ends": True, "depth": 2}
    with pytest.raises(UsageError, match=f"^{option}: works only with features"):
        train(GAME, runs=tmp_path, games=10, **{option: values.get(option, 0.5)})


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--features", "squares"), 2, "works only for hare-and-hounds"),
        (("--features", "report", "--lambda", "2"), 2, "--lambda 2: must be a number in 0..1"),
        (("--features", "report", "--gamma", "1.5"), 2, "--gamma '1.5': 1.5 is not in 0..1"),
        (("--features", "report", "--fold"), 2, "--fold: works only with tables; leave it out, or leave out --"),
        (("--lambda", "0.5"), 2, "lambda: works only with features"),
        (("--learner", "td"), 2, "--learner 'td': needs --features, such as --features report"),
        (("--play-out",), 2, "--play-out: works only with features"),
        (("--features", "report", "--opponent", "greedy for 0, then self"), 2, "stage 1 has no games"),
        (("--features", "report", "--weights", "nowhere"), 3, "there is no run 'nowhere'"),
        (("--features", "report", "--weights", ""), 3, "there is no run ''"),
        (("--features", "nowhere:Set"), 3, "nowhere"),
        pytest.param(
            ("--features", "report", "--alpha", "1"),
            1,
            "remove this run, or choose another name",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_bad_input_on_the_command_line(
    arguments: tuple[str, ...], code: int, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", GAME, *arguments, "--games", "100", "--json", "--runs", str(tmp_path)]) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert "Traceback" not in captured.err
    assert len([line for line in captured.err.splitlines() if message in line]) == 1


@pytest.mark.slow
@pytest.mark.parametrize("positions", [("1,2,3,0/0,0,3,3 s",), ("1,2,3,0/0,0,3,3 s", "0,0,1,5/2,0,0,4 n")])
def test_features_are_scaled_as_they_are_in_games_from_where_these_start(
    positions: tuple[str, ...], tmp_path: Path
) -> None:
    found = saved(small(tmp_path, opponent="self", games=10, standardise=True, position="; ".join(positions)))
    starts, key = [parse_state(RULES, text) for text in positions], keys(7, 8)[7]
    measured = measure(RULES, ReportFeatures(), games=1000, key=key, starts=starts)
    assert (found.centre.tolist(), found.scale.tolist()) == tuple(each.tolist() for each in measured)


# Weights to begin with, and weights that are not those of the run.


def written(path: Path, change: Any = None, rules: Any = RULES) -> Path:
    """A weights file, whole but for what `change` does to its arrays and its description."""
    drawn = np.random.default_rng(1).normal(size=40) / 10
    learned = LearnedWeights("report", drawn, drawn, drawn[None], np.zeros(1, np.int64), 0)
    save_linear(path, rules, learned)
    if change is not None:
        found = load_weights(path, KIND)
        tensors, metadata = dict(found.tensors), dict(found.metadata)
        change(tensors, metadata)
        save_weights(path, KIND, found.game, tensors, metadata)
    return path


@pytest.mark.slow
def test_weights_of_a_file_or_a_run_are_those_it_begins_with(tmp_path: Path) -> None:
    path = written(tmp_path / "begin.safetensors")
    first = small(tmp_path, weights=str(path))
    found = saved(first)
    np.testing.assert_array_equal(found.history[0], load_linear(path, RULES).weights)
    assert not np.array_equal(found.weights, found.history[0])
    second = small(tmp_path, weights=str(first.run.path), name="second", opponent="self", games=10)
    np.testing.assert_array_equal(saved(second).history[0], found.weights)


def test_numbers_of_other_libraries_are_numbers(tmp_path: Path) -> None:
    plain = {"games": 20, "alpha": 0.0625, "marks": (5,), "win_reward": 1, "opponent": "self", "max_plies": 50}
    other = plain | {
        "games": np.int64(20),
        "alpha": np.float32(0.0625),
        "marks": (np.int32(5),),
        "win_reward": np.int64(1),
    }
    first, second = (small(tmp_path / str(number), **each) for number, each in enumerate((plain, other)))
    assert folder_digest(first.run.path) == folder_digest(second.run.path)


def exchange(tensors: Any, metadata: Any) -> None:
    called = list(names(ReportFeatures(), RULES))
    called[3], called[4] = called[4], called[3]
    metadata["names"] = str(called).replace("'", '"')


def cut(tensors: Any, metadata: Any) -> None:
    tensors["history"] = tensors["history"][:0]


def unnumbered(tensors: Any, metadata: Any) -> None:
    tensors["history_games"] = tensors["history_games"][:0]


def scale(tensors: Any, metadata: Any) -> None:
    tensors["centre"], tensors["scale"] = np.zeros(40), np.ones(40)


FILES: dict[str, tuple[Any, str]] = {
    "names": (exchange, r"feature 3 of the feature set report was '.*' during training, but is"),
    "cut": (cut, "the history is cut short"),
    "unnumbered": (unnumbered, "the history is cut short"),
    "scaled": (scale, "the weights belong to standardised features; give other weights"),
}


@pytest.mark.parametrize("name", FILES)
def test_weights_that_do_not_fit(name: str, tmp_path: Path) -> None:
    change, message = FILES[name]
    path = written(tmp_path / "begin.safetensors", change)
    with pytest.raises(InvalidError, match=message) as error:
        small(tmp_path, weights=str(path))
    assert "\n" not in str(error.value)
    assert runs(tmp_path) == []


def test_weights_of_features_as_they_are_do_not_fit_scaled_ones(tmp_path: Path) -> None:
    path = written(tmp_path / "begin.safetensors")
    with pytest.raises(UsageError, match="need features without standardisation; leave out standardise"):
        small(tmp_path, weights=str(path), standardise=True)
    assert runs(tmp_path) == []


def test_weights_of_other_rules_and_features_and_no_weights_at_all(tmp_path: Path) -> None:
    other = written(tmp_path / "other.safetensors", rules=game("kalah"))
    with pytest.raises(InvalidError, match=r"learned for kalah, not for kalah:pits=3"):
        small(tmp_path, weights=str(other))
    with pytest.raises(InvalidError, match=r"the weights belong to features 'report', not to 'pits'"):
        small(tmp_path, weights=str(written(tmp_path / "own.safetensors")), features="pits")
    with pytest.raises(NotFoundError, match="nowhere"):
        small(tmp_path, weights="nowhere")
    (tmp_path / "cut.safetensors").write_bytes(other.read_bytes()[:-8])
    with pytest.raises(InvalidError, match="damaged"):
        small(tmp_path, weights=str(tmp_path / "cut.safetensors"))
    table = train("hare-and-hounds", games=5, evaluation_games=5, runs=tmp_path / "tables")
    with pytest.raises(InvalidError, match="weights are of kind 'table'"):
        small(tmp_path, weights=str(table.run.weights))


def unfinished(folder: Path, **settings: Any) -> Training:
    found = small(folder, **{"opponent": "self", **settings})
    (found.run.path / "results.json").unlink()
    return found


def test_weights_that_changed_before_they_were_used(tmp_path: Path) -> None:
    path = written(tmp_path / "begin.safetensors")
    found = unfinished(tmp_path, weights=str(path))
    found.run.weights.unlink()
    written(path, lambda tensors, metadata: tensors.update(weights=np.ones(40)))
    with pytest.raises(InvalidError, match="have changed since the run began"):
        resume("same", runs=tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("settings", [{"features": OTHER}, {"turns": "chain"}, {"standardise": True}])
def test_weights_of_another_training(settings: dict[str, Any], tmp_path: Path) -> None:
    found = unfinished(tmp_path)
    other = small(tmp_path, name="other", opponent="self", **settings)
    other.run.weights.replace(found.run.weights)
    with pytest.raises(InvalidError, match="the weights belong to another run"):
        resume("same", runs=tmp_path)
    mend(found.run.path)
    with pytest.raises(InvalidError, match="weights of another training run; restore the weights of this one"):
        resume("same", runs=tmp_path)


def test_a_history_cut_short(tmp_path: Path) -> None:
    found = unfinished(tmp_path)
    learned = saved(found)
    lacking = learned._replace(history=learned.history[:-1], history_games=learned.history_games[:-1])
    save_linear(found.run.weights, RULES, lacking, found.run.place)
    with pytest.raises(InvalidError, match="weights of another training run"):
        resume("same", runs=tmp_path)


DAMAGE: dict[str, tuple[dict[str, Any], str]] = {
    "other stages": ({"opponent": "self for 5, then self"}, "opponent 'self for 5, then self': has 1 hashes, not one"),
    "no stages": ({"opponent": "self for 5"}, "the stages have 5 games, the training 50"),
    "lambda": ({"lambda_": 7.0}, "lambda_ 7: must be a number in 0..1"),
    "gamma": ({"gamma": -1.0}, "gamma -1.0: -1 is not in 0..1"),
    "depth": ({"depth": 21}, r"depth 21: must be in 1\.\.20"),
    "win_reward": ({"win_reward": 0.0}, "win_reward 0: must be a number, more than 0"),
    "marks": ({"marks": [0]}, r"marks \[0\]: must be numbers of games"),
    "max_plies": ({"max_plies": 0}, r"max_plies 0: must be in 1\.\."),
    "evaluate_every": ({"evaluate_every": 0}, r"evaluate_every 0: must be in 1\.\."),
    "alpha": ({"alpha": "high"}, "alpha 'high': must look like"),
    "epsilon": ({"epsilon": "7"}, "epsilon '7': 7 is not in 0..1"),
}


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Training:
    return unfinished(tmp_path_factory.mktemp("left"), games=50, evaluate_every=50)


@pytest.mark.parametrize("name", DAMAGE)
def test_settings_that_cannot_be(name: str, left: Training, tmp_path: Path) -> None:
    change, message = DAMAGE[name]
    copytree(left.run.path, tmp_path / "same")
    path = tmp_path / "same/run.json"
    described = json.loads(path.read_text())
    described["configuration"] |= change
    path.write_text(json.dumps(described))
    with pytest.raises(InvalidError, match=message) as error:
        resume("same", runs=tmp_path)
    assert str(error.value).startswith(f"{path}: damaged; ")
    assert "\n" not in str(error.value)


def test_a_number_of_games_that_is_too_long(left: Training, tmp_path: Path) -> None:
    copytree(left.run.path, tmp_path / "same")
    path = tmp_path / "same/weights.safetensors"
    found = load_weights(path, KIND)
    save_weights(path, KIND, found.game, found.tensors, found.metadata | {"games": "1" * 5000})
    with pytest.raises(InvalidError, match="the number of training games is missing"):
        games_learned(path, KIND)
    assert [row.state for row in runs(tmp_path)] == ["damaged"]
