"""Sequential tests: values against an independent evaluation, their errors, and estimates after they have stopped."""

from __future__ import annotations

import json
import math
from itertools import product

import pytest
from likelihood_ratios import VALUES, ratio
from simulated_matches import simulate

import petteia
from petteia.arena.ratings import elo_of
from petteia.arena.sprt import Sprt, estimate, likelihood_ratio, read_sprt
from petteia.cli import main


def test_ratios_are_those_of_an_independent_evaluation() -> None:
    rows = json.loads(VALUES.read_text())
    assert len(rows) == 1000
    for counts, elo0, elo1, scale, value in rows:
        assert likelihood_ratio(Sprt(elo0, elo1, scale=scale), counts) == pytest.approx(value, rel=1e-9, abs=1e-9)


def test_the_values_are_those_that_their_program_computes() -> None:
    """Every fiftieth of them; single games have three results."""
    for counts, elo0, elo1, scale, value in json.loads(VALUES.read_text())[::50]:
        assert float(ratio(counts, elo0, elo1, scale)) == value
    for counts, scale in product([(3, 5, 9), (0, 40, 2), (0, 0, 7)], ["logistic", "normalized"]):
        found = likelihood_ratio(Sprt(0, 50, scale=scale), counts)
        assert found == pytest.approx(float(ratio(counts, 0, 50, scale)), rel=1e-9, abs=1e-9)


def test_no_results_decide_nothing() -> None:
    assert likelihood_ratio(Sprt(0, 10), (0, 0, 0, 0, 0)) == 0.0
    assert Sprt(0, 10).verdict((0, 0, 0, 0, 0)) is None


def test_forms_of_a_test() -> None:
    assert read_sprt("0,20") == Sprt(0, 20)
    assert read_sprt("-5,2.5,normalized") == Sprt(-5, 2.5, scale="normalized")
    for text in ("", "5", "a,b", "0,20,30", "5,5", "9,1", "0,nan", "0,5000", "0,5,logistic,1"):
        with pytest.raises(petteia.UsageError, match="sprt"):
            read_sprt(text)


def test_a_match_ends_when_it_is_decided() -> None:
    found = petteia.match("kalah", "greedy:depth=2", "random", games=10_000, sprt="0,50", rows=False)
    assert (found.verdict, found.games) == ("elo1", 64)
    assert found.elo_low is not None
    assert found.elo_low > 50
    assert found.normalized is None  # all games were won, and scores do not scatter
    even = petteia.match("kalah", "random", "random", games=10_000, sprt="0,50", rows=False)
    assert even.verdict == "elo0"
    assert even.games < 10_000
    few = petteia.match("kalah", "random", "random", games=64, sprt="0,5", rows=False)
    assert (few.verdict, few.games) == (None, 64)


@pytest.mark.slow
def test_a_test_that_is_shared_by_processes_ends_with_the_same_game() -> None:
    one, two = (
        petteia.match("kalah", "search:nodes=50", "greedy:depth=1", games=640, sprt="0,30", jobs=jobs)
        for jobs in (1, 2)
    )
    assert one == two
    assert one.games < 640


def test_the_estimate_of_a_test_with_one_look_is_the_score() -> None:
    counts = (1, 2, 3, 14, 12)
    mean = sum(i * n for i, n in enumerate(counts)) / 4 / sum(counts)
    found = estimate(Sprt(0, 100), counts, every=sum(counts))
    assert found.elo == pytest.approx(elo_of(mean), abs=1.0)
    assert found.low < found.elo < found.high
    # 800 / ln 10 times how many standard deviations of a game, which is that of a pair's mean times the root of two
    deviation = math.sqrt(2 * sum(n * (i / 4 - mean) ** 2 for i, n in enumerate(counts)) / sum(counts))
    normalized = estimate(Sprt(0, 100), counts, sum(counts), "normalized")
    assert normalized.elo == pytest.approx(800 / math.log(10) * (mean - 0.5) / deviation, abs=1.0)
    assert normalized.low < normalized.elo < normalized.high


def test_the_scale_of_a_test_is_not_that_of_the_estimate() -> None:
    """A test that goes by normalized Elo tells the Elo points of the score all the same."""
    counts = (1, 2, 3, 14, 12)
    for scale in ("logistic", "normalized"):
        one, other = (estimate(Sprt(0, 100, scale=by), counts, 32, scale).elo for by in ("logistic", "normalized"))
        assert one == pytest.approx(other, rel=0.05)


def test_the_command_tells_both_elos_and_the_results_of_pairs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "kalah", "greedy", "random", "--games", "1000", "--sprt", "0,50,normalized"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[3].startswith("Elo +")
    assert lines[4].startswith("normalized Elo +")
    assert lines[5].startswith("pairs of games with 0, 0.5, 1, 1.5, 2 points: ")
    assert sum(map(int, lines[5].partition(": ")[2].split(", "))) == 32
    test = "sequential test of H0, 0 normalized Elo, against H1, 50: H1 is accepted (log-likelihood ratio "
    assert lines[6].startswith(test)
    assert lines[6].endswith(", bounds -2.94 and 2.94)")


@pytest.mark.slow
@pytest.mark.parametrize("elo", [0.0, 20.0, 40.0])
def test_errors_and_estimates_are_as_often_wrong_as_they_say(elo: float) -> None:
    """200 tests: shares of 5 % scatter by 1.5 points, one of a half by 3.5."""
    accepted, below, held, _ = simulate(Sprt(0.0, 40.0), elo, bias=0.0, tests=200, every=32, seed=1)
    assert accepted < 0.1 or elo > 0.0
    assert accepted > 0.9 or elo < 40.0
    assert 0.39 < below < 0.61
    assert 0.9 < held < 0.99
