"""The tables of the page, and the rows of its files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from petteia.analysis.curves import first_reach
from petteia.analysis.truth import ALL, MET, REACHABLE, Judgement
from petteia.experiments.results import CellResult
from petteia.render.html import Html, strong
from petteia.reports.engine.estimates import COUNT, SHARE
from petteia.reports.engine.figures import Figure, known
from petteia.reports.engine.tables import Rows
from petteia.reports.hare_and_hounds import plan
from petteia.reports.hare_and_hounds.evidence import Evidence
from petteia.reports.hare_and_hounds.figures import HIGH, judged, level, plain_spread
from petteia.reports.hare_and_hounds.plan import AGAINST_SIMPLE, BOTH, GAMMA, LEARNERS, OPPONENTS, SETTINGS, Setting

MOST_SHOWN = 5
"""combinations of another game"""
Row = list[str | Figure | Html]


def fastest(evidence: Evidence) -> dict[str, Figure]:
    """The games to the first high score, of each combination of which every training gets there."""
    reached = {name: first_reach(evidence.cell(setting), HIGH) for name, setting in SETTINGS.items()}
    return {
        name: known(f"the games until {name} first reaches {HIGH:.0%}", COUNT, [each or 0.0 for each in games])
        for name, games in reached.items()
        if None not in games
    }


def perfect_moves(setting: Setting) -> Figure:
    """The share of perfect moves of a combination, where it can come."""
    return judged(
        f"the perfect moves of {setting.words}", SHARE, lambda each: each.sets[REACHABLE].perfect_share, setting
    )


def best_of(evidence: Evidence) -> dict[str, str]:
    """The combinations that are fastest, calmest, and best in exact terms."""
    fast = fastest(evidence)
    return {
        "fast": min(fast, key=lambda name: fast[name].mean(evidence), default=""),
        "calm": min(SETTINGS, key=lambda name: plain_spread(SETTINGS[name]).mean(evidence)),
        "good": max(SETTINGS, key=lambda name: perfect_moves(SETTINGS[name]).mean(evidence)),
    }


def combinations(evidence: Evidence) -> list[Row]:
    """All combinations of the thesis: how fast, how steady, how good."""
    fast, best, rows = fastest(evidence), best_of(evidence), list[Row]()
    for name, setting in SETTINGS.items():
        reached = sum(games is not None for games in first_reach(evidence.cell(setting), HIGH))
        first = fast.get(name, f"{reached} of {evidence.seeds} seeds")
        figures = first, level(setting), plain_spread(setting), perfect_moves(setting)
        rows.append([strong(name) if name in best.values() else name, *figures])
    return rows


def against_the_truth(evidence: Evidence) -> list[Row]:
    """What was learned in the thesis's experiments, what knows nothing, and what knows all, beside the truth."""
    truth = evidence.truth
    shares = truth.probabilities_of(0, "random")
    random = truth.measure(0, shares), truth.scores(0, shares)
    limit = truth.limit_of_learning("random", GAMMA), truth.limit_scores("random", GAMMA)
    learned = {**SETTINGS, "against the simple hare": AGAINST_SIMPLE}
    return [
        *(_truth_row(name, evidence.judgements(evidence.cell(setting))) for name, setting in learned.items()),
        _truth_row("nothing: random hounds", [Judgement(*random, 0.0, 0.0)], ""),
        _truth_row("all there is: the exact values", [Judgement(*limit, 0.0, 0.0)], "0"),
    ]


def other_learners(evidence: Evidence) -> list[Row]:
    """The learners side by side."""
    return [
        [_name(each), level(Setting("", LEARNERS, each.combination.values)), *_side_row(evidence.judgements(each))]
        for each in evidence.experiments[LEARNERS].cells
    ]


def both_sides(evidence: Evidence) -> list[Row]:
    """Hounds and hare that learned from each other."""
    tables = [evidence.table(training) for training in evidence.experiments[BOTH].cells[0].trainings]
    return [
        [who, *_side_row([evidence.truth.judge(each, side, "random", GAMMA) for each in tables])]
        for side, who in enumerate(("hounds", "hare"))
    ]


def meeting(evidence: Evidence) -> list[float]:
    """The share of games that hounds win against the hare that they have learned with."""
    tables = [evidence.table(training) for training in evidence.experiments[BOTH].cells[0].trainings]
    return [evidence.truth.meeting({0: each, 1: each}) for each in tables]


def other_game(evidence: Evidence, name: str) -> list[Row]:
    """The best five combinations of another game, and the thesis's."""
    cells = evidence.experiments[name].cells
    scores = {number: level(Setting("", name, each.combination.values)) for number, each in enumerate(cells)}
    ranked = sorted(scores, key=lambda number: -scores[number].mean(evidence))
    ours = {"alpha": plan.ALPHA, "gamma": GAMMA, "epsilon": plan.EPSILON}
    return [
        [str(place), strong(_name(cells[number])) if is_ours else _name(cells[number]), scores[number]]
        for place, number in enumerate(ranked, 1)
        if (is_ours := cells[number].combination.values == ours) or place <= MOST_SHOWN
    ]


def recipe(evidence: Evidence) -> list[Row]:
    """The tables learned from a better teacher, one by one."""
    trainings = evidence.cell(plan.PERFECT)
    return [
        [
            str(training.run.seed),
            *(f"{each.sets[rows].given_away:,.0f} of {each.sets[rows].won:,}" for rows in (MET, REACHABLE, ALL)),
            f"{each.sets[REACHABLE].perfect_share:.1%}",
            *(f"{each.scores[name]:.2%}" for name in OPPONENTS),
        ]
        for training, each in zip(trainings.trainings, evidence.judgements(trainings), strict=True)
    ]


def _name(each: CellResult) -> str:
    return ", ".join(f"{name} {value}" for name, value in each.combination.values.items())


def _mean(values: Iterable[float]) -> float:
    return float(np.mean([*values]))


def _truth_row(name: str, judgements: list[Judgement], error: str | None = None) -> Row:
    """Means over tables; `error` stands in the place of that of their values where it is not measured."""
    shares = [_mean(each.sets[rows].perfect_share for each in judgements) for rows in (ALL, REACHABLE, MET)]
    kept = _mean(each.sets[REACHABLE].kept for each in judgements)
    regret = _mean(each.sets[REACHABLE].mean_regret for each in judgements)
    return [
        *(name, *(f"{each:.1%}" for each in (*shares, kept)), f"{regret:.3f}"),
        f"{_mean(each.error for each in judgements):.3f}" if error is None else error,
        *(f"{_mean(each.scores[hare] for each in judgements):.1%}" for hare in OPPONENTS),
    ]


def _side_row(judgements: list[Judgement]) -> Row:
    shares = [_mean(each.sets[rows].perfect_share for each in judgements) for rows in (REACHABLE, MET)]
    scores = [_mean(each.scores[other] for each in judgements) for other in OPPONENTS]
    return [f"{each:.1%}" for each in (*shares, *scores)]


def table_rows(evidence: Evidence) -> Rows:
    """A row for each learned table: where it comes from, and how far it is from the truth."""
    return [
        _table_row(name, each.combination.label, training.run.seed, judgement)
        for name in (plan.RATES, plan.RANDOM_MOVES, plan.SIMPLE, LEARNERS, plan.RECIPE)
        for each in evidence.experiments[name].cells
        for training, judgement in zip(each.trainings, evidence.judgements(each), strict=True)
    ]


def _table_row(experiment: str, settings: str, seed: int, judgement: Judgement) -> dict[str, Any]:
    measured = {
        f"{rows}_{figure}": value for rows, each in judgement.sets.items() for figure, value in each._asdict().items()
    }
    scores = {f"wins_against_{other}": score for other, score in judgement.scores.items()}
    errors = {"error": judgement.error, "largest_error": judgement.largest_error}
    return {"experiment": experiment, "settings": settings, "seed": seed, **measured, **scores, **errors}
