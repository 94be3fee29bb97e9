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
    judged,
    judgement,
    level,
    plain_spread,
    positions_met,
    truth,
)
from petteia.reports.hare_and_hounds.other_games import every_game
from petteia.reports.hare_and_hounds.plan import GAMMA, OPPONENTS, SETTINGS
from petteia.reports.hare_and_hounds.relearned import FURTHER, TRIES, by_one_game, settled, tried

MAX_SHOWN = 5
"""combinations of another game"""
OF_SIDE = ("reachable", "met", *OPPONENTS)
"""what is measured of learners side by side"""
OF_SIDE_WORDS = ("perfect, reachable", "those it meets", "wins: random hare", "simple", "perfect")


def fastest(evidence: Evidence) -> dict[str, Figure]:
    """The games to the first high score, of each combination of which every training gets there."""
    reached = {name: first_reach(evidence.cell(setting), HIGH) for name, setting in SETTINGS.items()}
    return {
        name: known(f"the games until {name} first reaches {HIGH:.0%}", COUNT, [each or 0.0 for each in games])
        for name, games in reached.items()
        if None not in games
    }


def best_of(evidence: Evidence) -> dict[str, str]:
    """The combinations that are fastest, calmest, and best in exact terms."""
    fast = fastest(evidence)
    return {
        "fast": min(fast, key=lambda name: fast[name].mean(evidence), default=""),
        "calm": min(SETTINGS, key=lambda name: plain_spread(SETTINGS[name]).mean(evidence)),
        "good": max(SETTINGS, key=lambda name: judged("reachable", SETTINGS[name]).mean(evidence)),
    }


@table("parameters", "games to the first 90 %", "last quarter", "spread", "perfect, reachable")
def combinations(evidence: Evidence) -> Iterator[Row]:
    """All combinations of the thesis: how fast, how steady, how good."""
    fast, best = fastest(evidence), best_of(evidence).values()
    for name, setting in SETTINGS.items():
        reached = sum(games is not None for games in first_reach(evidence.cell(setting), HIGH))
        first = fast.get(name, f"{reached} of {evidence.seeds} seeds")
        figures = level(setting), plain_spread(setting), judged("reachable", setting)
        yield [strong(name) if name in best else name, first, *figures]


@table(
    *("learned", "perfect moves: all positions", "reachable", "those it meets", "wins kept", "regret"),
    *("error of values", "games won: random hare", "simple", "perfect"),
)
def against_the_truth(evidence: Evidence) -> Iterator[Row]:
    """What was learned in the thesis's experiments, what knows nothing, and what knows all, beside the truth."""
    for name, setting in {**SETTINGS, "against the simple hare": plan.AGAINST_SIMPLE}.items():
        yield [name, *(judged(measure, setting) for measure in MEASURES)]
    shares, solved = truth().probabilities_of(0, "random"), truth()
    random = solved.measure(0, shares), solved.scores(0, shares)
    limit = solved.limit_of_learning("random", GAMMA), solved.limit_scores("random", GAMMA)
    yield ["nothing: random hounds", *_exactly(Judgement(*random, 0.0, 0.0), "")]
    yield ["all there is: the exact values", *_exactly(Judgement(*limit, 0.0, 0.0), "0")]


def _exactly(each: Judgement, error: str) -> list[str]:
    """All measures of what has no trainings, with words for the error of its values."""
    return [error if name == "error" else unit.text(of(each)) for name, (unit, of) in MEASURES.items()]


@table("learner", "last quarter", *OF_SIDE_WORDS)
def other_learners(evidence: Evidence) -> Iterator[Row]:
    """The learners side by side."""
    for each in evidence.experiments[plan.LEARNERS].cells:
        setting = Setting(plan.LEARNERS, each.combination.values)
        yield [_name(each), level(setting), *(judged(measure, setting) for measure in OF_SIDE)]


@table("learned", *OF_SIDE_WORDS)
def both_sides(evidence: Evidence) -> Iterator[Row]:
    """Hounds and hare that learned from each other."""
    for side, setting in enumerate((plan.HOUNDS, plan.HARE)):
        yield [setting.words, *(judged(measure, setting, side=side) for measure in OF_SIDE)]


def other_game(experiment: str) -> Table:
    """The best five combinations of another game, and the thesis's."""
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
    *("seed", "won positions given away: those it meets", "reachable", "all", "perfect, reachable"),
    *("wins: random hare", "simple", "perfect"),
)
def recipe(evidence: Evidence) -> Iterator[Row]:
    """The tables learned from a better teacher, one by one."""
    for training in evidence.trainings(plan.PERFECT):
        each = judgement(evidence, training)
        sets: Sequence[str] = [
            f"{each.sets[of].results_lost:,.0f} of {each.sets[of].won:,}" for of in (MET, REACHABLE, ALL)
        ]
        wins = (f"{each.scores[name]:.2%}" for name in OPPONENTS)
        yield [str(training.run.seed), *sets, f"{each.sets[REACHABLE].perfect_share:.1%}", *wins]


def _name(each: CellResult) -> str:
    return ", ".join(f"{name} {value}" for name, value in each.combination.values.items())


@table("alpha", f"most that one of {FURTHER:,} further games changes a value tried {TRIES} times")
def by_alpha(evidence: Evidence) -> Iterator[Row]:
    """How far one game moves a value that many have made."""
    for alpha in plan.TRIED:
        yield [f"{alpha:g}", by_one_game(plan.rates(alpha, GAMMA))]


@table("epsilon", "positions met", f"values tried {TRIES} times", "of all values settled")
def by_epsilon(evidence: Evidence) -> Iterator[Row]:
    """How much is met, tried and settled."""
    for setting in map(plan.random_moves, plan.EPSILONS):
        yield [f"{setting.values['epsilon']:g}", positions_met(setting), tried(setting), settled(setting)]


TABLES = (
    *(combinations, against_the_truth, other_learners, both_sides, *map(other_game, plan.ELSEWHERE), recipe),
    *(by_alpha, by_epsilon, every_game),
)
