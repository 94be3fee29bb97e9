"""Mean margins: the sums that are kept, their intervals, and the order of players by them."""

from __future__ import annotations

import math

import numpy as np
import pytest

import petteia
from petteia.arena.margins import Margins, mean_margin, sum_of
from petteia.arena.statistics import contrast_interval, mean_interval
from petteia.cli import main

KALAH = "kalah:pits=3,seeds=2"


def margins_of(values: list[int]) -> Margins:
    return Margins(sum(values), sum(value**2 for value in values))


def test_one_match_has_the_interval_of_the_mean_of_its_pairs() -> None:
    pairs = [3, -1, 4, 1, -5, 9, 2, 6]
    found = mean_margin([(margins_of(pairs), len(pairs), 2 * len(pairs))])
    assert found == pytest.approx(mean_interval([each / 2 for each in pairs]))


def test_several_matches_have_the_interval_of_a_sum_of_means() -> None:
    one, two = [3, -1, 4, 1, -5], [2, 7, 1, 8, 2, 8]
    found = mean_margin([(margins_of(each), len(each), len(each)) for each in (one, two)])
    assert found == pytest.approx(contrast_interval([(5 / 11, one), (6 / 11, two)]))


def test_bounds_are_not_known_after_one_pair_of_games() -> None:
    assert mean_margin([(Margins(3, 9), 1, 2)]) == (1.5, -math.inf, math.inf)
    assert mean_margin([(Margins(6, 18), 2, 4)]) == (1.5, 1.5, 1.5)


def test_sums_add_up_and_turn() -> None:
    assert sum_of([Margins(3, 9), Margins(-5, 25)]) == Margins(-2, 34)
    assert Margins(-2, 34).turned == Margins(2, 34)


@pytest.mark.parametrize("arguments", [{}, {"seats": "fixed"}, {"moves": True}])
def test_a_match_has_the_margins_of_its_rows(arguments: dict[str, object]) -> None:
    found = petteia.match(KALAH, "simple", "random", games=40, **arguments)  # type: ignore[arg-type]
    own = [row.margin if row.seat_of_first == 0 else -row.margin for row in found.rows]
    assert found.margin == pytest.approx(np.mean(own))
    units = (
        own if arguments.get("seats") == "fixed" else [(a + b) / 2 for a, b in zip(own[::2], own[1::2], strict=True)]
    )
    assert (found.margin, found.margin_low, found.margin_high) == pytest.approx(mean_interval(units))


@pytest.mark.slow
def test_intervals_hold_the_mean_as_often_as_they_say() -> None:
    random, held = np.random.default_rng(1), 0
    for _ in range(2000):
        matches = [random.integers(-9, 10, 30), random.integers(-1, 4, 10)]
        found = mean_margin([(margins_of(each.tolist()), len(each), len(each)) for each in matches])
        held += found.low <= (30 * 0.0 + 10 * 1.0) / 40 <= found.high
    assert 0.935 < held / 2000 < 0.965


def test_players_are_ranked_by_margins() -> None:
    found = petteia.tournament(KALAH, ["random", "simple", "greedy:depth=3"], games=40, score="margin")
    assert [each.margin for each in found.standings] == sorted((each.margin for each in found.standings), reverse=True)
    assert sum(each.margin for each in found.standings) == pytest.approx(0.0)
    heads, rows = found.table()
    cell = found.crosstable["random", "simple"]
    assert rows[0][2] == f"{cell.margin.mean:+.2f}"
    assert rows[1][1] == f"{-cell.margin.mean:+.2f}"
    averages = {each.player: each.margin for each in found.standings}
    assert {row[0]: row[-1] for row in rows} == {name: f"{margin:+.2f}" for name, margin in averages.items()}
    alone = petteia.match(KALAH, "random", "simple", games=40, seed=cell.seed, openings_seed=0)
    assert alone.margin == cell.margin.mean
    assert heads[-1] == "average"


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", KALAH, "simple", "random", "--games", "20", "--score", "margin"]) == 0
    assert "per game (95 % interval " in capsys.readouterr().out
    assert main(["arena", KALAH, "simple", "random", "--games", "20", "--score", "margin"]) == 0
    shown = capsys.readouterr().out
    assert "95 % interval of the margin" in shown
    assert shown.endswith("mean margin of the row's player in 20 games\n")
