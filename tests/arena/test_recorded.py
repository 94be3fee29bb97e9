"""A player's moves in games: compiled and driven from Python they are the same, and so are those drawn in positions."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from tiny_games import DiceRace

from petteia.arena import known_positions, recorded
from petteia.arena.alternate import Conditions
from petteia.arena.recorded import Recorded, legal_move, record
from petteia.core.errors import PetteiaError
from petteia.core.packing import pack
from petteia.core.protocol import Rules, initial, play
from petteia.core.random import keys, stream
from petteia.games import game
from petteia.players import player
from petteia.players.player import UNLIMITED
from petteia.policies.play_games import match_keys
from petteia.value_functions.linear_file import LearnedWeights, save_linear

RULES, DICE = game("kalah:pits=3,seeds=2,leftovers=nobody"), DiceRace(goal=20)
THETA = "theta:agent=agent,depth=2"
"""draws its weights in each game, and they are as different as can be"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    history = np.random.default_rng(1).normal(size=(20, 6))
    learned = LearnedWeights("pits", history[-1], history[-1], history, np.arange(1, 21), 20)
    save_linear(tmp_path / "agent", RULES, learned)


def conditions(seat: int = 0, max_plies: int = 1000, rules: Rules = RULES) -> Conditions:
    return Conditions(rules, (initial(rules),), 0, (seat, seat), max_plies, UNLIMITED, match_keys(3))


def whole(parts: Iterable[Recorded]) -> Recorded:
    return Recorded(*map(np.concatenate, zip(*parts, strict=True)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "first", "second", "seat"),
    [
        (RULES, THETA, "random", 0),
        (RULES, "random", THETA, 1),
        (RULES, "mixed:first=heuristic,second=random,share=0.5", "greedy", 1),
        (DICE, "random", "mixed:first=simple,second=random,share=0.5", 1),
    ],
)
def test_compiled_moves_are_those_driven_from_python(rules, first, second, seat, monkeypatch):
    monkeypatch.setattr(recorded, "CHUNK", 7)
    monkeypatch.setattr(recorded, "ROOM", 5)  # so that there is not room enough
    players = player(first, rules), player(second, rules)
    found = whole(record(conditions(seat, rules=rules), *players, 20))
    driven = whole(recorded._driven(conditions(seat, rules=rules), *players, 20))
    for one, other in zip(found, driven, strict=True):
        assert np.array_equal(one, other)
    assert len({*found.digests}) > 5
    assert set(found.games) == set(range(20))


def test_players_without_a_policy_are_driven_from_python(monkeypatch):
    monkeypatch.setattr(recorded, "_compiled", None)
    searching, lowest = player("search:depth=1", RULES), player("simple", RULES)
    found = whole(record(conditions(max_plies=3), searching, lowest, 2))
    assert len({*found.digests}) == 1
    assert found.games.tolist() == sorted(found.games.tolist())


@pytest.mark.slow
def test_moves_drawn_in_positions_are_those_of_games_that_begin_there():
    state = initial(RULES)
    states = np.zeros((30, len(state)), np.int64)
    for row in states:
        pack(state, row)
    drawn = known_positions.drawn_moves(RULES, player(THETA, RULES), state, states, seed=1)
    (key,) = keys(1, 1)
    plain = player(THETA, RULES)
    expected = []
    for number in range(30):
        plain.new_game(RULES, stream(key, number))
        expected.append(plain.choose(state, UNLIMITED).move)
    assert drawn.tolist() == expected
    assert len(set(expected)) > 1


def test_an_illegal_move_is_told_with_the_player():
    lowest = player("simple", RULES)
    state = initial(RULES)
    assert legal_move(RULES, lowest, state, 0) == 0
    with pytest.raises(PetteiaError, match="player simple: move code 0 is not legal in "):
        legal_move(RULES, lowest, play(RULES, play(RULES, state, 0), 0), 0)
