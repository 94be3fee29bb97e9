"""The conditions under which the report on Hare and Hounds agrees with the claims in `claims.toml`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from petteia.analysis.curves import always_from, last_quarter
from petteia.experiments.verdicts import RARE
from petteia.reports.engine import rules
from petteia.reports.engine.claims import read_claims
from petteia.reports.engine.estimates import FEWEST, Unit, interval_text
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, difference, ratio
from petteia.reports.engine.rules import Finding, Rule, above, all_of, as_printed, below, in_most, most_below, together
from petteia.reports.engine.settings import Setting
from petteia.reports.hare_and_hounds import figures, plan
from petteia.reports.hare_and_hounds.figures import (
    FEW,
    GAIN,
    HIGH,
    LATE,
    MOVED,
    STEADY,
    level,
    most_curves,
    plain_spread,
    rise,
    scatter,
)
from petteia.reports.hare_and_hounds.other_games import GONE, learned_games, title_of
from petteia.reports.hare_and_hounds.plan import ALPHA, BEST, EXPLORING, GAMMA, GREEDY, LOWER, NINE, ONLY, WITH_ALPHA

RESTLESS, SPREAD = 2.0, 0.03
"""The maximum standard deviation that counts as stable: relative to chance, and as a share of games. Chance alone gives
scores in 500 games a standard deviation of at most 2.2 %."""
ALIKE, ALIKE_AT_FIRST = 0.03, 0.1
ALL = 0.999
REVERSED = 0.5
"""A change of a value counts as a reversal if it is at least this large."""
AT_ONCE = 250.0
"""The maximum number of games that counts as *at once*: a twentieth of the 5,000 games that the thesis needed."""


def stays_high(setting: Setting) -> Rule:
    """Return the condition that the score stays above 90 % (`HIGH`) at the end of most training runs of a setting.

    The score stays above 90 % if more than 95 % (`STEADY`) of the scores in the last quarter of training are above this
    bound.
    """
    words = f"more than {STEADY:.0%} of the scores {LATE} are above {HIGH:.0%}"
    return most_curves(words, setting, lambda cell: (last_quarter(cell.scores) > HIGH).mean(axis=1) > STEADY)


def second_step_is_larger(alpha: float) -> Rule:
    """Return the condition that the score gain from gamma 0.5 to 0.9 is more than twice the gain from 0.1 to 0.5."""
    condition, steps = above(figures.bend(alpha), 0.0), (rise(alpha, 0.1, 0.5), rise(alpha, 0.5))

    def judge(evidence: Evidence) -> Finding:
        finding = condition.judge(evidence)
        texts = [each.text(evidence, level="95 % interval: ") for each in steps]
        cases = [f"{name} gain, {each.subject}" for name, each in zip(("first", "second"), steps, strict=True)]
        parts = [Finding(text, None, measure=GAIN, case=case) for text, case in zip(texts, cases, strict=True)]
        return together([*parts, finding], finding.answer, finding.is_judged)

    return Rule(condition.asks, judge)


def calm_at_high_rate(evidence: Evidence) -> list[float]:
    """Return the discount factors for which training with learning rate 0.9 is stable.

    The standard deviation of the scores in the last quarter of training is compared with the sampling error of a score.
    Training is stable if the standard deviation is significantly below twice (`RESTLESS`) the sampling error.
    """
    calm = (each for each in WITH_ALPHA[0.9] if rules.is_below(scatter(each).interval(evidence), RESTLESS))
    return [each.values["gamma"] for each in calm]


def sooner(games: Callable[[Setting], Figure]) -> Rule:
    """Return the condition that an event comes after fewer training games with epsilon 0.5 than with 0.1, 0.9 and 1.

    The event is, for example, the first score of 90 %. The function `games` takes a parameter setting and returns the
    number of training games until the event.
    """
    ours = games(BEST)
    others = [games(each) for each in EXPLORING if each != BEST]
    words = f"{ours.words}, as a multiple of the number with {BEST.words},"
    return all_of(above(replace(ratio(each, ours), words=words, subject=each.subject), 1.0) for each in others)


def clearly_better(other: Setting, evidence: Evidence) -> list[str]:
    """Return the criteria by which `other` is significantly better than the setting that the thesis finds best.

    The criteria are `speed`, `score` and `stability`.
    """
    gains = {
        "speed": (ratio(figures.games_to_stay_high(BEST), figures.games_to_stay_high(other)), 1.0),
        "score": (difference(level(other), level(BEST)), 0.0),
        "stability": (difference(plain_spread(BEST), plain_spread(other)), 0.0),
    }
    return [name for name, (gain, bound) in gains.items() if rules.is_above(gain.interval(evidence), bound)]


def better_by(number: int, evidence: Evidence) -> str:
    """List, as text, the parameter settings that are significantly better than the one that the thesis finds best.

    If `number` is 1, the text lists the settings that are better by exactly one criterion. If `number` is 2, the text
    lists the settings that are better by two or three criteria. The criteria of each setting follow its name.
    """
    found = {name: clearly_better(of, evidence) for name, of in plan.SETTINGS.items() if of != BEST}
    return "; ".join(f"{name} ({', '.join(each)})" for name, each in found.items() if min(len(each), 2) == number)


def measured(values: Mapping[str, str], case: str = "") -> list[Finding]:
    """Return a `Finding` without a verdict for each measured value.

    `values` contains the measured values as text, with the names of the measures as keys. `case` is the game or the
    player to which the values belong.
    """
    return [Finding(value, None, measure=measure, case=case) for measure, value in values.items()]


def is_best(evidence: Evidence) -> Finding:
    """Judge whether no setting is significantly better than the setting that the thesis finds best.

    A setting counts as better only if it is significantly better by at least two of the three criteria speed, score and
    stability.
    """
    found = {"by two or three criteria": better_by(2, evidence), "by one criterion only": better_by(1, evidence)}
    measure = "combinations significantly better than that of the thesis"
    parts = [part for case, names in found.items() for part in measured({measure: names or "none"}, case)]
    return together(parts, not found["by two or three criteria"], evidence.seeds >= FEWEST)


def suits_other_games(evidence: Evidence) -> Finding:
    """Judge whether the parameters of the thesis are near-optimal in a subtraction game and in tic-tac-toe.

    A game in which all combinations of parameters are nearly equally good does not decide the claim.
    """
    parts, answers = [], []
    for name, title in plan.ELSEWHERE.items():
        ranked = figures.ranked(name, evidence)
        ours = ranked.index(Setting(name, plan.CHOSEN))
        scores = [level(each).values(evidence) for each in ranked]
        alike = [in_most("", list).judge(np.subtract(scores[0], each) < ALIKE).answer for each in scores]
        answers.append(None if all(alike) else alike[ours])
        found = {
            "score with the parameters of the thesis": f"{np.mean(scores[ours]):.1%}",
            f"best score of {len(ranked)} combinations": f"{np.mean(scores[0]):.1%} ({figures.options(ranked[0])})",
            "combinations that are nearly the best": f"{alike.count(True)} of {len(ranked)}",
        }
        parts += measured(found, title)
    return together(parts, rules.every(answers))


def in_every_game(evidence: Evidence) -> Finding:
    """Judge whether training reduces the share of moves that worsen the result, in every game of the report.

    The share after training is compared with the share in random play. A move worsens the result if it turns a won
    position into a drawn or lost one, or a drawn position into a lost one.
    """
    found = learned_games(evidence)
    game, minimum = min(found.items(), key=lambda each: each[1].saved.mean)
    decrease = "how much training decreases the share of mistakes, in the game with the smallest decrease"
    points = Unit(".1f", " points", 100.0)
    parts = measured({decrease: interval_text(minimum.saved, points, level="95 % interval: ")}, title_of(game))
    answer = rules.every(rules.is_above(each.saved, 0.0) for each in found.values())
    return together(parts, answer, evidence.is_judged)


def less_in_larger(evidence: Evidence) -> Finding:
    """Judge whether training reduces the mistakes of random play less in games with more positions.

    A mistake is a move that worsens the result of the game. The reduction is the share of the mistakes of random play
    that training removes. It is compared with the number of positions by Spearman's rank correlation.
    """
    from scipy.stats import spearmanr

    found = learned_games(evidence).values()
    # a training run ends at a reduction of GONE, so larger reductions are ties
    series = [each.positions for each in found], [min(each.gone, GONE) for each in found]
    less, more = (spearmanr(*series, alternative=side) for side in ("less", "greater"))
    answer = True if less.pvalue < RARE else False if more.pvalue < RARE else None
    measure = "Spearman's rank correlation of the number of positions with the share of mistakes that training removes"
    value = f"{less.statistic:.2f} over {len(found)} games (p = {less.pvalue:.2g})"
    return Finding(value, answer, evidence.is_judged, measure=measure)


FAR_GAIN = replace(
    difference(figures.kept_less_far(LOWER[0]), figures.kept_less_far(ONLY)),
    words="the gain far from the win minus the gain near the win, in the share of moves that keep the win,",
    subject=f"from gamma 0.1 to gamma {GAMMA}, with alpha 0.1",
)
RISE_AT_MIDDLE_RATE = replace(
    difference(rise(0.5, 0.1), rise(0.9, 0.1)),
    words=f"the gain with alpha 0.5 minus the gain with alpha 0.9, in {GAIN.removeprefix('the gain in ')},",
    subject=f"from gamma 0.1 to gamma {GAMMA}",
)
CALMER = [
    replace(
        difference(plain_spread(each), plain_spread(ONLY)), subject=f"gamma {each.values['gamma']} minus gamma {GAMMA}"
    )
    for each in LOWER
]
RULES = {
    "only-one-stays": all_of((stays_high(ONLY), *(rules.denied(stays_high(each)) for each in NINE if each != ONLY))),
    "high-gamma-is-needed": all_of(above(each, 0.0) for each in (rise(ALPHA, 0.1), rise(ALPHA, 0.5), FAR_GAIN)),
    "gamma-at-middle-rate": second_step_is_larger(0.5),
    "gamma-matters-less": above(RISE_AT_MIDDLE_RATE, 0.0),
    "one-game-turns-nothing": in_most(
        f"every change by a single game is below {REVERSED:g}",
        lambda evidence: [value < REVERSED for value in figures.of_repeated("by_one_game", ONLY).values(evidence)],
        f"{ONLY.words}, {figures.FURTHER:,} further training games, values with at least {figures.TRIES} visits",
    ),
    "average-at-high-rate": as_printed(figures.mean_of_all_scores(0.9), 0.7, give=0.05),
    "unstable-at-middle-rate": above(scatter(plan.rates(0.5, GAMMA)), RESTLESS),
    "middle-rate-by-spread": above(plain_spread(plan.rates(0.5, GAMMA)), SPREAD),
    "unstable-at-high-rate": all_of(above(scatter(each), RESTLESS) for each in WITH_ALPHA[0.9]),
    "high-rate-by-spread": all_of(above(plain_spread(each), SPREAD) for each in WITH_ALPHA[0.9]),
    "stable-at-low-rate": all_of(below(scatter(each), RESTLESS) for each in WITH_ALPHA[0.1]),
    "low-rate-by-spread": all_of(below(plain_spread(each), SPREAD) for each in WITH_ALPHA[0.1]),
    "settles-only-with-high-gamma": all_of(
        (below(scatter(ONLY), RESTLESS), *(above(scatter(each), RESTLESS) for each in LOWER))
    ),
    "calmer-by-spread": all_of(above(each, 0.0) for each in CALMER),
    "alike-at-first": below(figures.FIRST_DIFFERENCE, ALIKE_AT_FIRST),
    "meets-all": above(figures.MET_BY_RANDOM_PLAY, ALL),
    "enough-games": in_most(
        f"the hounds visit at least {ALL:.1%} of the reachable positions",
        lambda evidence: [met >= ALL for met in figures.positions_met(ONLY).values(evidence)],
    ),
    "all-reach": all_of(
        most_curves(f"the score reaches {HIGH:.0%}", each, lambda cell: cell.scores.max(axis=1) >= HIGH)
        for each in EXPLORING
    ),
    "fastest": sooner(figures.games_to),
    "soonest-stable": sooner(figures.games_to_settle),
    "repeating-matters": all_of(
        (
            *(above(difference(level(BEST), level(each)), 0.0) for each in (GREEDY, EXPLORING[-1])),
            rules.within(difference(level(EXPLORING[-1]), level(GREEDY)), -ALIKE, ALIKE),
        )
    ),
    "soonest-stable-above": sooner(figures.games_to_stay_high),
    "simple-is-beaten": most_curves(
        "the hounds win every game of the last evaluation",
        plan.AGAINST_SIMPLE,
        lambda cell: [each is not None for each in always_from(cell, 1.0)],
    ),
    "simple-takes-so-long": as_printed(figures.GAMES_TO_WIN_ALL, 5000.0, give=2500.0),
    "learned-at-once": in_most(
        f"the first score of 100% comes fewer than {AT_ONCE:g} games after the first score of at least {FEW:.0%}",
        lambda evidence: [value < AT_ONCE for value in figures.GAMES_OF_RISE.values(evidence)],
    ),
    "winning-move": in_most(
        f"the mean learned value of the winning move {LATE} is above 0.99",
        lambda evidence: [value > 0.99 for value in figures.followed(0).values(evidence)],
    ),
    "good-move": above(figures.followed(1), 0.0),
    "bad-move": below(figures.followed(2), 0.0),
    "values-settle": in_most(
        "each of the three values, averaged over a quarter of training, changes by less than "
        f"{MOVED} from the third to the fourth quarter",
        lambda evidence: [value < MOVED for value in figures.LAST_MOVES.values(evidence)],
    ),
    "table-settles": all_of(most_below(figures.of_repeated(field), MOVED) for field in ("largest_change", "error")),
    "best-parameters": Rule(
        "no other combination is significantly better by two or three criteria. The criteria are speed (training games "
        f"until the score stays above 90 %), score (mean {LATE}), and stability (standard deviation of the scores "
        f"{LATE})",
        is_best,
    ),
    "suits-other-games": Rule(
        "in both games, the parameters of the thesis are nearly the best, and at least one other combination is not. A "
        f"combination is nearly the best if its score is less than {100 * ALIKE:g} points below the best score in "
        f"significantly more than half of the training runs (sign test, p < {RARE:g})",
        suits_other_games,
    ),
    "works-everywhere": Rule(
        "training significantly decreases the share of mistakes in each game of the table below (one training run of "
        "each game). A mistake is a move that worsens the result",
        in_every_game,
    ),
    "limit-is-size": Rule(
        f"the rank correlation is significantly negative (one-sided test, p < {RARE:g}). A mistake is a move that "
        "worsens the result",
        less_in_larger,
    ),
    "is-optimal": above(replace(figures.quality(), subject="alpha 0.1, gamma 0.9 and epsilon 0.5"), ALL),
}
"""the rule of each claim in claims.toml"""
ANSWERS = {"learns": above(figures.gain_of_learning(BEST), 0.0)}
"""Further conditions on whose verdicts sentences of the page depend. They are not counted as claims."""
CLAIMS = read_claims("petteia.reports.hare_and_hounds", "claims.toml", RULES)

MEASURED_TWICE = {
    "unstable-at-middle-rate": "middle-rate-by-spread",
    "unstable-at-high-rate": "high-rate-by-spread",
    "stable-at-low-rate": "low-rate-by-spread",
    "soonest-stable": "soonest-stable-above",
}
"""the claims about stability, and the same claims judged by the second measure"""


def verdict_changes(evidence: Evidence) -> list[str]:
    """Return the claims about stability for which two measures of stability give different verdicts."""
    texts = {each.name: each.text.rstrip(".") for each in CLAIMS}
    verdicts = {each: RULES[each].judge(evidence).verdict for pair in MEASURED_TWICE.items() for each in pair}
    return [texts[one] for one, other in MEASURED_TWICE.items() if verdicts[one] != verdicts[other]]
