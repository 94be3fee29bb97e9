"""The tables of the report on Hare and Hounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from petteia.analysis.truth import ALL, MET, REACHABLE, Judgement
from petteia.experiments.results import CellResult
from petteia.render.html import strong
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, combination, difference
from petteia.reports.engine.rules import is_above
from petteia.reports.engine.settings import Setting
from petteia.reports.engine.tables import Row, Table, table
from petteia.reports.hare_and_hounds import plan
from petteia.reports.hare_and_hounds.figures import (
    MEASURES,
    first_score,
    games_to_stay_high,
    judged,
    judgement,
    level,
    plain_spread,
    positions_met,
    scatter,
    spread_of_chance,
    truth,
)
from petteia.reports.hare_and_hounds.other_games import every_game
from petteia.reports.hare_and_hounds.plan import GAMMA, NINE, OPPONENTS, SETTINGS
from petteia.reports.hare_and_hounds.relearned import FURTHER, TRIES, by_one_game, settled, tried

MAX_SHOWN = 5
"""The number of combinations in the table of another game."""
OF_SIDE = ("reachable", "met", *OPPONENTS)
"""the measures in the tables of learners"""
OF_SIDE_WORDS = (
    "perfect moves in reachable positions",
    "perfect moves in met positions",
    *(f"games won against the {opponent} opponent" for opponent in OPPONENTS),
)


class Best(NamedTuple):
    """The best combination of parameters by one criterion."""

    words: str
    """the quality in which it is best"""
    name: str
    """the combination"""
    figure: Figure
    """its figure"""
    rivals: list[str]
    """the other combinations that are not certainly worse"""


def best_of(evidence: Evidence) -> dict[str, Best]:
    """Return the best combinations: the fastest, if one is fast, the most stable, and the nearest to perfect play."""

    def best(words: str, figures: Mapping[str, Figure], sign: float = 1.0) -> Best:
        name = min(figures, key=lambda each: sign * figures[each].mean(evidence))
        worse = {each: combination(((sign, figures[each]), (-sign, figures[name])), "") for each in figures}
        rivals = [each for each in figures if each != name and not is_above(worse[each].interval(evidence), 0.0)]
        return Best(words, name, figures[name], rivals)

    fast = {
        name: games_to_stay_high(each) for name, each in SETTINGS.items() if staying(evidence, each) == evidence.seeds
    }
    quality = "the share of perfect moves in reachable positions"
    good = {name: judged("reachable", each, quality) for name, each in SETTINGS.items()}
    return {
        **({"fast": best("fastest", fast)} if fast else {}),
        "stable": best("most stable", {name: plain_spread(each) for name, each in SETTINGS.items()}),
        "calm": best("most stable relative to chance", {name: scatter(each) for name, each in SETTINGS.items()}),
        "good": best("nearest to perfect play", good, -1.0),
    }


def staying(evidence: Evidence, setting: Setting) -> int:
    """Return the number of training runs whose score rises above HIGH and stays there until the end."""
    end = evidence.cell(setting).games[-1]
    return sum(games < end for games in games_to_stay_high(setting).values(evidence))


@table(
    "parameters",
    "games until the score stays above 90 %",
    "score in the last quarter",
    "standard deviation",
    "standard deviation relative to chance",
    "perfect moves in reachable positions",
)
def combinations(evidence: Evidence) -> Iterator[Row]:
    """The speed, stability and quality of all combinations of the thesis."""
    best = {each.name for each in best_of(evidence).values()}
    for name, setting in SETTINGS.items():
        stay = staying(evidence, setting)
        games = games_to_stay_high(setting) if stay == evidence.seeds else f"{stay} of {evidence.seeds} seeds"
        figures = level(setting), plain_spread(setting), scatter(setting), judged("reachable", setting)
        yield [strong(name) if name in best else name, games, *figures]


@table(
    "table",
    *(f"perfect moves in {positions} positions" for positions in ("all", "reachable", "met")),
    *("wins kept", "regret of a move", "error of the values"),
    *(f"games won against the {hare} hare" for hare in OPPONENTS),
)
def against_the_truth(evidence: Evidence) -> Iterator[Row]:
    """Yield rows that compare the learned tables, random hounds and exact values with the solution."""
    for name, setting in {**SETTINGS, "training against the simple hare": plan.AGAINST_SIMPLE}.items():
        yield [name, *(judged(measure, setting) for measure in MEASURES)]
    shares, solved = truth().probabilities_of(0, "random"), truth()
    random = solved.measure(0, shares), solved.scores(0, shares)
    limit = solved.limit_of_learning("random", GAMMA), solved.limit_scores("random", GAMMA)
    yield ["no table: random hounds", *_exactly(Judgement(*random, 0.0, 0.0), "")]
    yield ["the exact values", *_exactly(Judgement(*limit, 0.0, 0.0), "0")]


def _exactly(each: Judgement, error: str) -> list[str]:
    """Return all measures of play without training as text.

    `error` replaces the error of the values.
    """
    return [error if name == "error" else unit.text(of(each)) for name, (unit, of) in MEASURES.items()]


@table("learner", "score in the last quarter", *OF_SIDE_WORDS)
def other_learners(evidence: Evidence) -> Iterator[Row]:
    """Yield a row for each learning algorithm, such as `q` or `sarsa`: its score, and the quality of its play."""
    for each in evidence.experiments[plan.LEARNERS].cells:
        setting = Setting(plan.LEARNERS, each.combination.values)
        yield [
            str(each.combination.values["learner"]),
            level(setting),
            *(judged(measure, setting) for measure in OF_SIDE),
        ]


@table("side", *OF_SIDE_WORDS)
def both_sides(evidence: Evidence) -> Iterator[Row]:
    """The results of hounds and hare that learned from each other."""
    for side, setting in enumerate((plan.HOUNDS, plan.HARE)):
        yield [setting.words, *(judged(measure, setting, side=side) for measure in OF_SIDE)]


def other_game(experiment: str) -> Table:
    """Return the table of another game: its best combinations of parameters, and the combination of the thesis."""
    ours = {"alpha": plan.ALPHA, "gamma": GAMMA, "epsilon": plan.EPSILON}

    def rows(evidence: Evidence) -> Iterator[Row]:
        cells = evidence.experiments[experiment].cells
        scores = [level(Setting(experiment, each.combination.values)) for each in cells]
        ranked = sorted(range(len(cells)), key=lambda number: -scores[number].mean(evidence))
        for place, number in enumerate(ranked, 1):
            is_ours = cells[number].combination.values == ours
            if is_ours or place <= MAX_SHOWN:
                name = _name(cells[number])
                yield [f"{place} of {len(cells)}", strong(name) if is_ours else name, scores[number]]

    return Table(experiment, ("place", "parameters", "score in the last quarter"), rows)


@table(
    "seed",
    *(f"wins lost in {positions} positions" for positions in ("met", "reachable", "all")),
    "perfect moves in reachable positions",
    *(f"games won against the {hare} hare" for hare in OPPONENTS),
)
def recipe(evidence: Evidence) -> Iterator[Row]:
    """Yield a row for each training run against a nearly perfect hare: lost results, perfect moves, and wins."""
    for training in evidence.trainings(plan.PERFECT):
        each = judgement(evidence, training)
        sets: Sequence[str] = [
            f"{each.sets[of].results_lost:,.0f} of {each.sets[of].won:,}" for of in (MET, REACHABLE, ALL)
        ]
        wins = (f"{each.scores[name]:.2%}" for name in OPPONENTS)
        yield [str(training.run.seed), *sets, f"{each.sets[REACHABLE].perfect_share:.1%}", *wins]


def _name(each: CellResult) -> str:
    return ", ".join(f"{name} {value}" for name, value in each.combination.values.items())


@table("alpha", f"largest change that one of {FURTHER:,} further games makes to a value with {TRIES} visits or more")
def by_alpha(evidence: Evidence) -> Iterator[Row]:
    """Yield, for each learning rate, the largest change that a single game makes to an action value."""
    for alpha in plan.TRIED:
        yield [f"{alpha:g}", by_one_game(plan.rates(alpha, GAMMA))]


WITH_EPSILON = [*map(plan.random_moves, plan.EPSILONS)]


@table(
    "epsilon", "score in the last quarter", "positions visited", f"values with {TRIES} visits or more", "settled values"
)
def by_epsilon(evidence: Evidence) -> Iterator[Row]:
    """Yield, for each epsilon, the score and the shares of visited positions, tried values and settled values."""
    for setting in WITH_EPSILON:
        yield [f"{setting.values['epsilon']:g}", *(of(setting) for of in (level, positions_met, tried, settled))]


def more_is_not_better(evidence: Evidence) -> bool:
    """Return whether the three shares of `by_epsilon` rise with epsilon, but the score falls from epsilon 0.5 to 1."""
    means = [[of(setting).mean(evidence) for setting in WITH_EPSILON] for of in (positions_met, tried, settled)]
    lost = difference(level(plan.BEST), level(plan.random_moves(1.0)))
    return all(each == sorted(each) for each in means) and is_above(lost.interval(evidence), 0.0) is True


@table(
    "combination",
    "score in the last quarter",
    "standard deviation",
    "standard deviation expected from chance",
    "standard deviation relative to chance",
)
def stability(evidence: Evidence) -> Iterator[Row]:
    """Yield the standard deviation of the score of each of the nine combinations, absolute and relative to chance."""
    for setting in NINE:
        yield [setting.words, *(of(setting) for of in (level, plain_spread, spread_of_chance, scatter))]


@table("alpha", *(f"score with gamma {gamma:g}" for gamma in plan.TRIED))
def first_games(evidence: Evidence) -> Iterator[Row]:
    """The mean scores of the nine combinations in the first twelfth of the games."""
    for alpha in plan.TRIED:
        yield [f"{alpha:g}", *(first_score(plan.rates(alpha, gamma)) for gamma in plan.TRIED)]


def rising_at_first(evidence: Evidence) -> list[float]:
    """Return each alpha with which every larger gamma gives a significantly higher score in the first games."""

    def rises(alpha: float) -> bool:
        steps = pairwise(first_score(plan.rates(alpha, gamma)) for gamma in plan.TRIED)
        return all(is_above(difference(high, low).interval(evidence), 0.0) for low, high in steps)

    return [alpha for alpha in plan.TRIED if rises(alpha)]


def extremes_at_first(evidence: Evidence) -> list[tuple[str, Figure, Figure]]:
    """Return the combinations with the best and the worst first scores, with their first and last scores."""
    ranked = sorted(NINE, key=lambda setting: -first_score(setting).mean(evidence))
    return [(each.words, first_score(each), level(each)) for each in (ranked[0], ranked[-1])]


TABLES = (
    *(combinations, against_the_truth, other_learners, both_sides, *map(other_game, plan.ELSEWHERE), recipe),
    *(by_alpha, by_epsilon, every_game, stability, first_games),
)
