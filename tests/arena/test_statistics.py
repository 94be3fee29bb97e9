"""Intervals: their coverage is simulated, their edges are looked at."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_ind

from petteia.arena.statistics import (
    NORMAL_95,
    Interval,
    contrast_interval,
    independent_sum,
    mean_interval,
    predictive_interval,
    score_interval,
)

MATCHES = 2000


def simulated_pairs(random, units, win, draw, correlation):
    """[MATCHES, units] mean scores of pairs; in a share of them the second game repeats the first, or reverses it."""
    scores = random.choice([0.0, 0.5, 1.0], size=(2, MATCHES, units), p=[1 - win - draw, draw, win])
    tied = random.random((MATCHES, units)) < abs(correlation)
    second = np.where(tied, scores[0] if correlation > 0 else 1 - scores[0], scores[1])
    return (scores[0] + second) / 2


@pytest.mark.slow
@pytest.mark.parametrize("correlation", [-1.0, -0.8, 0.0, 0.8])
@pytest.mark.parametrize(("win", "draw"), [(0.5, 0.0), (0.3, 0.4), (0.05, 0.9), (0.6, 0.1), (0.9, 0.0), (0.9, 0.08)])
@pytest.mark.parametrize("units", [10, 50, 200])
def test_95_of_100_intervals_hold_the_true_score(units, win, draw, correlation):
    random = np.random.default_rng([units, int(100 * win), int(100 * draw), int(10 * correlation) + 10])
    mean = win + draw / 2
    truth = mean if correlation >= 0 else 0.5 * -correlation + mean * (1 + correlation)
    intervals = [score_interval(scores) for scores in simulated_pairs(random, units, win, draw, correlation)]
    share = np.mean([low <= truth <= high for _, low, high in intervals])
    tightest = 2 * NORMAL_95 * np.sqrt(truth * (1 - truth) / units)
    width = np.mean([high - low for _, low, high in intervals])
    assert share >= 0.93
    assert width <= 1.1 * tightest + 0.2 / units  # never much wider than an interval that knows nothing of pairs
    if correlation >= 0 and units == 200 and draw < 0.5:
        assert share <= 0.97


def test_draws_and_pairs_make_it_narrower():
    decisive = score_interval(np.array([0.0, 1.0] * 50))
    paired = score_interval(np.full(100, 0.5))
    assert decisive.mean == paired.mean == 0.5
    assert paired.high - paired.low < (decisive.high - decisive.low) / 5


@pytest.mark.parametrize("units", [1, 2, 10, 1000])
@pytest.mark.parametrize("score", [0.0, 0.25, 0.5, 1.0])
def test_equal_scores_are_not_certainty(units, score):
    mean, low, high = score_interval(np.full(units, score))
    assert mean == score
    assert 0.0 <= low <= score <= high <= 1.0
    assert high - low > 0.0


def test_all_lost_is_wilsons_interval():
    assert score_interval(np.zeros(10)).high == pytest.approx(NORMAL_95**2 / (10 + NORMAL_95**2))


def test_single_games_without_draws_are_wilsons_interval():
    """Agresti and Coull 1998: for 8 of 10 Wilson's interval is 0.490 to 0.943. Here one unit's weight is added."""
    low, high = score_interval(np.array([1.0] * 8 + [0.0] * 2))[1:]
    assert low == pytest.approx(0.490, abs=0.03)
    assert high == pytest.approx(0.943, abs=0.03)


@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=1, max_size=50))
def test_the_other_player_gets_the_rest(scores):
    one, two = score_interval(np.array(scores)), score_interval(1 - np.array(scores))
    assert 0.0 <= one.low <= one.mean <= one.high <= 1.0
    assert one.low < one.high
    assert (one.low, one.high) == pytest.approx((1 - two.high, 1 - two.low))


@pytest.mark.parametrize("count", [2, 5, 30])
def test_mean_interval_holds_the_true_mean_as_often_as_it_says(count):
    random = np.random.default_rng(count)
    held = 0
    for values in random.normal(3.0, 2.0, size=(MATCHES, count)):
        found = mean_interval(list(values))
        assert found.low < found.mean < found.high
        held += found.low <= 3.0 <= found.high
    assert abs(held / MATCHES - 0.95) < 0.02


def test_mean_interval_of_known_values():
    found = mean_interval([1.0, 2.0, 3.0, 4.0, 5.0])
    assert found == pytest.approx((3.0, 3.0 - 1.96324, 3.0 + 1.96324), abs=1e-4)
    assert mean_interval([0.5]) == (0.5, -np.inf, np.inf)
    assert mean_interval([0.5, 0.5]) == (0.5, 0.5, 0.5)


def test_bounds_that_are_not_known_stay_so():
    unknown, known = mean_interval([0.5]), Interval(0.5, -0.25, 1.25)
    assert not unknown.is_known
    assert unknown.kept_in(0.0, 1.0) == unknown
    assert unknown.row("score") == {"score_mean": 0.5, "score_low": None, "score_high": None}
    assert known.is_known
    assert known.kept_in(0.0, 1.0) == (0.5, 0.0, 1.0)
    assert known.row("score") == {"score_mean": 0.5, "score_low": -0.25, "score_high": 1.25}


# One further training run.


def share_outside(ours: np.ndarray, theirs: np.ndarray) -> float:
    """The share of [samples] further values that lie outside the predictive intervals of [samples, seeds] values."""
    found = [predictive_interval(values) for values in ours]
    return float(np.mean([not low <= value <= high for (_, low, high), value in zip(found, theirs, strict=True)]))


@pytest.mark.parametrize("seeds", [2, 3, 5, 10])
def test_predictive_interval_holds_a_further_value_as_often_as_it_says(seeds):
    values = np.random.default_rng(seeds).normal(3.0, 2.0, size=(MATCHES, seeds + 1))
    assert abs(share_outside(values[:, :-1], values[:, -1]) - 0.05) < 0.015


def test_predictive_interval_of_known_values():
    """Whitmore's formula: 3 -+ t(4; 0.975) s sqrt(1 + 1/5), where s is the root of 2.5."""
    half = 2.776445 * np.sqrt(2.5) * np.sqrt(1.2)
    assert predictive_interval([1.0, 2.0, 3.0, 4.0, 5.0]) == pytest.approx((3.0, 3.0 - half, 3.0 + half))
    assert predictive_interval([0.5]) == (0.5, -np.inf, np.inf)


# Contrasts.


def test_a_difference_has_welchs_interval():
    random = np.random.default_rng(1)
    one, other = random.normal(3.0, 2.0, 9), random.normal(1.0, 0.5, 14)
    found = contrast_interval([(1.0, one), (-1.0, other)])
    known = ttest_ind(one, other, equal_var=False).confidence_interval(0.95)
    assert found == pytest.approx((one.mean() - other.mean(), known.low, known.high))


def test_a_contrast_of_three_holds_the_true_one_as_often_as_it_says():
    random, held = np.random.default_rng(2), 0
    for _ in range(MATCHES):
        terms = [
            (1.0, random.normal(2.0, 1.0, 6)),
            (-3.0, random.normal(1.0, 0.5, 8)),
            (2.0, random.normal(0.0, 2.0, 10)),
        ]
        _, low, high = contrast_interval(terms)
        held += low <= -1.0 <= high
    assert abs(held / MATCHES - 0.95) < 0.02


def test_where_nothing_scatters_no_bounds_are_known():
    assert not contrast_interval([(1.0, [1.0, 1.0]), (-1.0, [0.0, 0.0])]).is_known
    assert not contrast_interval([(1.0, [1.0]), (-1.0, [0.0, 0.5])]).is_known


def test_a_sum_of_intervals_takes_the_bound_that_matters():
    found = independent_sum([(1.0, Interval(0.75, 0.5, 0.9)), (-1.0, Interval(0.25, 0.2, 0.5))])
    assert found == pytest.approx((0.5, 0.5 - np.hypot(0.25, 0.25), 0.5 + np.hypot(0.15, 0.05)))
