"""Files of weights of features: they hold all that was learned, and what is not whole is refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kept_weights import GAMES, RULES, some

from petteia.core.errors import InvalidError
from petteia.features.feature_set import names
from petteia.features.kalah_potentials import ReportFeatures
from petteia.games import game
from petteia.players import player
from petteia.records.weights import load_weights, save_weights
from petteia.value_functions.linear_file import KIND, load_linear, save_linear


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("agent") / "learned.safetensors"
    save_linear(path, RULES, some())
    return path


def test_a_file_holds_all_that_was_learned(tmp_path):
    plain, first, second = some(), tmp_path / "first", tmp_path / "second"
    scaled = plain._replace(turns="chain", centre=np.arange(40) / 9, scale=np.arange(1.0, 41.0))
    young = plain._replace(history=plain.history[:0], history_games=plain.history_games[:0], games=0)
    for learned in (plain, scaled, young):
        save_linear(first, RULES, learned)
        found = load_linear(first, RULES)
        for name, part in learned._asdict().items():
            assert (
                np.array_equal(getattr(found, name), part)
                if isinstance(part, np.ndarray)
                else part == getattr(found, name)
            )
        save_linear(second, RULES, found)
        assert first.read_bytes() == second.read_bytes()


def test_what_is_not_finite_is_not_saved(tmp_path):
    learned = some()
    learned.weights[3] = np.nan
    with pytest.raises(InvalidError, match="not finite"):
        save_linear(tmp_path / "file", RULES, learned)


def changed(path: Path, tensors: dict[str, Any], metadata: dict[str, Any], rules: str | None = None) -> Path:
    """The file with other parts, or without those that are None; sound as a file of weights."""
    found = load_weights(path, KIND)
    parts = {name: each for name, each in (found.tensors | tensors).items() if each is not None}
    said = {name: each for name, each in (found.metadata | metadata).items() if each is not None}
    other = path.with_name("changed.safetensors")
    save_weights(other, KIND, rules or found.game, parts, said)
    return other


LEARNED = some()
CUT = LEARNED.history[:-1]
SWAPPED = LEARNED.history_games.copy()
SWAPPED[[4, 5]] = SWAPPED[[5, 4]]
NAMES = list(names(ReportFeatures(), RULES))
WRONG: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "no weights": ({"weights": None}, {}, "the weights file is incomplete, because it lacks the array weights"),
    "no number of games": (
        {},
        {"games": None},
        "it lacks a valid value of one or more of features, games, kept and turns",
    ),
    "a number of games that is none": (
        {},
        {"games": "-3"},
        "it lacks a valid value of one or more of features, games, kept and turns",
    ),
    "a number of games too long": (
        {},
        {"games": "1" * 5000},
        "it lacks a valid value of one or more of features, games, kept and turns",
    ),
    "unknown turns": (
        {},
        {"turns": "round"},
        "it lacks a valid value of one or more of features, games, kept and turns",
    ),
    "another part": (
        {"bias": np.zeros(1)},
        {},
        "contains the unknown array 'bias'; a file of learned weights may contain only weights, mean, ",
    ),
    "no names": ({}, {"names": None}, "it lacks the feature names"),
    "too few names": (
        {},
        {"names": '["a"]'},
        "weights for 1 features, but the feature set report has 40 features in this game",
    ),
    "names in another order": (
        {},
        {"names": str([*NAMES[1::-1], *NAMES[2:]]).replace("'", '"')},
        f"feature 0 of the feature set report was '{NAMES[1]}' during training, but is '{NAMES[0]}'",
    ),
    "unknown features": ({}, {"features": "reprot"}, "there is no feature set 'reprot'; did you mean 'report'?"),
    "other rules' behaviour": ({}, {"fingerprint": "0" * 16}, "the rules of kalah:pits=3,seeds=2 have changed"),
    "weights too short": (
        {"weights": np.zeros(39)},
        {},
        "weights has the type and shape float64[39] instead of float64[40]",
    ),
    "weights that are integers": (
        {"mean": np.zeros(40, np.int64)},
        {},
        "mean has the type and shape int64[40] instead of float64[40]",
    ),
    "a history cut short": (
        {"history": CUT},
        {},
        f"the array history has the type and shape float64[{len(CUT)}, 40] "
        f"instead of float64[{len(CUT) + 1}, 40]; the history is cut short",
    ),
    "games of a history cut short": ({"history_games": LEARNED.history_games[:-1]}, {}, "the history is cut short"),
    "both cut short": (
        {"history": CUT, "history_games": LEARNED.history_games[:-1]},
        {},
        "the history is cut short",
    ),
    "a history out of order": (
        {"history_games": SWAPPED},
        {},
        "history_games contains 600 before 500; its numbers must be in ascending order",
    ),
    "a history beyond the end": (
        {},
        {"games": "5999"},
        "the array history_games contains 6,000; its numbers must be in 0..5,999",
    ),
    "a history before the start": (
        {"history_games": LEARNED.history_games - 101},
        {},
        "the array history_games contains -1; its numbers must be in 0..6,000",
    ),
    "half a scaling": ({"centre": np.zeros(40)}, {}, "contains only one of the arrays centre and scale"),
    "a scale of 0": ({"centre": np.zeros(40), "scale": np.zeros(40)}, {}, "scale contains a number of 0 or less"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_file_that_is_not_whole_is_refused_in_one_line(agent, wrong):
    tensors, metadata, message = WRONG[wrong]
    path = changed(agent, tensors, metadata)
    with pytest.raises(InvalidError, match=re.escape(message)) as raised:
        load_linear(path, RULES)
    assert str(raised.value).startswith(f"{path}: ")
    assert "\n" not in str(raised.value)


def test_weights_of_other_rules_are_refused_unless_they_are_asked_for(agent):
    with pytest.raises(
        InvalidError, match=r"learned for kalah:pits=3,seeds=2, not for kalah; give values learned for kalah$"
    ):
        load_linear(agent, game("kalah"))
    with pytest.raises(
        InvalidError,
        match=r"learned for kalah:pits=3,seeds=2, not for hare-and-hounds; give values learned for hare-and-hounds$",
    ):
        load_linear(agent, game("hare-and-hounds"), other_rules=True)
    assert load_linear(agent, game("kalah"), other_rules=True).games == GAMES
    with pytest.raises(InvalidError, match="weights are of kind 'linear'; must be of kind 'table'"):
        player(f"q:agent={agent}", RULES)
