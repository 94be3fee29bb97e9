"""Tables that were learned: played by, kept on disk, and refused where they do not fit."""

from __future__ import annotations

import inspect
import json
import re
import typing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flat_options import train
from matching_checksums import mend
from tiny_games import DiceRace, Nim
from ways_to_learn import NIM, TRAININGS, WAYS, Case, assert_same, learned

import petteia
from petteia.arena.match import match
from petteia.cli import learning, main, parameters
from petteia.core.decision import Limit
from petteia.core.errors import InvalidError, PetteiaError, UsageError
from petteia.core.hints import with_names
from petteia.core.protocol import (
    image,
    initial,
    is_over,
    key,
    legal,
    limits,
    play,
    position,
    positions,
    to_move,
)
from petteia.experiments.training import open_training, resume
from petteia.games.hare_and_hounds import HareAndHounds
from petteia.learn.linear_targets import LINEAR_TARGETS
from petteia.learn.tabular import table_for
from petteia.learn.targets import UPDATE_RULES, Learner
from petteia.players import player
from petteia.policies.play_games import match_keys
from petteia.policies.policy import choose, probabilities, tells_probabilities, workspace
from petteia.records.weights import load_weights, save_weights
from petteia.value_functions.table import BY_SYMMETRY, NO_SYMMETRY, TablePolicy, actual_move, find, row_state, rows
from petteia.value_functions.table_file import LearnedTable, load_table, save_table

# Playing by what was learned.


@pytest.mark.slow
@pytest.mark.parametrize("sharing", [NO_SYMMETRY, BY_SYMMETRY], ids=["unshared", "folded"])
@pytest.mark.parametrize("rules", [Nim(3, 2), HareAndHounds()], ids=str)
def test_a_policy_plays_its_best_moves_as_probably_as_it_says(rules: Any, sharing: Any) -> None:
    case = Case(Learner(), 0.5, sharing=sharing)
    policy = TablePolicy(learned(rules, 0, case, 300), 0.25)
    assert tells_probabilities(policy)
    work, random = workspace(rules), [1]
    some = [position(rules, i) for i in range(0, positions(rules), 7)]
    states = [initial(rules), *(each for each in some if not is_over(rules, each) and to_move(rules, each) == 0)]
    known = 0
    for state in states:
        out = np.zeros(limits(rules).moves)
        count = probabilities(policy, rules, state, 0.5, out, work)
        codes = legal(rules, state)
        assert work.moves[:count].tolist() == codes
        assert out.sum() == pytest.approx(0.5)
        assert choose(policy, rules, state, random, work) in codes
        seen, symmetry = row_state(sharing, rules, state)
        row = find(policy.table, key(rules, seen))
        best = np.ones(count, bool)
        if row >= 0:
            known += 1
            values = policy.table.values[row, :count]
            top = [
                actual_move(sharing, rules, move, symmetry)
                for move in np.array(legal(rules, seen))[values == values.max()]
            ]
            best = np.isin(codes, top)
        np.testing.assert_allclose(out[:count], 0.5 * (0.25 / count + 0.75 * best / best.sum()))
    assert known > 3


@pytest.mark.slow
def test_images_are_played_alike() -> None:
    rules = HareAndHounds()
    policy = TablePolicy(learned(rules, 0, Case(Learner(), 0.5, sharing=BY_SYMMETRY), 3000))
    work = workspace(rules)
    mirrored = 0
    for i in range(0, positions(rules), 3):
        state = position(rules, i)
        if is_over(rules, state) or to_move(rules, state) != 0 or image(rules, state, 1) == state:
            continue
        shares = []
        for which in (0, 1):
            out = np.zeros(limits(rules).moves)
            seen = image(rules, state, which)
            count = probabilities(policy, rules, seen, 1.0, out, work)
            codes = [rules.image_move(int(move), which) for move in work.moves[:count]]
            shares.append(dict(zip(codes, out[:count].tolist(), strict=True)))
        assert shares[0] == pytest.approx(shares[1])
        mirrored += max(shares[0].values()) == 1.0
    assert mirrored > 50


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Both sides, folded, by double Q."""
    folder = tmp_path_factory.mktemp("runs")
    settings: dict[str, Any] = {"learner": "double-q", **TRAININGS["double-q"]}
    return train(NIM, games=20_000, evaluate_every=5000, runs=folder, **settings)


@pytest.mark.slow
def test_each_side_has_its_points(trained: Any, tmp_path: Path) -> None:
    assert [(each.games, each.side) for each in trained.points] == [
        (games, side) for games in range(5000, 20_001, 5000) for side in (0, 1)
    ]
    assert [each.side for each in trained.last_points] == [0, 1]
    beginner = train(NIM, games=1, side="both", runs=tmp_path)
    for last, first in zip(trained.last_points, beginner.last_points, strict=True):
        assert last.score > first.score
    row = petteia.runs(trained.run.path.parent)[0]
    assert row.score == pytest.approx(sum(each.score for each in trained.last_points) / 2)
    assert "against itself, side both, alpha visits^0.8, gamma 0.9, epsilon 0.5, folded" in row.what


def test_the_player_takes_both_seats_and_tells_player_0s_values(trained: Any) -> None:
    text = f"q:agent={trained.run.path}"
    found = player(text, NIM)
    assert found.seats == (0, 1)
    result = match(NIM, text, "random", games=400, openings="none")
    assert result.low > 0.5
    table = load_table(trained.run.weights, NIM).table
    for start in (initial(NIM), play(NIM, initial(NIM), legal(NIM, initial(NIM))[0])):
        found.new_game(NIM, 1)
        decision = found.choose(start, Limit())
        assert sorted(decision.values) == legal(NIM, start)
        best = max if to_move(NIM, start) == 0 else min
        assert decision.value == best(decision.values.values())
        seen, symmetry = row_state(table.sharing, NIM, start)
        row = find(table, key(NIM, seen))
        for place, move in enumerate(legal(NIM, seen)):
            sign = 1 if to_move(NIM, start) == 0 else -1
            assert decision.values[actual_move(table.sharing, NIM, move, symmetry)] == sign * table.values[row, place]


def test_the_player_goes_on_learning_in_either_seat(trained: Any, tmp_path: Path) -> None:
    new = tmp_path / "played.safetensors"
    match(NIM, f"q:agent={trained.run.path},alpha=0.1,epsilon=0.1,save={new}", "random", games=20, openings="none")
    before, after = load_table(trained.run.weights, NIM), load_table(new, NIM)
    assert (after.seats, after.games, after.table.sharing) == ((0, 1), before.games + 20, BY_SYMMETRY)
    np.testing.assert_array_equal(after.table.visits, before.table.visits)
    changed = (before.table.values != after.table.values).any(axis=1)
    assert {key & 1 for key in before.table.keys[changed].tolist()} == {0, 1}, "the last bit of a key is the side"


def test_the_player_learns_what_the_learner_learns_as_the_second(tmp_path: Path) -> None:
    """The same games, the same folded table, from the compiled learner with the same random numbers."""
    old, new, keys = tmp_path / "old.safetensors", tmp_path / "new.safetensors", match_keys(6)
    save_table(old, NIM, LearnedTable(table_for(NIM, Learner(), sharing=BY_SYMMETRY), (0, 1), 0))
    text = f"q:agent={old},epsilon=0.5,alpha=0.1,gamma=0.9,save={new}"
    match(NIM, "random", text, games=200, seats="fixed", openings="none", seed=6)
    expected = learned(
        *(NIM, 1, Case(Learner(), 0.5, sharing=BY_SYMMETRY), 200),
        keys=keys._replace(first=keys.second, second=keys.first),
    )
    assert_same(load_table(new, NIM).table, expected)


def test_another_player_may_measure(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"games": 2000, "evaluate_every": 500, "runs": tmp_path}
    plain = train(NIM, **settings)
    measured = train(NIM, evaluate_against="simple", **settings)
    learned = [rows(load_table(each.run.weights, NIM).table)[1].tolist() for each in (plain, measured)]
    assert learned[0] == learned[1]
    assert {each.wins for each in measured.points} != {each.wins for each in plain.points}
    same = train(NIM, evaluate_against="random", **settings)
    assert same.points == plain.points


# What does not fit.


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"epsilon": 0.1, "temperature": 0.1}, "give one of them"),
        ({"temperature": "101"}, "temperature '101': 101 is not in 0..100"),
        ({"temperature": "warm"}, "temperature 'warm'"),
        ({"initial": float("nan")}, "initial nan: must be a number in -100..100"),
        ({"initial": 1e9}, "initial 1e\\+09"),
        ({"side": "neither"}, "side 'neither': must be first .* or both"),
        ({"evaluate_against": "human"}, "'human' has no compiled form"),
        ({"evaluate_against": "perfct"}, "did you mean 'perfect'"),
        ({"max_plies": 10**7}, "max_plies 10000000: must be in 1..1000000"),
        ({"alpha": "visits^2"}, "more than 0 and at most 1"),
    ],
)
def test_settings_that_do_not_fit_in_one_line(settings: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(PetteiaError, match=message) as error:
        train(NIM, games=10, runs=tmp_path, **settings)
    assert "\n" not in str(error.value)
    assert not list(tmp_path.iterdir())


def test_folding_needs_symmetries(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no symmetries"):
        train(DiceRace(), games=10, fold=True, runs=tmp_path)


def rewrite(path: Path, tensors: dict[str, Any], metadata: dict[str, str]) -> None:
    found = load_weights(path, "table")
    kept = {name: tensor for name, tensor in (found.tensors | tensors).items() if tensor is not None}
    save_weights(path, "table", found.game, kept, found.metadata | metadata)


COUNT, WIDTH = 20, limits(NIM).moves
WRONG = [
    (
        {"differences": np.zeros((COUNT, WIDTH - 1))},
        {},
        r"differences has the type and shape float64\[20, 5\] instead of float64\[20, 6\]",
    ),
    ({"differences": np.zeros((COUNT, WIDTH), np.float32)}, {}, "differences has the type and shape float32"),
    ({"differences": None}, {}, r"visits has the type and shape int64.* instead of int64\[20, 6\]"),
    ({"visits": np.zeros((COUNT, 2 * WIDTH))}, {}, "visits has the type and shape float64"),
    ({"visits": np.zeros((COUNT - 1, 2 * WIDTH), np.int64)}, {}, r"instead of int64\[20, 12\]"),
    (
        {"visits": np.full((COUNT, 2 * WIDTH), -1)},
        {},
        "the array visits contains negative numbers; all its numbers must be 0 or more",
    ),
    (
        {"keys": np.zeros((COUNT, 2), np.int64)},
        {},
        r"keys has the type and shape int64\[20, 2\] instead of int64\[20\]",
    ),
    ({"luck": np.zeros(3)}, {}, "the file contains the unknown array 'luck'"),
    ({}, {"sharing": "some"}, "the field sharing or the field initial in the file is invalid"),
    ({}, {"initial": "inf"}, "the field sharing or the field initial in the file is invalid"),
    ({}, {"initial": "much"}, "the field sharing or the field initial in the file is invalid"),
    ({}, {"side": "all"}, "the file is incomplete: it must contain valid fields side and games"),
    ({}, {"games": "²"}, "the file is incomplete: it must contain valid fields side and games"),
]


@pytest.fixture
def table_of_20(tmp_path: Path) -> Path:
    table = table_for(NIM, WAYS["double-q"].learner, sharing=BY_SYMMETRY)
    table.keys[:COUNT] = range(COUNT)
    table.used[0] = COUNT
    save_table(tmp_path / "table.safetensors", NIM, LearnedTable(table, (0, 1), 3))
    return tmp_path / "table.safetensors"


@pytest.mark.parametrize(("tensors", "metadata", "message"), WRONG, ids=[each[2] for each in WRONG])
def test_files_that_are_no_tables_are_refused(
    tensors: dict[str, Any], metadata: dict[str, str], message: str, table_of_20: Path
) -> None:
    assert load_table(table_of_20, NIM).games == 3
    rewrite(table_of_20, tensors, metadata)
    with pytest.raises(InvalidError, match=message) as error:
        player(f"q:agent={table_of_20}", NIM)
    assert "\n" not in str(error.value)
    assert str(table_of_20) in str(error.value)


@pytest.mark.slow
@pytest.mark.parametrize("settings", [{"alpha": "visits"}, {"learner": "double-q"}, {"fold": True}, {"initial": 1.0}])
def test_weights_of_another_training_are_refused(settings: dict[str, Any], tmp_path: Path) -> None:
    one, other = (train(NIM, games=10, runs=tmp_path, **each) for each in ({}, settings))
    for training in (one, other):
        (training.run.path / "results.json").unlink()
    weights = [training.run.weights.read_bytes() for training in (one, other)]
    one.run.weights.write_bytes(weights[1])
    other.run.weights.write_bytes(weights[0])
    for training in (one, other):
        with pytest.raises(InvalidError, match="the weights belong to another run"):
            resume(training.run.path)
        mend(training.run.path)
        with pytest.raises(InvalidError, match="these are not the weights of this training run; restore its weights"):
            resume(training.run.path)


# From the command line.


def test_names_are_the_same_everywhere() -> None:
    assert set(parameters.complete_learner("")) == set(UPDATE_RULES) | set(LINEAR_TARGETS)
    of_command = typing.get_type_hints(learning.train, include_extras=True)["learner"].__metadata__[0]
    for of_train in (inspect.getdoc(petteia.TableLearner), with_names(of_command.help)):
        assert of_train
        assert all(re.search(rf"\b{name}\b", of_train) for name in parameters.complete_learner(""))


@pytest.mark.slow
def test_the_command_knows_every_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["train", "tiny_games:Nim:heaps=2", "--games", "400", "--learner", "expected-sarsa", "--side", "both"]
    arguments += ["--alpha", "visits^0.8", "--temperature", "1..0.1", "--initial", "0.5", "--fold"]
    arguments += ["--evaluate-against", "simple", "--evaluation-games", "10", "--runs", str(tmp_path)]
    assert main([*arguments, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [each["side"] for each in document["points"][-2:]] == [0, 1]
    settings = open_training(document["run"]).configuration
    assert (settings.learner.temperature, settings.learner.epsilon, settings.learner.fold) == ("1..0.1", None, True)
    assert (settings.learner.alpha, settings.learner.initial, settings.against) == ("visits^0.8", 0.5, "simple")
    assert main(arguments) == 0
    shown_text = capsys.readouterr().out
    assert " of first in the last evaluation" in shown_text
    assert " of second in the last evaluation" in shown_text
