"""Where games of learning begin: in the state given, or in any position, and the same in every way of running."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tiny_games import DiceRace, Nim

import petteia
from petteia.core.errors import UsageError
from petteia.core.protocol import initial, is_over, position, positions
from petteia.learn.starts import AnyPosition, draw_start
from petteia.learn.tabular import learn_games
from petteia.policies.duel import match_keys
from petteia.policies.policy import Uniform
from petteia.policies.table import empty_table, rows

NIM = Nim(2, 3)


def test_a_state_is_itself() -> None:
    assert draw_start(initial(NIM), NIM, [1]) == initial(NIM)


def test_every_position_that_is_not_over_is_drawn_and_no_other() -> None:
    random = [5]
    drawn = {draw_start(AnyPosition(), NIM, random) for _ in range(3000)}
    every = {position(NIM, number) for number in range(positions(NIM))}
    assert drawn == {state for state in every if not is_over(NIM, state)}


def test_games_that_start_anywhere_meet_what_others_do_not() -> None:
    def met(start: object, seed: int) -> set[int]:
        table = learn_games(
            *(NIM, start, 0, empty_table(NIM), Uniform()),
            alphas=np.ones(500),
            explorations=np.ones(500),
            gamma=0.9,
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
    whole = petteia.train("hare-and-hounds", **options, runs=tmp_path)  # type: ignore[arg-type]
    again = petteia.train("hare-and-hounds", **options, runs=tmp_path)  # type: ignore[arg-type]
    other = petteia.train("hare-and-hounds", **options, runs=tmp_path, seed=1)  # type: ignore[arg-type]
    assert whole.run.weights.read_bytes() == again.run.weights.read_bytes() != other.run.weights.read_bytes()
    usual = petteia.train("hare-and-hounds", games=3000, evaluation_games=20, runs=tmp_path)
    assert usual.points[-1].states < whole.points[-1].states
    assert "starts anywhere" in next(row.what for row in petteia.runs(tmp_path) if row.name == whole.run.name)


def test_refused_where_positions_have_no_numbers() -> None:
    with pytest.raises(UsageError, match="explore_starts: the game does not number its positions"):
        petteia.train(DiceRace(), explore_starts=True)
