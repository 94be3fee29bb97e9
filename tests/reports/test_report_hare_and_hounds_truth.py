"""Report H: the truth about tables is the truth, and what is learned once more is the same."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from flat_options import train
from pydantic import TypeAdapter

import petteia
from petteia.analysis.truth import ALL, MET, REACHABLE, Judgement, Truth
from petteia.core.protocol import initial
from petteia.experiments.experiment import experiment
from petteia.learn.mdp import learned
from petteia.learned.table import TablePolicy
from petteia.learned.table_file import load_table
from petteia.players import player
from petteia.policies.play_games import MARGIN, match_keys, play_games
from petteia.policies.policy import Uniform
from petteia.reports.engine.evidence import Evidence
from petteia.reports.hare_and_hounds import other_games
from petteia.reports.hare_and_hounds.plan import OPPONENTS
from petteia.reports.hare_and_hounds.replays import Replay, one_game, settling


@pytest.fixture(scope="module")
def truth() -> Truth:
    return Truth(petteia.game("hare-and-hounds"), OPPONENTS)


@pytest.mark.parametrize("side", [0, 1])
def test_tables_are_judged_as_the_command_does(truth: Truth, tmp_path: Path, side: int) -> None:
    run = train("hare-and-hounds", side=side, games=5000, runs=tmp_path).run
    judged = truth.judge(load_table(run.weights, truth.rules).table, side, "random", 0.9)
    for rows, over in ((ALL, "all"), (REACHABLE, "reachable")):
        known, found = petteia.regret("hare-and-hounds", f"q:agent={run.path}", over=over), judged.sets[rows]
        assert (known.positions, known.won) == (found.positions, found.won)
        assert known.perfect_share == pytest.approx(found.perfect_share)
        assert known.mean == pytest.approx(found.mean_regret)
        assert known.wins_given_away == pytest.approx(found.given_away)
    assert judged.sets[MET].positions < judged.sets[REACHABLE].positions
    assert 0 < judged.error < judged.largest_error < 2
    assert TypeAdapter(Judgement).validate_python(json.loads(json.dumps(judged))) == judged


def test_scores_are_those_of_play(truth: Truth, tmp_path: Path) -> None:
    run = train("hare-and-hounds", games=2000, runs=tmp_path).run
    table = load_table(run.weights, truth.rules).table
    scores = truth.scores(0, truth.table_probabilities(0, table))
    for name in ("random", "simple"):
        policy = player(name, truth.rules).policy(truth.rules)
        games = play_games(
            truth.rules, initial(truth.rules), TablePolicy(table), policy, games=4000, keys=match_keys(2), seats=(0, 0)
        )
        assert (games[:, MARGIN] > 0).mean() == pytest.approx(scores[name], abs=0.03)


def test_what_endless_learning_leads_to(truth: Truth) -> None:
    """With nothing discounted a certain win is worth more than any chance; otherwise the hounds hurry, and lose."""
    assert truth.limit_of_learning("random", 1.0)[REACHABLE].given_away == 0
    assert truth.limit_of_learning("random", 0.9)[REACHABLE].given_away > 0
    assert truth.limit_scores("random", 0.9)["perfect"] < 0.01 < truth.limit_scores("random", 0.9)["random"]
    assert truth.limit_of_learning("mixed:first=perfect,second=random,share=0.9", 0.9)[ALL].given_away == 0


@pytest.mark.slow
def test_perfect_play_is_learned(truth: Truth, tmp_path: Path) -> None:
    """The recipe gives away no won position that can be reached."""
    (cell,) = experiment("perfect-play", scale="quick", seeds=1, folder=tmp_path).cells
    check_perfect_play(truth, cell.trainings)


@pytest.mark.heavy
def test_perfect_play_is_learned_with_every_seed(truth: Truth, tmp_path: Path) -> None:
    (cell,) = experiment("perfect-play", folder=tmp_path, jobs=2).cells
    assert len(cell.trainings) == 5
    check_perfect_play(truth, cell.trainings)


def check_perfect_play(truth: Truth, trainings: list[Any]) -> None:
    for training in trainings:
        judged = truth.measure(0, truth.table_probabilities(0, load_table(training.run.weights, truth.rules).table))
        assert judged[REACHABLE].won == 2753
        assert judged[REACHABLE].given_away == judged[MET].given_away == 0


# What is learned once more, and of other games.


def test_what_is_learned_once_more_is_the_same_and_its_tries_are_counted(truth: Truth, tmp_path: Path) -> None:
    training, earlier = (train("hare-and-hounds", games=games, seed=3, runs=tmp_path) for games in (2000, 1500))
    table, before = (load_table(each.run.weights, each.rules).table for each in (training, earlier))
    replay = Replay(training)
    replay.learn(1)
    first = replay.held[1].sum()
    assert 1 <= first <= 50
    replay.learn(1999)
    values, tries = replay.held
    assert np.array_equal(values, table.values[: len(values)])
    assert not values[tries == 0].any()
    mdp = truth.mdp(0, "random", 1.0)
    moved = np.abs(learned(mdp, table) - learned(mdp, before))[mdp.actions & truth.reached[mdp.origins]]
    found = inspect.unwrap(settling)(cast("Evidence", None), training)
    assert found.moved.mean == pytest.approx(moved.mean())
    assert found.off.mean == pytest.approx(truth.judge(table, 0, "random", 0.9).error)
    assert 0 < found.settled < found.tried < found.moves == len(moved)
    assert found.states == len(values)
    assert found.moved_tried.largest <= found.moved.largest


def test_one_game_changes_a_value_by_alpha_times_its_error_at_most(tmp_path: Path) -> None:
    for alpha in (0.1, 0.9):
        training = train("hare-and-hounds", games=2000, alpha=alpha, runs=tmp_path)
        found = inspect.unwrap(one_game)(cast("Evidence", None), training)
        assert 0 < found.usual <= found.largest <= 2 * alpha
        assert found.largest > 0.5 * alpha


def test_mistakes_are_those_that_the_command_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(other_games, "POSITIONS", 10**6)
    name = "petteia.games.tic_tac_toe:TicTacToe"
    positions, states = other_games.known_positions(petteia.game(name))
    counted = petteia.regret(name, "random", seat=0)
    assert states == 5478
    assert other_games.mistakes(positions, Uniform()) == pytest.approx(counted.given_away / counted.positions)


def test_learning_ends_when_nine_tenths_of_the_mistakes_are_gone() -> None:
    assert other_games.learned("british-square:size=3", 64_000)._replace(bytes=0, gone=0) == (74, 210, 0, 4000, 0)
    assert other_games.learned("british-square:size=3", 2000).gone < other_games.GONE
