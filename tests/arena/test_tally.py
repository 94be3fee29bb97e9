"""What games come to: the same sums one by one, in columns and in any order, in the same room for any number."""

from __future__ import annotations

import random
import tracemalloc
from typing import Any

import numpy as np
import pytest

import petteia
from petteia.arena import tally
from petteia.arena.giving_away import ByGame
from petteia.arena.statistics import score_interval
from petteia.arena.tally import Distinct


@pytest.mark.parametrize("seats", ["both", "fixed"])
@pytest.mark.parametrize("players", [("random", "simple"), ("search:depth=1", "random")])
def test_figures_are_those_of_the_rows(players: tuple[str, str], seats: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("petteia.arena.compiled.BLOCK", 6)
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


def test_games_may_come_in_any_order(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = list[tally.Tally]()

    class Seen(tally.Tally):
        def __init__(self, *given: Any, **wanted: Any) -> None:
            super().__init__(*given, **wanted)
            seen.append(self)

    monkeypatch.setattr("petteia.arena.match.Tally", Seen)
    petteia.match("hare-and-hounds", "random", "own_players:Raiser", games=30, in_process=True)
    whole = seen[-1]
    rows = list(whole.rows)
    random.Random(1).shuffle(rows)
    again = tally.Tally(whole._conditions, keeps_rows=True)
    for row in rows:
        again.add_rows([row])
    assert (again.score, again.rows, again.faults) == (whole.score, whole.rows, whole.faults)
    assert whole.faults[0].first.number == min(row.number for row in rows if row.fault)


def test_many_digests_are_estimated_in_the_same_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tally, "MOST_DISTINCT", 1 << 10)
    monkeypatch.setattr(tally, "SOME_DISTINCT", 1 << 8)
    draw = np.random.default_rng(1)
    distinct = Distinct()
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


def test_a_match_without_rows_takes_the_same_room_for_any_number_of_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("petteia.arena.compiled.BLOCK", 1 << 10)

    def most(games: int) -> int:
        tracemalloc.start()
        petteia.match("hare-and-hounds", "simple", "random", games=games, rows=False, openings="none", max_plies=2)
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    most(20)
    assert most(20_000) < most(5_000) + 200_000


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
