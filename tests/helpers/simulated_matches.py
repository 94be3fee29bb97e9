"""Tournaments and sequential tests of players whose strength is known: how often intervals and verdicts are right.

`python tests/helpers/simulated_matches.py` prints the whole table: 10,000 tournaments, or 2,000 tests, a row. It takes
about an hour on a core.
"""

from __future__ import annotations

from itertools import combinations, product

import numpy as np

from petteia.arena import ratings as under_test
from petteia.arena.ratings import Pairing, elo_of, ratings, score_of
from petteia.arena.sprt import Sprt, estimate
from petteia.core.arrays import Floats

DRAWN = 60.0
"""Elo points by which an advantage falls short of a win half of the time, so that games are drawn"""


def law_of_a_pair(elo: float, bias: float) -> Floats:
    """The probabilities of 0, 0.5, ... 2 points from two games of one opening, each side played once: float64[5].

    `elo`: the advantage of the first player; `bias`: that of the side that the opening favours, either one as often.
    """
    law = np.zeros(5)
    for sign in (1, -1):
        games = []
        for side in (1, -1):
            advantage = elo + sign * side * bias
            win, loss = score_of(advantage - DRAWN), score_of(-advantage - DRAWN)
            games.append(np.array([loss, 1.0 - win - loss, win]))
        law += np.convolve(*games) / 2
    return law


def coverage(players: int, span: float, bias: float, tournaments: int, pairs: int, seed: int) -> tuple[float, float]:
    """How often an interval of a player, and those of all players at once, hold the true ratings.

    Strengths lie evenly over `span` Elo. The truth is what the scores of endless play come to.
    """
    random = np.random.default_rng(seed)
    strengths = np.linspace(span / 2, -span / 2, players)
    laws = {(i, j): law_of_a_pair(strengths[i] - strengths[j], bias) for i, j in combinations(range(players), 2)}
    wanted = ratings(players, [Pairing(*pair, tuple(np.round(1e9 * law).astype(int))) for pair, law in laws.items()])
    middle = [each.elo for each in wanted.players]
    single = together = 0.0
    for _ in range(tournaments):
        drawn = [Pairing(*pair, tuple(random.multinomial(pairs, law).tolist())) for pair, law in laws.items()]
        found = ratings(players, drawn).players
        single += sum(each.low <= elo <= each.high for each, elo in zip(found, middle, strict=True)) / players
        together += all(each.all_low <= elo <= each.all_high for each, elo in zip(found, middle, strict=True))
    return single / tournaments, together / tournaments


def strength_of(law: Floats) -> float:
    """The Elo of the expected score."""
    return elo_of(float(np.dot(law, np.arange(5))) / 4)


def law_of_strength(elo: float, bias: float) -> Floats:
    """The law of a pair whose expected score is that of `elo`."""
    low, high = -1000.0, 1000.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if strength_of(law_of_a_pair(middle, bias)) < elo else (low, middle)
    return law_of_a_pair(low, bias)


def simulate(
    test: Sprt, elo: float, bias: float, tests: int, every: int, seed: int
) -> tuple[float, float, float, float]:
    """Shares of tests that accept the alternative, whose estimate lies below the truth, whose interval holds it; pairs.

    The test is looked at once in `every` pairs; the last number is the mean of the pairs that were played.
    """
    random, law = np.random.default_rng(seed), law_of_strength(elo, bias)
    accepted = below = held = played = 0
    for _ in range(tests):
        counts = np.zeros(5, np.int64)
        while (verdict := test.verdict(counts.tolist())) is None:
            counts += random.multinomial(every, law)
        found = estimate(test, counts.tolist(), every)
        accepted += verdict == "elo1"
        below += found.elo < elo
        held += found.low <= elo <= found.high
        played += int(counts.sum())
    return accepted / tests, below / tests, held / tests, played / tests


def main() -> None:
    """Print the whole table. Widths of simultaneous intervals are found from fewer samples than usual, to save time."""
    under_test.DRAWS = 10_000
    print("players span bias pairs: a player's interval holds, all intervals hold (10,000 tournaments)")
    for players, span, bias in product((2, 4, 8), (0.0, 100.0, 200.0), (0.0, 150.0, 400.0)):
        single, together = coverage(players, span, bias, tournaments=10_000, pairs=200, seed=1)
        print(f"{players} {span:3.0f} {bias:3.0f} 200: {single:.3f} {together:.3f}", flush=True)
    print("test, truth, bias: accepts the higher, estimate too low, interval holds, pairs (2,000 tests)")
    for high, part, bias in product((100.0, 20.0, 5.0), (0.0, 0.5, 1.0), (0.0, 150.0)):
        tests = 2000 if high > 5.0 else 500
        shares = simulate(Sprt(0.0, high), part * high, bias, tests, every=32, seed=1)
        numbers = " ".join(f"{each:.3f}" for each in shares[:3])
        print(f"[0,{high:.0f}] {part * high:4.1f} {bias:3.0f}: {numbers} {shares[3]:.0f} ({tests} tests)", flush=True)


if __name__ == "__main__":
    main()
