"""Findings and likelihoods of tournaments, checked by hand and in the one that comes with the package."""

from __future__ import annotations

import dataclasses
import itertools
import math
import random
import tomllib
from pathlib import Path

import pytest
from simulated_matches import false_cycles, false_marks

import petteia
from petteia.arena.statistics import NORMAL_95, Interval
from petteia.experiments.experiment import list_experiments, plan
from petteia.experiments.source import shipped
from petteia.experiments.tournament.comparison import agreement
from petteia.experiments.tournament.declaration import ObservationOptions
from petteia.experiments.tournament.observations import Observation, difference, find, ladder, simultaneous_width
from petteia.experiments.verdicts import AGREES, BORDERLINE, DIFFERS, verdicts
from petteia.render.heat_map import Square, heat_map

# Findings, by hand.


def exact(score: float) -> Interval:
    return Interval(score, max(0.0, score - 0.05), min(1.0, score + 0.05))


def scores(table: dict[str, dict[str, float]]) -> dict[tuple[str, str], Interval]:
    return {(row, column): exact(score) for row, cells in table.items() for column, score in cells.items()}


TABLE = scores(
    {
        "a": {"a": 0.9, "b": 0.8, "c": 0.3},
        "b": {"a": 0.8, "b": 0.52, "c": 0.7},
        "c": {"a": 0.9, "b": 0.2, "c": 0.6},
    }
)


def cells_of(found: list[Observation]) -> set[tuple[str, str]]:
    return {(finding.row, finding.column) for finding in found}


def test_where_whoever_begins_wins() -> None:
    found = find(TABLE, ObservationOptions(edge=True))
    assert cells_of(found) == {("a", "a"), ("a", "b"), ("b", "a"), ("c", "c")}
    assert "against b, which scores 80.0% as first" in next(f.words for f in found if f.column == "b")


def test_where_better_is_not_transitive() -> None:
    found = find(TABLE, ObservationOptions(intransitive=True))
    # a beats b, who beats c; c beats a, who beats b
    assert [finding[:4] for finding in found] == [("intransitive", "a", "c", 0.3), ("intransitive", "c", "b", 0.2)]
    assert found[0].words == (
        "strength is not transitive: a loses to c (30.0%), but beats b (80.0%), which beats c (70.0%)"
    )


def test_where_looking_further_makes_it_worse() -> None:
    found = {finding[1:3]: finding for finding in find(TABLE, ObservationOptions(depth=("a", "b", "c")))}
    # As first, b scores less than a against a and b, c less than b against b and c. As second, c lets b and c score
    # more than b does.
    assert set(found) == {("b", "a"), ("b", "b"), ("c", "b"), ("b", "c"), ("c", "c")}
    assert found["c", "b"].value == pytest.approx(0.2 - 0.52)
    assert found["b", "c"].value == pytest.approx(0.52 - 0.7)
    assert "c scores less than b as second against b, which scores 70.0% instead of 52.0%" in found["b", "c"].words
    assert find(TABLE, ObservationOptions(depth=("a",))) == []


def test_the_interval_of_a_difference() -> None:
    """The example of Newcombe 1998, table II: 56 of 70 against 48 of 80, method 10."""
    one, two = Interval(0.8, 0.69183, 0.87695), Interval(0.6, 0.49045, 0.70038)
    assert difference(one, two) == pytest.approx((0.2, 0.0524, 0.3339), abs=1e-4)
    assert difference(two, one).mean == pytest.approx(-0.2)


# How many marks are false.


@pytest.mark.parametrize("kind", ["edge", "intransitive", "depth"])
def test_few_tables_of_equal_players_have_a_mark(kind: str) -> None:
    """400 tables: a share of 5 % scatters by 1.1 points."""
    assert false_marks(kind, 4, 400, 200, seed=1) < 0.085


def test_intervals_of_single_cells_would_mark_more_tables() -> None:
    assert false_marks("depth", 4, 200, 200, seed=1, width=NORMAL_95) > 0.3


def test_few_tables_have_a_cycle_where_two_of_three_matches_are_clear() -> None:
    assert false_cycles(400, 400, seed=1) < 0.03


def test_the_width_of_intervals_goes_by_the_number_of_comparisons() -> None:
    names = ("a", "b", "c", "d")
    pairs, wanted = [*itertools.product(names, repeat=2)], ObservationOptions(depth=names)
    for kind, by_seat, comparisons in (
        ("edge", True, 10),
        ("intransitive", True, 24),
        ("intransitive", False, 12),
        ("depth", True, 24),
        ("depth", False, 12),
    ):
        width = simultaneous_width(kind, pairs, wanted, by_seat=by_seat)
        assert math.erfc(width / math.sqrt(2)) / 2 == pytest.approx(0.05 / comparisons)


def test_a_cycle_is_marked_in_the_table() -> None:
    """Three real matches, whose results are replaced by those of a cycle: of 20 pairs 16 are won, and 4 are split."""
    found = petteia.tournament("kalah:pits=3,seeds=2", ["random", "simple", "heuristic"], games=40)
    won, lost = (0, 0, 4, 0, 16), (16, 0, 4, 0, 0)
    cells = [
        cell._replace(units=units, wins=16 if units is lost else 36, score=0.1 if units is lost else 0.9)
        for cell, units in zip(found.cells, (won, lost, won), strict=True)
    ]
    made = dataclasses.replace(found, cells=cells)
    assert [(each.row, each.column) for each in made.findings] == [
        ("random", "heuristic"),
        ("simple", "random"),
        ("heuristic", "simple"),
    ]
    heads, rows = made.table()
    assert [
        row[heads.index(column)][-2:] for row, column in zip(rows, ("heuristic", "random", "simple"), strict=True)
    ] == [" c"] * 3
    assert "c: part of a cycle" in made.note
    clear = [cell._replace(units=(5, 0, 10, 0, 5), score=0.5) if cell.row == "simple" else cell for cell in cells]
    assert dataclasses.replace(found, cells=clear).findings == []


def test_players_that_differ_in_depth_alone_are_compared() -> None:
    assert ladder(["random", "greedy:depth=3", "greedy:depth=1", "search:depth=2"]) == (
        "greedy:depth=1",
        "greedy:depth=3",
    )
    assert ladder(["random", "greedy:depth=3", "search:depth=10"]) == ()


# Likelihoods, by hand.


def multinomial(counts: tuple[int, int, int], shares: list[float]) -> float:
    ways = math.factorial(sum(counts)) / math.prod(map(math.factorial, counts))
    return ways * math.prod(share**count for share, count in zip(shares, counts, strict=True))


def polya(counts: tuple[int, int, int], seen: list[float]) -> float:
    """The urn: each result drawn makes the same one likelier."""
    urn, probability = list(seen), 1.0
    for result, count in enumerate(counts):
        for _ in range(count):
            probability *= urn[result] / sum(urn)
            urn[result] += 1
    return probability * math.factorial(sum(counts)) / math.prod(map(math.factorial, counts))


@pytest.mark.parametrize("ours", [(600, 100, 300), (5, 0, 5), (0, 0, 50)])
@pytest.mark.parametrize("published", [(3, 1, 2), (0, 0, 6), (6, 0, 0)])
def test_likelihoods(ours: tuple[int, int, int], published: tuple[int, int, int]) -> None:
    seen = [count + 0.5 for count in ours]
    found = agreement(ours, published)
    assert math.exp(found.log_likelihood) == pytest.approx(multinomial(published, [each / sum(seen) for each in seen]))
    outcomes = [(w, d, 6 - w - d) for w in range(7) for d in range(7 - w)]
    probabilities = {outcome: polya(outcome, seen) for outcome in outcomes}
    assert sum(probabilities.values()) == pytest.approx(1.0)
    here = probabilities[published]
    expected = sum(each for each in probabilities.values() if each <= here * (1 + 1e-9))
    assert found.p_value == pytest.approx(expected)


def test_verdicts() -> None:
    fitting, odd, wrong = (agreement((500, 0, 500), (won, 0, 100 - won)).p_value for won in (50, 65, 75))
    assert verdicts([fitting, odd, wrong]) == [AGREES, DIFFERS, DIFFERS]
    assert verdicts([fitting] * 20 + [odd, wrong]) == [AGREES] * 20 + [BORDERLINE, DIFFERS]
    assert verdicts([odd]) == [DIFFERS]
    assert verdicts([]) == []
    assert agreement((1000, 0, 0), (100, 0, 0)).p_value == pytest.approx(1.0)


def test_tables_that_agree_seldom_have_cells_that_differ() -> None:
    draw, found = random.Random(1), []
    for _ in range(20):
        probabilities = []
        for _ in range(20):
            sample = [draw.choices(("w", "d", "l"), (0.6, 0.1, 0.3), k=games) for games in (200, 50)]
            ours, published = ((s.count("w"), s.count("d"), s.count("l")) for s in sample)
            probabilities.append(agreement(ours, published).p_value)
        found += verdicts(probabilities)
    assert found.count(DIFFERS) <= 3
    assert 5 <= found.count(BORDERLINE) <= 35  # 20 are expected


# Figures.


def test_a_heat_map_needs_its_squares() -> None:
    square = Square("1", 0.5)
    labels = {"row_label": "r", "column_label": "c"}
    for squares in ([], [[square]], [[square, square], [square]]):
        with pytest.raises(ValueError, match="give one square for each"):
            heat_map(["a", "b"], ["c", "d"], squares, "t", **labels)
    with pytest.raises(ValueError, match="at most 4"):
        heat_map(["a"], ["c"], [[square]], "t", **labels, marks=list("abcde"))
    drawn = [heat_map(["a"], ["c", "<&>"], [[square, square]], "t & u", **labels) for _ in range(2)]
    assert drawn[0] == drawn[1]
    assert "&lt;&amp;&gt;" in drawn[0]


# What comes with the package.


@pytest.mark.slow
def test_the_baselines_of_mancala() -> None:
    row = next(row for row in list_experiments() if row.name == "mancala-baselines")
    assert row[3:] == ("first, second", 49, 1, 0, 49_000)
    found = plan("mancala-baselines")
    declared = tomllib.loads(shipped()["mancala-baselines"])
    assert found.rules == petteia.game("kalah:capture=nonempty,end=mover,leftovers=nobody")
    assert [found.declaration.tournament.seats, found.declaration.tournament.openings] == ["fixed", "none"]
    assert declared["published"]["wins"][1] == [100, 100, 99, 100, 95, 49, 81]
    assert declared["published"]["draws"][5] == [0, 0, 0, 2, 4, 8, 6]
    assert sum(map(sum, declared["published"]["wins"])) == 3150
    assert sum(map(sum, declared["published"]["draws"])) == 111
    assert list(declared["findings"]["depth"]) == list(found.players[2:])


@pytest.mark.heavy
def test_the_baselines_of_mancala_are_those_of_the_report(tmp_path: Path) -> None:
    made = petteia.experiment("mancala-baselines", folder=tmp_path, jobs=2)
    assert -185 < made.log_likelihood < -155
    assert {(each.cell.row, each.cell.column) for each in made.differing} == {("heuristic", "greedy:depth=4")}
    assert cells_of(made.findings) >= {("heuristic", "heuristic"), ("greedy:depth=2", "greedy:depth=5")}
    assert ("random", "random") not in cells_of(made.findings)
    other = shipped()["mancala-baselines"].replace("leftovers=nobody", "leftovers=owner")
    path = tmp_path / "owner.toml"
    path.write_text(other)
    owner = petteia.experiment(path, folder=tmp_path, jobs=2)
    assert owner.log_likelihood < -250
