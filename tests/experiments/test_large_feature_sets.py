"""Trainings of sets of more than ten thousand weights, which keep the last ones; and what is learned from margins."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import own_tuples
import pytest
from flat_options import configure, train

import petteia
from petteia.cli import main
from petteia.core.decision import Limit
from petteia.core.errors import InvalidError, UsageError
from petteia.core.protocol import initial, parse_state
from petteia.experiments.training import Training, open_training, resume
from petteia.features.feature_set import names
from petteia.features.feature_sets import feature_set_for
from petteia.games import game
from petteia.players import player
from petteia.policies.afterstates import best_afterstate
from petteia.policies.policy import choose, workspace
from petteia.records.runs import digest
from petteia.value_functions.linear_file import MAX_WEIGHTS, MEAN_EVERY, LearnedWeights, load_linear, save_linear

GAME = "petteia.games.tic_tac_toe:TicTacToe"
RULES = game(GAME)
BOARD = "own_tuples:Board"
"""3^9 weights"""
GAMES = 4 * MEAN_EVERY + 300
SMALL: dict[str, Any] = {
    "features": BOARD,
    "games": GAMES,
    "evaluate_every": 1100,
    "evaluation_games": 20,
    "evaluate_against": "random",
    "alpha": 0.1,
    "seed": 5,
}


def small(folder: Path, **settings: Any) -> Training:
    return train(GAME, runs=folder, **{**SMALL, "name": "same", **settings})


def saved(training: Training) -> LearnedWeights:
    return load_linear(training.run.weights, training.rules)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Training:
    return small(tmp_path_factory.mktemp("undisturbed"))


class KilledError(Exception):
    pass


@pytest.mark.slow
def test_killed_and_resumed(tmp_path: Path, undisturbed: Training, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = itertools.count(1)

    def kill(done: int, wanted: int, point: object) -> None:
        number = next(calls)
        monkeypatch.setattr("petteia.experiments.training.CHECKPOINT_SECONDS", 0.0 if number % 4 == 1 else 1e9)
        if number % 5 == 4:
            raise KilledError

    kills = 0
    with pytest.raises(KilledError):
        small(tmp_path, progress=kill)
    while not open_training("same", tmp_path).is_finished:
        try:
            resume("same", runs=tmp_path, progress=kill)
        except KilledError:
            kills += 1
    assert kills > 0  # how many depends on how fast games are learned from
    assert digest(open_training("same", tmp_path).run) == digest(undisturbed.run)


@pytest.mark.slow
def test_the_last_weights_and_a_mean_are_kept(tmp_path: Path, undisturbed: Training) -> None:
    """The mean is that of the weights with which shorter training runs end: with this alpha games depend on no
    number."""
    learned = saved(undisturbed)
    assert len(learned.weights) == 3**9 > MAX_WEIGHTS
    assert (learned.history.shape, learned.games) == ((0, 3**9), GAMES)
    ends = [saved(small(tmp_path / str(end), games=end * MEAN_EVERY)).weights for end in (3, 4)]
    np.testing.assert_allclose(learned.mean, (ends[0] + ends[1]) / 2.0, rtol=1e-12, atol=1e-15)
    assert not np.allclose(learned.mean, learned.weights)


@pytest.mark.slow
def test_theta_plays_by_them(undisturbed: Training) -> None:
    run = undisturbed.run.path
    assert petteia.match(GAME, f"theta:agent={run}", "random", games=200, seed=1).score > 0.8
    learned = saved(undisturbed)
    for text, weights in (("", learned.weights), (",weights=last", learned.weights), (",weights=mean", learned.mean)):
        np.testing.assert_array_equal(player(f"theta:agent={run}{text}", RULES).evaluation.weights, weights)
    with pytest.raises(UsageError, match="the agent has no history to draw from; choose last or mean"):
        player(f"theta:agent={run},weights=drawn", RULES)
    with pytest.raises(UsageError, match="the run has not saved such weights"):
        player(f"theta:agent={run},at=2000", RULES)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (
            {"opponent": "self:every=1000", "side": "random"},
            "copies cannot be renewed; use self",
        ),
        ({"marks": [1000]}, "only the last weights are saved; leave it out"),
    ],
)
def test_what_needs_those_on_the_way_is_refused(settings: dict[str, Any], words: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=words):
        small(tmp_path, **settings)


def test_a_million_games_are_not_too_many() -> None:
    """The settings are taken; a history would have 19,683 weights a hundred times too often."""
    options = {name: value for name, value in SMALL.items() if name != "seed"}
    assert configure(GAME, **{**options, "games": 10**6})[1].games == 10**6


def test_files_hold_a_digest_of_many_names(tmp_path: Path, undisturbed: Training) -> None:
    learned, path = saved(undisturbed), tmp_path / "copy.safetensors"
    save_linear(path, RULES, learned._replace(point=0.5))
    again = load_linear(path, RULES)
    assert (again.point, learned.point) == (0.5, None)
    for name in ("weights", "mean", "history"):
        np.testing.assert_array_equal(getattr(again, name), getattr(learned, name))
    assert path.stat().st_size < 2 * learned.weights.nbytes + 10_000
    called = names(feature_set_for(RULES, BOARD), RULES)
    assert len(called) == 3**9


def test_other_names_are_noticed(tmp_path: Path, undisturbed: Training, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "copy.safetensors"
    save_linear(path, RULES, saved(undisturbed))
    monkeypatch.setattr("petteia.value_functions.linear_file.names", lambda feature_set, rules: ("other",) * 3**9)
    with pytest.raises(InvalidError, match="names or the order of the features"):
        load_linear(path, RULES)


# From margins.


PRIZES = own_tuples.Prizes()
WITH_PRIZES = "own_tuples:BothPrizes"


def learned_prizes(point: float | None, folder: Path) -> Path:
    """A file with weights of 0, and 1 for each first prize that is picked."""
    weights = np.zeros(16)
    weights[[4, 8, 12]] = [0.25, 0.5, 0.75]
    path = folder / "prizes.safetensors"
    empty = np.zeros((0, 16))
    save_linear(
        path, PRIZES, LearnedWeights(WITH_PRIZES, weights, weights, empty, np.zeros(0, np.int64), 0, point=point)
    )
    return path


@pytest.mark.slow
@pytest.mark.parametrize(("point", "best"), [(None, {2, 3}), (0.25, {3})])
def test_ends_are_worth_their_margin(point: float | None, best: set[int], tmp_path: Path) -> None:
    """Of two ends that are won by results, the one that is won by more; and values are told in points."""
    judged = player(f"theta:agent={learned_prizes(point, tmp_path)}", PRIZES)
    ends, values = set(), set()
    for seed in range(30):
        judged.new_game(PRIZES, seed)
        decision = judged.choose(parse_state(PRIZES, "10"), Limit())
        ends.add(decision.move)
        values.add(decision.value)
    assert ends == best
    assert point is None or values == {-2.0}
    first = judged.choose(initial(PRIZES), Limit())
    assert (first.move, first.value) == (3, pytest.approx(0.75 if point is None else 3.0))


@pytest.mark.slow
def test_options_of_theta_on_ends_go_before_what_was_learned(tmp_path: Path) -> None:
    path = learned_prizes(0.25, tmp_path)
    ends = {"": {3}, ",won=no": {3}, ",won=yes": {2, 3}, ",ends=value": {1, 2, 3}}
    for text, best in ends.items():
        judged = player(f"theta:agent={path}{text}", PRIZES)
        chosen = set()
        for seed in range(40):
            judged.new_game(PRIZES, seed)
            chosen.add(judged.choose(parse_state(PRIZES, "10"), Limit()).move)
        assert chosen == best, text


@pytest.mark.parametrize(("point", "best"), [(None, {2, 3}), (0.25, {3})])
def test_margins_count_for_who_looks_at_afterstates(point: float | None, best: set[int]) -> None:
    feature_set = feature_set_for(PRIZES, WITH_PRIZES)
    policies = [best_afterstate(PRIZES, feature_set, np.zeros(16), point=point) for _ in range(30)]
    states = [np.array([seed]) for seed in range(30)]
    after = parse_state(PRIZES, "10")
    assert {
        choose(policy, PRIZES, after, state, workspace(PRIZES)) for policy, state in zip(policies, states, strict=True)
    } == best


@pytest.mark.slow
@pytest.mark.parametrize("settings", [{}, {"depth": 2}, {"knows_ends": False}], ids=str)
def test_what_is_learned_from_margins(settings: dict[str, Any], tmp_path: Path) -> None:
    """A table, so the answer is known: who picks 1, 2 or 3 first is left with -2, -1 or 0 points, each worth a half."""
    own = train(
        PRIZES,
        features=WITH_PRIZES,
        games=4000,
        runs=tmp_path,
        name="prizes",
        reward="margin",
        win_reward=0.5,
        epsilon=0.3,
        learn_explored=True,
        alpha=0.05,
        learner="q",
        evaluate_against="random",
        evaluation_games=10,
        **settings,
    )
    learned = saved(own)
    assert learned.point == 0.5
    np.testing.assert_allclose(learned.weights[[4, 8, 12]], [-1.0, -0.5, 0.0], atol=0.05)
    assert "from margins" in str(own.configuration)


def test_a_point_that_is_none_is_refused(tmp_path: Path, undisturbed: Training) -> None:
    for point in (0.0, -1.0):
        path = tmp_path / "bad.safetensors"
        save_linear(path, RULES, saved(undisturbed)._replace(point=point))
        with pytest.raises(InvalidError, match="the reward for a point of the margin is"):
            load_linear(path, RULES)


# On the command line.


OWN = '''
"""Last: who takes the last of a row of stones wins; any one, or two that lie side by side."""

from typing import NamedTuple

from petteia.core.protocol import Limits


class Row(NamedTuple):
    stones: int
    side: int


class Last(NamedTuple):
    def initial(rules):
        return Row(0b1111111, 0)

    def to_move(rules, state):
        return state.side

    def moves(rules, state, out):
        count = 0
        for i in range(7):
            if state.stones >> i & 1:
                out[count] = i
                count += 1
                if state.stones >> i + 1 & 1:
                    out[count] = 7 + i
                    count += 1
        return count

    def play(rules, state, move):
        taken = 1 << move if move < 7 else 3 << move - 7
        return Row(state.stones & ~taken, 1 - state.side)

    def is_over(rules, state):
        return state.stones == 0

    def margin(rules, state):
        return 1 if state.side == 1 else -1

    def key(rules, state):
        return state.stones | state.side << 7

    def injective(rules):
        return True

    def limits(rules):
        return Limits(14, 14, 7)

    def content_kinds(rules):
        return 2

    def contents(rules, state, out):
        for i in range(7):
            out[i] = state.stones >> i & 1
        return 7

    def images(rules):
        return 2

    def image(rules, state, i):
        if i == 0:
            return state
        stones = 0
        for place in range(7):
            stones |= (state.stones >> place & 1) << 6 - place
        return Row(stones, state.side)

    def image_move(rules, move, i):
        if i == 0:
            return move
        return 6 - move if move < 7 else 7 + 5 - (move - 7)

    def format_state(rules, state):
        return f"{state.stones:07b} {'ab'[state.side]}"

    def parse_state(rules, text):
        if len(text) != 9 or text[7] != " " or {*text[:7]} - {*"01"} or text[8] not in "ab":
            raise ValueError(f"position {text!r}: must look like '1111111 a'")
        return Row(int(text[:7], 2), "ab".index(text[8]))

    def format_move(rules, state, move):
        return str(move)


class Runs(NamedTuple):
    length: int = 7

    def tuples(feature_set, rules):
        return [tuple(range(i, i + feature_set.length)) for i in range(8 - feature_set.length)]
'''


@pytest.mark.slow
def test_a_game_and_tuples_of_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "last_stone.py").write_text(OWN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    name, features = "last_stone:Last", "last_stone:Runs*turn"
    main(["check", name, "--games", "50"])
    assert "ok    contents of squares" in capsys.readouterr().out
    main(["check", features, "--game", name, "--games", "50"])
    assert "passes all" in capsys.readouterr().out
    shared = ["--games", "3000", "--evaluation-games", "50", "--evaluate-against", "random"]
    main(["train", name, "--features", features, *shared, "--name", "own"])
    assert "learned from 3,000 games" in capsys.readouterr().out
    main(["match", name, "theta:agent=runs/own", "random", "--games", "200"])
    assert "theta:agent=runs/own against random" in capsys.readouterr().out
    assert petteia.match(name, "theta:agent=runs/own", "random", games=400, seed=1).score > 0.75
