"""Where games of learning begin: in the state given, one of several, or any, and the same in every way of running."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flat_options import train
from linear_oracle import SPECIAL_ENDS, Oracle, Way, best
from tiny_games import DiceRace, Nim

import petteia
from petteia.core import random
from petteia.core.errors import InvalidError, UsageError
from petteia.core.protocol import initial, is_over, parse_state, play, position, positions
from petteia.experiments.training import resume
from petteia.features.kalah_potentials import ReportFeatures
from petteia.learn.starts import AnyPosition, OneOf, draw_start
from petteia.learn.tabular import learn_games
from petteia.policies.play_games import RngKeys, match_keys
from petteia.policies.policy import Uniform
from petteia.value_functions.linear_file import load_linear
from petteia.value_functions.table import empty_table, rows

NIM = Nim(2, 3)


def test_a_state_is_itself() -> None:
    assert draw_start(initial(NIM), NIM, [1]) == initial(NIM)


def test_every_position_that_is_not_over_is_drawn_and_no_other() -> None:
    numbers = [5]
    drawn = {draw_start(AnyPosition(), NIM, numbers) for _ in range(3000)}
    every = {position(NIM, number) for number in range(positions(NIM))}
    assert drawn == {state for state in every if not is_over(NIM, state)}


def test_several_are_drawn_alike_often() -> None:
    states = (initial(NIM), play(NIM, initial(NIM), 0), play(NIM, initial(NIM), 1))
    numbers = [5]
    drawn = [draw_start(OneOf(states), NIM, numbers) for _ in range(3000)]
    assert set(drawn) == set(states)
    assert all(abs(drawn.count(state) - 1000) < 120 for state in states)  # four and a half deviations


@pytest.mark.slow
def test_games_that_start_anywhere_meet_what_others_do_not() -> None:
    def met(start: object, seed: int) -> set[int]:
        table = learn_games(
            *(NIM, start, 0, empty_table(NIM), Uniform()),
            alphas=np.ones(500),
            explorations=np.ones(500),
            gammas=np.full(500, 0.9),
            keys=match_keys(seed),
        )
        return set(rows(table)[0].tolist())

    reached = met(initial(NIM), 1)
    anywhere = met(AnyPosition(), 1)
    assert reached < anywhere
    mine = {state for number in range(positions(NIM)) if not is_over(NIM, state := position(NIM, number))}
    assert len(anywhere) == sum(state.side == 0 for state in mine)


def test_a_training_is_the_same_however_it_is_cut(tmp_path: Path) -> None:
    options = {"games": 3000, "explore_starts": True, "opponent": "random", "evaluation_games": 20}
    whole = train("hare-and-hounds", **options, runs=tmp_path)
    again = train("hare-and-hounds", **options, runs=tmp_path)
    other = train("hare-and-hounds", **options, runs=tmp_path, seed=1)
    assert whole.run.weights.read_bytes() == again.run.weights.read_bytes() != other.run.weights.read_bytes()
    usual = train("hare-and-hounds", games=3000, evaluation_games=20, runs=tmp_path)
    assert usual.points[-1].states < whole.points[-1].states
    assert "starts anywhere" in next(row.what for row in petteia.runs(tmp_path) if row.name == whole.run.name)


def test_refused_where_positions_have_no_numbers() -> None:
    with pytest.raises(UsageError, match="explore_starts: the game does not number its positions"):
        train(DiceRace(), explore_starts=True)


BOTH_FIRST = "4,4,4,4,4,4,0/4,4,4,4,4,4,0 s;4,4,4,4,4,4,0/4,4,4,4,4,4,0 n"


def linear(runs: Path, **settings: Any) -> Any:
    few = {"games": 400, "evaluate_every": 200, "evaluation_games": 20, "marks": [], "position": BOTH_FIRST}
    way = {"learner": "q", "side": "random", "alpha": 0.001, "epsilon": 0.1, "knows_ends": False}
    return train("kalah", features="report", **few | way | settings, runs=runs)


@pytest.mark.slow
@pytest.mark.parametrize("side", ["random", "both", 1])
def test_weights_are_those_of_a_learner_that_draws_the_first_state(side: Any, tmp_path: Path) -> None:
    """The oracle is told where each game starts: the first number of its opening says so, after that of the side."""
    training = linear(tmp_path, games=50, evaluate_every=50, side=side)
    rules = training.rules
    starts = [parse_state(rules, text.strip()) for text in BOTH_FIRST.split(";")]
    keys = random.keys(training.run.description.seeds["seed"], 8)
    oracle = Oracle(rules, ReportFeatures(), np.zeros(40), Way(side=side, max_plies=1000))

    def itself(rules: Any, state: Any, random: Any) -> int:
        return best(rules, ReportFeatures(), oracle.weights, state, random, "ply", SPECIAL_ENDS)[1].path[0]

    begun = set()
    for number in range(50):
        opening = [random.stream(keys[6], number)]
        if side == "random":
            random.below(opening, 2)
        start = starts[random.below(opening, 2)]
        begun.add(start)
        oracle.play_game(start, itself, 0.001, 0.1, RngKeys(keys[6], *keys[:3]), number)
    assert begun == set(starts)
    learned = load_linear(training.run.weights, rules).weights
    np.testing.assert_allclose(learned, oracle.weights, rtol=1e-9, atol=1e-12)


@pytest.mark.slow
def test_a_training_from_several_positions(tmp_path: Path) -> None:
    """It goes on with the same bytes, says so in the list of runs, and is measured from the first."""
    whole = linear(tmp_path, name="whole")
    settings = whole.configuration
    assert settings.positions == [text.strip() for text in BOTH_FIRST.split(";")]
    assert "from 2 positions" in next(row.what for row in petteia.runs(tmp_path) if row.name == "whole")
    from_the_first = linear(tmp_path, games=1, evaluate_every=1, alpha=0, position=settings.positions[0])
    from_both = linear(tmp_path, games=1, evaluate_every=1, alpha=0)
    assert from_both.points[-1] == from_the_first.points[-1]
    other = linear(tmp_path, position=settings.positions[0])
    assert other.run.weights.read_bytes() != whole.run.weights.read_bytes()
    assert resume(whole.run.path).run.weights.read_bytes() == whole.run.weights.read_bytes()


def test_tables_are_learned_from_several_positions(tmp_path: Path) -> None:
    few = {"games": 200, "evaluate_every": 200, "evaluation_games": 20, "opponent": "random", "runs": tmp_path}
    one = train("hare-and-hounds", **few)
    start = one.configuration.position
    both = train("hare-and-hounds", **few, position=f"{start}; {start}")
    assert both.configuration.positions == [start, start]
    assert both.points[-1].states > 0


@pytest.mark.parametrize(
    ("position", "said"),
    [
        ("4,4,4,4,4,4,0/4,4,4,4,4,4,0 s;", "position ''"),
        ("4,4,4,4,4,4,0/4,4,4,4,4,4,0 s; x", "position 'x'"),
        ("4,4,4,4,4,4,0/4,4,4,4,4,4,0 s; 0,0,0,0,0,0,25/0,0,0,0,0,0,23 n", "the game is over"),
    ],
)
def test_positions_that_are_none(position: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidError, match=said):
        linear(tmp_path, position=position)
    assert not list(tmp_path.iterdir())
