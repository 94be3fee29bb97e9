"""Log-likelihood ratios of sequential tests with 40 digits, by another way than `petteia.arena.sprt` goes.

`python tests/helpers/likelihood_ratios.py` computes all ratios in `tests/data/likelihood_ratios.json` anew, from the
counts of pairs, the two hypotheses and the scale of Elo that stand there: it takes half a minute, and changes nothing.

Under a hypothesis the most likely shares `p` of results with scores `s`, which were seen in shares `q`, satisfy the
conditions of Lagrange. For logistic Elo they are `p = q / (1 + x (s - m))` with `sum p (s - m) = 0`, where `m` is the
expected score. For normalized Elo `m = 1/2 + t d` with an unknown deviation `d`, and the conditions are

    p = q / (1 + x (t ((s - m)^2 - d^2) - 2 d (s - m))),    sum p (s - m) = 0,    sum p ((s - m)^2 - d^2) = 0.

Both are solved one inside the other, in decimal arithmetic.

Source: Michel Van den Bergh, "A practical introduction to the GSPRT" and "Comments on normalized Elo" (2020).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from decimal import Decimal, localcontext
from pathlib import Path

VALUES = Path(__file__).parents[1] / "data" / "likelihood_ratios.json"
DIGITS, STEPS = 40, 500
DONE = Decimal("1e-35")
UNSEEN = Decimal("0.001")
"""how often a result counts as seen that was not seen, as Fishtest has it"""
Shares = list[Decimal]


def ratio(counts: Sequence[int], elo0: float, elo1: float, scale: str) -> Decimal:
    """The logarithm of the ratio of the likelihoods of `elo1` and `elo0`, given units by the first player's points."""
    with localcontext() as context:
        context.prec = DIGITS
        seen = [Decimal(count) or UNSEEN for count in counts]
        shares = [each / sum(seen) for each in seen]
        scores = [Decimal(i) / (len(counts) - 1) for i in range(len(counts))]
        likely = _logistic if scale == "logistic" else _normalized
        null, other = (likely(shares, scores, Decimal(str(elo))) for elo in (elo0, elo1))
        return sum((n * (p1 / p0).ln() for n, p0, p1 in zip(seen, null, other, strict=True)), Decimal(0))


def _logistic(shares: Shares, scores: Shares, elo: Decimal) -> Shares:
    """The most likely shares with the expected score of so many points of logistic Elo."""
    mean = 1 / (1 + (-elo / 400 * Decimal(10).ln()).exp())
    likely = _tilted(shares, [score - mean for score in scores])
    assert likely is not None
    return likely


def _normalized(shares: Shares, scores: Shares, elo: Decimal) -> Shares:
    """The most likely shares whose expected score lies so many points of normalized Elo above one half."""
    slope = (Decimal(len(scores) - 1) / 2).sqrt() * elo * Decimal(10).ln() / 800

    def likely(deviation: Decimal) -> Shares | None:
        """The shares that meet one of the conditions, a sum of both; None if there are none: it is too small."""
        away = [score - Decimal("0.5") - slope * deviation for score in scores]
        return _tilted(shares, [slope * (each**2 - deviation**2) - 2 * deviation * each for each in away])

    def excess(deviation: Decimal) -> Decimal:
        """By how much the mean square exceeds that of this deviation, which is the other condition."""
        found, mean = likely(deviation), Decimal("0.5") + slope * deviation
        if found is None:
            return Decimal(1)
        square = sum((p * (s - mean) ** 2 for p, s in zip(found, scores, strict=True)), Decimal(0))
        return square - deviation**2

    found = likely(_root(excess, Decimal("1e-6"), Decimal(1)))
    assert found is not None
    return found


def _tilted(shares: Shares, values: Shares) -> Shares | None:
    """The shares `q / (1 + x v)` under which the values have the mean 0; None unless some lie on either side of it."""
    if min(values) >= 0 or max(values) <= 0:
        return None
    low, high = -1 / max(values), -1 / min(values)  # there the share of the highest, or of the lowest, is infinite
    x = Decimal(0)
    for _ in range(STEPS):
        terms = [
            (share * each / (1 + x * each), each / (1 + x * each)) for share, each in zip(shares, values, strict=True)
        ]
        total, slope = sum(term for term, _ in terms), sum(term * part for term, part in terms)
        low, high = (x, high) if total > 0 else (low, x)
        step = total / slope  # Newton's
        if abs(step) < DONE:
            break
        x = x + step if low < x + step < high else (low + high) / 2
    return [share / (1 + x * each) for share, each in zip(shares, values, strict=True)]


def _root(function: Callable[[Decimal], Decimal], low: Decimal, high: Decimal) -> Decimal:
    """Where a function, positive at `low` and negative at `high`, is 0: by false position, the Illinois form."""
    below, above = function(low), function(high)
    assert below > 0 > above
    for _ in range(STEPS):
        middle = (low * above - high * below) / (above - below)
        here = function(middle)
        if abs(here) < DONE:
            break
        if here > 0:
            low, below, above = middle, here, above / 2
        else:
            high, above, below = middle, here, below / 2
    return middle


def main() -> None:
    """Compute all ratios anew."""
    rows = [(*row[:4], float(ratio(*row[:4]))) for row in json.loads(VALUES.read_text())]
    VALUES.write_text("[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n")


if __name__ == "__main__":
    main()
