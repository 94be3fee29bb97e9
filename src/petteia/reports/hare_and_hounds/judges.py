"""The rules by which the statements of the thesis are judged, one function each; `thesis` says them in words.

Every figure is a mean over the seeds with its 95 % interval; see `petteia.reports.verdicts` for what an interval
answers.
"""

from __future__ import annotations

import itertools

import numpy as np

from petteia.arena.statistics import Interval
from petteia.experiments.results import CellResult
from petteia.reports.hare_and_hounds.evidence import (
    ALPHA,
    ELSEWHERE,
    EPSILON,
    GAMMA,
    RANDOM_MOVES,
    RATES,
    SIMPLE,
    VALUES,
    Evidence,
    always_from,
    difference,
    first_reach,
    last_quarter,
    level,
    over_seeds,
    settling,
    share_above,
    unrest,
)
from petteia.reports.hare_and_hounds.truth import REACHABLE
from petteia.reports.verdicts import Answer, Finding, above, below, contrary, every, within

STEADY = 0.95
"""who is above a bound at this share of the points stays above it"""
RESTLESS = 2.0
"""who scatters more than so many times as much as chance would make it is unstable"""
ALIKE = 0.03
"""scores that differ by less are alike"""
ALIKE_AT_FIRST = 0.1
"""so are those of learners that know little"""
SETTLED = 0.02
FIRST_PART = 1.0 / 12.0
"""25,000 of 300,000 games"""
VALUES_AT = (0.1, 0.5, 0.9)


def percent(found: Interval) -> str:
    """A difference of shares with its interval."""
    return f"{found.mean:.1%}{_bounds(found, '.1%')}"


def share(found: Interval) -> str:
    """A share with its interval, which cannot leave 0..1."""
    return percent(found.kept_in(0.0, 1.0))


def number(found: Interval, form: str = ",.1f") -> str:
    """A number with its interval."""
    return f"{found.mean:{form}}{_bounds(found, form)}"


def _bounds(found: Interval, form: str) -> str:
    return f" ({found.low:{form}} to {found.high:{form}})" if found.is_known else " (one seed)"


def _rates(evidence: Evidence, alpha: float, gamma: float) -> CellResult:
    return evidence.cell(RATES, alpha=alpha, gamma=gamma)


def _levels(cell: CellResult) -> list[float]:
    return [float(mean) for mean in last_quarter(cell.scores).mean(axis=1)]


def only_one_stays(evidence: Evidence) -> Finding:
    shares = {
        (alpha, gamma): share_above(_rates(evidence, alpha, gamma), 0.9)
        for alpha, gamma in itertools.product(VALUES_AT, VALUES_AT)
    }
    stays = {pair: contrary(below(found, STEADY)) for pair, found in shares.items()}
    one = (ALPHA, GAMMA)
    others = [contrary(answer) for pair, answer in stays.items() if pair != one]
    ranked = sorted(shares, key=lambda pair: -shares[pair].mean)
    words = [f"alpha {alpha}, gamma {gamma}: {share(shares[alpha, gamma])}" for alpha, gamma in ranked[:3]]
    return Finding(f"points above 90 %, the three with most: {'; '.join(words)}", every([stays[one], *others]))


def gamma_at_middle_rate(evidence: Evidence) -> Finding:
    low, middle, high = (np.array(_levels(_rates(evidence, 0.5, gamma))) for gamma in VALUES_AT)
    return Finding(
        f"0.5 is {percent(over_seeds(middle - low))} above 0.1, and 0.9 {percent(over_seeds(high - middle))} above 0.5",
        above(over_seeds((high - middle) - 2.0 * (middle - low)), 0.0),
    )


def unstable_at_middle_rate(evidence: Evidence) -> Finding:
    found = unrest(_rates(evidence, 0.5, 0.9))
    return Finding(f"it scatters {number(found)} times as much as chance", above(found, RESTLESS))


def average_at_high_rate(evidence: Evidence) -> Finding:
    curves = np.array([_rates(evidence, 0.9, gamma).scores.mean(axis=1) for gamma in VALUES_AT])
    found = over_seeds(curves.mean(axis=0))
    return Finding(f"{share(found)} over all points of the three", within(found, 0.65, 0.75))


def unstable_at_high_rate(evidence: Evidence) -> Finding:
    found = [unrest(_rates(evidence, 0.9, gamma)) for gamma in VALUES_AT]
    words = ", ".join(number(each) for each in found)
    return Finding(f"they scatter {words} times as much as chance", every(above(each, RESTLESS) for each in found))


def gamma_matters_less(evidence: Evidence) -> Finding:
    effects = {
        alpha: np.array(_levels(_rates(evidence, alpha, 0.9))) - np.array(_levels(_rates(evidence, alpha, 0.1)))
        for alpha in (0.5, 0.9)
    }
    found = difference(effects[0.5], effects[0.9])
    return Finding(
        f"from gamma 0.1 to 0.9 the score rises by {percent(over_seeds(effects[0.9]))} at alpha 0.9, "
        f"and by {percent(over_seeds(effects[0.5]))} at 0.5",
        above(found, 0.0),
    )


def stable_at_low_rate(evidence: Evidence) -> Finding:
    found = [unrest(_rates(evidence, 0.1, gamma)) for gamma in VALUES_AT]
    words = ", ".join(number(each) for each in found)
    return Finding(f"they scatter {words} times as much as chance", every(below(each, RESTLESS) for each in found))


def settles_only_with_high_gamma(evidence: Evidence) -> Finding:
    found = {gamma: unrest(_rates(evidence, 0.1, gamma)) for gamma in VALUES_AT}
    answers = [below(found[0.9], RESTLESS), *(above(found[gamma], RESTLESS) for gamma in (0.1, 0.5))]
    words = "; ".join(f"gamma {gamma}: {number(each)}" for gamma, each in found.items())
    return Finding(f"scatter, in units of chance: {words}", every(answers))


def alike_at_first(evidence: Evidence) -> Finding:
    cells = [_rates(evidence, alpha, gamma) for alpha, gamma in itertools.product(VALUES_AT, VALUES_AT)]
    means = np.array([cell.scores[:, : max(int(cell.scores.shape[1] * FIRST_PART), 1)].mean(axis=1) for cell in cells])
    found = over_seeds(means.max(axis=0) - means.min(axis=0))
    return Finding(f"the best is {percent(found)} above the worst", below(found, ALIKE_AT_FIRST))


def all_reach(evidence: Evidence) -> Finding:
    reached = {e: first_reach(evidence.cell(RANDOM_MOVES, epsilon=e), 0.9) for e in (0.1, 0.5, 0.9, 1.0)}
    counts = {e: sum(games is not None for games in found) for e, found in reached.items()}
    words = ", ".join(f"epsilon {e:g}: {count} of {evidence.seeds} seeds" for e, count in counts.items())
    answers: list[Answer] = [
        True if count == evidence.seeds else False if count == 0 else None for count in counts.values()
    ]
    return Finding(f"90 % is reached with {words}", every(answers))


def _soonest(evidence: Evidence, games: dict[float, list[float]], what: str) -> Finding:
    """Whether epsilon 0.5 comes before the three others; `games` by epsilon and seed."""
    later = [difference(found, games[EPSILON]) for e, found in games.items() if e != EPSILON]
    words = ", ".join(f"epsilon {e:g}: {number(over_seeds(found), ',.0f')}" for e, found in games.items())
    return Finding(f"games until {what}: {words}", every(above(each, 0.0) for each in later))


def fastest(evidence: Evidence) -> Finding:
    cells = {e: evidence.cell(RANDOM_MOVES, epsilon=e) for e in (0.1, 0.5, 0.9, 1.0)}
    never = float(cells[EPSILON].games[-1])
    games = {e: [never if each is None else each for each in first_reach(cell, 0.9)] for e, cell in cells.items()}
    return _soonest(evidence, games, "the first 90 %")


def soonest_stable(evidence: Evidence) -> Finding:
    cells = {e: evidence.cell(RANDOM_MOVES, epsilon=e) for e in (0.1, 0.5, 0.9, 1.0)}
    return _soonest(evidence, {e: settling(cell, SETTLED) for e, cell in cells.items()}, "it stays as it is")


def simple_is_beaten(evidence: Evidence) -> Finding:
    cell = evidence.cell(SIMPLE)
    since = always_from(cell, 1.0)
    count = sum(each is not None for each in since)
    answer = True if count == len(since) else False if count == 0 else None
    return Finding(f"100 % to the end with {count} of {len(since)} seeds; {share(level(cell))} at the end", answer)


def simple_takes_so_long(evidence: Evidence) -> Finding:
    since = [each for each in always_from(evidence.cell(SIMPLE), 1.0) if each is not None]
    if not since:
        return Finding("it never wins every game to the end", False)
    found = over_seeds(since)
    return Finding(f"from {number(found, ',.0f')} games on", within(found, 2500.0, 7500.0))


def _followed(evidence: Evidence, number: int) -> Interval:
    """The mean value over the last quarter of the points of the move that is followed as `number`."""
    values = evidence.cell(VALUES).followed[:, :, number]
    return over_seeds(last_quarter(values).mean(axis=1))


def winning_move(evidence: Evidence) -> Finding:
    found = _followed(evidence, 0)
    return Finding(f"{number(found, '.3f')} in the last quarter", above(found, 0.99))


def good_move(evidence: Evidence) -> Finding:
    found = _followed(evidence, 1)
    return Finding(f"{number(found, '.3f')} in the last quarter", above(found, 0.0))


def bad_move(evidence: Evidence) -> Finding:
    found = _followed(evidence, 2)
    return Finding(f"{number(found, '.3f')} in the last quarter", below(found, 0.0))


def values_settle(evidence: Evidence) -> Finding:
    values = evidence.cell(VALUES).followed
    quarter = max(values.shape[1] // 4, 1)
    moved = (values[:, -quarter:].mean(axis=1) - values[:, -2 * quarter : -quarter].mean(axis=1)).T
    found = [over_seeds(each) for each in moved]
    words = ", ".join(number(each, "+.3f") for each in found)
    return Finding(
        f"from the third quarter to the last they move by {words}", every(within(each, -0.05, 0.05) for each in found)
    )


def best_parameters(evidence: Evidence) -> Finding:
    ours = _levels(evidence.best)
    others = {
        **{
            f"alpha {alpha}, gamma {gamma}, epsilon 1": _levels(_rates(evidence, alpha, gamma))
            for alpha, gamma in itertools.product(VALUES_AT, VALUES_AT)
        },
        **{
            f"alpha 0.1, gamma 0.9, epsilon {e:g}": _levels(evidence.cell(RANDOM_MOVES, epsilon=e))
            for e in (0.0, 0.1, 0.9)
        },
    }
    ahead = {name: difference(ours, levels) for name, levels in others.items()}
    nearest = min(ahead, key=lambda name: ahead[name].mean)
    return Finding(
        f"{share(over_seeds(ours))} in the last quarter; next best, or better: {nearest}, "
        f"{share(over_seeds(others[nearest]))}",
        every(above(each, 0.0) for each in ahead.values()),
    )


def suits_other_games(evidence: Evidence) -> Finding:
    answers, words = [], []
    for name in ELSEWHERE:
        cells = evidence.found[name].cells
        ours = _levels(evidence.cell(name, alpha=ALPHA, gamma=GAMMA, epsilon=EPSILON))
        top = max(cells, key=lambda cell: level(cell).mean)
        behind = difference(_levels(top), ours)
        settings = ", ".join(f"{key} {value:g}" for key, value in top.cell.values.items())
        words.append(
            f"{evidence.found[name].plan.declaration.title}: {share(over_seeds(ours))}, "
            f"best of {len(cells)} {share(level(top))} ({settings})"
        )
        answers.append(below(behind, ALIKE))
    return Finding("; ".join(words), every(answers))


def cannot_be_beaten(evidence: Evidence) -> Finding:
    won = over_seeds(1.0 - each.scores["perfect"] for each in evidence.judgements(evidence.best))
    return Finding(f"the perfect hare wins {share(won)} of its games against it", below(won, 0.001))


def is_optimal(evidence: Evidence) -> Finding:
    sets = [each.sets[REACHABLE] for each in evidence.judgements(evidence.best)]
    shares = over_seeds(each.perfect_share for each in sets)
    given = over_seeds(each.given_away / each.won for each in sets)
    return Finding(
        f"{share(shares)} of its moves give nothing away; it gives away {share(given)} of the won positions",
        above(shares, 0.9999),
    )
