"""The agents that come with the package: sound, strong, and made by their recipes."""

from __future__ import annotations

import pytest

import petteia
from petteia.experiments.agents import EVERY, LAST, RECIPES, make_agent, shipped
from petteia.games import game
from petteia.records.weights import load_weights
from petteia.value_functions.linear_file import load_linear


@pytest.mark.parametrize("name", RECIPES)
def test_the_file_holds_what_the_recipe_says(name):
    learned = load_linear(shipped(name), game(RECIPES[name]["game"]))
    assert load_weights(shipped(name)).place is None  # it belongs to no run
    assert (learned.features, learned.games) == (RECIPES[name]["learner"].features, RECIPES[name]["games"])
    assert len(learned.history) == LAST // EVERY
    assert learned.history_games[-1] == learned.games


def test_there_is_no_file_without_a_recipe():
    assert {path.stem for path in shipped("kalah").parent.iterdir()} == set(RECIPES)


@pytest.mark.slow
def test_theta_needs_no_agent_and_plays_well():
    assert petteia.match("kalah", "theta", "greedy", games=400, seed=1).low > 0.85
    assert petteia.match("kalah", "theta:depth=3", "greedy:depth=3", games=200, seed=1).low > 0.55


@pytest.mark.slow
def test_it_plays_other_rules_with_a_notice():
    played = petteia.match("kalah:pits=5,seeds=3", "theta", "greedy", games=100, seed=1)
    assert played.low > 0.6
    assert any("learned for kalah:leftovers=nobody, not for kalah:pits=5,seeds=3" in note for note in played.notes)


@pytest.mark.heavy
@pytest.mark.parametrize("name", RECIPES)
def test_the_recipe_makes_the_same_bytes(name, tmp_path):
    make_agent(name, tmp_path / "made.safetensors")
    assert (tmp_path / "made.safetensors").read_bytes() == shipped(name).read_bytes()
