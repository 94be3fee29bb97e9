"""Regret in samples of positions and in endings is that of the solved game."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from tiny_games import DiceRace, Nim

import petteia
from petteia.analysis.endings import Ending, find_endings, judge_in_endings
from petteia.analysis.sampled_regret import regret_in_sample, solve_and_sample, summed_up
from petteia.arena.judgement import COLUMNS, GIVEN, MISTAKE, REGRET, judge_policy
from petteia.core.errors import UsageError
from petteia.core.protocol import initial, is_over, legal, play, to_move
from petteia.games.hare_and_hounds import HareAndHounds
from petteia.games.kalah import NOBODY, Kalah, stones
from petteia.players import PolicyPlayer, player
from petteia.policies.policy import Lowest
from petteia.solver.oracle import Oracle

ALL_POSITIONS = 10**6
SMALL_BOARDS = (Kalah(2, 2, leftovers=NOBODY), Kalah(3, 2, leftovers=NOBODY))
PLAYERS = ("random", "greedy:depth=1", "heuristic")


def anywhere(rules: Any, state: Any) -> bool:
    return True


# Regret on solved boards.


@pytest.mark.slow
@pytest.mark.parametrize("rules", SMALL_BOARDS)
def test_regret_in_all_positions_is_that_of_both_seats(rules: Kalah) -> None:
    solved = solve_and_sample(rules, ALL_POSITIONS, seed=1)
    oracle = Oracle(rules)
    assert solved.value == oracle.value(initial(rules))
    assert solved.positions == len(oracle.table.keys)
    for text in PLAYERS:
        seats = [petteia.regret(rules, text, seat=seat) for seat in (0, 1)]
        weights = [each.positions for each in seats]
        found = regret_in_sample(solved, text, "its name")
        assert (found.player, found.positions) == ("its name", sum(weights))
        assert found.mean == pytest.approx(np.average([each.mean for each in seats], weights=weights))
        assert found.perfect_share == pytest.approx(np.average([each.perfect_share for each in seats], weights=weights))
        assert found.given_away == pytest.approx(sum(each.given_away for each in seats) / sum(weights))
        assert found.mean > 0


def test_a_sample_has_different_positions_that_are_not_over() -> None:
    rules = SMALL_BOARDS[1]
    sample = solve_and_sample(rules, 50, seed=1).sample
    states = [type(initial(rules))(*map(int, row)) for row in sample]
    assert len(set(states)) == len(states) == 50
    assert not any(is_over(rules, state) for state in states)
    assert {to_move(rules, state) for state in states} == {0, 1}
    assert np.array_equal(solve_and_sample(rules, 50, seed=1).sample, sample)
    assert not np.array_equal(solve_and_sample(rules, 50, seed=2).sample, sample)


def test_what_rows_come_to() -> None:
    columns = np.zeros((4, COLUMNS))
    columns[:, REGRET] = (0.0, 1.0, 2.0, 3.0)
    columns[:, MISTAKE] = (0.0, 0.5, 1.0, 1.0)
    columns[:, GIVEN] = (0.0, 0.0, 1.0, 0.0)
    found = summed_up("a", columns)
    assert found[:4] == ("a", 4, 0.375, 1.5)
    # 1.96 * 1.29099 / 2: the deviation of 0, 1, 2, 3 is the root of 5 / 3
    assert (found.low, found.high) == pytest.approx((1.5 - 1.265152, 1.5 + 1.265152), abs=1e-6)
    assert found.given_away == 0.25
    columns[:, REGRET] = (0.0, 0.0, 0.0, 1.0)
    assert summed_up("a", columns).low == 0.0, "no regret is less than none"


# Regret in endings. On the small board there are but twelve stones, so that all positions are endings.


@pytest.fixture(scope="module")
def found_endings() -> list[Ending]:
    told: list[int] = []
    found = find_endings(SMALL_BOARDS[1], 40, anywhere, 1, advance=told.append)
    assert told == [*range(1, 41)]
    return found


def test_endings_are_worth_what_the_solved_game_says(found_endings: list[Ending]) -> None:
    rules = SMALL_BOARDS[1]
    oracle = Oracle(rules)
    for state, values in found_endings:
        assert len(values) > 1, "there is a choice"
        assert values == {move: oracle.value(play(rules, state, move)) for move in legal(rules, state)}
    assert {to_move(rules, each.state) for each in found_endings} == {0, 1}


def test_regret_in_endings_is_that_of_the_solved_game(found_endings: list[Ending]) -> None:
    rules = SMALL_BOARDS[1]
    oracle = Oracle(rules)
    regrets = [[oracle.regret(state, move) for move in legal(rules, state)] for state, _ in found_endings]
    found = judge_in_endings(rules, found_endings, "random", "chance")
    assert found.player == "chance"
    assert found.mean == pytest.approx(np.mean([np.mean(each) for each in regrets]))
    assert found.perfect_share == pytest.approx(np.mean([each.count(0) / len(each) for each in regrets]))
    for text in PLAYERS:
        policy = player(text, rules).policy(rules)
        of_sides = [[each.state for each in found_endings if to_move(rules, each.state) == side] for side in (0, 1)]
        columns = [
            judge_policy(rules, initial(rules), oracle.table, side, np.array(states, np.int64), policy)
            for side, states in enumerate(of_sides)
        ]
        assert judge_in_endings(rules, found_endings, text) == pytest.approx(summed_up(text, np.concatenate(columns)))
    assert judge_in_endings(rules, found_endings, "perfect")[2:4] == (1.0, 0.0)


def test_endings_are_what_they_must_be() -> None:
    def is_ending(rules: Kalah, state: Any) -> bool:
        return stones(state.south) + stones(state.north) <= 5

    for state, _ in find_endings(SMALL_BOARDS[1], 20, is_ending, 2):
        assert stones(state.south) + stones(state.north) <= 5


# Other games: one that is folded by its symmetries and numbers its positions, one without an end in sight.


@pytest.mark.slow
@pytest.mark.parametrize("rules", [Nim(2), HareAndHounds(stall=0)])
@pytest.mark.parametrize("text", ["random", "simple", "own_players:Drawing"])
def test_regret_in_a_sample_of_other_games(rules: Any, text: str) -> None:
    (found,) = petteia.sampled_regret(rules, text, positions=ALL_POSITIONS)
    seats = [petteia.regret(rules, text, seat=seat) for seat in (0, 1)]
    weights = [each.positions for each in seats]
    drawn = 1e-9 if text in ("random", "simple") else 0.1  # of a player that draws its moves
    assert (found.player, found.positions) == (text, sum(weights))
    assert found.mean == pytest.approx(np.average([each.mean for each in seats], weights=weights), abs=drawn)
    assert found.low <= found.mean <= found.high


def test_a_sample_starts_where_it_is_told() -> None:
    rules = Nim()
    (found,) = petteia.sampled_regret(rules, "random", positions=ALL_POSITIONS, position="1,1,0 first")
    assert found.positions == 3, "that one, and with either stone taken"
    assert solve_and_sample(rules, 5, 1).value == Oracle(rules).value(initial(rules))


def test_regret_in_endings_of_a_game_of_ones_own() -> None:
    rules, oracle = Nim(), Oracle(Nim())

    def is_ending(rules: Nim, state: Any) -> bool:
        return rules.count(state) <= 5

    for state, values in find_endings(rules, 20, is_ending, 1):
        assert values == {move: oracle.value(play(rules, state, move)) for move in legal(rules, state)}
    chance, best, own = petteia.regret_in_endings(
        rules, "random", "perfect", "own_players:Lower", is_ending=is_ending, endings=20
    )
    assert chance.mean > best.mean == 0.0
    assert chance.positions == best.positions == own.positions == 20
    lowest = [oracle.regret(state, min(legal(rules, state))) for state, _ in find_endings(rules, 20, is_ending, seed=0)]
    assert own.mean == pytest.approx(np.mean(lowest))


def test_what_cannot_be_measured_is_refused() -> None:
    with pytest.raises(UsageError, match="chance"):
        petteia.regret_in_endings(DiceRace(), "random", is_ending=anywhere)
    with pytest.raises(UsageError, match="had no ending with a choice"):
        petteia.regret_in_endings(Nim(), "random", is_ending=lambda rules, state: False)
    with pytest.raises(UsageError, match="plays one side alone"):
        petteia.sampled_regret(Nim(), PolicyPlayer(Lowest(), "one-sided", seats=(0,)))
    for call in (petteia.sampled_regret, partial(petteia.regret_in_endings, is_ending=anywhere)):
        with pytest.raises(UsageError, match="must be 1 or more"):
            call(Nim(), "random", **{"positions" if call is petteia.sampled_regret else "endings": 0})


def test_a_game_that_was_solved_before_is_not_solved_again(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Kalah(2, 2)
    known = solve_and_sample(rules, 20, 1)
    monkeypatch.setattr("petteia.analysis.sampled_regret.build", None)
    again = solve_and_sample(rules, 20, 1, table=known.table)
    assert (again.value, again.positions) == (known.value, known.positions)
    assert np.array_equal(again.sample, known.sample)
