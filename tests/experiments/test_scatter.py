"""How training runs scatter: what the model says of laws that it does not suppose, and of the training runs of the
reports."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import beta, betabinom, binom

from petteia.experiments.scatter import (
    ANGLES,
    EVEN,
    MEANS,
    RHOS,
    SPREADS,
    Sample,
    further_training,
    knowledge,
    mean_of_trainings,
    oddness,
    spreads_of,
)
from petteia.experiments.verdicts import oddness_of_table

Law = Callable[[np.random.Generator, int], np.ndarray]
GAMES = 100
LAWS: dict[str, tuple[float, Law]] = {
    "all alike": (0.7, lambda random, n: np.full(n, 0.7)),
    "beta": (0.8, lambda random, n: random.beta(8, 2, n)),
    "nearly all won": (50 / 52, lambda random, n: random.beta(50, 2, n)),
    "all or nothing": (0.9, lambda random, n: (random.random(n) < 0.9) * 1.0),
    "two clusters": (0.69, lambda random, n: np.where(random.random(n) < 0.3, 0.2, 0.9) + random.normal(0, 0.02, n)),
}


def drawn(random: np.random.Generator, law: Law, trainings: int) -> Sample:
    scores = random.binomial(GAMES, np.clip(law(random, trainings), 0.0, 1.0)) / GAMES
    return Sample(tuple(scores.tolist()), GAMES)


def test_the_likelihood_is_beta_binomial() -> None:
    sample = Sample((0.3, 0.9, 0.9), 10)
    found = knowledge(sample).probabilities
    expected = np.empty((ANGLES, SPREADS))
    for i, mean in enumerate(MEANS):
        for j, rho in enumerate(RHOS):
            strength = (1.0 - rho) / rho
            law = betabinom(10, mean * strength, (1.0 - mean) * strength)
            expected[i, j] = law.pmf(3) * law.pmf(9) ** 2
    assert found == pytest.approx(expected / expected.sum())


def test_a_further_training_is_the_mean_of_beta_binomial_laws() -> None:
    found = knowledge(Sample((0.5,) * 40, 1000)).further(20)
    assert found.sum() == pytest.approx(1.0)
    assert found == pytest.approx(binom(20, 0.5).pmf(np.arange(21)), abs=0.01), "trainings that are all alike"


def test_spreads_are_learned_from_the_cells_of_a_table() -> None:
    random = np.random.default_rng(1)
    narrow = [drawn(random, LAWS["all alike"][1], 10) for _ in range(30)]
    wide = [drawn(random, LAWS["beta"][1], 10) for _ in range(30)]
    alone, alike, apart = EVEN, spreads_of(narrow), spreads_of(wide)
    assert [each.sum() for each in (alike, apart)] == pytest.approx([1.0, 1.0])
    assert alike @ RHOS < alone @ RHOS
    assert 0.05 < apart @ RHOS < 0.2, "those of this law are 1 / 11"
    few = Sample((0.7, 0.72, 0.74), GAMES)
    ranges = [further_training(few, GAMES, spreads) for spreads in (alike, alone, apart)]
    widths = [each.high - each.low for each in ranges]
    assert widths == sorted(widths)
    assert spreads_of([]) == pytest.approx(EVEN)


def test_an_interval_of_many_alike_is_that_of_all_their_games() -> None:
    sample = Sample((0.9,) * 200, 1000)
    found = mean_of_trainings(sample)
    exact = beta.ppf(0.025, 180_000, 20_001), beta.ppf(0.975, 180_001, 20_000)
    assert found.low == pytest.approx(exact[0], abs=0.002)
    assert found.high == pytest.approx(exact[1], abs=0.002)
    assert mean_of_trainings(Sample((0.9,), 10)) == (0.9, -np.inf, np.inf)


def test_scores_at_an_end_leave_room() -> None:
    for share in (0.0, 1.0):
        found = mean_of_trainings(Sample((share,) * 5, GAMES))
        assert 0.0 <= found.low <= found.mean <= found.high <= 1.0
        assert 0.1 < found.high - found.low < 0.5, "of one figure alone; in a table where all are alike it is less"


def test_a_share_that_is_rounded_is_given_its_best() -> None:
    sample = Sample((0.8, 0.81, 0.79, 0.8, 0.8), GAMES)
    assert oddness(sample, 0.7, 100) < oddness(sample, 0.7, 100, give=0.05) < oddness(sample, 0.7, 100, give=0.1)
    assert oddness(sample, 0.7, 50) > oddness(sample, 0.7, 500), "few games are odd by chance"
    assert oddness(sample, 0.805, 100) == 1.0


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("trainings", [5, 10, 20, 40])
def test_laws_that_are_not_supposed(law: str, trainings: int) -> None:
    truth, draw = LAWS[law]
    random = np.random.default_rng([len(law), trainings])
    odd, held, rounds = 0, 0, 600
    for _ in range(rounds):
        sample, further = drawn(random, draw, trainings), drawn(random, draw, 1)
        odd += oddness(sample, further.shares[0], GAMES) < 0.05
        _, low, high = mean_of_trainings(sample)
        held += low <= truth <= high
    assert odd / rounds <= 0.075
    if trainings == 40 or law not in ("all or nothing", "two clusters"):
        assert held / rounds >= 0.92, "below 40 training runs two clusters are covered less often"


def table(random: np.random.Generator, means: np.ndarray, trainings: int) -> np.ndarray:
    return random.binomial(GAMES, random.beta(8 * means, 8 * (1 - means), (trainings, len(means)))) / GAMES


def test_a_table_as_a_whole() -> None:
    random = np.random.default_rng(3)
    means = np.linspace(0.1, 0.9, 40)
    same = [
        oddness_of_table(table(random, means, 19), GAMES, table(random, means, 1)[0], GAMES) <= 0.05 for _ in range(200)
    ]
    assert np.mean(same) <= 0.08
    shifted = np.clip(means + 0.25, 0.0, 0.99)
    found = [
        oddness_of_table(table(random, means, 39), GAMES, table(random, shifted, 1)[0], GAMES) <= 0.05
        for _ in range(50)
    ]
    assert np.mean(found) >= 0.9


def test_whoever_has_more_games_is_thinned() -> None:
    random = np.random.default_rng(4)
    means = np.full(30, 0.6)
    odd = []
    for _ in range(200):
        ours = random.binomial(1000, means, (19, 30)) / 1000
        odd.append(oddness_of_table(ours, 1000, random.binomial(50, means) / 50, 50) <= 0.05)
    assert np.mean(odd) <= 0.1
