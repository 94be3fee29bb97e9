"""What games come to: the same sums one by one, in columns and in any order, in the same room for any number."""

from __future__ import annotations

import dataclasses
import random
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import petteia
from petteia.arena.alternate import alternate
from petteia.arena.blocks import blocks, left
from petteia.arena.contest import Terms, prepare
from petteia.arena.distinct import Distinct
from petteia.arena.regret_totals import ByGame
from petteia.arena.statistics import score_interval
from petteia.arena.tally import tally_of_rows, total
from petteia.arena.task import Task, play_task
from petteia.arena.workers import Workers


@pytest.mark.parametrize("seats", ["both", "fixed"])
@pytest.mark.parametrize("players", [("random", "simple"), ("search:depth=1", "random")])
def test_figures_are_those_of_the_rows(players: tuple[str, str], seats: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("petteia.arena.contest.MAX_GAMES", 6)
    result = petteia.match("hare-and-hounds", *players, games=20, seats=seats, max_plies=7)
    assert [row.number for row in result.rows] == list(range(20))
    scores = np.array([row.score for row in result.rows])
    units = scores if seats == "fixed" else scores.reshape(-1, 2).mean(axis=1)
    assert (result.score, result.low, result.high) == pytest.approx(score_interval(units))
    assert [int(np.sum(scores == each)) for each in (1.0, 0.5, 0.0)] == [result.wins, result.draws, result.losses]
    assert result.distinct == len({row.digest for row in result.rows})
    assert result.stopped == sum(row.reason == "max-plies" for row in result.rows) > 0
    assert result.plies == np.mean([row.plies for row in result.rows])
    without = petteia.match("hare-and-hounds", *players, games=20, seats=seats, max_plies=7, rows=False)
    assert without == result._replace(rows=())


def test_blocks_add_up_in_any_order() -> None:
    """One by one, all at once and shuffled: the same figures, and the first of the faults."""
    rules = petteia.game("hare-and-hounds")
    terms = Terms(games=30, keeps_rows=True)
    with Workers(in_process=True) as workers:
        contest = prepare(rules, "random", "own_players:Raiser", terms, workers)
        rows = [*alternate(contest.conditions, *contest.players, range(30))]
    whole = tally_of_rows(contest.conditions, rows, keeps_rows=True)
    parts = [tally_of_rows(contest.conditions, rows[i : i + 2], keeps_rows=True) for i in range(0, 30, 2)]
    random.Random(1).shuffle(parts)
    again = total(parts)
    assert again.score == whole.score
    assert again == dataclasses.replace(whole, digest="", rows=again.rows)
    assert sorted(again.rows) == rows
    assert again.distinct == whole.distinct == len({row.digest for row in rows})
    assert whole.faults[0].first.number == min(row.number for row in rows if row.fault)


def test_a_block_is_the_same_from_python_and_compiled() -> None:
    rules = petteia.game("hare-and-hounds")
    with Workers() as workers:
        contest = prepare(rules, "random", "simple", Terms(games=20, max_plies=7), workers)
        found = [
            play_task(Task(contest.conditions, (range(6, 16),), is_compiled, False), contest.compiled, contest.players)
            for is_compiled in (True, False)
        ]
    (one,), (two,) = (each.tallies for each in found)
    assert one == two
    assert len(one.digest) == 16


@given(st.integers(1, 5000), st.integers(0, 5000), st.sampled_from([1, 2]))
def test_blocks_are_all_games_and_those_of_shorter_matches(units: int, more: int, per_unit: int) -> None:
    short, long = ([*blocks(each * per_unit, per_unit)] for each in (units, units + more))
    assert [number for block in short for number in block] == list(range(units * per_unit))
    assert short[:-1] == long[: len(short) - 1]
    assert left(long, short[:-1]) == long[len(short) - 1 :]
    assert left(long, [range((units + more) * per_unit)]) == []
    assert len(long) < 64 + 32 * 10


def test_many_digests_are_estimated_in_the_same_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("petteia.arena.distinct.SOME_DISTINCT", 1 << 8)
    draw = np.random.default_rng(1)
    distinct = Distinct(1 << 10)
    assert len(distinct) == 0
    some = draw.integers(-(2**63), 2**63 - 1, 1 << 10)
    for _ in range(3):
        distinct.add(some)
    assert len(distinct) == 1 << 10
    tracemalloc.start()
    for _ in range(100):
        distinct.add(draw.integers(-(2**63), 2**63 - 1, 1 << 10))
    assert tracemalloc.get_traced_memory()[1] < 200_000
    tracemalloc.stop()
    assert len(distinct) == pytest.approx(101 << 10, rel=0.1)


def test_a_match_without_rows_takes_little_more_room_for_more_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("petteia.arena.contest.MAX_GAMES", 1 << 10)

    def maximum(games: int) -> int:
        tracemalloc.start()
        petteia.match("hare-and-hounds", "simple", "random", games=games, rows=False, openings="none", max_plies=2)
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    maximum(20)
    assert maximum(20_000) < maximum(5_000) + 400_000


def test_the_interval_over_games_is_that_of_their_scores() -> None:
    draw = np.random.default_rng(2)
    games = np.sort(draw.integers(0, 40, 500))
    regrets = draw.integers(0, 3, 500).astype(float)
    by_game = ByGame(whole=True)
    for part in (games < 13, (games >= 13) & (games < 30), games >= 30):
        by_game.add(regrets[part], games[part])
    played, moves = np.unique(games, return_counts=True)
    sums = np.bincount(games, regrets)[played] / 4
    mean = sums.sum() / moves.sum()
    expected = score_interval(mean + (sums - mean * moves) / moves.mean())
    assert by_game.interval(4) == pytest.approx((expected.low * 4, expected.high * 4), rel=1e-12)
    assert by_game.interval(0) == (0.0, 0.0)
