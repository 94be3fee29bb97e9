"""Report M: what it prints is read rightly, and its published weights pass all checks of weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from petteia.core.protocol import key, parse_state
from petteia.features.feature_set import features, names
from petteia.features.kalah_potentials import ReportFeatures
from petteia.reports.engine.printed import Printed
from petteia.reports.mancala import PICTURES, tables
from petteia.reports.mancala.plan import LOOKING, PLAYERS
from petteia.reports.mancala.published import (
    AVERAGES,
    PROGRESS,
    STAGES,
    SWINGING,
    THETA_FIRST,
    THETA_SECOND,
    lambda_0_over_seats,
    of_lambda,
    stage_mean,
)
from petteia.reports.mancala.weight_measures import (
    asymmetry,
    away,
    captures_weigh,
    columns,
    dominance,
    first_block,
    mover_weighs,
    right_signs,
)
from petteia.value_functions.report_weights import REPORT_RULES, report_weights


@pytest.mark.parametrize(
    ("table", "shape", "cells"),
    [(THETA_FIRST, (5, 6), 30), (THETA_SECOND, (11, 5), 55), (PROGRESS, (5, 2), 10), (STAGES, (5, 5), 20)],
)
def test_printed_tables_are_whole(table: Any, shape: tuple[int, int], cells: int) -> None:
    assert (len(table.rows), len(table.columns), len(table.cells)) == (*shape, cells)
    assert all(min(each.counts) >= 0 and sum(each.counts) == each.games for each in table.cells.values())


def test_some_printed_cells() -> None:
    assert THETA_SECOND.cells["greedy4", "theta1"] == Printed(100, 0.5, 200)
    assert PROGRESS.cells["500,000", "second"].score == 0.9
    assert STAGES.cells["100,000", "400,000"].text == "60/40"
    assert AVERAGES.cells["400,000", "column"].text == "40/10"
    assert [stage_mean(1, 0), stage_mean(2, 1)] == pytest.approx([0.875, 0.0175])
    assert of_lambda(1, 1) == Printed(0, 100, 1000)
    assert of_lambda(3, 0).games == 200
    assert [lambda_0_over_seats(depth) for depth in LOOKING] == [0.75, 0.5, 0.5]
    assert set(THETA_FIRST.columns) | set(THETA_FIRST.rows) <= set(PLAYERS)


def test_weights_that_are_said_to_swing_exist() -> None:
    assert set(names(ReportFeatures(), REPORT_RULES)) > SWINGING
    assert tables.plain("south_to_move.north.captures") == "captures of the upper side (with the lower side to move)"
    assert tables.plain("constant") == "constant"


@pytest.mark.parametrize(("name", "picture"), PICTURES.items())
def test_pictures_show_their_feature(name: str, picture: dict[str, str]) -> None:
    state, numbers, values = parse_state(REPORT_RULES, picture["position"]), np.zeros(40, np.int64), np.zeros(40)
    count = features(ReportFeatures(), REPORT_RULES, state, numbers, values)
    known = dict(zip(np.array(names(ReportFeatures(), REPORT_RULES))[numbers[:count]], values[:count], strict=True))
    assert known[f"south_to_move.south.{name}"] > 0
    assert key(REPORT_RULES, state) >= 0
    assert picture["caption"]


# Weights: the published ones pass all checks, and others do not.


def test_checks_of_weights() -> None:
    theirs = report_weights()
    assert dominance(theirs) == pytest.approx(4.6565 / 0.7498)
    assert mover_weighs(theirs) > 2
    assert right_signs(theirs) == pytest.approx(31 / 36)
    assert captures_weigh(theirs) > 5
    assert asymmetry(theirs) < 0.25
    assert away(theirs) == 0
    assert away(0 * theirs) == 1
    assert first_block(theirs) == pytest.approx(1.02, abs=0.01)
    found = columns(theirs)
    assert found[0, 0] == 0.1904
    assert found[1, 5] == -0.3414
    assert found[2, 8] == 0.1656
    assert found[3, 3] == -0.6467
    assert np.array_equal(dominance(np.stack([theirs, -theirs])) > 0, [True, False])
