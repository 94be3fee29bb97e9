"""The tables of the page, and the rows of its files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from petteia.experiments.results import CellResult
from petteia.reports.engine.estimates import COUNT, SHARE
from petteia.reports.engine.figures import Figure
from petteia.reports.engine.output import Rows
from petteia.reports.engine.parts import Html, strong, table, unfolding
from petteia.reports.hare_and_hounds.evidence import (
    AGAINST_SIMPLE,
    ALPHA,
    BOTH,
    ELSEWHERE,
    EPSILON,
    GAMMA,
    LEARNERS,
    PERFECT,
    RANDOM_MOVES,
    RATES,
    RECIPE,
    SETTINGS,
    SIMPLE,
    Evidence,
    Setting,
    first_reach,
)
from petteia.reports.hare_and_hounds.figures import judged, level, plain_spread
from petteia.reports.hare_and_hounds.truth import ALL, MET, OPPONENTS, REACHABLE, Judgement, Measured

HIGH = 0.9


def cell(figure: Figure, evidence: Evidence) -> Html:
    """The mean of a figure, which unfolds its interval and its range."""
    return unfolding(figure.unit.text(figure.mean(evidence)), [figure.text(evidence), figure.range_text(evidence)])


def fastest(evidence: Evidence) -> dict[str, Figure]:
    """The games to the first high score, of each combination of which every training gets there."""
    return {
        name: Figure(f"the games until {name} first reaches {HIGH:.0%}", COUNT, lambda _, games=games: games)  # type: ignore[misc]
        for name, setting in SETTINGS.items()
        if None not in (games := first_reach(evidence.cell(setting), HIGH))
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


def combinations(evidence: Evidence) -> Html:
    """All combinations of the thesis: how fast, how steady, how good."""
    fast, best, rows = fastest(evidence), best_of(evidence), []
    for name, setting in SETTINGS.items():
        reached = sum(games is not None for games in first_reach(evidence.cell(setting), HIGH))
        first = cell(fast[name], evidence) if name in fast else f"{reached} of {evidence.seeds} seeds"
        calm, good = cell(plain_spread(setting), evidence), cell(perfect_moves(setting), evidence)
        rows.append(
            [
                strong(name) if name in best.values() else name,
                *(first, cell(level(setting), evidence), calm, good),
            ]
        )
    return table(("parameters", "games to the first 90 %", "last quarter", "spread", "perfect, reachable"), rows)


def against_the_truth(evidence: Evidence) -> Html:
    """What was learned in the thesis's experiments, and how far it is from the truth."""
    truth = evidence.truth
    shares = truth.probabilities_of(0, "random")
    rows = [
        _truth_row(name, evidence.judgements(evidence.cell(setting)))
        for name, setting in {**SETTINGS, "against the simple hare": AGAINST_SIMPLE}.items()
    ]
    rows.append(["nothing: random hounds", *_known_row(truth.measure(0, shares), truth.scores(0, shares), "")])
    limit = truth.limit_of_learning("random", GAMMA), truth.limit_scores("random", GAMMA)
    rows.append(["all there is: the exact values", *_known_row(*limit, "0")])
    header = ("learned", "perfect moves: all positions", "reachable", "those it meets", "wins kept", "regret")
    return table((*header, "error of values", "games won: random hare", "simple", "perfect"), rows)


def other_learners(evidence: Evidence) -> Html:
    """The learners side by side."""
    rows = []
    for each in evidence.found[LEARNERS].cells:
        setting = Setting("", LEARNERS, each.combination.values)
        rows.append([_name(each), cell(level(setting), evidence), *_side_row(evidence.judgements(each))])
    return table(("learner", "last quarter", *SIDE_HEADER), rows)


def both_sides(evidence: Evidence) -> Html:
    """Hounds and hare that learned from each other."""
    tables = [evidence.table(training) for training in evidence.found[BOTH].cells[0].trainings]
    rows = [
        [who, *_side_row([evidence.truth.judge(each, side, "random", GAMMA) for each in tables])]
        for side, who in enumerate(("hounds", "hare"))
    ]
    return table(("learned", *SIDE_HEADER), rows)


def meeting(evidence: Evidence) -> Figure:
    """The share of games that hounds win against the hare that they have learned with."""

    def of(_: Evidence) -> Sequence[float]:
        tables = [evidence.table(training) for training in evidence.found[BOTH].cells[0].trainings]
        return [evidence.truth.meeting({0: each, 1: each}) for each in tables]

    return Figure("the games that the hounds win", SHARE, of)


def other_game(evidence: Evidence, name: str) -> Html:
    """The best five combinations of another game, and the thesis's."""
    cells = evidence.found[name].cells
    scores = {number: level(Setting("", name, each.combination.values)) for number, each in enumerate(cells)}
    ranked = sorted(scores, key=lambda number: -scores[number].mean(evidence))
    (ours,) = (
        number
        for number, each in enumerate(cells)
        if each.combination.values == {"alpha": ALPHA, "gamma": GAMMA, "epsilon": EPSILON}
    )
    rows = [
        [
            str(ranked.index(number) + 1),
            strong(_name(cells[number])) if number == ours else _name(cells[number]),
            cell(scores[number], evidence),
        ]
        for number in dict.fromkeys((*ranked[:5], ours))
    ]
    return table((f"place of {len(ranked)}", evidence.found[name].plan.declaration.title, "last quarter"), rows)


def other_games(evidence: Evidence) -> Html:
    """Those of all other games."""
    return Html("\n".join(other_game(evidence, name) for name in ELSEWHERE))


def recipe(evidence: Evidence) -> Html:
    """The tables learned from a better teacher, one by one."""
    trainings = evidence.cell(PERFECT)
    rows = [
        [
            str(training.run.description.seeds["seed"]),
            *(f"{each.sets[rows].given_away:,.0f} of {each.sets[rows].won:,}" for rows in (MET, REACHABLE, ALL)),
            f"{each.sets[REACHABLE].perfect_share:.1%}",
            *(f"{each.scores[name]:.2%}" for name in OPPONENTS),
        ]
        for training, each in zip(trainings.trainings, evidence.judgements(trainings), strict=True)
    ]
    header = ("seed", "won positions given away: those it meets", "reachable", "all", "perfect, reachable")
    return table((*header, *SCORES), rows)


SCORES = ("wins: random hare", "simple", "perfect")
SIDE_HEADER = ("perfect, reachable", "those it meets", *SCORES)


def _name(each: CellResult) -> str:
    return ", ".join(f"{name} {value}" for name, value in each.combination.values.items())


def _mean(values: Iterable[float]) -> float:
    return float(np.mean([*values]))


def _truth_row(name: str, found: list[Judgement]) -> list[str]:
    shares = [_mean(each.sets[rows].perfect_share for each in found) for rows in (ALL, REACHABLE, MET)]
    kept = _mean(each.sets[REACHABLE].kept for each in found)
    regret, error = _mean(each.sets[REACHABLE].mean_regret for each in found), _mean(each.error for each in found)
    scores = [_mean(each.scores[hare] for each in found) for hare in OPPONENTS]
    percents, wins = ([f"{each:.1%}" for each in part] for part in ((*shares, kept), scores))
    return [name, *percents, f"{regret:.3f}", f"{error:.3f}", *wins]


def _known_row(sets: dict[str, Measured], scores: dict[str, float], error: str) -> list[str]:
    shares = [f"{sets[rows].perfect_share:.1%}" for rows in (ALL, REACHABLE, MET)]
    reachable = sets[REACHABLE]
    return [
        *(*shares, f"{reachable.kept:.1%}", f"{reachable.mean_regret:.3f}", error),
        *(f"{scores[hare]:.1%}" for hare in OPPONENTS),
    ]


def _side_row(found: list[Judgement]) -> list[str]:
    shares = [_mean(each.sets[rows].perfect_share for each in found) for rows in (REACHABLE, MET)]
    scores = [_mean(each.scores[other] for each in found) for other in OPPONENTS]
    return [f"{each:.1%}" for each in (*shares, *scores)]


def table_rows(evidence: Evidence) -> Rows:
    """A row for each learned table: where it comes from, and how far it is from the truth."""
    return [
        _table_row(name, each.combination.label, training.run.description.seeds["seed"], found)
        for name in (RATES, RANDOM_MOVES, SIMPLE, LEARNERS, RECIPE)
        for each in evidence.found[name].cells
        for training, found in zip(each.trainings, evidence.judgements(each), strict=True)
    ]


def _table_row(experiment: str, settings: str, seed: int, found: Judgement) -> dict[str, Any]:
    measured = {
        f"{rows}_{figure}": value for rows, each in found.sets.items() for figure, value in each._asdict().items()
    }
    scores = {f"wins_against_{other}": score for other, score in found.scores.items()}
    errors = {"error": found.error, "largest_error": found.largest_error}
    return {"experiment": experiment, "settings": settings, "seed": seed, **measured, **scores, **errors}
