"""Tabular Q-learning against a slow one of dictionaries, and against values that are known."""

from __future__ import annotations

import functools
from collections import defaultdict
from typing import Any, NamedTuple

import numpy as np
import pytest
from solved_games import BlurredMaze
from tiny_games import DiceRace, Nim

from petteia.core.arrays import Ints
from petteia.core.packing import distinct_key
from petteia.core.protocol import (
    CHANCE,
    chances,
    draw_move,
    initial,
    is_over,
    legal,
    limits,
    margin,
    play,
    provides,
    to_move,
)
from petteia.core.random import below, draw_index, stream, uniform
from petteia.games.hare_and_hounds import HareAndHounds
from petteia.learn import tabular
from petteia.learn.tabular import learn_games
from petteia.policies.play_games import RngKeys, match_keys
from petteia.policies.policy import Lowest, Policy, Uniform
from petteia.value_functions.table import Table, empty_table, filled_table, find, rows

RULES = [HareAndHounds(), HareAndHounds(first=1, escape=1), Nim(), DiceRace(), BlurredMaze(size=97, seed=5)]


def learn(rules: Any, side: int, opponent: Policy, games: int, *, first: int = 0, table: Table | None = None) -> Table:
    return learn_games(
        *(rules, initial(rules), side, table or empty_table(rules), opponent),
        alphas=np.linspace(0.5, 0.1, games) if first == 0 and table is None else np.full(games, 0.1),
        explorations=np.full(games, 0.5),
        gammas=np.full(games, 0.9),
        keys=match_keys(1),
        first_game=first,
    )


def learn_slowly(rules: Any, side: int, games: int, keys: RngKeys) -> dict[Any, float]:
    """Values of (state, move) after games against the uniformly random opponent, step by step as the thesis says."""
    values: dict[Any, float] = defaultdict(float)
    for game, alpha in enumerate(np.linspace(0.5, 0.1, games)):
        own, other, luck = ([stream(each, game)] for each in (keys.first, keys.second, keys.chance))
        state = initial(rules)
        before: Any = None
        while not is_over(rules, state):
            listed = legal(rules, state)
            if to_move(rules, state) == CHANCE:
                probabilities = [0.0] * limits(rules).moves
                count = chances(rules, state, [0] * limits(rules).moves, probabilities)
                move = listed[draw_index(luck, probabilities, count)]
            elif to_move(rules, state) == side:
                best = max(values[state, each] for each in listed)
                if before is not None:
                    values[before] += alpha * (0.9 * best - values[before])
                if uniform(own) < 0.5:
                    move = listed[below(own, len(listed))]
                else:
                    equal = [each for each in listed if values[state, each] == best]
                    move = equal[below(own, len(equal))] if len(equal) > 1 else equal[0]
                before = (state, move)
            else:
                move = listed[below(other, len(listed))]
            state = play(rules, state, move)
        if before is not None:
            won = np.sign(margin(rules, state)) * (1 if side == 0 else -1)
            values[before] += alpha * (float(won) - values[before])
    return values


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("rules", [rules for rules in RULES if not provides(rules, "random_move")], ids=str)
def test_learns_as_the_slow_learner_does(rules: Any, side: int) -> None:
    """Not for a game with its own random_move, which draws other numbers than a list does."""
    table = learn(rules, side, Uniform(), 60)
    slow = learn_slowly(rules, side, 60, match_keys(1))
    assert len({state for state, _ in slow}) == table.used[0]
    for (state, move), value in slow.items():
        row = find(table, distinct_key(rules, state))
        assert table.values[row, legal(rules, state).index(move)] == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_compiled_as_plain(rules: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = rows(learn(rules, 0, Uniform(), 40))
    monkeypatch.setattr(tabular, "_learn_games", tabular._learn_games.function)
    with np.errstate(all="ignore"):
        plain = rows(learn(rules, 0, Uniform(), 40))
    for each, other in zip(compiled, plain, strict=True):
        np.testing.assert_array_equal(each, other)


def test_parts_are_the_same_as_the_whole_while_the_table_grows() -> None:
    rules = HareAndHounds()
    whole = learn(rules, 0, Uniform(), 4000, table=empty_table(rules))
    table = empty_table(rules)
    for first in range(0, 4000, 125):
        keys, values = rows(learn(rules, 0, Uniform(), 125, first=first, table=table))
        table = filled_table(keys, values)
    assert len(whole.keys) > len(empty_table(rules).keys), "the table should have grown"
    for each, other in zip(rows(whole), rows(table), strict=True):
        np.testing.assert_array_equal(each, other)


def test_reaches_the_values_of_the_best_reply() -> None:
    """Against a deterministic opponent, with learning rate 1, values become those of the best reply, exactly."""
    rules, side, gamma = Nim(), 0, 0.9

    @functools.cache
    def worth(state: Any) -> float:
        """Of a state in which the learner is to move, or the game is over."""
        if is_over(rules, state):
            return float(np.sign(margin(rules, state)))
        return max(after(state, move) for move in legal(rules, state))

    def after(state: Any, move: int) -> float:
        state = play(rules, state, move)
        if is_over(rules, state):
            return worth(state)
        state = play(rules, state, min(legal(rules, state)))
        return worth(state) if is_over(rules, state) else gamma * worth(state)

    games = 20_000
    table = learn_games(
        *(rules, initial(rules), side, empty_table(rules), Lowest()),
        alphas=np.ones(games),
        explorations=np.ones(games),
        gammas=np.full(games, gamma),
        keys=match_keys(3),
    )
    waiting, seen = [initial(rules)], set()
    while waiting:
        state = waiting.pop()
        if state in seen or is_over(rules, state):
            continue
        seen.add(state)
        row = find(table, distinct_key(rules, state))
        for place, move in enumerate(legal(rules, state)):
            assert table.values[row, place] == pytest.approx(after(state, move))
            reply = play(rules, state, move)
            if not is_over(rules, reply):
                waiting.append(play(rules, reply, min(legal(rules, reply))))
    assert len(seen) > 10


class Counting(NamedTuple):
    """Plays any move, and counts the games that it was told of."""

    games: Ints

    def begin(policy, rules: Any, random: Any) -> None:
        policy.games[0] += 1

    def choose(policy, rules: Any, state: Any, random: Any, work: Any) -> int:
        return draw_move(rules, state, random, work.moves)


def test_an_opponent_is_told_that_a_game_begins() -> None:
    counting = Counting(np.zeros(1, np.int64))
    learn(Nim(), 0, counting, 30)
    assert counting.games[0] == 30


def test_a_game_stopped_by_the_limit_of_plies_gives_no_reward() -> None:
    rules = HareAndHounds()
    table = learn_games(
        *(rules, initial(rules), 0, empty_table(rules), Uniform()),
        alphas=np.ones(200),
        explorations=np.ones(200),
        gammas=np.ones(200),
        keys=match_keys(0),
        max_plies=2,
    )
    assert table.used[0] == 1
    assert not rows(table)[1].any()
