"""Regret in samples of positions and in endings is that of the solved game."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tiny_games import DiceRace, Nim

import petteia
from petteia.arena.known_positions import Endings, SolvedPositions, find_endings, solved_positions
from petteia.arena.regret import regret_in
from petteia.core.errors import UsageError
from petteia.core.protocol import initial, is_over, legal, play, to_move
from petteia.games.hare_and_hounds import HareAndHounds
from petteia.games.kalah import NOBODY, Kalah, stones
from petteia.players import PolicyPlayer, player
from petteia.policies.policy import Lowest
from petteia.solver.oracle import Oracle
from petteia.solver.tablebase import build

SMALL_BOARDS = (Kalah(2, 2, leftovers=NOBODY), Kalah(3, 2, leftovers=NOBODY))
PLAYERS = ("random", "greedy:depth=1", "heuristic")


def anywhere(rules: Any, state: Any) -> bool:
    return True


def sampled(rules: Any, sample: int, seed: int) -> SolvedPositions:
    return solved_positions(rules, initial(rules), build(rules), sample=sample, seed=seed)


# Samples of solved games.


@pytest.mark.slow
@pytest.mark.parametrize("rules", [*SMALL_BOARDS, Nim(2), HareAndHounds(stall=0)])
def test_regret_of_both_seats_is_that_of_each(rules: Any) -> None:
    for text in PLAYERS if isinstance(rules, Kalah) else ("random", "simple"):
        seats = [petteia.regret(rules, text, seat=seat) for seat in (0, 1)]
        weights = [each.positions for each in seats]
        found = petteia.regret(rules, text, seat="both")
        assert (found.seat, found.positions) == ("both", sum(weights))
        assert found.mean == pytest.approx(np.average([each.mean for each in seats], weights=weights))
        assert found.perfect_share == pytest.approx(np.average([each.perfect_share for each in seats], weights=weights))
        assert found.results_lost == pytest.approx(sum(each.results_lost for each in seats))
        assert found.won == sum(each.won for each in seats)
        assert (found.low, found.high) == (None, None)


def test_a_sample_has_different_positions_that_are_not_over() -> None:
    rules = SMALL_BOARDS[1]
    known = sampled(rules, 50, seed=1)
    states = [type(initial(rules))(*map(int, row)) for rows in known.states for row in rows]
    assert len(set(states)) == len(states) == 50
    assert not any(is_over(rules, state) for state in states)
    for side, rows in enumerate(known.states):
        assert {to_move(rules, type(initial(rules))(*map(int, row))) for row in rows} == {side}
    assert 0.0 < known.share < 1.0
    for rows, others in zip(known.states, sampled(rules, 50, seed=1).states, strict=True):
        assert np.array_equal(rows, others)
    assert not np.array_equal(known.states[0], sampled(rules, 50, seed=2).states[0])


@pytest.mark.slow
@pytest.mark.parametrize("text", ["greedy:depth=1", "own_players:Drawing"])
def test_the_interval_of_a_sample_holds_the_mean_of_all(text: str) -> None:
    """Two thirds of all positions: an interval that forgets this is 1.7 times as wide."""
    rules = SMALL_BOARDS[0]
    all_ = petteia.regret(rules, text.replace("own_players:Drawing", "random"), seat="both")
    size = all_.positions * 2 // 3
    rows = [petteia.regret(rules, text, seat="both", sample=size, seed=seed, in_process=True) for seed in range(40)]
    assert {row.positions for row in rows} == {size}
    assert sum(row.low <= all_.mean <= row.high for row in rows) >= 34
    halves = [(row.high - row.low) / 2 for row in rows]
    assert 1.4 < np.mean(halves) / np.std([row.mean for row in rows], ddof=1) < 2.8


def test_a_sample_of_more_than_all_is_all() -> None:
    rules = SMALL_BOARDS[0]
    assert petteia.regret(rules, "random", seat="both", sample=10**6) == petteia.regret(rules, "random", seat="both")


def test_a_sample_starts_where_it_is_told() -> None:
    found = petteia.regret(Nim(), "random", seat="both", position="1,1,0 first")
    assert found.positions == 3, "that one, and with either stone taken"


# Endings. On the small board there are but twelve stones, so that all positions are endings.


@pytest.fixture(scope="module")
def endings() -> Endings:
    told: list[int] = []
    found = find_endings(SMALL_BOARDS[1], 40, anywhere, 1, advance=told.append)
    assert told == [*range(1, 41)]
    return found


def test_endings_are_worth_what_the_solved_game_says(endings: Endings) -> None:
    rules = SMALL_BOARDS[1]
    oracle = Oracle(rules)
    for state, values in endings.endings:
        assert len(values) > 1, "there is a choice"
        assert values == {move: oracle.value(play(rules, state, move)) for move in legal(rules, state)}
    assert {to_move(rules, each.state) for each in endings.endings} == {0, 1}


def test_regret_in_endings_is_that_of_the_solved_game(endings: Endings) -> None:
    rules = SMALL_BOARDS[1]
    oracle = Oracle(rules)
    regrets = [[oracle.regret(state, move) for move in legal(rules, state)] for state, _ in endings.endings]
    found = regret_in(endings, player("random", rules), name="chance")
    assert (found.player, found.over, found.positions) == ("chance", "endings", 40)
    assert found.mean == pytest.approx(np.mean([np.mean(each) for each in regrets]))
    assert found.largest == max(map(max, regrets))
    assert found.perfect_share == pytest.approx(np.mean([each.count(0) / len(each) for each in regrets]))
    of_sides = [
        np.array([each.state for each in endings.endings if to_move(rules, each.state) == side], np.int64)
        for side in (0, 1)
    ]
    known = SolvedPositions(rules, initial(rules), oracle.table, (0, 1), tuple(of_sides), 40, 0.0)
    for text in PLAYERS:
        one, other = (regret_in(each, player(text, rules)) for each in (endings, known))
        assert one[6:-1] == pytest.approx(other[6:-1])
    perfect = regret_in(endings, player("perfect", rules))
    assert (perfect.mean, perfect.perfect_share, perfect.results_lost) == (0.0, 1.0, 0.0)


def test_endings_are_what_they_must_be() -> None:
    def is_ending(rules: Kalah, state: Any) -> bool:
        return stones(state.south) + stones(state.north) <= 5

    for state, _ in find_endings(SMALL_BOARDS[1], 20, is_ending, 2, sides=(1,)).endings:
        assert stones(state.south) + stones(state.north) <= 5
        assert to_move(SMALL_BOARDS[1], state) == 1


def test_regret_in_endings_of_a_game_of_ones_own() -> None:
    rules, oracle = Nim(), Oracle(Nim())

    def is_ending(rules: Nim, state: Any) -> bool:
        return rules.count(state) <= 5

    found = find_endings(rules, 20, is_ending, 0)
    for state, values in found.endings:
        assert values == {move: oracle.value(play(rules, state, move)) for move in legal(rules, state)}
    chance, best, own = (
        petteia.regret(rules, text, over=is_ending, sample=20) for text in ("random", "perfect", "own_players:Lower")
    )
    assert chance.mean > best.mean == 0.0
    assert chance.positions == best.positions == own.positions == 20
    lowest = [oracle.regret(state, min(legal(rules, state))) for state, _ in found.endings]
    assert own.mean == pytest.approx(np.mean(lowest))


def test_what_cannot_be_measured_is_refused() -> None:
    with pytest.raises(UsageError, match="chance"):
        petteia.regret(DiceRace(), "random", over=anywhere)
    with pytest.raises(UsageError, match="had no ending with two legal moves"):
        petteia.regret(Nim(), "random", over=lambda rules, state: False)
    with pytest.raises(UsageError, match="does not play second"):
        petteia.regret(Nim(), PolicyPlayer(Lowest(), "one-sided", seats=(0,)), seat="both")
    with pytest.raises(UsageError, match="sample=0: must be 1 or more"):
        petteia.regret(Nim(), "random", sample=0)
    with pytest.raises(UsageError, match="set the number of games instead"):
        petteia.regret(Nim(), "random", over="games", sample=10)
