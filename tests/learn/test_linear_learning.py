"""The learner of linear values against a slow second version, and against answers that are known otherwise."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
from linear_comparison import (
    KALAH,
    KEYS,
    NIM,
    RACE,
    SEARCHING,
    Games,
    drawn_for,
    expected,
    learned,
)
from linear_oracle import Hot, Squares, Way, online_returns, vector

from petteia.core.protocol import decided, initial, legal, margin, play, to_move
from petteia.features.kalah_potentials import ReportFeatures
from petteia.learn import linear as under_test
from petteia.learn import rootstrap
from petteia.learn.gradient import NONE, NOTHING, TRACES, Trace, step_towards, trace_for
from petteia.learn.learners import LinearLearner
from petteia.learn.linear import learn_games, learner_for
from petteia.learn.linear_targets import LINEAR_TARGETS
from petteia.policies import afterstates
from petteia.policies.afterstates import afterstates_for
from petteia.policies.policy import Uniform


def check(games: Games, count: int, *, zeros: bool = False) -> None:
    weights = np.zeros(len(drawn_for(games.rules))) if zeros else drawn_for(games.rules)
    found = learned(games, count, weights)
    np.testing.assert_allclose(found, expected(games, count, weights), rtol=1e-9, atol=1e-11)
    assert not np.allclose(found, weights, atol=1e-3)


BY_STEP_OR_END = [rule for rule in LINEAR_TARGETS if rule not in SEARCHING]
RULE_WAYS = [Way(rule, side) for rule in LINEAR_TARGETS for side in (0, 1, "random", "both")]
TRACE_WAYS = [
    Way(rule, side, gamma, lambda_, trace, learn_explored=explored)
    for rule, side, gamma, lambda_, explored in (
        ("q", "random", 1.0, 0.5, False),
        ("q", "both", 0.9, 0.9, True),
        ("sarsa", 1, 0.8, 0.9, False),
        ("sarsa", "both", 1.0, 0.5, True),
        ("td", "random", 0.9, 0.9, False),
        ("td", "both", 0.7, 1.0, True),
    )
    for trace in TRACES
]
OTHER_WAYS = [
    Way("q", "random", learn_explored=True),
    Way("sarsa", "both", learn_explored=True, gamma=0.9),
    Way("monte-carlo", "random", learn_explored=True, gamma=0.8),
    Way("monte-carlo", "both", gamma=0.9, win_reward=2.0),
    Way("q", "random", knows_ends=True, win_reward=2.0),
    Way("q", "both", knows_ends=True, win_reward=0.5, gamma=0.9),
    Way("td", "random", knows_ends=True),
    Way("sarsa", "both", knows_ends=True, win_reward=2.0),
    Way("sarsa", 1, 0.9, 0.5, knows_ends=True),
    Way("q", "random", play_out=True),
    Way("td", "both", play_out=True, knows_ends=True),
    Way("monte-carlo", 0, play_out=True),
    Way("q", "random", max_plies=5),
    Way("monte-carlo", "random", max_plies=5, gamma=0.9),
    *(Way(rule, side, turns="chain") for rule in LINEAR_TARGETS for side in (1, "random", "both")),
    Way("q", "random", 0.9, 0.5, "replacing", turns="chain", knows_ends=True, win_reward=2.0, play_out=True),
    Way("td", 0, 0.9, 0.5, "dutch", turns="chain", learn_explored=True),
    Way("monte-carlo", 1, draw_reward=0.5),
    Way("q", 0, knows_ends=True, draw_reward=-0.7),
    *(Way(rule, side, depth=2) for rule in ("rootstrap", "rootstrap-after") for side in (0, "both")),
    Way("rootstrap", 1, 0.9, depth=3, knows_ends=True, win_reward=2.0, draw_reward=0.3),
    Way("rootstrap-after", "random", depth=3, knows_ends=True, play_out=True),
    Way("monte-carlo", "both", knows_ends=True, win_reward=0.25, by_margin=True),
    Way("q", "random", 0.9, knows_ends=True, win_reward=0.5, by_margin=True, turns="chain"),
    Way("td", "both", win_reward=0.5, by_margin=True),
    Way("rootstrap", "both", knows_ends=True, win_reward=0.5, by_margin=True, depth=2),
]


@pytest.mark.parametrize("way", [TRACE_WAYS[0], TRACE_WAYS[5], Way("monte-carlo", "both"), OTHER_WAYS[-5]], ids=str)
def test_with_a_gamma_that_falls(way: Way) -> None:
    check(Games(way, fall=0.5), 60)


@pytest.mark.parametrize("way", [*RULE_WAYS, *TRACE_WAYS, *OTHER_WAYS], ids=str)
def test_as_the_slow_second_version(way: Way) -> None:
    check(Games(way), 25)


SAME_WAYS = [
    Way("q", "random"),
    Way("sarsa", "random", 0.9, 0.5, "dutch"),
    Way("td", "random", 1.0, 0.9, "replacing"),
    Way("monte-carlo", "random", 0.9),
]


@pytest.mark.slow
@pytest.mark.parametrize("way", [*SAME_WAYS, Way("td", 1, 0.9, 0.5, turns="chain")], ids=str)
def test_against_itself(way: Way) -> None:
    check(Games(way, opponent="self"), 25)


ASIDE_WAYS = [
    *(Way(rule, side) for rule in LINEAR_TARGETS for side in ("random", "both")),
    *(Way("q", "both", 0.9, 0.9, trace, learn_explored=True) for trace in TRACES),
    Way("q", "random", 1.0, 0.7),
    Way("sarsa", "both", 1.0, 0.7),
]


@pytest.mark.slow
@pytest.mark.parametrize("way", ASIDE_WAYS, ids=str)
def test_where_another_chooses(way: Way) -> None:
    """The best afterstate is not the one that is chosen: its features must not be taken for those, and traces end."""
    check(Games(way, chooser="lowest"), 25)


@pytest.mark.slow
@pytest.mark.parametrize("rules", [NIM, pytest.param(RACE, marks=pytest.mark.lanes)], ids=str)
@pytest.mark.parametrize("way", [*SAME_WAYS, Way("td", "both", 0.8, 1.0, "dutch", learn_explored=True)], ids=str)
def test_other_games(rules: Any, way: Way) -> None:
    check(Games(way, rules), 100)
    check(Games(way, rules, epsilon=0.0), 100, zeros=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    "way", [*SAME_WAYS, Way("q", "both", turns="chain", learn_explored=True), Way("rootstrap", depth=2)], ids=str
)
def test_compiled_as_plain(way: Way, monkeypatch: pytest.MonkeyPatch) -> None:
    games, weights = Games(way), drawn_for(KALAH)
    compiled = learned(games, 15, weights)
    monkeypatch.setattr(under_test, "_learn_games", under_test._learn_games.function)
    monkeypatch.setattr(afterstates, "_look_through", afterstates._look_through.function)
    monkeypatch.setattr(rootstrap, "searched_worth", rootstrap.searched_worth.function)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(compiled, learned(games, 15, weights))


# Known answers.


def step(trace: Trace, weights: Any, x: Any, target: float, alpha: float, following: Any = None) -> float:
    """A step with dense features, all written."""
    seen = afterstates_for(RACE, Squares(), weights)
    for row, values in enumerate((x, np.zeros(5) if following is None else following)):
        seen.numbers[row], seen.values[row], seen.counts[row] = np.arange(5), values, 5
    return float(step_towards(seen, trace, 0, target, alpha, NOTHING if following is None else 1))


BY_HAND = {
    # After z = x = (1, 2) and an error of 1 the weights are (0.6, -0.05), and the second state, (2, 0), is worth 1.2.
    "none": (0.6 + 0.1 * 0.8 * 2, -0.05),
    "accumulating": (0.6 + 0.1 * 0.8 * (0.5 + 2), -0.05 + 0.1 * 0.8 * 1),
    "replacing": (0.6 + 0.1 * 0.8 * 2, -0.05 + 0.1 * 0.8 * 1),
    # It was worth 1 before that, so 0.2 has come on top; and z is (0.5, 1) + (1 - 0.1 * 0.5 * 2) (2, 0).
    "dutch": (0.6 + 0.1 * (0.8 + 0.2) * 2.3 - 0.1 * 0.2 * 2, -0.05 + 0.1 * (0.8 + 0.2) * 1),
}


@pytest.mark.parametrize("kind", BY_HAND)
def test_two_steps_by_hand(kind: str) -> None:
    trace = trace_for(5, TRACES.get(kind, NONE))
    trace.decay[0] = 0.5
    weights = np.array([0.5, -0.25, 0.0, 0.0, 0.0])
    first, second = np.array([1.0, 2, 0, 0, 0]), np.array([2.0, 0, 0, 0, 0])
    assert step(trace, weights, first, 1.0, 0.1, second) == 1.0
    assert weights == pytest.approx([0.6, -0.05, 0, 0, 0])
    assert step(trace, weights, second, 2.0, 0.1) == pytest.approx(0.8)
    assert weights == pytest.approx([*BY_HAND[kind], 0, 0, 0])


def test_dutch_traces_are_the_online_returns() -> None:
    draw = np.random.default_rng(5)
    for trace_decay in (0.3, 0.9, 1.0):
        xs = list(draw.normal(size=(9, 5)) * draw.integers(0, 2, (9, 5)))
        rewards = list(draw.normal(size=9))
        weights = draw.normal(size=5)
        wanted = online_returns(xs, rewards, weights, 0.2, trace_decay)
        trace = trace_for(5, TRACES["dutch"])
        trace.decay[0] = trace_decay
        for t, (x, reward) in enumerate(zip(xs, rewards, strict=True)):
            following = xs[t + 1] if t < 8 else None
            target = reward + (0.0 if following is None else float(weights @ following))
            step(trace, weights, x, target, 0.2, following)
        np.testing.assert_allclose(weights, wanted, rtol=1e-9)


@pytest.mark.parametrize("trace", ["accumulating", "dutch"])
@pytest.mark.parametrize("gamma", [1.0, 0.8])
def test_traces_that_do_not_fade_learn_what_monte_carlo_learns(trace: str, gamma: float) -> None:
    """In the limit of small steps."""
    weights, alpha = drawn_for(KALAH), 1e-7
    ways = (Way("td", "both", gamma, 1.0, trace), Way("monte-carlo", "both", gamma), Way("td", "both", gamma))
    ours, wanted, other = (
        (learned(Games(way, alpha=alpha, epsilon=0.0), 50, weights) - weights) / alpha for way in ways
    )
    np.testing.assert_allclose(ours, wanted, rtol=1e-3, atol=1e-3)
    assert abs(other - wanted).max() > 1


EPSILON, TOLERANCE = 0.4, 0.05


def exact_values(side: int | str, rule: str, gamma: float, epsilon: float = EPSILON) -> dict[Any, float]:
    """What each afterstate of Nim that is learned about is worth to player 0; the opponent plays at random."""
    soft = 0.0 if rule == "q" else epsilon
    found: dict[Any, float] = {}

    @functools.cache
    def worth(state: Any) -> float:
        mover = to_move(NIM, state)
        if decided(NIM, state):
            return float(np.sign(margin(NIM, state)))
        after = {play(NIM, state, move): worth(play(NIM, state, move)) for move in legal(NIM, state)}
        mean = sum(after.values()) / len(after)
        if side in ("both", mover):
            found.update(after)
            return gamma * ((1 - soft) * (max, min)[mover](after.values()) + soft * mean)
        if rule == "td":
            found.update(after)
        return mean * (gamma if rule == "td" else 1.0)

    worth(initial(NIM))
    return found


@pytest.mark.parametrize("side", [0, 1, "both"])
@pytest.mark.parametrize("rule", BY_STEP_OR_END)
def test_with_a_feature_for_each_position_it_reaches_their_values(rule: str, side: int | str) -> None:
    way = Way(rule, side, 0.9, learn_explored=True)
    count = 400_000
    alphas = 0.2 / (1.0 + np.arange(count) / 1000)
    weights = learned(Games(way, NIM, epsilon=EPSILON), count, np.zeros(32), alphas)
    values = exact_values(side, rule, 0.9)
    errors = [weights[vector(Hot(), NIM, state).argmax()] - value for state, value in values.items()]
    assert len(errors) > 5
    assert max(map(abs, errors)) < TOLERANCE
    other = exact_values(side, "sarsa" if rule == "q" else "q", 0.9)
    assert max(abs(other[state] - values[state]) for state in values.keys() & other) > 2 * TOLERANCE


@pytest.mark.parametrize("side", [0, "both"])
@pytest.mark.parametrize("rule", ["sarsa", "td"])
def test_by_default_values_are_those_of_what_is_done(rule: str, side: int | str) -> None:
    """Of every opening, also of those that the learner comes to by exploring alone."""
    count, epsilon = 400_000, 0.5
    alphas = 0.2 / (1.0 + np.arange(count) / 1000)
    openings = [play(NIM, initial(NIM), move) for move in legal(NIM, initial(NIM))]
    values = exact_values(side, rule, 1.0, epsilon)

    def off(explored: bool | None) -> float:
        games = Games(Way(rule, side, learn_explored=explored), NIM, epsilon=epsilon)
        weights = learned(games, count, np.zeros(32), alphas)
        return max(abs(weights[vector(Hot(), NIM, state).argmax()] - values[state]) for state in openings)

    assert off(None) < TOLERANCE
    assert off(False) > 2 * TOLERANCE


# What is kept, and where it stops.


def test_parts_are_the_whole_and_weights_are_kept_on_the_way() -> None:
    rules, keep = NIM, np.arange(100) % 7 == 3

    def learn(weights: Any, first: int, count: int) -> Any:
        learner = learner_for(
            *(rules, Hot(), weights),
            LinearLearner("here", "q", gamma=0.9, lambda_=0.5, traces="dutch", knows_ends=False),
        )
        _, kept = learn_games(
            *(rules, initial(rules), learner, Uniform()),
            alphas=np.full(count, 0.1),
            epsilons=np.full(count, 0.3),
            gammas=np.full(count, 0.9),
            keys=KEYS,
            is_kept=keep[first : first + count],
            first_game=first,
        )
        return kept

    whole, parts = np.zeros(32), np.zeros(32)
    kept = learn(whole, 0, 100)
    assert len(kept) == keep.sum() == 14
    on_the_way = []
    for number in range(100):
        rows = learn(parts, number, 1)
        assert len(rows) == keep[number]
        if keep[number]:
            on_the_way.append(parts.copy())
            np.testing.assert_array_equal(rows[0], parts)
    np.testing.assert_array_equal(kept, on_the_way)
    np.testing.assert_array_equal(whole, parts)


@pytest.mark.parametrize("rule", LINEAR_TARGETS)
def test_it_stops_in_the_game_in_which_it_diverges(rule: str) -> None:
    def learn(count: int) -> int | None:
        learner = learner_for(*(KALAH, ReportFeatures(), np.zeros(40)), LinearLearner("report", rule, win_reward=2.0))
        diverged, _ = learn_games(
            *(KALAH, initial(KALAH), learner, Uniform()),
            alphas=np.full(count, 1.0),
            epsilons=np.full(count, 0.3),
            gammas=np.ones(count),
            keys=KEYS,
            first_game=5,
        )
        assert diverged is not None or np.isfinite(learner.seen.weights).all()
        return diverged

    stopped = learn(10_000)
    assert stopped is not None
    assert learn(stopped - 5) is None
    assert learn(stopped - 4) == stopped
