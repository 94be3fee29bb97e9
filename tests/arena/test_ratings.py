"""Elo ratings: known values, coverage of the intervals in simulated tournaments, and players that won everything."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from simulated_matches import coverage

import petteia
from petteia.arena.ratings import Pairing, elo_of, ratings, score_of, superiority


def test_a_score_and_its_difference_of_elo() -> None:
    assert elo_of(10 / 11) == pytest.approx(400.0)
    assert score_of(400.0) == pytest.approx(10 / 11)
    assert (elo_of(1.0), elo_of(0.0), score_of(-1e9)) == (math.inf, -math.inf, 0.0)


def test_two_players_are_rated_by_the_score_between_them() -> None:
    found = ratings(2, [Pairing(0, 1, (10, 20, 40, 60, 30))]).players
    score = (0.25 * 20 + 0.5 * 40 + 0.75 * 60 + 30) / 160
    assert found[0].elo - found[1].elo == pytest.approx(elo_of(score))
    assert found[0].elo == pytest.approx(-found[1].elo)
    assert found[0].all_high > found[0].elo > found[0].low


def test_order_and_direction_of_pairings_do_not_matter() -> None:
    counts = [(3, 5, 9, 7, 6), (2, 2, 8, 9, 9), (6, 8, 8, 3, 5)]
    one = ratings(3, [Pairing(*pair, each) for pair, each in zip([(0, 1), (0, 2), (1, 2)], counts, strict=True)])
    other = ratings(3, [Pairing(2, 1, counts[2][::-1]), Pairing(0, 2, counts[1]), Pairing(1, 0, counts[0][::-1])])
    assert np.allclose(one.players, other.players)
    assert one.superiority[0][1] == pytest.approx(1.0 - one.superiority[1][0])


def test_results_that_fit_the_model_give_its_ratings_back() -> None:
    truth = (150.0, 0.0, -50.0, -100.0)
    pairings = []
    for first, second in combinations(range(4), 2):
        wins = round(1e6 * score_of(truth[first] - truth[second]))
        pairings.append(Pairing(first, second, (10**6 - wins, 0, wins)))
    assert [each.elo for each in ratings(4, pairings).players] == pytest.approx(truth, abs=0.01)


def test_pairs_that_agree_tell_less_than_pairs_that_do_not() -> None:
    """The same scores: once all pairs are won or lost whole, once each has a game for either side."""
    alike, balanced = (
        ratings(2, [Pairing(0, 1, counts)]).players[0] for counts in ((50, 0, 0, 0, 50), (0, 0, 100, 0, 0))
    )
    assert alike.elo == pytest.approx(balanced.elo)
    assert alike.high - alike.low > 5 * (balanced.high - balanced.low)


def test_a_player_that_won_everything_has_a_lower_bound_alone() -> None:
    found = ratings(3, [Pairing(0, 1, (10, 10, 10)), Pairing(2, 0, (0, 0, 20)), Pairing(2, 1, (0, 0, 20))]).players
    assert (found[2].elo, found[2].high) == (math.inf, math.inf)
    assert score_of(found[2].low) ** 40 == pytest.approx(0.05, rel=0.05)  # both others have about 0 Elo
    assert found[2].all_low < found[2].low
    assert math.isfinite(found[0].elo)


def test_a_player_that_lost_everything_has_an_upper_bound_alone() -> None:
    found = ratings(2 + 1, [Pairing(0, 1, (10, 10, 10)), Pairing(0, 2, (0, 0, 30))]).players
    assert (found[2].elo, found[2].low) == (-math.inf, -math.inf)
    assert (1.0 - score_of(found[2].high)) ** 30 == pytest.approx(0.05, rel=0.05)


def test_ratings_of_nearly_equal_players() -> None:
    """Results for which a pseudo-inverse took rounding errors of the singular matrix for information."""
    counts = [
        *((36, 25, 94, 22, 23), (28, 33, 89, 20, 30), (37, 22, 93, 18, 30)),
        *((29, 18, 94, 24, 35), (35, 28, 86, 17, 34), (18, 21, 100, 25, 36)),
    ]
    pairings = [Pairing(*pair, each) for pair, each in zip(combinations(range(4), 2), counts, strict=True)]
    found = ratings(4, pairings)
    assert all(15.0 < each.high - each.low < 80.0 for each in found.players)
    assert sum(each.elo for each in found.players) == pytest.approx(0.0, abs=1e-9)
    assert found.superiority[1][0] == pytest.approx(0.968, abs=1e-3)


def test_superiority_is_even_for_even_results() -> None:
    assert superiority((5, 5, 5, 5, 5)) == 0.5
    assert 0.9 < superiority((0, 0, 10, 5, 0)) < 1.0
    assert superiority((0, 0, 9)) == pytest.approx(10 / 11)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("bias", [0.0, 400.0])
def test_intervals_hold_the_truth_as_often_as_they_say(players: int, bias: float) -> None:
    """400 tournaments: the share that holds it scatters by 1.1 points."""
    single, together = coverage(players, 200.0, bias, tournaments=400, pairs=100, seed=players)
    assert 0.92 < single < 0.985
    assert 0.915 < together < 0.985


def test_where_a_seat_always_wins_nobody_is_known_to_be_stronger() -> None:
    both = [Pairing(0, 1, (5, 0, 0)), Pairing(1, 0, (5, 0, 0))]
    found = ratings(2, both)
    assert found.players[0].elo == pytest.approx(0.0, abs=1e-6)
    assert found.players[0].low < -20
    assert found.superiority[0][1] == pytest.approx(0.5)


def test_a_tournament_has_standings() -> None:
    table = petteia.tournament("kalah", ["random", "simple", "greedy:depth=2"], games=200)
    assert table.standings[0].player == "greedy:depth=2"
    assert [each.games for each in table.standings] == [400, 400, 400]
    assert sum(each.wins - each.losses for each in table.standings) == 0
    assert sum(each.elo or 0.0 for each in table.standings) == pytest.approx(0.0, abs=1e-6)
    heads, rows = table.standings_table()
    assert len(heads) == len(rows[0])
