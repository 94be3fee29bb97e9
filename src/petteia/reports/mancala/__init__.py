"""Report M: forty weights learn Kalah in self-play, and are deepened by search.

The procedure and the figures are those of a university workshop's report on reinforcement learning for Mancala. In
order: `published` (what it prints), `plan` (what it tries, and who meets whom), `weight_measures`, `figures`,
`drawings`, `own_games`, `divergence` and `claims` (how what it says is judged), `tables` and `page.md` (the
page). What it left open is in `questions` (other ways to learn), `duels` (other ways to play), `behaviour`, `boards`
(the truth), `ablation`, `further`, `open_claims`, `open_tables`, and `open_questions` with `open.md`, which is its part
of the page.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.experiments.training import Training
from petteia.experiments.verdicts import AGREES, DIFFERS, ODD
from petteia.players.theta import make_theta
from petteia.reports.engine.cells import with_verdicts
from petteia.reports.engine.charts import points_text
from petteia.reports.engine.claims import tally
from petteia.reports.engine.declaration import Declaration
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure
from petteia.reports.engine.matches import is_one_game
from petteia.reports.engine.rules import most_above
from petteia.reports.engine.settings import Setting
from petteia.reports.engine.tables import MatchTable
from petteia.reports.engine.work import duration, usual_seconds
from petteia.reports.mancala import drawings, figures, open_questions, own_games, plan, published, tables
from petteia.reports.mancala.claims import CLAIMS, odd_findings, reproduced
from petteia.reports.mancala.open_questions import extent
from petteia.reports.mancala.plan import OWN, PLAYERS, READ, SEATS
from petteia.reports.mancala.weight_measures import away, dominance, first_block
from petteia.value_functions.report_weights import report_weights

AGENT = "theta.safetensors"
"""the learned weights that lie beside the page, to play against"""


def names(evidence: Evidence) -> dict[str, Any]:
    """What the page names besides."""
    verdicts = [verdict for each in tables.MATCH_TABLES for verdict in verdicts_of(each, evidence)]
    learned = [cell for each in tables.LEARNED for cell in each.found(evidence).cells]
    printed = [*published.THETA_FIRST.cells.values(), *published.THETA_SECOND.cells.values()]
    authors = [verdict for each in tables.AUTHORS for verdict in verdicts_of(each, evidence)]
    scores = [score for each in learned for score in each.scores(evidence)]
    return {
        "is_good": [_is_good(evidence, each) for each in figures.AGAINST_GREEDY5],
        "figures": figures,
        "drawings": drawings,
        "own_games": own_games,
        "plan": plan,
        "published": published,
        "marks": tables.mark_words(evidence),
        "settings": evidence.trainings(OWN)[0].configuration,
        "dominance": figures.of_weights("", dominance),
        "which_reading": which_reading(evidence),
        "cells": len(verdicts),
        "cell_tally": tally(verdicts),
        "took_one": duration(usual_seconds(evidence.trainings(OWN))),
        "trainings": len(evidence.all_trainings),
        "learned_cells": len(learned),
        "differing": _differing(evidence, tables.baselines),
        "opponent": met_by(evidence.trainings(OWN)[0]),
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
        "certain": [
            f"{each.row}-{each.column}"
            for each in tables.baselines.found(evidence).cells
            if is_one_game(each.ours(evidence))
        ],
        "changed": tables.changed_signs(evidence),
        "pairs": len(PLAYERS) * (len(PLAYERS) - 1) // 2,
        "circles": tables.circles(evidence),
        "unexplained": _differing(evidence, *tables.AUTHORS),
        "explainable": len(authors),
        "explained": authors.count(AGREES),
        "chain_games": evidence.trainings(plan.BY_CHAINS)[0].games,
        "chain_opponent": met_by(evidence.trainings(plan.BY_CHAINS)[0]),
        "lower_opponent": met_by(evidence.trainings(plan.ALWAYS_LOWER)[0]),
        "agent": AGENT,
    }


def verdicts_of(found: MatchTable, evidence: Evidence) -> list[str]:
    """The verdicts on the printed cells of a table."""
    return [each.verdict for each in found.found(evidence).cells if each.verdict is not None]


def _differing(evidence: Evidence, *found: MatchTable) -> str:
    """The cells of tables that differ from print."""
    cells = [cell for each in found for cell in each.found(evidence).cells]
    return ", ".join(
        f"{each.row}-{each.column} ({each.printed.text})" for each in cells if each.printed and each.verdict == DIFFERS
    )


def _is_good(evidence: Evidence, score: Figure) -> str:
    """Whether most trainings score more than half, in a word or two."""
    answer = most_above(score, 0.5).judge(evidence).answer
    return {True: "yes", False: "no", None: f"{evidence.seeds} trainings cannot tell"}[answer]


def which_reading(evidence: Evidence) -> str:
    """Which of the readings of the update gives the report's figures, in words."""
    if not evidence.is_judged:
        return "Which reading of its update gives R's figures is not judged at this scale."
    final = [reproduced(reading).judge(evidence).answer for reading in READ]
    fitting = [reading.words for reading, answer in zip(READ, final, strict=True) if answer]
    if None in final:
        verdict = "Which reading of its update gives R's final figures cannot be told"
    elif len(fitting) == 1:
        verdict = (
            f"R's final figures lie within the scatter of learning {fitting[0]}, outside that of the other reading"
        )
    else:
        where = "within" if fitting else "outside"
        verdict = f"R's final figures lie {where} the scatter of both readings of its update"
    shares = " and ".join(
        f"{each.words} {10 - _odd(evidence, each)} (means {tables.distance(evidence, each) * 100:.1f} points off)"
        for each in READ
    )
    return f"{verdict}. Of R's ten figures of progress, these numbers are not odd: {shares}."


def _odd(evidence: Evidence, reading: Setting) -> int:
    """The number of R's figures of progress that are odd for a reading or differ, judged with the table of both."""
    judged, _ = with_verdicts([cell for each in READ for cell in tables.in_course(each)], evidence)
    count = len(judged) // len(READ)
    first = READ.index(reading) * count
    return sum(each.verdict in (ODD, DIFFERS) for each in judged[first : first + count])


def met_by(training: Training) -> str:
    """Whom the learner meets in a training."""
    settings = training.configuration
    every = settings.stages[0].every
    if every is None:
        return str(settings.opponent)
    return f"the learner as it was up to {every:,} games before" if every else "the learner as it is"


def wins_against_greedy1(evidence: Evidence) -> dict[str, list[list[float]]]:
    """The shares of games that theta1 wins in the end, by reading and seat, of each training."""
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
    beyond=open_questions.BEYOND,
)
