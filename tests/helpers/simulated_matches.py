"""Tournaments and sequential tests of players whose strength is known: how often intervals and verdicts are right.

`python tests/helpers/simulated_matches.py` prints the whole table: 10,000 tournaments, or 2,000 tests, a row. It takes
about an hour on a core.
"""

from __future__ import annotations

from itertools import combinations, permutations, product

import numpy as np

from petteia.arena import ratings as under_test
from petteia.arena.ratings import Pairing, elo_of, ratings, score_of
from petteia.arena.sprt import Sprt, estimate
from petteia.arena.statistics import NORMAL_95, Interval, interval_of
from petteia.core.arrays import Floats, Ints
from petteia.experiments.tournament.declaration import ObservationOptions
from petteia.experiments.tournament.observations import find, simultaneous_width

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


def false_marks(kind: str, players: int, tables: int, games: int, seed: int, *, width: float | None = None) -> float:
    """How often a table of players of equal strength has a mark of a kind, where openings favour nobody.

    Matches are by seat for `edge` and `depth`, and each player meets itself; each has so many single games. They have
    half as many pairs for `intransitive`. `width` is that of the intervals; None: as tournaments have it.
    """
    by_seat = kind != "intransitive"
    names = tuple(map(str, range(players)))
    wanted = ObservationOptions(**{kind: names if kind == "depth" else True})
    pairs = [*product(names, repeat=2)] if by_seat else [*permutations(names, 2)]
    wide = simultaneous_width(kind, pairs, wanted, by_seat=by_seat) if width is None else width
    win = score_of(-DRAWN)
    law = np.array([win, 1.0 - 2 * win, win]) if by_seat else law_of_a_pair(0.0, 0.0)
    random, marked = np.random.default_rng(seed), 0
    for _ in range(tables):
        scores = {}
        for row, column in pairs:
            if (column, row) in scores and not by_seat:
                scores[row, column] = turned(scores[column, row])
                continue
            scores[row, column] = score_of_counts(random.multinomial(games // (1 if by_seat else 2), law), wide)
        marked += bool(find(scores, wanted, by_seat=by_seat))
    return marked / tables


def false_cycles(tables: int, games: int, seed: int) -> float:
    """How often A beats B beats C beats A is marked where A and C are equal in truth, and B is between them by far."""
    wanted = ObservationOptions(intransitive=True)
    pairs = [("A", "B"), ("B", "C"), ("C", "A")]
    everywhere = [*pairs, *(pair[::-1] for pair in pairs)]
    wide = simultaneous_width("intransitive", everywhere, wanted, by_seat=False)
    laws = [law_of_a_pair(elo, 0.0) for elo in (200.0, 200.0, 0.0)]
    random, marked = np.random.default_rng(seed), 0
    for _ in range(tables):
        scores = {
            pair: score_of_counts(random.multinomial(games // 2, law), wide)
            for pair, law in zip(pairs, laws, strict=True)
        }
        scores |= {pair[::-1]: turned(score) for pair, score in scores.items()}
        marked += bool(find(scores, wanted, by_seat=False))
    return marked / tables


def score_of_counts(counts: Ints, width: float) -> Interval:
    """The score with its interval, from units by their points."""
    values = np.arange(len(counts)) / (len(counts) - 1)
    mean = float(np.dot(values, counts)) / int(counts.sum())
    return interval_of(mean, float(np.dot((values - mean) ** 2, counts)), int(counts.sum()), width)


def turned(score: Interval) -> Interval:
    """The same as the other player sees it."""
    return Interval(1.0 - score.mean, 1.0 - score.high, 1.0 - score.low)


def main() -> None:
    """Print the whole table. Widths of simultaneous intervals are found from fewer samples than usual, to save time."""
    under_test.DRAWS = 10_000
    print("players span bias pairs: a player's interval holds, all intervals hold (10,000 tournaments)")
    for players, span, bias in product((2, 4, 8), (0.0, 100.0, 200.0), (0.0, 150.0, 400.0)):
        single, together = coverage(players, span, bias, tournaments=10_000, pairs=200, seed=1)
        print(f"{players} {span:3.0f} {bias:3.0f} 200: {single:.3f} {together:.3f}", flush=True)
    print("kind, equal players, games: tables with a false mark; the same with 95 % intervals (10,000 tables)")
    for kind, players, games in product(("edge", "intransitive", "depth"), (4, 8), (100, 1000)):
        simultaneous = false_marks(kind, players, 10_000, games, seed=1)
        single = false_marks(kind, players, 10_000, games, seed=1, width=NORMAL_95)
        print(f"{kind} {players} {games}: {simultaneous:.4f}; {single:.4f}", flush=True)
    print(f"A = C, B far between: {false_cycles(10_000, 400, seed=1):.4f}", flush=True)
    print("test, truth, bias: accepts the higher, estimate too low, interval holds, pairs (2,000 tests)")
    for high, part, bias in product((100.0, 20.0, 5.0), (0.0, 0.5, 1.0), (0.0, 150.0)):
        tests = 2000 if high > 5.0 else 500
        shares = simulate(Sprt(0.0, high), part * high, bias, tests, every=32, seed=1)
        numbers = " ".join(f"{each:.3f}" for each in shares[:3])
        print(f"[0,{high:.0f}] {part * high:4.1f} {bias:3.0f}: {numbers} {shares[3]:.0f} ({tests} tests)", flush=True)


if __name__ == "__main__":
    main()
