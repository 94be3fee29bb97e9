"""The exact values of what a learner faces: against a slow plain computation, against play, and against learning."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest
from tiny_games import DiceRace, Nim

from petteia.core.errors import UsageError
from petteia.core.packing import unpack
from petteia.core.protocol import Rules, State, initial, is_over, legal, margin, play, to_move
from petteia.core.random import RandomState, below
from petteia.games import game
from petteia.learn.mdp import (
    MDP,
    greedy_probabilities,
    mdp_for,
    optimal_values,
    policy_values,
    probabilities_of,
    reachable,
    values_from_table,
    visits,
)
from petteia.learn.schedules import schedule
from petteia.learn.tabular import learn_games
from petteia.policies.play_games import MARGIN, match_keys, play_games
from petteia.policies.policy import Lowest, Policy, Scratch, Uniform
from petteia.value_functions.table import TablePolicy, empty_table

NIM = Nim(2, 3)


class Untold(NamedTuple):
    """A policy that does not tell its probabilities."""

    def choose(policy, rules: Rules, state: State, random: RandomState, work: Scratch) -> int:
        return legal(rules, state)[below(random, 1)]


def chances_of(policy: Policy, rules: Rules, state: State) -> list[tuple[int, float]]:
    """Each legal move with its probability, written a second time."""
    moves = legal(rules, state)
    if isinstance(policy, Lowest):
        return [(min(moves), 1.0)]
    return [(move, 1.0 / len(moves)) for move in moves]


def worth(rules: Rules, state: State, side: int, opponent: Policy, gamma: float, own: Policy | None) -> float:
    """By the definition, in a game that always ends."""
    if is_over(rules, state):
        return float(margin(rules, state) * (1 if side == 0 else -1))

    def after(move: int) -> float:
        return worth(rules, play(rules, state, move), side, opponent, gamma, own)

    if to_move(rules, state) != side:
        return sum(share * after(move) for move, share in chances_of(opponent, rules, state))
    if own is None:
        return gamma * max(map(after, legal(rules, state)))
    return gamma * sum(share * after(move) for move, share in chances_of(own, rules, state))


def states(mdp: MDP) -> Iterator[State]:
    for row in mdp.graph.states:
        yield unpack(initial(mdp.rules), row)


@pytest.mark.slow
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("gamma", [1.0, 0.9, 0.0])
@pytest.mark.parametrize("opponent", [Uniform(), Lowest()], ids=str)
def test_as_the_definition_has_it(side: int, gamma: float, opponent: Policy) -> None:
    for rules in (NIM, Nim(2, 3, 1)):
        mdp = mdp_for(rules, side, opponent, gamma)
        for own, found in (
            (None, optimal_values(mdp)),
            (Uniform(), policy_values(mdp, probabilities_of(mdp, Uniform()))),
        ):
            expected = [worth(rules, state, side, opponent, gamma, own) for state in states(mdp)]
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize("side", [0, 1])
def test_in_a_game_with_cycles(side: int) -> None:
    """Every value follows from those after it; where gamma is below 1 only one set of values does that."""
    rules, gamma = game("hare-and-hounds:stall=0"), 0.8
    mdp = mdp_for(rules, side, Uniform(), gamma)
    found = optimal_values(mdp)
    rows = {state: row for row, state in enumerate(states(mdp))}
    for state, row in rows.items():
        if is_over(rules, state):
            expected = margin(rules, state) * (1.0 if side == 0 else -1.0)
        else:
            after = [found[rows[play(rules, state, move)]] for move in legal(rules, state)]
            expected = gamma * max(after) if to_move(rules, state) == side else sum(after) / len(after)
        assert found[row] == pytest.approx(expected, abs=1e-13)


def test_worth_of_a_policy_is_what_it_scores() -> None:
    rules = game("hare-and-hounds")
    mdp = mdp_for(rules, 0, Lowest(), 1.0)
    values = policy_values(mdp, probabilities_of(mdp, Uniform()))
    games = play_games(rules, initial(rules), Uniform(), Lowest(), games=20_000, keys=match_keys(1), seats=(0, 0))
    scored = games[:, MARGIN]
    assert values[0] == pytest.approx(scored.mean(), abs=5 * scored.std() / np.sqrt(len(scored)))


@pytest.mark.slow
def test_what_long_learning_approaches() -> None:
    mdp = mdp_for(NIM, 0, Uniform(), 0.9)
    games = 400_000
    table = learn_games(
        *(NIM, initial(NIM), 0, empty_table(NIM), Uniform()),
        alphas=schedule("0.05..0.0", "alpha").over(0, games, games),
        explorations=np.ones(games),
        gammas=np.full(games, 0.9),
        keys=match_keys(3),
    )
    exact = optimal_values(mdp)[mdp.graph.successors]
    asked = mdp.actions & np.repeat(reachable(mdp), np.diff(mdp.graph.offsets))
    assert asked.sum() > 20
    errors = np.abs(values_from_table(mdp, table) - exact)[asked]
    assert errors.max() < 0.07
    assert errors.mean() < 0.015


def test_values_that_a_table_does_not_hold() -> None:
    mdp = mdp_for(NIM, 0, Uniform(), 0.9)
    assert set(values_from_table(mdp, empty_table(NIM), 0.25).tolist()) == {0.25}


def test_visits_are_those_of_play() -> None:
    mdp = mdp_for(NIM, 0, Lowest(), 0.9)
    probabilities = probabilities_of(mdp, Uniform())
    counts = visits(mdp, probabilities, 9000, seed=5)
    first, second = mdp.graph.offsets[:2]
    assert counts[first:second].sum() == 9000
    assert counts[first:second] == pytest.approx(np.full(6, 1500), abs=200)
    rows, stopped = np.diff(mdp.graph.offsets), visits(mdp, probabilities, 100, seed=5, max_plies=1)
    assert stopped.sum() == 100
    movers = np.repeat(mdp.graph.movers, rows)
    assert set(counts[movers == 1].tolist()) > {0}, "the opponent plays its lowest moves only"
    assert (visits(mdp, probabilities, 9000, seed=5) == counts).all()
    assert (visits(mdp, probabilities, 9000, seed=6) != counts).any()


def test_greedy_play_is_that_of_the_table() -> None:
    mdp = mdp_for(NIM, 0, Uniform(), 0.9)
    table = learn_games(
        *(NIM, initial(NIM), 0, empty_table(NIM), Uniform()),
        alphas=np.full(20, 0.5),
        explorations=np.ones(20),
        gammas=np.full(20, 0.9),
        keys=match_keys(4),
    )
    probabilities = greedy_probabilities(mdp, values_from_table(mdp, table))
    np.testing.assert_allclose(probabilities, probabilities_of(mdp, TablePolicy(table)), rtol=0, atol=1e-15)
    assert np.sum((probabilities > 0) & (probabilities < 1)) > 0, "ties are shared"
    followed = reachable(mdp, (probabilities > 0) | ~mdp.actions)
    assert 1 < followed.sum() < reachable(mdp).sum()


def test_positions_that_can_be_reached() -> None:
    mdp = mdp_for(NIM, 0, Uniform(), 0.9)
    found, waiting = set(), [initial(NIM)]
    while waiting:
        state = waiting.pop()
        if state not in found:
            found.add(state)
            waiting += [play(NIM, state, move) for move in legal(NIM, state)]
    assert {state for state, reached in zip(states(mdp), reachable(mdp), strict=True) if reached} == found


@pytest.mark.parametrize(
    ("rules", "opponent", "message"),
    [
        (NIM, Untold(), "exact values need the move probabilities of Untold"),
        (DiceRace(), Uniform(), "chance moves in it"),
    ],
)
def test_refused(rules: Any, opponent: Policy, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        mdp_for(rules, 0, opponent, 0.9)
