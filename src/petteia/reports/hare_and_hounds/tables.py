"""The tables of the report on Hare and Hounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from petteia.analysis.truth import Judgement
from petteia.render.html import strong
from petteia.reports.engine.estimates import COUNT, POINTS, SHARE, certain
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, combination, known
from petteia.reports.engine.rules import is_above
from petteia.reports.engine.settings import Setting
from petteia.reports.engine.tables import Row, Table, table
from petteia.reports.hare_and_hounds import figures, plan
from petteia.reports.hare_and_hounds.figures import FURTHER, MEASURES, TRIES, judged, level, plain_spread, truth
from petteia.reports.hare_and_hounds.other_games import POSITIONS, by_size, title_of
from petteia.reports.hare_and_hounds.plan import GAMMA, OPPONENTS, SETTINGS, TRIED, WITH_ALPHA, rates

OF_COMBINATION: dict[str, Callable[[Setting], Figure]] = {
    "score in the last quarter": level,
    "standard deviation": plain_spread,
    "standard deviation relative to chance": figures.scatter,
    "perfect moves in reachable positions": figures.quality,
}
"""the measures in the table of combinations, by the headings of their columns"""
OF_SIDE = (
    *(f"perfect moves in {positions} positions" for positions in ("reachable", "met")),
    *(f"games won against the {opponent} opponent" for opponent in OPPONENTS),
)
"""the measures in the tables of learners"""


def best_of(evidence: Evidence) -> dict[str, dict[str, Any]]:
    """Return the best setting by each criterion, with the other settings that are not significantly worse.

    The criteria are speed, stability, stability relative to chance, and the share of perfect moves.
    """
    criteria: dict[str, tuple[str, Callable[[Setting], Figure | str], float]] = {
        "fast": ("the fastest combination", lambda setting: staying(evidence, setting), 1.0),
        "stable": ("the most stable combination", plain_spread, 1.0),
        "calm": ("the most stable combination relative to chance", figures.scatter, 1.0),
        "good": ("the combination nearest to perfect play", figures.quality, -1.0),
    }
    best = {}
    for criterion, (words, of, sign) in criteria.items():
        found = {name: figure for name, setting in SETTINGS.items() if isinstance(figure := of(setting), Figure)}
        if found:
            name = min(found, key=lambda each: sign * found[each].mean(evidence))
            worse = {each: combination(((sign, found[each]), (-sign, found[name])), "") for each in found}
            rivals = [each for each in found if each != name and not is_above(worse[each].interval(evidence), 0.0)]
            best[criterion] = {"words": words, "name": name, "figure": found[name], "rivals": rivals}
    return best


def in_time(evidence: Evidence, games: Figure, setting: Setting, part: float = 1.0) -> Figure | str:
    """Return `games`, a number of training games, if it is below the share `part` of all games in each training run.

    If some training runs need at least this share of all games, return as text how many need fewer games. An example
    of the text is `3 of 10 training runs`.
    """
    end, needed = part * evidence.cell(setting).games[-1], games.values(evidence)
    early = sum(each < end for each in needed)
    return games if early == len(needed) else f"{early} of {len(needed)} training runs"


def staying(evidence: Evidence, setting: Setting) -> Figure | str:
    """Return the number of training games until the score stays above HIGH.

    In each training run, the score must stay above HIGH for the whole last quarter. Otherwise return as text in how
    many training runs it does.
    """
    return in_time(evidence, figures.games_to_stay_high(setting), setting, 0.75)


@table("parameters", "games until the score stays above 90 %", *OF_COMBINATION)
def combinations(evidence: Evidence) -> Iterator[Row]:
    """Yield a table row for each setting of the thesis: speed and stability of training, and quality of play."""
    best = {each["name"] for each in best_of(evidence).values()}
    for name, setting in SETTINGS.items():
        measures = (of(setting) for of in OF_COMBINATION.values())
        yield [strong(name) if name in best else name, staying(evidence, setting), *measures]


@table("player", *MEASURES)
def against_the_truth(evidence: Evidence) -> Iterator[Row]:
    """Yield table rows that compare learned tables, random moves and exact action values with the solution."""
    others = {"training against the simple hare": plan.AGAINST_SIMPLE, "training against a good hare": plan.PERFECT}
    for name, setting in {**SETTINGS, **others}.items():
        yield [name, *(judged(measure, setting) for measure in MEASURES)]
    at_random = figures.random_play(), truth().scores(0, truth().probabilities_of(0, "random"))
    at_limit = truth().limit_of_learning("random", GAMMA), truth().limit_scores("random", GAMMA)
    for name, error, found in (("random hounds", "", at_random), ("exact values", "0", at_limit)):
        exact = {key: unit.text(of(Judgement(*found, 0.0, 0.0))) for key, (unit, of) in MEASURES.items()}
        yield [name, *(exact | {"error of the values": error}).values()]


@table("learner", "score in the last quarter", *OF_SIDE)
def other_learners(evidence: Evidence) -> Iterator[Row]:
    """Yield a row for each learning algorithm, such as `q` or `sarsa`: its score, and the quality of its play."""
    for name, setting in plan.OTHER_LEARNERS.items():
        yield [name, level(setting), *(judged(measure, setting) for measure in OF_SIDE)]


@table("side", *OF_SIDE)
def both_sides(evidence: Evidence) -> Iterator[Row]:
    """Yield a table row for each side: the results of hounds and hare that learned by playing against each other."""
    for side, setting in enumerate((plan.HOUNDS, plan.HARE)):
        yield [setting.words, *(judged(measure, setting, side) for measure in OF_SIDE)]


def other_game(experiment: str) -> Table:
    """Return the table of an experiment with another game: the five best settings, and the setting of the thesis."""

    def rows(evidence: Evidence) -> Iterator[Row]:
        ranked = figures.ranked(experiment, evidence)
        for place, each in enumerate(ranked, 1):
            is_ours = each.values == plan.CHOSEN
            if is_ours or place <= 5:
                name = figures.options(each)
                yield [f"{place} of {len(ranked)}", strong(name) if is_ours else name, level(each)]

    return Table(experiment, ("place", "parameters", "score in the last quarter"), rows)


@table("alpha", f"largest change that one of {FURTHER:,} further games makes to a value with {TRIES} visits or more")
def by_alpha(evidence: Evidence) -> Iterator[Row]:
    """Yield, for each learning rate, the largest change that a single game makes to an action value."""
    for alpha in TRIED:
        yield [f"{alpha:g}", figures.of_repeated("by_one_game", rates(alpha, GAMMA))]


@table("gamma", "wins kept near the win", "wins kept far from the win")
def by_distance(evidence: Evidence) -> Iterator[Row]:
    """Yield, for each discount factor, the shares of wins that the hounds keep near the win and far from it."""
    for setting in WITH_ALPHA[plan.ALPHA]:
        yield [f"{setting.values['gamma']:g}", *(figures.kept_at(distance, setting) for distance in (0, 1))]


@table("epsilon", "score in the last quarter", "games until the score first reaches 90 %", "positions visited")
def by_epsilon(evidence: Evidence) -> Iterator[Row]:
    """Yield, for each epsilon, the score, the games until the score is 90 %, and the share of visited positions."""
    for epsilon, setting in plan.WITH_EPSILON.items():
        reached = in_time(evidence, figures.games_to(setting), setting)
        yield [f"{epsilon:g}", level(setting), reached, figures.positions_met(setting)]


@table("alpha", *(f"score with gamma {gamma:g}" for gamma in TRIED))
def first_games(evidence: Evidence) -> Iterator[Row]:
    """Yield, for each learning rate, the mean scores in the first twelfth of training with three discount factors."""
    for alpha, settings in WITH_ALPHA.items():
        yield [f"{alpha:g}", *map(figures.first_score, settings)]


@table(
    *("game", "positions", "moves of random play that lose a result", "moves of the learner that lose a result"),
    *("difference", "reduction", "training games"),
)
def every_game(evidence: Evidence) -> Iterator[Row]:
    """Yield a table row for each game with the results of training, sorted by the number of positions of the games."""
    for game, each in by_size(evidence).items():
        # in a small game all positions are compared, so there is no interval over their choice
        saved = known("results saved", POINTS, each.saved if each.positions > POSITIONS else certain(each.saved.mean))
        random, learned, gone = map(SHARE.text, (each.random, each.learned, each.gone))
        yield [title_of(game), COUNT.text(each.positions), random, learned, saved, gone, COUNT.text(each.games)]


TABLES = (
    *(combinations, against_the_truth, other_learners, both_sides, *map(other_game, plan.ELSEWHERE)),
    *(by_alpha, by_distance, by_epsilon, every_game, first_games),
)
