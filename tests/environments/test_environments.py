"""Games as environments: the tests of PettingZoo and Gymnasium themselves, and what these do not look at."""

from __future__ import annotations

import random

import numpy as np
import pytest

import petteia
from petteia.checking.conformance import run_checks
from petteia.core.errors import UsageError
from petteia.core.protocol import initial, legal, margin, play
from petteia.games import game

pytest.importorskip("pettingzoo")
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, render_test, seed_test

BUILT_IN = ("kalah", "kalah:seeds=2,pits=3", "hare-and-hounds", "british-square", "british-square:size=7")
OWN = (
    "petteia.games.tic_tac_toe:TicTacToe",
    "connect_four:ConnectFour",
    "reversi:Reversi",
    "environment_games:SeenPig",
    "environment_games:Stepwise",
)
GAMES = (*BUILT_IN, *OWN)

pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation"),  # theirs, of observations with a mask in them
    pytest.mark.filterwarnings("ignore:.*environment not having a spec"),
    pytest.mark.filterwarnings("ignore:.*WARN.*:UserWarning"),
]


@pytest.mark.parametrize("name", GAMES)
def test_passes_the_tests_of_pettingzoo(name, capsys):
    api_test(petteia.env(name), num_cycles=200)
    seed_test(lambda: petteia.env(name), 100)
    render_test(lambda render_mode: petteia.env(name, render_mode=render_mode))
    assert capsys.readouterr().out


@pytest.mark.parametrize("name", GAMES)
def test_passes_the_tests_of_gymnasium(name):
    check_env(petteia.gym_env(name, render_mode="ansi"))


@pytest.mark.parametrize("name", GAMES)
def test_games_of_an_environment_are_those_of_the_rules(name):
    """What is played by actions is a game of the rules: states, legal moves as masked, the margin at the end."""
    environment = petteia.env(name)
    draw = random.Random(1)
    for number in range(3):
        environment.reset(seed=number)
        game_in_play = environment.unwrapped.game
        rules = game_in_play.rules
        last = None
        while environment.agents:
            seen, reward, terminated, truncated, _ = environment.last()
            agent = environment.agent_selection
            if terminated or truncated:
                won = margin(rules, game_in_play.state) * (1 if agent == "player_0" else -1)
                assert truncated or reward == (won > 0) - (won < 0)
                environment.step(None)
                continue
            state, begun = game_in_play.state, game_in_play._begun
            actions = np.flatnonzero(seen["action_mask"])
            if not game_in_play.encoding.by_steps:
                assert sorted(actions) == sorted(legal(rules, state))
            assert not environment.observe({"player_0": "player_1"}.get(agent, "player_0"))["action_mask"].any()
            action = draw.choice(list(actions))
            environment.step(action)
            if not game_in_play.encoding.by_steps:
                after = play(rules, state, int(action))
                assert game_in_play.plies > 0
                assert name == "environment_games:SeenPig" or game_in_play.state == after
            else:
                assert (game_in_play.state == state) == (begun == ())
            last = agent
        assert last is not None


def test_a_move_of_steps_is_made_by_its_steps():
    environment = petteia.env("environment_games:Stepwise")
    environment.reset(seed=0)
    seen = environment.observe("player_0")
    pieces = np.flatnonzero(seen["action_mask"])
    environment.step(pieces[0])
    assert environment.agent_selection == "player_0"
    begun = environment.observe("player_0")
    assert begun["observation"][-31:-1].tolist().index(1) == pieces[0]
    assert not np.array_equal(begun["action_mask"], seen["action_mask"])
    environment.step(np.flatnonzero(begun["action_mask"])[0])
    assert environment.agent_selection == "player_1"


def test_the_second_player_of_kalah_sees_the_board_from_its_side():
    environment = petteia.env("kalah", position="1,2,3,4,5,6,3/6,5,4,3,2,1,3 s")
    other = petteia.env("kalah", position="6,5,4,3,2,1,3/1,2,3,4,5,6,3 n")
    for each in (environment, other):
        each.reset(seed=0)
    seen, from_other_side = (
        environment.observe("player_0")["observation"],
        other.observe("player_1")["observation"],
    )
    assert np.array_equal(seen[:-1], from_other_side[:-1])
    assert (seen[-1], from_other_side[-1]) == (0, 1)


def test_dice_follow_from_the_seed():
    def faces(seed):
        environment = petteia.env("environment_games:SeenPig")
        environment.reset(seed=seed)
        rolled = []
        for _ in range(12):
            environment.step(1)
            rolled.append(environment.unwrapped.game.state)
            if not environment.agents or environment.terminations[environment.agent_selection]:
                break
        return rolled

    assert faces(1) == faces(1)
    assert len({tuple(faces(seed)) for seed in range(8)}) > 1


def test_an_impossible_action_loses():
    environment = petteia.env("kalah", position="0,2,3,4,5,6,4/6,5,4,3,2,1,3 s")
    environment.reset(seed=0)
    environment.step(0)
    assert environment.rewards == {"player_0": -1.0, "player_1": 0}
    single = petteia.gym_env("kalah", side="south", position="0,2,3,4,5,6,4/6,5,4,3,2,1,3 s")
    single.reset(seed=0)
    _, reward, terminated, truncated, info = single.step(0)
    assert (reward, terminated, truncated, info["illegal"]) == (-1.0, True, False, True)


def test_the_agent_has_the_side_asked_for_and_draws_both_unless_it_is():
    single = petteia.gym_env("hare-and-hounds", "simple")
    seats = {single.reset(seed=seed)[1]["seat"] for seed in range(20)}
    assert seats == {0, 1}
    for side, seat in (("hounds", 0), ("hare", 1), (1, 1)):
        single = petteia.gym_env("hare-and-hounds", side=side)
        assert {single.reset(seed=seed)[1]["seat"] for seed in range(5)} == {seat}
    assert single.game.side == 1


def test_rewards_are_results_or_margins():
    def final(reward):
        single = petteia.gym_env("kalah", "simple", side="south", reward=reward)
        single.reset(seed=1)
        while True:
            _, got, terminated, _, _ = single.step(int(np.flatnonzero(single.action_masks())[-1]))
            if terminated:
                return got, margin(single.game.rules, single.game.state)

    result, points = final("result")
    assert result == (points > 0) - (points < 0)
    assert final("margin")[0] == points


def test_a_game_is_truncated_at_the_limit_of_plies():
    single = petteia.gym_env("hare-and-hounds:stall=0", side="hounds", max_plies=4)
    single.reset(seed=0)
    for _ in range(4):
        _, reward, terminated, truncated, _ = single.step(int(np.flatnonzero(single.action_masks())[0]))
        if terminated or truncated:
            break
    assert (reward, terminated, truncated) == (0.0, False, True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"game": "pig:Pig"}, "the game does not define how positions are observed; define the methods `contents`"),
        ({"game": "kalah", "reward": "points"}, "reward='points': must be one of result, margin"),
        ({"game": "kalah", "max_plies": 0}, "max_plies=0: must be more than 0"),
        ({"game": "ludo"}, "there is no game 'ludo'"),
    ],
)
def test_what_cannot_be_an_environment_is_refused_in_one_line(arguments, words):
    with pytest.raises(petteia.PetteiaError) as error:
        petteia.env(**arguments)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_a_side_that_the_opponent_would_have_to_play_is_refused():
    with pytest.raises(UsageError, match="side 'middle'"):
        petteia.gym_env("kalah", side="middle")
    with pytest.raises(UsageError, match="there is no player 'nobody'"):
        petteia.gym_env("kalah", "nobody")


@pytest.mark.parametrize("name", ["environment_games:Stepwise", "environment_games:SeenPig"])
def test_numbers_that_keep_the_protocol_pass_the_checks(name):
    assert [each.message for each in run_checks(game(name), 20) if not each.passed] == []


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("SameSteps", "are also those of move"),
        ("BegunByAnother", "begin with all steps of move"),
        ("StepsBeyond", "must be an int in 0..29"),
        ("Unsteady", "must be 1, as for player 0 at the start"),
        ("Endless", "must be a finite number"),
    ],
)
def test_numbers_that_break_the_protocol_are_told(name, words):
    failed = [each.message for each in run_checks(game(f"environment_games:{name}"), 5) if not each.passed]
    assert len(failed) == 1
    assert words in failed[0]


def test_every_first_position_can_be_seen_by_both():
    for name in GAMES:
        environment = petteia.env(name)
        environment.reset(seed=0)
        for agent in environment.possible_agents:
            seen = environment.observe(agent)
            assert environment.observation_space(agent).contains(seen)
        assert environment.unwrapped.game.start == initial(environment.unwrapped.game.rules)


@pytest.mark.parametrize("name", [*BUILT_IN, *OWN])
def test_passes_the_random_simulations_of_openspiel(name, capfd):
    pyspiel = pytest.importorskip("pyspiel")
    pyspiel.random_sim_test(petteia.openspiel_game(name, max_plies=300), num_sims=3, serialize=True, verbose=False)


def test_two_games_of_one_name_are_two_games_of_openspiel():
    pytest.importorskip("pyspiel")
    first, again, other = (petteia.openspiel_game("kalah", max_plies=plies) for plies in (100, 100, 200))
    assert first.get_type().short_name == again.get_type().short_name != other.get_type().short_name


def test_openspiel_wins_where_the_rules_do():
    pytest.importorskip("pyspiel")
    state = petteia.openspiel_game("connect_four:ConnectFour").new_initial_state()
    for action in (0, 1, 0, 1, 0, 1, 0):
        state.apply_action(action)
    assert (state.is_terminal(), state.returns(), str(state)) == (True, [1.0, -1.0], "xxxx,ooo,,,,,")
