"""Defaults of learning with features, and the line that says that what was learned loses to what needs no learning."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flat_options import configure, train
from own_features import Faces, Stores
from tiny_games import DiceRace

import petteia
from petteia.checking.sample import play_game
from petteia.cli import main
from petteia.core.errors import UsageError
from petteia.core.protocol import initial
from petteia.core.random import stream
from petteia.experiments.linear_settings import FIRST_PART, LinearSettings
from petteia.features.feature_set import features
from petteia.features.magnitude import MAX_GAMES, POSITIONS, mean_square_length
from petteia.games.kalah import Kalah
from petteia.learn.learners import LinearLearner
from petteia.learn.linear import learner_for

GAME = "kalah:pits=3,seeds=3"
RULES = Kalah(pits=3, seeds=3)
UNLEARNED: dict[str, Any] = {"features": "store", "alpha": 0.0, "games": 2, "evaluation_games": 2}
"""Of a training run that leaves the weights as they are given."""


def settings(**given: Any) -> LinearSettings:
    found = configure(GAME, **{"features": "store", "games": 1000, **given})[1]
    assert isinstance(found, LinearSettings)
    return found


# Defaults.


def test_defaults() -> None:
    found, learner = settings(), settings().learner
    assert (learner.target, found.side, found.opponent, learner.epsilon) == ("monte-carlo", "both", "self", "0.5")
    assert learner.knows_ends
    assert (learner.learn_explored, learner.standardise, learner.lambda_) == (False, False, 0.0)
    assert settings(opponent="random").side == settings(opponent="self:every=100").side == "random"
    assert configure("hare-and-hounds")[1].learner.target == "q"  # a table
    assert settings(lambda_=0.5).learner.target == "sarsa"
    on_policy = {"q": False, "sarsa": True, "td": True, "monte-carlo": False}
    assert {name: settings(learner=name).learner.learn_explored for name in on_policy} == on_policy
    assert not settings(learner="sarsa", learn_explored=False).learner.learn_explored
    with pytest.raises(UsageError, match="choose target q or sarsa or td"):
        settings(lambda_=0.5, learner="monte-carlo")


def test_the_step_size_goes_with_the_square_of_the_features() -> None:
    one, twice = (mean_square_length(RULES, Stores(unit), [initial(RULES)]) for unit in (0.125, 0.25))
    assert twice == pytest.approx(4 * one)
    alpha = settings(features="own_features:Stores").rate.values
    assert alpha == pytest.approx((FIRST_PART / one, FIRST_PART / one / 100), rel=0.05)
    assert settings(standardise=True).rate.values == pytest.approx((FIRST_PART / 2, FIRST_PART / 200), rel=0.05)
    assert settings(alpha=0.25).learner.alpha == "0.25"


def test_the_length_of_features_that_are_one_or_zero_is_how_many_are_one() -> None:
    assert mean_square_length(DiceRace(), Faces(), [initial(DiceRace())]) == 1.0


def test_the_length_is_a_mean_over_positions_of_random_games() -> None:
    squares: list[float] = []
    index, value = np.zeros(2, np.int64), np.zeros(2)
    game = 0
    while len(squares) < POSITIONS and game < MAX_GAMES:
        for visit in play_game(RULES, [stream(0, game)]).visits[1:]:
            features(Stores(), RULES, visit.state, index, value)
            squares.append(float(value @ value))
        game += 1
    assert mean_square_length(RULES, Stores(), [initial(RULES)]) == pytest.approx(np.mean(squares))


def test_monte_carlo_remembers_no_more_plies_than_games_have() -> None:
    rules = petteia.game("hare-and-hounds:stall=1")
    feature_set = petteia_squares()
    learner = learner_for(rules, feature_set, np.zeros(45), LinearLearner("squares"), max_plies=10**6)
    assert len(learner.trajectory) == rules.limits().plies < 100


def petteia_squares() -> Any:
    from petteia.features.feature_sets import FEATURE_SETS

    return FEATURE_SETS["squares"].value


# Advice.


@pytest.mark.slow
@pytest.mark.parametrize("side", ["both", "south"])
def test_what_loses_to_what_needs_no_learning_is_told(side: str, tmp_path: Path) -> None:
    """Weights that like the other's stones lose to greedy, those that like one's own play as it does."""
    opponent = "self" if side == "both" else "random"
    bad, again, good = (
        train(GAME, **UNLEARNED, weights=weights, side=side, opponent=opponent, runs=tmp_path)
        for weights in (-1.0, -1.0, 1.0)
    )
    (line,) = bad.advice
    worse = "loses to greedy, which does not learn: " if side == "both" else "is worse than greedy, which does"
    assert line.startswith(f"the learner {worse}")
    assert "of 200 games; try more games, or other features" in line
    assert "docs/choosing-parameters.md" in line
    assert line in bad.notes
    assert again.advice == bad.advice
    assert good.advice == ()
    assert petteia.resume(bad.run.path).advice == ()  # nothing has just been learned


@pytest.mark.slow
def test_what_to_try_goes_by_what_was_done(tmp_path: Path) -> None:
    told = train(GAME, **UNLEARNED, weights=-1.0, knows_ends=False, learner="q", runs=tmp_path).advice
    assert "; try knows_ends, or target monte-carlo (see" in told[0]


@pytest.mark.slow
def test_a_table_is_held_against_random_moves(tmp_path: Path) -> None:
    learned = train("hare-and-hounds", games=3000, evaluation_games=5, evaluate_every=3000, runs=tmp_path)
    assert learned.advice == ()


@pytest.mark.slow
def test_the_command_says_it_beside_the_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    given = [f"--{name.replace('_', '-')}={value}" for name, value in UNLEARNED.items()]
    assert main(["train", GAME, *given, "--weights=-1", "--runs", str(tmp_path), "--json"]) == 0
    captured = capsys.readouterr()
    (line,) = json.loads(captured.out)["notes"]
    assert f"petteia: {line}\n" in captured.err
    assert main(["train", GAME, *given, "--weights=1", "--no-knows-ends", "--runs", str(tmp_path)]) == 0
    captured = capsys.readouterr()
    assert "the learner" not in captured.err
