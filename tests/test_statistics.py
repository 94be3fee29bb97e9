"""Intervals: their coverage is simulated, their edges are looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, binom

from petteia.arena.statistics import (
    NORMAL_95,
    Interval,
    lower_bound,
    mean_interval,
    predictive_interval,
    score_interval,
    share_interval,
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


# Shares of few trainings.

SEEDS = (2, 5, 10)
TRUE_SHARES = (0.5, 0.8, 0.9, 0.99, 1.0)
SAMPLES = 300
IntervalOf = Callable[[Sequence[float]], Interval]


def coverage_of_all_or_nothing(interval: IntervalOf, seeds: int, truth: float) -> float:
    """How often intervals hold the true share where each seed is 1 with its probability, else 0; exact."""
    covered = 0.0
    for ones in range(seeds + 1):
        found = interval([0.0] * (seeds - ones) + [1.0] * ones)
        covered += float(binom.pmf(ones, seeds, truth)) * (found.low <= truth <= found.high)
    return covered


def coverage_of_beta(interval: IntervalOf, seeds: int, truth: float, concentration: float) -> float:
    """How often intervals hold the true share where those of seeds have a beta distribution; simulated."""
    random = np.random.default_rng([seeds, int(100 * truth), int(10 * concentration)])
    scale = (concentration * truth, concentration * (1.0 - truth))
    samples = random.beta(*scale, size=(SAMPLES, seeds)) if truth < 1.0 else np.ones((1, seeds))
    return float(np.mean([found.low <= truth <= found.high for found in map(interval, samples)]))


@pytest.mark.slow
@pytest.mark.parametrize("seeds", SEEDS)
@pytest.mark.parametrize("truth", TRUE_SHARES)
def test_share_interval_holds_the_true_share_however_seeds_are_distributed(seeds, truth):
    assert coverage_of_all_or_nothing(share_interval, seeds, truth) >= 0.95
    for concentration in (0.5, 2.0, 20.0):
        assert coverage_of_beta(share_interval, seeds, truth, concentration) >= 0.95


@pytest.mark.parametrize("seeds", SEEDS)
def test_students_interval_does_not(seeds):
    assert coverage_of_all_or_nothing(mean_interval, seeds, 0.9) < 0.7
    assert coverage_of_beta(mean_interval, seeds, 0.9, 0.5) < 0.9


def test_tails_of_5_percent_where_seeds_agree_would_cover_too_little():
    edge = 0.05**0.2

    def with_wider_tails(shares):
        found = share_interval(shares)
        agreed = {0.0: found._replace(high=1.0 - edge), 1.0: found._replace(low=edge)}
        return agreed.get(found.mean, found)

    assert coverage_of_all_or_nothing(share_interval, 5, edge - 1e-6) >= 0.95
    assert coverage_of_all_or_nothing(with_wider_tails, 5, edge - 1e-6) == pytest.approx(0.9315, abs=1e-3)


def test_five_seeds_that_agree_reach_down_to_48_percent():
    assert share_interval([1.0] * 5) == pytest.approx((1.0, 0.025**0.2, 1.0))
    assert share_interval([0.0] * 5) == pytest.approx((0.0, 0.0, 1.0 - 0.025**0.2))
    assert share_interval([0.7] * 5) == pytest.approx((0.7, 0.7 * 0.025**0.2, 1.0 - 0.3 * 0.025**0.2))


@pytest.mark.parametrize("seeds", [2, 5, 24])
def test_share_interval_of_all_or_nothing_is_that_of_clopper_and_pearson(seeds):
    for ones in range(1, seeds):
        low, high = beta.ppf(0.025, ones, seeds - ones + 1), beta.ppf(0.975, ones + 1, seeds - ones)
        found = share_interval([1.0] * ones + [0.0] * (seeds - ones))
        assert found == pytest.approx((ones / seeds, low, high))


def test_lower_bound_is_the_quantile_of_means_by_random_weights():
    random = np.random.default_rng(1)
    for shares in ([0.2, 0.3, 0.9], [0.0, 0.5, 0.5, 1.0], [0.9, 0.95, 0.99, 0.999, 1.0]):
        weights = random.dirichlet(np.ones(len(shares) + 1), size=100_000)
        drawn = weights @ np.array([0.0, *shares])
        assert lower_bound(np.array(shares)) == pytest.approx(np.quantile(drawn, 0.025), abs=0.005)


@given(st.lists(st.floats(0.0, 1.0), min_size=2, max_size=12))
def test_share_interval_stays_in_0_to_1_and_holds_the_mean(shares):
    found, mirrored = share_interval(shares), share_interval([1.0 - share for share in shares])
    assert 0.0 <= found.low <= found.mean <= found.high <= 1.0
    assert found.low < found.high
    assert (found.low, found.high) == pytest.approx((1.0 - mirrored.high, 1.0 - mirrored.low))


def test_one_seed_tells_no_bounds():
    assert share_interval([0.5]) == predictive_interval([0.5]) == (0.5, -np.inf, np.inf)


# One further training.


def share_outside(ours: np.ndarray, theirs: np.ndarray) -> float:
    """The share of [samples] further values that lie outside the predictive intervals of [samples, seeds] values."""
    found = [predictive_interval(values) for values in ours]
    return float(np.mean([not low <= value <= high for (_, low, high), value in zip(found, theirs, strict=True)]))


@pytest.mark.parametrize("seeds", [2, 3, 5, 10])
def test_predictive_interval_holds_a_further_value_as_often_as_it_says(seeds):
    values = np.random.default_rng(seeds).normal(3.0, 2.0, size=(MATCHES, seeds + 1))
    assert abs(share_outside(values[:, :-1], values[:, -1]) - 0.05) < 0.015


@pytest.mark.parametrize("seeds", [3, 5, 10])
@pytest.mark.parametrize(("truth", "concentration"), [(0.5, 50.0), (0.5, 4.0), (0.8, 50.0), (0.8, 500.0), (0.95, 50.0)])
def test_two_trainings_of_one_recipe_seldom_seem_to_differ(seeds, truth, concentration):
    """Each training has a strength of its own, and its share of won games is that of a match of 300."""
    random = np.random.default_rng([seeds, int(100 * truth), int(concentration)])
    strengths = random.beta(concentration * truth, concentration * (1.0 - truth), size=(MATCHES, seeds + 1))
    shares = random.binomial(300, strengths) / 300
    assert share_outside(shares[:, :-1], shares[:, -1]) <= 0.07


def test_predictive_interval_of_known_values():
    """Whitmore's formula: 3 -+ t(4; 0.975) s sqrt(1 + 1/5), where s is the root of 2.5."""
    half = 2.776445 * np.sqrt(2.5) * np.sqrt(1.2)
    assert predictive_interval([1.0, 2.0, 3.0, 4.0, 5.0]) == pytest.approx((3.0, 3.0 - half, 3.0 + half))
