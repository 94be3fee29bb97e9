"""How far features make up for each other, and whether weights settle: held against linear algebra."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from linear_trainings import SMALL, saved, small
from tiny_games import DiceRace

import petteia
from petteia.analysis.collinearity import LARGEST, FeatureSample, inflation, sample_features, side_of
from petteia.analysis.settling import swings
from petteia.core.errors import UsageError
from petteia.core.protocol import initial
from petteia.features.feature_set import names
from petteia.features.kalah_potentials import ReportFeatures
from petteia.players import PolicyPlayer, player
from petteia.policies.policy import Lowest
from petteia.value_functions.linear_file import LearnedWeights
from petteia.value_functions.report_weights import REPORT_RULES

SEATS = ("south", "north")


def everywhere(*columns: Any) -> Any:
    """The inflation of columns of features that apply in every position."""
    table = np.stack(columns, axis=1)
    return inflation(
        FeatureSample(table, np.zeros(len(table), np.int64)), [f"feature {i}" for i in range(len(columns))], SEATS
    )


def test_inflation_of_columns_that_tell_nothing_of_each_other() -> None:
    assert everywhere(*np.array([*itertools.product((-1.0, 1.0), repeat=3)]).T) == pytest.approx([1.0] * 3)


def test_inflation_follows_from_squares_that_are_not_centred() -> None:
    one, other = np.random.default_rng(1).normal(size=(2, 500)) + 3.0
    share = (one @ other) ** 2 / (one @ one) / (other @ other)
    assert share > 0.7, "that they do not vary together is no matter"
    assert everywhere(one, other) == pytest.approx([1 / (1 - share)] * 2)


def test_what_hardly_varies_makes_up_for_the_constant() -> None:
    around = 1.0 + 0.1 * np.array([-1.0, 1.0] * 50)
    assert everywhere(around, np.ones(100)) == pytest.approx([1.01 / 0.01] * 2)


def test_inflation_of_a_sum_of_others() -> None:
    columns = np.random.default_rng(1).normal(size=(3, 200))
    found = everywhere(columns[0], columns[1], columns[0] + columns[1], columns[2])
    assert found[:3] == pytest.approx([LARGEST] * 3)
    assert found[3] < 1.1


def test_inflation_looks_where_a_block_applies() -> None:
    """Where South is to move: a count that is often 0, and half of it and something of its own; elsewhere both are 0.

    The other block has a feature that is always 1, the player and the constant are not 0 in both.
    """
    count = np.array([0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 1.0])
    own = count / 2 + np.array([1.0, 0.0, -1.0, 2.0, 0.0, 1.0, 1.0, 0.0])
    table = np.zeros((12, 5))
    table[:8, :2] = np.stack([count, own], axis=1)
    table[8:, 2:4] = 1.0
    table[:, 4] = 1.0
    labels = ["south_to_move.a", "south_to_move.b", "north_to_move.c", "player", "constant"]
    found = inflation(FeatureSample(table, np.repeat([0, 1], [8, 4])), labels, SEATS)
    for number, target, others in ((0, count, [own, np.ones(8)]), (1, own, [count, np.ones(8)])):
        matrix = np.stack([target, *others], axis=1)
        assert found[number] == pytest.approx((matrix.T @ matrix)[0, 0] * np.linalg.inv(matrix.T @ matrix)[0, 0])
        assert 1.5 < found[number] < 10
    assert found[2] == LARGEST, "the constant is the same where north is to move"
    assert found[4] < 10, "the constant is seen everywhere"


def test_inflation_of_what_is_never_seen() -> None:
    assert everywhere(np.zeros(20), np.arange(1.0, 21.0)).tolist() == [1.0, 1.0]


def test_positions_say_who_is_to_move() -> None:
    rules, feature_set = REPORT_RULES, ReportFeatures()
    one = player("greedy:depth=1", rules)
    seen = sample_features(rules, feature_set, one, games=2, random_moves=0.3, start=initial(rules), seed=1)
    labels = names(feature_set, rules)
    assert seen.table[:, labels.index("player")].tolist() == seen.movers.tolist()
    assert not seen.table[seen.movers == 0][:, [label.startswith("north_to_move") for label in labels]].any()
    assert set(seen.movers) == {0, 1}


def test_the_side_of_a_feature_is_told_by_its_name() -> None:
    assert [side_of(label, SEATS) for label in ("south_to_move.a", "ahead.north_to_move.b", "chain.south.c", "d")] == [
        *(0, 1, None, None)
    ]


def test_features_of_hare_and_hounds() -> None:
    """A hare stands on one square, so where a side is to move its squares make up for each other and the constant."""
    rows = petteia.collinearity("hare-and-hounds", "squares", games=30, seed=1)
    found = {row.feature.removeprefix("squares."): row for row in rows}
    assert len(found) == 45
    assert found["constant"].frequency == 1.0
    assert found["constant"].inflation == LARGEST
    hares = [row for name, row in found.items() if name.startswith("hare_to_move.hare.")]
    assert sum(row.frequency for row in hares) == pytest.approx(0.5, abs=0.1)
    assert {row.inflation for row in hares if row.frequency} == {LARGEST}
    assert {row.inflation for row in rows if not row.frequency} == {1.0}


@pytest.mark.parametrize("subject", ["random", "own_players:Drawing"])
def test_features_of_a_game_of_ones_own_with_chance(subject: str) -> None:
    """One face of the die shows wherever a player moves: no other tells anything about it."""
    rows = petteia.collinearity("tiny_games:DiceRace", "own_features:Faces", subject=subject, games=20)
    assert [row.feature for row in rows] == ["0", "1", "2", "3"]
    assert rows[0].frequency == 0.0, "chance moves where the die is to be cast"
    assert sum(row.frequency for row in rows) == pytest.approx(1.0)
    assert rows[3].frequency > rows[1].frequency > 0.0
    assert [row.inflation for row in rows] == pytest.approx([1.0] * 4)


def test_what_cannot_be_sampled_is_refused() -> None:
    for wrong in ({"games": 0}, {"random_moves": 1.5}, {"subject": PolicyPlayer(Lowest(), "one-sided", seats=(1,))}):
        with pytest.raises(UsageError):
            petteia.collinearity(DiceRace(), "own_features:Faces", **wrong)


# Weights that do not settle.


def test_swings_are_those_of_the_last_games() -> None:
    history = np.array([[90.0, 0.0], [1.0, 5.0], [4.0, 5.0], [2.0, -5.0]])
    learned = LearnedWeights("report", history[-1], history[-1], history, np.array([10, 60, 80, 100]), 100)
    assert swings(learned, 40).tolist() == [3.0, 10.0]
    assert swings(learned, 39).tolist() == [2.0, 10.0]
    assert swings(learned, 100).tolist() == [89.0, 10.0]


@pytest.mark.slow
def test_settling_of_trainings(tmp_path: Path) -> None:
    trainings = [small(tmp_path / str(seed), seed=seed) for seed in (1, 2)]
    agents = [training.run.path for training in trainings]
    found = petteia.settling(*agents, last=400, games=5)
    swing = np.mean([swings(saved(training), 400) for training in trainings], axis=0)
    rules = trainings[0].rules
    measured = petteia.collinearity(
        rules, SMALL["features"], subject=f"theta:agent=({agents[0]}),weights=last", games=5
    )
    assert {row.feature: row.swing for row in found.rows} == {
        each.feature: pytest.approx(swung) for each, swung in zip(measured, swing, strict=True)
    }
    assert {row.feature: row[2:] for row in found.rows} == {each.feature: each[1:] for each in measured}
    assert found.rows == sorted(found.rows, key=lambda row: -row.swing)
    assert -1.0 <= found.with_frequency <= 1.0
    with pytest.raises(UsageError, match="has the features"):
        petteia.settling(agents[0], small(tmp_path / "other", features="store").run.path)
    with pytest.raises(UsageError, match="at least one run"):
        petteia.settling()
