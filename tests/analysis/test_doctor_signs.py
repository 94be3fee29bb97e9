"""The measures by which the doctor judges, and its signs of what a curve and a schedule show."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from doctor_recipes import NO_WIN_3

import petteia
from petteia.analysis.doctor import explained, signs, signs_of_play
from petteia.analysis.doctor.judging import order_of_moves
from petteia.analysis.doctor.remains import Curve, UnexaminedError
from petteia.analysis.doctor.sampling import FeatureSample, play_randomly, sample_features, spread
from petteia.core.protocol import initial
from petteia.experiments.trainer import Point
from petteia.learn.schedules import schedule
from petteia.learn.starts import Start


def of_columns(*columns: list[float]) -> FeatureSample:
    """A sample of positions with these features."""

    class Columns:
        _fields = ()

        def size(feature_set, rules: Any) -> int:
            return len(columns)

        def features(feature_set, rules: Any, state: int, index: Any, value: Any) -> int:
            for i, column in enumerate(columns):
                index[i], value[i] = i, column[state]
            return len(columns)

    return sample_features(None, Columns(), range(len(columns[0])))


def test_features_that_are_constant_or_multiples() -> None:
    sample = of_columns(
        [1, 2, 0, 4], [5, 5, 5, 5], [0, 0, 0, 0], [-2, -4, 0, -8], [1, 2, 0, 5], [5, 5, 5, 0], [1, 2, 3, 4]
    )
    assert sample.constants() == [1]
    assert sample.twins(2) == [(0, 3)]
    assert sample.twins(4) == []
    assert sample.square_length == pytest.approx((21 + 100 + 84 + 30 + 75 + 30) / 4)
    assert sample.values(np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 0.5])).tolist() == [38.5, 37.0, 41.5, 9.0]


@pytest.mark.parametrize(
    ("columns", "count"),
    [
        (([0.0, -1.0, 0.0, -1.0], [0.0, 0.0, 0.0, 0.0]), 2),
        (([0.0, -1.0, 0.0, -1.0], [0.5, 0.2, 0.0, 0.0]), 1),
        (([0.0, -1.0, 1.0, -1.0], [0.5, 0.2, 0.0, 0.0]), None),
        (([0.0, 0.0, 0.0, 0.0], [1.0, 2.0, 0.0, 1.0], [2.0, 0.0, 1.0, 0.0]), None),
    ],
)
def test_features_that_were_rounded_down(columns: tuple[list[float], ...], count: int | None) -> None:
    sample = of_columns([1.0] * 40, *(column * 10 for column in columns))
    names = ("one", "x.a", "x.b", "x.c")[: len(columns) + 1]
    seen: Any = SimpleNamespace(features=sample, feature_names=names, absent_phases=())
    found = signs.lost(seen)
    assert (None if found is None else found["count"]) == count
    seen.absent_phases = ("x",)
    assert signs.lost(seen) is None, "these features belong to a phase that never occurs"


def test_small_features_beside_large_ones() -> None:
    names = ("large", "small", "rare")
    for small, is_named in ((1.1, False), (0.9, True)):
        seen: Any = SimpleNamespace(features=of_columns([900, -1_100] * 20, [small, -small] * 20, [1.1] + [0] * 39))
        seen.feature_names = names
        found = signs.scales(seen)
        assert (found is not None) == is_named
        assert found is None or (found["features"], found["count"], found["large"]) == ("small", 1, "large")


def test_features_are_compared_with_who_wins() -> None:
    sample = of_columns([1, -1, 1, -1], [-2, 2, -2, 2], [1, 1, -1, -1], [3, 3, 3, 3])
    assert sample.correlations(np.array([1.0, -1.0, 1.0, -1.0])).tolist() == pytest.approx([1.0, -1.0, 0.0, 0.0])
    assert sample.correlations(np.ones(4)).tolist() == [0.0] * 4


@pytest.mark.parametrize(
    ("alpha", "is_named"),
    [
        ("0.1", False),
        ("0.5..0", False),
        ("0.1,0.01@100", False),
        ("0.1,0.001@100", True),
        ("1,0@1", True),
        ("0", False),
    ],
)
def test_steps_are_spent_early_or_not(alpha: str, is_named: bool) -> None:
    seen: Any = SimpleNamespace(settings=None, alphas=schedule(alpha, "alpha").over(0, 1_000, 1_000))
    assert (signs.early_steps(seen) is not None) == is_named


def test_a_sample_is_taken_from_everywhere() -> None:
    assert spread([*range(100), *range(50)], 4) == [0, 25, 50, 75]
    assert spread([1, 1, 2], 5) == [1, 2]


def test_random_games_are_those_of_the_rules() -> None:
    rules = petteia.game(NO_WIN_3)
    start: Start = initial(rules)
    played = play_randomly(rules, start, 1_000)
    assert (played.wins(1), played.stopped) == (0.0, 0.0)
    assert played.wins(0) + played.draws == pytest.approx(1.0)
    assert played.score(0) == pytest.approx(1.0 - played.draws / 2)
    assert play_randomly(rules, start, 1).stopped == 1.0
    assert play_randomly(rules, start, 1_000) == played


def test_the_order_of_moves_is_that_of_kendall() -> None:
    truth = {1: 0.0, 2: 1.0, 3: 2.0}
    same = order_of_moves(
        lambda state: {move: value * state for move, value in truth.items()}, lambda _: truth, [1] * 30
    )
    reverse = order_of_moves(lambda state: {1: 5.0, 2: 4.0, 3: 3.0}, lambda _: truth, [1] * 30)
    level = order_of_moves(lambda state: dict.fromkeys(truth, 0.5), lambda _: truth, [1] * 30)
    assert same is not None
    assert reverse is not None
    assert level is not None
    assert [each.tau for each in (same, reverse, level)] == pytest.approx([1.0, -1.0, 0.0])
    assert order_of_moves(lambda state: truth, lambda _: truth, [1] * 5) is None
    assert order_of_moves(lambda state: {1: 0.0, 2: 1.0}, lambda _: {1: 3.0, 2: 3.0, 3: 0.0}, [1] * 30) is None


def with_curve(scores: Any, states: Any = None) -> Any:
    """What a sign sees of a run with these points."""
    points = [
        Point(100 * (i + 1), 0, 0, 0, float(score), 0.0, 1.0, None if states is None else int(states[i]), 0)
        for i, score in enumerate(scores)
    ]
    settings = SimpleNamespace(games=100 * len(points))
    training = SimpleNamespace(is_finished=True)
    return SimpleNamespace(
        curves=[Curve(0, points)],
        settings=settings,
        training=training,
        done=50,
        name=lambda seat: "first",
        solution=None,
        known_set="report",
    )


@pytest.mark.parametrize(("against", "is_blamed"), [("perfect", True), ("random", False)])
def test_who_measures_is_blamed_unless_it_moves_at_random(against: str, is_blamed: bool) -> None:
    seen = with_curve(np.full(40, 0.005))
    seen.settings.against, seen.points = against, seen.curves[0].points
    assert (signs_of_play.blind_evaluation(seen) is not None) == is_blamed


def test_a_curve_rises_or_does_not() -> None:
    noise = 0.01 * np.array([1.0, -1.0] * 20)
    rising, resting = np.linspace(0.1, 0.9, 40) + noise, np.minimum(np.linspace(0.1, 1.6, 40), 0.8) + noise
    found = signs.still_rising(with_curve(rising))
    assert found is not None
    assert "still rises" in str(found["how"])
    assert found["more"] == 20_000
    assert signs.still_rising(with_curve(resting)) is None
    assert signs.still_rising(with_curve(rising[::-1])) is None
    assert signs.still_rising(with_curve(rising[:10])) is None, "too few points"


def test_a_table_meets_new_states_or_does_not() -> None:
    level = np.full(40, 0.5)
    found = signs.still_rising(with_curve(level, np.linspace(100, 4_000, 40)))
    assert found is not None
    assert "1,000 of all" in str(found["how"])
    assert (found["set"], found["more"]) == ("report", 4_000)
    assert signs.still_rising(with_curve(level, np.minimum(np.linspace(400, 16_000, 40), 4_000))) is None


def test_an_unfinished_curve_is_not_judged() -> None:
    seen = with_curve(np.linspace(0.1, 0.9, 40))
    seen.training.is_finished = False
    with pytest.raises(UnexaminedError, match="only 50 of 4,000 games"):
        signs.still_rising(seen)


def test_the_bits_of_a_state() -> None:
    rows = explained.bits([(5, -1), (2, 0)])
    assert rows.shape == (2, 128)
    assert rows[:, :4].tolist() == [[1, 0, 1, 0], [0, 1, 0, 0]]
    assert rows[:, 64:].sum(axis=1).tolist() == [64, 0]


def test_regression_predicts_what_its_variables_determine() -> None:
    random = np.random.default_rng(1)
    rows = random.integers(0, 2, (300, 8)).astype(np.float64)
    folds = np.arange(300) % explained.FOLDS
    linear, product, noise = rows[:, 0] - 2 * rows[:, 3], (rows[:, 1] == rows[:, 2]) * 1.0, random.normal(size=300)

    def predicted(values: Any, degree: int) -> float:
        return explained.predicted((1.0 + explained.products(rows)) ** degree, values, folds)

    assert predicted(linear, 1) > 0.99
    assert predicted(product, 1) < 0.05
    assert predicted(product, 2) > 0.95
    assert max(predicted(noise, degree) for degree in explained.DEGREES) < 0.1
    assert explained.predicted(1.0 + explained.products(np.ones((300, 2))), linear, folds) < 0.01


def test_values_of_a_single_game_cannot_be_predicted(monkeypatch: pytest.MonkeyPatch) -> None:
    """All positions are then in one fold of the cross-validation."""
    monkeypatch.setattr(explained, "_judge", lambda _: (float, "best play"))
    seen: Any = SimpleNamespace(random_play=SimpleNamespace(games=[SimpleNamespace(afterstates=range(40))]))
    with pytest.raises(UnexaminedError, match="from different games"):
        explained.explained(seen)
