"""What players do in games is counted, whatever the game and whatever is looked for."""

from __future__ import annotations

from typing import Any

import numpy as np
import own_players
import pytest
from tiny_games import STEP, DiceRace, Nim

import petteia
from petteia.analysis.behaviour import WatchedGame
from petteia.arena.statistics import score_interval
from petteia.core.errors import UsageError
from petteia.core.protocol import CHANCE, is_over, legal, margin, play, to_move
from petteia.games.hare_and_hounds import HareAndHounds
from petteia.players import PolicyPlayer
from petteia.policies.policy import Lowest


def noted(games: list[WatchedGame]) -> Any:
    """A trait that keeps the games that it sees."""

    def note(rules: Any, game: WatchedGame) -> bool:
        games.append(game)
        return game.margin > 0

    return note


@pytest.mark.parametrize("rules", [Nim(), DiceRace(), HareAndHounds()])
def test_games_are_whole_and_legal(rules: Any) -> None:
    games: list[WatchedGame] = []
    (won,) = petteia.behaviour(rules, "random", "simple", {"won": noted(games)}, games=20, seed=3)
    assert len(games) == won.games == 20
    assert [game.seat for game in games] == [0, 1] * 10
    for one, other in zip(games[::2], games[1::2], strict=True):
        assert one.states[0] == other.states[0], "openings come in pairs"
    for game in games:
        assert len(game.states) == len(game.moves) + 1
        for state, move, after in zip(game.states, game.moves, game.states[1:], strict=False):
            if to_move(rules, state) == CHANCE:
                assert move == CHANCE
                continue
            assert move in legal(rules, state)
            assert play(rules, state, move) == after
            if to_move(rules, state) != game.seat:
                assert move == min(legal(rules, state)), "the opponent moves"
        assert is_over(rules, game.states[-1])
        assert game.margin == margin(rules, game.states[-1]) * (1 if game.seat == 0 else -1)
    assert won[2:5] == score_interval(np.array([float(game.margin > 0) for game in games]))
    assert won.won == (1.0 if won.share else None)


def test_traits_of_a_game_of_ones_own() -> None:
    def hesitates(rules: Any, game: WatchedGame) -> bool:
        pairs = zip(game.states, game.moves, strict=False)
        return any(move == STEP and to_move(rules, state) == game.seat for state, move in pairs)

    traits = {"hesitates": hesitates, "never": lambda rules, game: False, "second": lambda rules, game: game.seat == 1}
    bold, shy = (
        petteia.behaviour("tiny_games:DiceRace:goal=20", text, "random", traits, games=40, opening=0)
        for text in ("own_players:Highest", "simple")
    )
    assert [(row.trait, row.share) for row in bold] == [("hesitates", 0.0), ("never", 0.0), ("second", 0.5)]
    assert [row.share for row in shy] == [1.0, 0.0, 0.5]
    assert bold[1].won is None
    assert bold[2].won is not None


def test_players_of_one_side_stay_there() -> None:
    games: list[WatchedGame] = []
    second = PolicyPlayer(Lowest(), "one-sided", seats=(1,))
    petteia.behaviour(Nim(), second, own_players.Lower(), {"won": noted(games)}, games=3)
    assert [game.seat for game in games] == [1, 1, 1]
    with pytest.raises(UsageError, match="both play only the same side"):
        petteia.behaviour(Nim(), second, PolicyPlayer(Lowest(), "another", seats=(1,)), {})


def test_a_stopped_game_is_nobodys() -> None:
    games: list[WatchedGame] = []
    petteia.behaviour(HareAndHounds(), "random", "random", {"won": noted(games)}, games=4, opening=0, max_plies=3)
    assert [(len(game.moves), game.margin) for game in games] == [(3, 0)] * 4


@pytest.mark.parametrize("wrong", [{"games": 0}, {"opening": -1}, {"max_plies": 0}])
def test_numbers_out_of_range_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(UsageError, match="or more"):
        petteia.behaviour(Nim(), "random", "random", {}, **wrong)
