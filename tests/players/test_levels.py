"""Levels: players of graded strength, by number."""

from __future__ import annotations

import itertools

import pytest

import petteia
from petteia.arena.match import match
from petteia.core.errors import UsageError
from petteia.core.names import name_of
from petteia.experiments.levels import MINIMUM, NAMES, RECIPES, names_of
from petteia.games import GAMES, game
from petteia.games.tic_tac_toe import TicTacToe
from petteia.players import player
from petteia.players.levels import ANY_GAME, levels
from petteia.players.player import PolicyPlayer


def test_each_game_of_the_package_has_a_ladder_of_its_own():
    assert set(RECIPES) == {name_of(cls) for cls in GAMES}
    for name in RECIPES:
        found = levels(game(name))
        assert 5 <= len(found) <= 10
        assert [each.number for each in found] == list(range(1, len(found) + 1))
        assert found[0].player == "random"
        assert len({each.name for each in found}) == len({each.player for each in found}) == len(found)


@pytest.mark.parametrize("text", ["kalah", "kalah:pits=3", "hare-and-hounds:first=hare", "british-square:size=3"])
def test_every_level_can_be_made(text):
    rules = game(text)
    for level in levels(rules):
        assert player(f"level:{level.number}", rules).name == f"level:{level.number}"


def test_a_level_plays_as_the_player_that_it_stands_for():
    rules = game("hare-and-hounds")
    named = levels(rules)[3].player
    games = match(rules, "level:4", "random", games=20).rows
    assert games == match(rules, named, "random", games=20).rows
    assert isinstance(player("level:4", rules), PolicyPlayer)


def test_other_games_have_the_levels_of_any_game():
    assert [each.player for each in levels(TicTacToe())] == [text for _, text in ANY_GAME]
    assert match(TicTacToe(), "level:6", "level:1", games=20).score > 0.5


def test_pits_that_the_agent_does_not_know():
    assert [each.player for each in levels(game("kalah:pits=4"))] == [text for _, text in ANY_GAME]


def test_names_are_spread_from_the_first_to_the_last():
    for count in range(2, 11):
        names = names_of(count)
        assert len(set(names)) == count
        assert (names[0], names[-1]) == (NAMES[0], NAMES[-1])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("level", "player level: must be level:1 (Beginner) to level:"),
        ("level:0", "player level:0: must be level:1"),
        ("level:99", "player level:99: must be level:1"),
        ("level:x", "did you mean level:number=x"),
        ("level:depth=3", "has no option 'depth'"),
    ],
)
def test_bad_levels(text, says):
    with pytest.raises(UsageError, match=says.replace("(", r"\(").replace(")", r"\)")):
        player(text, game("kalah"))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["kalah", "amazons"])
def test_neighbours_score_as_recorded(name):
    rules = game(name)
    for one in levels(rules)[1:4]:
        score = match(rules, f"level:{one.number}", f"level:{one.number - 1}", games=200, seed=1, rows=False).score
        assert MINIMUM <= score <= 0.9


def test_regret_falls_from_level_to_level():
    means = [
        petteia.regret("hare-and-hounds", f"level:{level.number}", seat=0).mean
        for level in levels(game("hare-and-hounds"))
    ]
    assert all(higher <= 0.7 * lower for lower, higher in itertools.pairwise(means))
    assert means[-1] == 0.0
