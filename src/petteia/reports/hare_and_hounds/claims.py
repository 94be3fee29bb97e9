"""The rules that judge the claims of the report on Hare and Hounds, which `claims.toml` lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from petteia.analysis.curves import always_from, first_reach, last_quarter
from petteia.experiments.scatter import MANY
from petteia.reports.engine import rules
from petteia.reports.engine.claims import read_claims
from petteia.reports.engine.estimates import FEWEST
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, difference, ratio
from petteia.reports.engine.rules import Finding, Rule, above, all_of, as_printed, below, denied, in_most, most_below
from petteia.reports.engine.settings import Setting
from petteia.reports.hare_and_hounds import figures, plan, relearned
from petteia.reports.hare_and_hounds.figures import (
    HIGH,
    MOVED,
    level,
    most_curves,
    most_score_more,
    most_stay_high,
    scatter,
)
from petteia.reports.hare_and_hounds.other_games import LIMIT_IS_SIZE, WORKS_EVERYWHERE
from petteia.reports.hare_and_hounds.plan import ALPHA, EPSILON, EPSILONS, GAMMA, NINE, TRIED, random_moves, rates

RESTLESS, SPREAD = 2.0, 0.03
"""The maximum standard deviation that counts as stable: relative to chance, and as a share of games. Chance alone gives
points of 500 games a standard deviation of at most 2.2 %."""
ALIKE, ALIKE_AT_FIRST = 0.03, 0.1
ALL = 0.999
TURNED = 0.5
"""The smallest change of a value by one game that counts as a reversal of the value."""
AT_ONCE = 250.0
"""The maximum number of games that counts as *at once*: a twentieth of the 5,000 games that the thesis needed."""
OTHERS = tuple(epsilon for epsilon in EPSILONS if epsilon != EPSILON)


def each_of(
    settings: Iterable[Setting],
    figure: Callable[[Setting], Figure],
    rule: Callable[[Figure, float], Rule],
    bound: float,
) -> Rule:
    """Return a rule that tests, for each of the settings, whether a measured value is above, or below, a bound."""
    return all_of(rule(figure(setting), bound) for setting in settings)


def of_alpha(alpha: float) -> tuple[Setting, ...]:
    """Return the settings with the learning rate `alpha`, one for each discount factor."""
    return tuple(rates(alpha, gamma) for gamma in TRIED)


def reaches(setting: Setting) -> Rule:
    """Return a rule that tests whether most training runs of a setting reach the score HIGH."""
    words = f"the score reaches {HIGH:.0%}"
    return most_curves(words, setting, lambda cell: [x is not None for x in first_reach(cell, HIGH)], setting.words)


def sooner(games: Callable[[Setting], Figure]) -> Rule:
    """Return a rule that tests whether training with EPSILON needs fewer games than with every other epsilon."""
    ours = games(random_moves(EPSILON))
    return all_of(above(ratio(games(random_moves(other)), ours), 1.0) for other in OTHERS)


def clearly_better(other: Setting, ours: Setting, evidence: Evidence) -> list[str]:
    """Return the criteria (speed, score, stability) by which `other` is significantly better than `ours`."""
    high, spread = figures.games_to_stay_high, figures.plain_spread
    found = {
        "speed": rules.is_below(ratio(high(other), high(ours)).interval(evidence), 1.0),
        "score": rules.is_above(difference(level(other), level(ours)).interval(evidence), 0.0),
        "stability": rules.is_below(difference(spread(other), spread(ours)).interval(evidence), 0.0),
    }
    return [name for name, answer in found.items() if answer]


def is_best(evidence: Evidence) -> Finding:
    """Judge whether no other setting is clearly better than that of the thesis by two of the three criteria."""
    ours = random_moves(EPSILON)
    better = {name: clearly_better(of, ours, evidence) for name, of in plan.SETTINGS.items() if of != ours}
    by_two = [f"{name} ({', '.join(each)})" for name, each in better.items() if len(each) > 1]
    by_one = [f"{name} ({each[0]})" for name, each in better.items() if len(each) == 1]
    words = (
        f"the combinations that are clearly better by two criteria or more: {'; '.join(by_two) or 'none'}. "
        f"The combinations that are clearly better by one criterion only: {'; '.join(by_one) or 'none'}"
    )
    return Finding(words, not by_two, evidence.seeds >= FEWEST)


def suits_other_games(evidence: Evidence) -> Finding:
    """Judge whether the parameters of the thesis are nearly as good as the best parameters in both other games.

    A game in which every combination is nearly as good as the best one does not test the claim.
    """
    words, answers = [], []
    for name, title in plan.ELSEWHERE.items():
        ours = {"alpha": ALPHA, "gamma": GAMMA, "epsilon": EPSILON}
        cells = [each.combination for each in evidence.experiments[name].cells]
        scores = [level(Setting(name, each.values)).values(evidence) for each in cells]
        top = max(range(len(cells)), key=lambda number: np.mean(scores[number]))
        alike = [_in_most(np.subtract(scores[top], each) < ALIKE) for each in scores]
        number = next(i for i, each in enumerate(cells) if each.values == ours)
        passed = sum(each is True for each in alike)
        answers.append(None if passed == len(cells) else alike[number])
        best = ", ".join(f"{key} {value:g}" for key, value in cells[top].values.items())
        words.append(
            f"In the game “{title}” the score is {np.mean(scores[number]):.1%} with these parameters, and "
            f"{np.mean(scores[top]):.1%} with the best of {len(cells)} combinations ({best}). "
            f"Of these combinations, {passed} fulfil the condition for this game"
        )
    return Finding(". ".join(words), rules.every(answers))


def _in_most(holds: Iterable[bool]) -> rules.Answer:
    return in_most("", lambda evidence: [*holds]).judge(None).answer


ONLY = rates(ALPHA, GAMMA)
RULES = {
    "only-one-stays": all_of((most_stay_high(ONLY), *(denied(most_stay_high(each)) for each in NINE if each != ONLY))),
    "high-gamma-is-needed": all_of(
        most_score_more(rates(alpha, GAMMA), rates(alpha, low)) for alpha in TRIED for low in TRIED[:2]
    ),
    "gamma-at-middle-rate": above(figures.bend(0.5), 0.0),
    "gamma-matters-less": above(
        difference(
            figures.rise(0.5),
            figures.rise(0.9),
            "the gain in score from gamma 0.1 to gamma 0.9 with alpha 0.5, minus the same gain with alpha 0.9,",
        ),
        0.0,
    ),
    "one-game-turns-nothing": most_below(relearned.by_one_game(ONLY), TURNED),
    "average-at-high-rate": as_printed(figures.mean_of_all_points(0.9), 0.7, give=0.05, of_games=MANY),
    "unstable-at-middle-rate": above(scatter(rates(0.5, GAMMA)), RESTLESS),
    "middle-rate-by-spread": above(figures.plain_spread(rates(0.5, GAMMA)), SPREAD),
    "unstable-at-high-rate": each_of(of_alpha(0.9), scatter, above, RESTLESS),
    "high-rate-by-spread": each_of(of_alpha(0.9), figures.plain_spread, above, SPREAD),
    "stable-at-low-rate": each_of(of_alpha(0.1), scatter, below, RESTLESS),
    "low-rate-by-spread": each_of(of_alpha(0.1), figures.plain_spread, below, SPREAD),
    "settles-only-with-high-gamma": all_of(
        (below(scatter(ONLY), RESTLESS), *(above(scatter(rates(0.1, low)), RESTLESS) for low in TRIED[:2]))
    ),
    "calmer-by-spread": all_of(
        above(difference(figures.plain_spread(rates(0.1, low)), figures.plain_spread(ONLY)), 0.0) for low in TRIED[:2]
    ),
    "alike-at-first": below(figures.FIRST_DIFFERENCE, ALIKE_AT_FIRST),
    "meets-all": above(figures.MET_BY_RANDOM_PLAY, ALL),
    "enough-games": in_most(
        f"the hounds have visited {ALL:.1%} or more of the reachable positions at the end of training",
        lambda evidence: [met >= ALL for met in figures.POSITIONS_MET.values(evidence)],
    ),
    "all-reach": all_of(reaches(random_moves(epsilon)) for epsilon in EPSILONS),
    "fastest": sooner(figures.games_to),
    "soonest-stable": sooner(figures.games_to_settle),
    "repeating-matters": all_of(
        above(difference(relearned.settled(random_moves(EPSILON)), relearned.settled(random_moves(other))), 0.0)
        for other in OTHERS
    ),
    "soonest-stable-above": sooner(figures.games_to_stay_high),
    "simple-is-beaten": most_curves(
        "the hounds win every evaluation game from some point of the learning curve on",
        plan.AGAINST_SIMPLE,
        lambda cell: [each is not None for each in always_from(cell, 1.0)],
    ),
    "simple-takes-so-long": as_printed(figures.GAMES_TO_WIN_ALL, 5000.0, give=2500.0),
    "learned-at-once": most_below(figures.GAMES_OF_RISE, AT_ONCE),
    "winning-move": most_curves(
        "the mean learned value of this move in the last quarter of training is above 0.99",
        plan.FOLLOWED,
        lambda cell: last_quarter(cell.followed[:, :, 0]).mean(axis=1) > 0.99,
    ),
    "good-move": above(figures.followed(1), 0.0),
    "bad-move": below(figures.followed(2), 0.0),
    "values-settle": most_below(figures.LAST_MOVES, MOVED),
    "table-settles": all_of((most_below(relearned.LARGEST_MOVE, MOVED), most_below(relearned.DISTANCE, MOVED))),
    "best-parameters": Rule(
        "no other combination is clearly better by two of these criteria: the number of training games until the score "
        "stays above 90 %, the mean score in the last quarter of the learning curve, and the standard deviation of the "
        "scores in this quarter",
        is_best,
    ),
    "suits-other-games": Rule(
        "in both other games, in more than half of the training runs, the score with these parameters is less than "
        f"{100 * ALIKE:g} points below the score of the combination that is best on average; if all combinations "
        "fulfil this condition in a game, this game does not test the claim",
        suits_other_games,
    ),
    "works-everywhere": WORKS_EVERYWHERE,
    "limit-is-size": LIMIT_IS_SIZE,
    "is-optimal": above(figures.PERFECT_MOVES, 0.999),
}
"""the rule of each claim in claims.toml"""
CLAIMS = read_claims("petteia.reports.hare_and_hounds", "claims.toml", RULES)
