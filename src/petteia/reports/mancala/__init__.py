"""Report M: forty weights learn Kalah in self-play, and a search looks ahead with them.

It repeats a report of a university workshop on reinforcement learning for Mancala, called R. In order:

- `published`: R's printed figures
- `plan`: the experiments, players and matches
- `weight_measures`, `figures`, `drawings`, `own_games`, `divergence`: the figures and charts
- `claims`: the rules that judge R's claims
- `tables`, and the templates `page.md` and `method.md`: the page

The scale `all` also answers questions that R left open:

- `questions`: other ways to learn
- `duels`: other ways to play
- `behaviour`, `boards`, `ablation`, `further`: the figures; `boards` contains the exact regret
- `open_claims`, `open_tables`, `open_questions`, and the template `open.md`: this part of the page
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from petteia.experiments.training import Training
from petteia.experiments.verdicts import DIFFERS, ODD
from petteia.players.theta import make_theta
from petteia.reports.engine.cells import Meeting, with_verdicts
from petteia.reports.engine.charts import points_text
from petteia.reports.engine.claims import listed, tally
from petteia.reports.engine.declaration import Declaration
from petteia.reports.engine.estimates import Unit, interval_text
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure
from petteia.reports.engine.printed import Printed
from petteia.reports.engine.rules import as_printed, every, is_above, most_above
from petteia.reports.engine.settings import Setting
from petteia.reports.engine.work import duration, usual_seconds
from petteia.reports.mancala import divergence, drawings, figures, open_questions, own_games, plan, published, tables
from petteia.reports.mancala.claims import CLAIMS, odd_findings, reproduced
from petteia.reports.mancala.open_questions import extent
from petteia.reports.mancala.plan import EARLY, LATER, OWN, PLAYERS, READ, SEATS
from petteia.reports.mancala.weight_measures import away, dominance, first_block
from petteia.value_functions.report_weights import report_weights

AGENT = "theta.safetensors"
"""The file beside the page with the learned weights of a player."""


def names(evidence: Evidence) -> dict[str, Any]:
    """Return the variables that only this report's page template uses."""
    verdicts = [verdict for each in tables.JUDGED for verdict in each.verdicts(evidence)]
    learned = [cell for each in tables.LEARNED for cell in each.found(evidence).cells]
    printed = [*published.THETA_FIRST.cells.values(), *published.THETA_SECOND.cells.values()]
    authors = [verdict for each in tables.AUTHORS for verdict in each.verdicts(evidence)]
    far = tables.differing(evidence, *tables.AUTHORS)
    winners = figures.winning_as_second(evidence)
    by_chains = {name: score.interval(evidence) for name, score in figures.BY_CHAINS.items()}
    early, later = (published.stage_mean(number, 1) for number in (EARLY, LATER))
    scores = [score for each in learned for score in each.scores(evidence)]
    return {
        "is_good": [_is_good(evidence, each) for each in figures.AGAINST_GREEDY5],
        "figures": figures,
        "drawings": drawings,
        "own_games": own_games,
        "plan": plan,
        "published": published,
        "marks": tables.mark_words(evidence),
        "listed_marks": listed(tables.mark_words(evidence)),
        "settings": evidence.trainings(OWN)[0].configuration,
        "dominance": figures.of_weights("", dominance),
        "beats_counter": every(is_above(figures.points(OWN, seat).interval(evidence), 0.5) for seat in SEATS),
        "which_reading": which_reading(evidence),
        "which_weights": which_weights(evidence),
        "cells": len(verdicts),
        "cell_tally": tally(verdicts),
        "took_one": duration(usual_seconds(evidence.trainings(OWN))),
        "trainings": len(evidence.all_trainings),
        "learned_cells": len(learned),
        "differing": _named(tables.differing(evidence, tables.baselines)),
        "usual_likelihood": interval_text(tables.usual_likelihood(evidence), Unit(".1f")),
        "baselines_fit": tables.baselines_fit(evidence),
        "printed_circles": tables.printed_circles(evidence),
        "soon": [sum(x > 0.5 for x in figures.points(OWN, seat, 0).values(evidence)) for seat in SEATS],
        "read_off": sum(each.where.startswith("read off") for each in CLAIMS if each.is_original),
        "opponent": met_by(evidence.trainings(OWN)[0]),
        "effects": [f"{each:.2f}" for each in own_games.usual_effects(evidence)],
        "divergence": divergence,
        "points": points_text([evidence.cell(OWN)]),
        "away": f"{away(evidence.weights(OWN)).mean():.0%}",
        "longer": f"{np.linalg.norm(report_weights()) / np.linalg.norm(evidence.weights(OWN), axis=1).mean():.1f}",
        "lower_count": len(evidence.trainings(plan.ALWAYS_LOWER)),
        "block_lower": extent(first_block(evidence.weights(plan.ALWAYS_LOWER)).tolist(), ".2f"),
        "block_both": extent(first_block(evidence.weights(plan.SAME_OPPONENT)).tolist(), ".2f"),
        "block_printed": f"{float(first_block(report_weights())):.2f}",
        "printed_extremes": sum(each.wins in (0.0, 100.0) for each in printed),
        "our_extremes": f"{np.mean([score in (0.0, 1.0) for score in scores]):.0%}",
        "scatter": f"{100 * np.mean([np.ptp(each.scores(evidence)) for each in learned]):.0f}",
        "changed": tables.changed_signs(evidence),
        "pairs": len(PLAYERS) * (len(PLAYERS) - 1) // 2,
        "circles": tables.circles(evidence),
        "unexplained": _named(far),
        "far": len(far),
        "by_drawing": sum(tables.drawn_as_far(evidence, *each) > 0 for each in far),
        "explainable": len(authors),
        "authors_tally": tally(authors),
        "theta3_wins": sum("theta3" in each for each in winners),
        "theta3_alone": winners.count(["theta3"]),
        "none_as_second": winners.count([]),
        "early_lead": f"{100 * (early - later):.1f} points",
        "early_leads": sum(lead > 0.0 for lead in figures.EARLY_AS_SECOND.values(evidence)),
        "early_fits": as_printed(figures.EARLY_AS_SECOND, early - later).judge(evidence),
        "weaken": sum(change < 0.0 for change in figures.CHANGE_WITH_TRACES.values(evidence)),
        "trained_with_traces": len(evidence.trainings(plan.WITH_TRACES)),
        "chains_beat": listed([name for name, each in by_chains.items() if each.low > 0.5]) or "no player",
        "beat_chains": listed([name for name, each in by_chains.items() if each.high < 0.5]) or "no player",
        "chain_games": evidence.trainings(plan.BY_CHAINS)[0].games,
        "chain_opponent": met_by(evidence.trainings(plan.BY_CHAINS)[0]),
        "lower_opponent": met_by(evidence.trainings(plan.ALWAYS_LOWER)[0]),
        "agent": AGENT,
    }


def _named(cells: Sequence[tuple[Meeting, Printed]]) -> str:
    """Return the names of table cells, each with the result that the original report prints."""
    return ", ".join(f"{each.row}-{each.column} ({printed.text})" for each, printed in cells)


def _is_good(evidence: Evidence, score: Figure) -> str:
    """Return in words whether a player scores more than half in most training runs: yes, no or undecided."""
    answer = most_above(score, 0.5).judge(evidence).answer
    return {True: "yes", False: "no", None: f"this is undecided after {evidence.seeds} training runs"}[answer]


def which_reading(evidence: Evidence) -> str:
    """Return a sentence on which interpretation of the update rule reproduces the original report's results."""
    if not evidence.is_judged:
        return "The quick form of this page does not test which of the two readings gives R's figures."
    final = [reproduced(reading).judge(evidence).answer for reading in READ]
    fitting = [reading.words for reading, answer in zip(READ, final, strict=True) if answer]
    if None in final:
        verdict = "It is undecided which of the two readings gives R's final figures"
    elif len(fitting) == 1:
        verdict = (
            f"R's final figures lie within the scatter of learning {fitting[0]}, and outside the scatter of the other "
            "reading"
        )
    else:
        where = "within" if fitting else "outside"
        verdict = f"R's final figures lie {where} the scatter of both readings"
    odd = " and ".join(f"{_odd_words(_odd(evidence, each))} compared with learning {each.words}" for each in READ)
    off = " and ".join(f"{tables.distance(evidence, each) * 100:.1f} points for learning {each.words}" for each in READ)
    return (
        f"{verdict}. Of R's ten figures in the course of training, {odd}. "
        f"The mean distance between our means and these ten figures is {off}."
    )


def which_weights(evidence: Evidence) -> str:
    """Return a sentence on which interpretation of the update rule agrees with the original report's final weights."""
    if not evidence.is_judged:
        return ""
    counts = [sum(each.verdicts(evidence).count(DIFFERS) for each in pair) for pair in tables.WEIGHTS]
    fitting = [reading.words for reading, count in zip(READ, counts, strict=True) if not count]
    differ = " and ".join(
        f"{count or 'none'} {'differs' if count == 1 else 'differ'} from the weights learned {each.words}"
        for each, count in zip(READ, counts, strict=True)
    )
    verdict = {
        0: "R's weights agree with neither reading",
        1: f"only learning {''.join(fitting)} fits R's weights",
        2: "R's weights agree with both readings, and do not show which reading R used",
    }[len(fitting)]
    return f"Of R's {len(report_weights())} final weights, {differ}. So {verdict}."


def _odd_words(count: int) -> str:
    return f"{count or 'none'} {'is' if count == 1 else 'are'} odd"


def _odd(evidence: Evidence, reading: Setting) -> int:
    """Return how many of the original report's scores are unlikely under one interpretation of the update rule.

    The scores were measured during training. Both interpretations are judged as one table.
    """
    judged, _ = with_verdicts([cell for each in READ for cell in tables.in_course(each)], evidence)
    count = len(judged) // len(READ)
    first = READ.index(reading) * count
    return sum(each.verdict in (ODD, DIFFERS) for each in judged[first : first + count])


def met_by(training: Training) -> str:
    """Return the opponent of the learner in a training run, in words."""
    settings = training.configuration
    every = settings.stages[0].every
    if every is None:
        return str(settings.opponent)
    return f"the learner with its weights of up to {every:,} games before" if every else "the learner itself"


def wins_against_greedy1(evidence: Evidence) -> dict[str, list[list[float]]]:
    """Return the final share of games that theta1 wins against greedy1, by interpretation of the update rule and seat.

    Each list has a value for each training run.
    """
    return {each.words: [[*figures.wins(each, seat).values(evidence)] for seat in SEATS] for each in READ}


REPORT = Declaration(
    package=__name__,
    game=plan.GAME,
    experiments=(*plan.TRAININGS, plan.BASELINES),
    depends=(make_theta,),
    claims=CLAIMS,
    tables=tables.TABLES,
    charts=drawings.CHARTS,
    weights={AGENT: OWN},
    games={"theta": (f"theta:agent={{folder}}/{AGENT},depth=5", "greedy:depth=5")},
    names=names,
    rows={"progress": tables.progress_rows, "weights": tables.weight_rows, "curves": tables.curve_rows},
    summary={
        "wins_against_greedy1": wins_against_greedy1,
        "log_likelihood": lambda evidence: evidence.tournaments[plan.BASELINES].log_likelihood,
        "changed_signs": lambda evidence: [
            [one, other, fixed.mean, free.mean] for one, other, fixed, free in tables.changed_signs(evidence)
        ],
        "odd": lambda evidence: [each.words for each in odd_findings(evidence)],
    },
    scales=("quick", "paper", "all"),
    templates=("page.md", "method.md"),
    beyond=open_questions.BEYOND,
)
