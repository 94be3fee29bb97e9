"""What was learned, to be looked at: the weights that `theta` plays by, under their names, and all those on the way."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from flat_options import train

import petteia
from petteia.core.protocol import parse_state
from petteia.experiments.training import Training
from petteia.features.linear import contributions
from petteia.foreign import trust
from petteia.players import player
from petteia.players.search import GreedyPlayer
from petteia.records.weights import load_weights, save_weights
from petteia.value_functions.linear_file import KIND

RULES = "kalah:pits=3,seeds=2"
GAMES = 2300


@pytest.fixture(scope="module")
def training(tmp_path_factory: pytest.TempPathFactory) -> Training:
    runs = tmp_path_factory.mktemp("runs")
    return train(RULES, features="store", games=GAMES, evaluate_every=1150, evaluation_games=10, runs=runs)


def test_the_weights_of_a_training_have_names_and_a_history(training: Training) -> None:
    found = petteia.weights(training.run.path)
    assert (found.game, found.features, found.names) == (RULES, "store", ("store.difference", "store.constant"))
    history = pd.DataFrame(found.history, found.games, found.names)
    assert list(history.index) == [0, 100, 200, 300, *range(301, GAMES + 1)]
    assert (history.loc[0] == 0.0).all()
    assert (history.loc[GAMES] == found.last).all()
    norms = {point.games: point.norm for point in training.points}
    for games, norm in norms.items():
        assert np.linalg.norm(history.loc[games]) == norm > 0.0


def test_they_are_those_that_theta_plays_by(training: Training) -> None:
    found = petteia.weights(training.run.path / "weights.safetensors")
    rules = petteia.game(RULES)
    plays = player(f"theta:agent={training.run.path},weights=last", rules)
    assert isinstance(plays, GreedyPlayer)
    told = contributions(plays.evaluation, rules, parse_state(rules, "1,2,1,2/2,2,1,1 s"))
    assert {each.feature: each.weight for each in told} == dict(zip(found.names, found.last, strict=True))


def test_published_weights_have_no_history() -> None:
    found = petteia.weights("report")
    weights = pd.Series(found.last, found.names)
    assert (found.game, found.features) == ("kalah:leftovers=nobody", "report")
    assert weights["south_to_move.store_difference"] == 4.7509
    assert found.history.shape == (len(found.games), len(weights)) == (0, 40)


def test_without_an_agent_they_are_those_of_the_one_that_is_shipped() -> None:
    found = petteia.weights()
    rules = petteia.game(found.game)
    assert (found.game, found.features, len(found.games)) == ("kalah:leftovers=nobody", "report+chain", 100)
    plays = player("theta:weights=last", rules)
    assert isinstance(plays, GreedyPlayer)
    assert plays.evaluation.weights.tolist() == found.last.tolist()
    assert petteia.weights(game="kalah:pits=4").last.tolist() == found.last.tolist()


def test_no_agent_is_shipped_for_this_game() -> None:
    with pytest.raises(petteia.UsageError, match="petteia has no built-in agent for hare-and-hounds; give a run"):
        petteia.weights(game="hare-and-hounds")
    with pytest.raises(petteia.UsageError, match="the agent already determines the game; omit the argument game"):
        petteia.weights("report", game="kalah")


def test_what_has_no_weights_of_features_is_refused(tmp_path: Path) -> None:
    table = train("hare-and-hounds", games=10, evaluation_games=1, runs=tmp_path)
    with pytest.raises(petteia.InvalidError, match="table"):
        petteia.weights(table.run.path)
    with pytest.raises(petteia.NotFoundError, match="nowhere"):
        petteia.weights("nowhere")


def test_weights_of_a_game_that_is_not_known(
    training: Training, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trust, "_allowed", {"nowhere"})
    found, path = load_weights(training.run.weights, KIND), tmp_path / "file"
    for other, message in (
        ("ludo", "there is no game 'ludo'"),
        ("nowhere:Game", "game 'nowhere:Game': there is no module 'nowhere'"),
    ):
        save_weights(path, KIND, other, found.tensors, found.metadata)
        with pytest.raises(petteia.InvalidError, match=f"{path}: the weights are for {other}: {message}"):
            petteia.weights(path)


def test_weights_of_another_version_are_refused_with_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("petteia.records.weights.SCHEMA", 1)
    monkeypatch.setattr("petteia.records.weights.VERSION", "0.1.2")
    save_weights(tmp_path / "old.safetensors", KIND, "kalah", {"weights": np.zeros(1)}, {})
    monkeypatch.undo()
    with pytest.raises(
        petteia.InvalidError, match=r"weights have schema 1 and were saved by petteia 0\.1\.2, but petteia .* reads"
    ):
        load_weights(tmp_path / "old.safetensors")
