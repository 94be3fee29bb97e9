"""The tables of the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from petteia.analysis.curves import first_reach
from petteia.analysis.truth import ALL, MET, REACHABLE, Judgement
from petteia.experiments.results import CellResult
from petteia.render.html import strong
from petteia.reports.engine.estimates import COUNT
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, known
from petteia.reports.engine.settings import Setting
from petteia.reports.engine.tables import Row, Table, table
from petteia.reports.hare_and_hounds import plan
from petteia.reports.hare_and_hounds.figures import (
    HIGH,
    MEASURES,
    first_score,
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
"""the measures of learners side by side"""
OF_SIDE_WORDS = ("perfect, reachable", "met", "wins: random hare", "simple", "perfect")


def fastest(evidence: Evidence) -> dict[str, Figure]:
    """Return the number of games to the score HIGH, for each combination whose trainings all reach it."""
    reached = {name: first_reach(evidence.cell(setting), HIGH) for name, setting in SETTINGS.items()}
    return {
        name: known(
            f"the number of games until {name} first reaches {HIGH:.0%}", COUNT, [each or 0.0 for each in games]
        )
        for name, games in reached.items()
        if None not in games
    }


def best_of(evidence: Evidence) -> dict[str, str]:
    """Return the combinations that are fastest, most stable, and nearest to perfect play, by their means."""
    fast = fastest(evidence)
    return {
        "fast": min(fast, key=lambda name: fast[name].mean(evidence), default=""),
        "stable": min(SETTINGS, key=lambda name: plain_spread(SETTINGS[name]).mean(evidence)),
        "good": max(SETTINGS, key=lambda name: judged("reachable", SETTINGS[name]).mean(evidence)),
    }


@table("parameters", "games to the first 90 %", "last quarter", "standard deviation", "perfect, reachable")
def combinations(evidence: Evidence) -> Iterator[Row]:
    """The speed, stability and quality of all combinations of the thesis."""
    fast, best = fastest(evidence), best_of(evidence).values()
    for name, setting in SETTINGS.items():
        reached = sum(games is not None for games in first_reach(evidence.cell(setting), HIGH))
        first = fast.get(name, f"{reached} of {evidence.seeds} seeds")
        figures = level(setting), plain_spread(setting), judged("reachable", setting)
        yield [strong(name) if name in best else name, first, *figures]


@table(
    *("table", "perfect moves: all positions", "reachable", "met", "wins kept", "regret"),
    *("error of values", "games won: random hare", "simple", "perfect"),
)
def against_the_truth(evidence: Evidence) -> Iterator[Row]:
    """The tables of the thesis's experiments, random hounds, and the exact values, compared with the solution."""
    for name, setting in {**SETTINGS, "against the simple hare": plan.AGAINST_SIMPLE}.items():
        yield [name, *(judged(measure, setting) for measure in MEASURES)]
    shares, solved = truth().probabilities_of(0, "random"), truth()
    random = solved.measure(0, shares), solved.scores(0, shares)
    limit = solved.limit_of_learning("random", GAMMA), solved.limit_scores("random", GAMMA)
    yield ["no table: random hounds", *_exactly(Judgement(*random, 0.0, 0.0), "")]
    yield ["the exact values", *_exactly(Judgement(*limit, 0.0, 0.0), "0")]


def _exactly(each: Judgement, error: str) -> list[str]:
    """Return all measures of a judgement without trainings, with a text for the error of its values."""
    return [error if name == "error" else unit.text(of(each)) for name, (unit, of) in MEASURES.items()]


@table("learner", "last quarter", *OF_SIDE_WORDS)
def other_learners(evidence: Evidence) -> Iterator[Row]:
    """The results of the learners side by side."""
    for each in evidence.experiments[plan.LEARNERS].cells:
        setting = Setting(plan.LEARNERS, each.combination.values)
        yield [_name(each), level(setting), *(judged(measure, setting) for measure in OF_SIDE)]


@table("side", *OF_SIDE_WORDS)
def both_sides(evidence: Evidence) -> Iterator[Row]:
    """The results of hounds and hare that learned from each other."""
    for side, setting in enumerate((plan.HOUNDS, plan.HARE)):
        yield [setting.words, *(judged(measure, setting, side=side) for measure in OF_SIDE)]


def other_game(experiment: str) -> Table:
    """Return the table of another game: its five best combinations, and that of the thesis."""
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

    return Table(experiment, ("place", "parameters", "last quarter"), rows)


@table(
    *("seed", "won positions lost: met", "reachable", "all", "perfect, reachable"),
    *("wins: random hare", "simple", "perfect"),
)
def recipe(evidence: Evidence) -> Iterator[Row]:
    """The tables learned from the better teacher, one by one."""
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
    """The largest change that one game makes to a value with many visits."""
    for alpha in plan.TRIED:
        yield [f"{alpha:g}", by_one_game(plan.rates(alpha, GAMMA))]


WITH_EPSILON = [*map(plan.random_moves, plan.EPSILONS)]


@table("epsilon", "last quarter", "positions visited", f"values with {TRIES} visits or more", "settled values")
def by_epsilon(evidence: Evidence) -> Iterator[Row]:
    """The score, the share of positions visited, and the shares of values with enough visits and of settled values."""
    for setting in WITH_EPSILON:
        yield [f"{setting.values['epsilon']:g}", *(of(setting) for of in (level, positions_met, tried, settled))]


def rises_with_epsilon(evidence: Evidence) -> bool:
    """Return whether the shares of positions met, and of values visited and settled, all rise with epsilon."""
    means = [[of(setting).mean(evidence) for setting in WITH_EPSILON] for of in (positions_met, tried, settled)]
    return all(each == sorted(each) for each in means)


def best_epsilon(evidence: Evidence) -> str:
    """Return the epsilon with the highest mean score in the last quarter, in words."""
    return max(WITH_EPSILON, key=lambda setting: level(setting).mean(evidence)).words


@table("combination", "last quarter", "standard deviation", "expected from chance", "relative to chance")
def stability(evidence: Evidence) -> Iterator[Row]:
    """The standard deviation of the points of the nine combinations, as it is and relative to chance."""
    for setting in NINE:
        yield [setting.words, *(of(setting) for of in (level, plain_spread, spread_of_chance, scatter))]


@table("alpha", *(f"gamma {gamma:g}" for gamma in plan.TRIED))
def first_games(evidence: Evidence) -> Iterator[Row]:
    """The mean scores of the nine combinations in the first twelfth of the games."""
    for alpha in plan.TRIED:
        yield [f"{alpha:g}", *(first_score(plan.rates(alpha, gamma)) for gamma in plan.TRIED)]


def rises_with_gamma_at_first(evidence: Evidence) -> bool:
    """Return whether for every alpha the mean score in the first games rises with gamma."""
    means = [[first_score(plan.rates(alpha, gamma)).mean(evidence) for gamma in plan.TRIED] for alpha in plan.TRIED]
    return all(each == sorted(each) for each in means)


def extremes_at_first(evidence: Evidence) -> list[tuple[str, Figure, Figure]]:
    """Return the best and the worst of the nine combinations in the first games: words, first and last scores."""
    ranked = sorted(NINE, key=lambda setting: -first_score(setting).mean(evidence))
    return [(each.words, first_score(each), level(each)) for each in (ranked[0], ranked[-1])]


TABLES = (
    *(combinations, against_the_truth, other_learners, both_sides, *map(other_game, plan.ELSEWHERE), recipe),
    *(by_alpha, by_epsilon, every_game, stability, first_games),
)
