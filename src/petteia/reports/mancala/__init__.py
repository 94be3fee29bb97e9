"""The report on Mancala: a linear evaluation of Kalah with forty weights, learned by self-play and used in a search.

The report repeats experiments with Mancala by two students in a university workshop on reinforcement learning. The text
in which the students describe these experiments is called the original report. These modules make the page:

- `published`: the published results of the original report
- `plan`: the experiments, the players and their matches
- `weight_measures`, `figures`, `behaviour`, `divergence`: the statistics
- `tables`: the tables
- `claims`: the conditions that decide the verdicts on the claims of the original report
- `page.md`, `method.md`: the templates of the page

This module contains the charts, the boards and the declaration of the report.

The largest version of the report (scale `all`) has a further section. The section tries to answer the open questions of
the original report. These modules and files make the section:

- `questions`: experiments with other training options, statistics of training runs, and a direct search for weights
- `behaviour`: statistics of games
- `boards`: the exact regret of the players
- `open_questions`: the claims, the tables and the other content of the section
- `open.toml`: the texts of the questions and claims
- `open.md`: the template of the section
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from petteia.core.protocol import initial, parse_move, parse_state, play
from petteia.experiments.training import Training
from petteia.experiments.verdicts import DIFFERS
from petteia.features.kalah_potentials import BLOCK, POTENTIALS
from petteia.players.theta import make_theta
from petteia.render import board_svg
from petteia.render.charts import Curve, line_chart
from petteia.reports.engine.charts import GAMES_AXIS, band, points_text
from petteia.reports.engine.claims import listed, tally
from petteia.reports.engine.declaration import Declaration, Of
from petteia.reports.engine.estimates import Unit, interval_text
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import of_weights
from petteia.reports.engine.rules import as_printed, below, every, is_above, most_above
from petteia.reports.engine.settings import Setting, read_toml
from petteia.reports.engine.tables import MatchTable
from petteia.reports.engine.work import usual_time
from petteia.reports.mancala import behaviour, divergence, figures, open_questions, plan, published, tables
from petteia.reports.mancala.claims import CLAIMS, odd_findings
from petteia.reports.mancala.plan import BASIC, EARLY, EVERY, LATER, OWN, PLAYERS, READ, SEAT_NAMES, SEATS
from petteia.reports.mancala.weight_measures import COLUMNS, REST, away, first_block
from petteia.value_functions.report_weights import report_weights

AGENT = "theta.safetensors"
"""The file beside the page with the learned weights of a player."""
SMALL = 0.1
"""The weights whose final mean is smaller are shown in magnified charts."""
PICTURES = read_toml("petteia.reports.mancala", "pictures.toml")
"""Pictures of features by name: the position, the move or nothing, and the caption."""


def curves(evidence: Evidence, reading: Setting) -> str:
    """Draw the learned player's scores against greedy1 (search depth 1) during training, with the published scores.

    The chart has two curves for the learned player as first player, and two as second player. In each pair, one curve
    shows petteia's scores, and the other shows the published scores. `reading` is the interpretation of the update
    rule: either only the learner's own plies update the weights, or every ply does.
    """
    drawn, marks = [], [float(mark) for mark in evidence.marks(OWN)]
    for seat, name in zip(SEATS, SEAT_NAMES, strict=True):
        curve = evidence.cell(replace(reading, seat=seat))
        printed = [published.progress(mark, seat).score for mark in plan.MARKS]
        drawn.append(band(f"{name} player", curve.games, curve.scores, family=name))
        drawn.append(Curve(f"original, {name} player", marks, printed, family=name))
    return line_chart(drawn, f"Score of theta1 against greedy1, update rule “{reading.words}”", GAMES_AXIS, "score")


def norm(evidence: Evidence) -> str:
    """Draw the Euclidean norm of the weight vector during training."""
    ways = [(f"update rule “{reading.words}”", *figures.weights_over_games(evidence, reading)) for reading in plan.READ]
    drawn = [band(words, games, np.linalg.norm(weights, axis=2)) for words, games, weights in ways]
    theirs, games = float(np.linalg.norm(report_weights())), ways[-1][1]
    drawn.append(Curve("original, at the end", [games[0], games[-1]], [theirs, theirs]))
    return line_chart(drawn, "Norm of the weight vector", GAMES_AXIS, "Euclidean norm")


def followed(evidence: Evidence, which: dict[int, str], title: str) -> str:
    """Draw how some weights change during training. Each curve is a mean over the seeds.

    `which` contains the indices of the weights, each with the name of its curve. Curves for the same feature have the
    same colour.
    """
    games, weights = figures.weights_over_games(evidence, OWN)
    means = weights.mean(axis=0)
    drawn = [
        Curve(name, games, means[:, number].tolist(), family=name.partition(",")[0].rpartition(" ")[2])
        for number, name in which.items()
    ]
    return line_chart(drawn, title, GAMES_AXIS, "weight", families=POTENTIALS)


def small(evidence: Evidence, who: str, numbers: range) -> str:
    """Draw the course of the weights that are small at the end of training, or of the smallest weight if none is small.

    A weight is small if the absolute value of its mean over the seeds is below 0.1 (`SMALL`). `numbers` contains the
    indices of the weights to choose from. `who` is the side to move, for the title of the chart.
    """
    last = np.abs(evidence.weights(OWN).mean(axis=0))
    named = REST | {
        start + i: f"{title.split(' ')[0].lower()} {name}"
        for title, start in COLUMNS.values()
        for i, name in enumerate(POTENTIALS)
    }
    smallest = min(numbers, key=lambda number: last[number])
    which = {number: named[number] for number in numbers if last[number] < SMALL or number == smallest}
    return followed(evidence, which, f"The small weights with the {who} side to move, magnified")


def lower_only(evidence: Evidence) -> str:
    """Draw the weights of learners that play both sides or only the lower side, and the published weights."""
    numbers = [float(number) for number in range(1, len(report_weights()) + 1)]
    drawn = [
        band("both sides", numbers, evidence.weights(plan.SAME_OPPONENT), family="both sides"),
        band("lower side only", numbers, evidence.weights(plan.ALWAYS_LOWER)),
        Curve("original, both sides", numbers, report_weights().tolist(), family="both sides"),
    ]
    title = "The weights of learners that play both sides or only the lower side"
    return line_chart(drawn, title, "number of the weight", "weight")


CHARTS: dict[str, Of] = {
    "curves-own": partial(curves, reading=OWN),
    "curves-every": partial(curves, reading=EVERY),
    "norm": norm,
    **{
        f"weights-{name}": partial(followed, which={start + i: each for i, each in enumerate(POTENTIALS)}, title=title)
        for name, (title, start) in COLUMNS.items()
    },
    "weights-rest": partial(followed, which=REST, title="Stores, player and constant"),
    "weights-small-lower": partial(small, who="lower", numbers=range(BLOCK)),
    "weights-small-upper": partial(small, who="upper", numbers=range(BLOCK, 2 * BLOCK + 2)),
    "lower-only": lower_only,
}
"""All charts by name."""


def pictures(evidence: Evidence) -> list[tuple[str, str]]:
    """Return captioned drawings of positions that explain some of the features."""
    rules, drawn = evidence.rules, []
    for name, picture in PICTURES.items():
        state, move, before = parse_state(rules, picture["position"]), None, None
        if "move" in picture:
            before, move = state, parse_move(rules, state, picture["move"])
            state = play(rules, before, move)
        drawn.append((board_svg(rules, state, move, before), f"{name}: {picture['caption']}"))
    return drawn


def names(evidence: Evidence) -> dict[str, Any]:
    """Return the template variables that are specific to this report."""
    verdicts = [verdict for each in tables.JUDGED for verdict in each.verdicts(evidence)]
    learned = [cell for each in tables.LEARNED for cell in each.found(evidence).cells]
    scores = [each.scores(evidence) for each in learned]
    authors = [verdict for each in tables.AUTHORS for verdict in each.verdicts(evidence)]
    by_chains = {name: figures.chain_score(plan.BY_CHAINS, name).interval(evidence) for name in BASIC}
    of_greedy5 = evidence.tournaments[plan.BASELINES].compared[-1].published  # against itself
    early_lead = published.stage_mean(EARLY, 1) - published.stage_mean(LATER, 1)
    marks = [f"{mark:,}" for mark in evidence.marks(OWN)]
    return {
        "one_side_is_worse": below(figures.GAIN_OF_ONE_BLOCK, 0.0).judge(evidence).answer
        if evidence.is_judged
        else None,
        "is_good": [most_above(each, 0.5).judge(evidence).answer for each in figures.AGAINST_GREEDY5],
        "figures": figures,
        "start_board": board_svg(evidence.rules, initial(evidence.rules)),
        "pictures": pictures(evidence),
        "behaviour": behaviour,
        "plan": plan,
        "published": published,
        "divergence": divergence,
        "agent": AGENT,
        "published_scores": [
            f"{score:.0%}"
            for score in (
                published.THETA_FIRST.cells["theta5", "greedy5"].score,
                1.0 - published.THETA_SECOND.cells["greedy5", "theta5"].score,
                (of_greedy5[2] + of_greedy5[1] / 2.0) / sum(of_greedy5),
                1.0 - published.THETA_SECOND.cells["heuristic", "theta5"].score,
                *(published.progress(plan.LAST, seat).score for seat in SEATS),
                np.mean([published.progress(0, seat).score for seat in SEATS]),
            )
        ],
        "experiments": [
            [name, each.plan.declaration.title.removeprefix("Kalah: ")]
            for name, each in (evidence.experiments | evidence.tournaments).items()
        ],
        "marks": marks,
        "listed_marks": listed(marks),
        "settings": evidence.trainings(OWN)[0].configuration,
        "beats_counter": every(is_above(figures.points(OWN, seat).interval(evidence), 0.5) for seat in SEATS),
        "in_course": [tally(tables.readings.verdicts(evidence)[start :: len(READ)]) for start in range(len(READ))],
        "distances": [f"{100 * tables.distance(evidence, reading):.1f}" for reading in READ],
        "weights": [tally(verdict for each in pair for verdict in each.verdicts(evidence)) for pair in tables.WEIGHTS],
        "cells": len(verdicts),
        "cell_tally": tally(verdicts),
        "took_one": usual_time(evidence.trainings(OWN)),
        "learned_cells": len(learned),
        "differing": differing(evidence, tables.baselines),
        "usual_likelihood": interval_text(tables.usual_likelihood(evidence), Unit(".1f")),
        "baselines_fit": tables.baselines_fit(evidence),
        "read_off": sum(each.where.startswith("read off") for each in CLAIMS if each.is_original),
        "opponent": lambda setting: met_by(evidence.trainings(setting)[0]),
        "points": points_text([evidence.cell(OWN)]),
        "away": f"{away(evidence.weights(OWN)).mean():.0%}",
        "block_lower": of_weights("", Unit(".2f"), plan.ALWAYS_LOWER, first_block).range_text(evidence),
        "block_both": of_weights("", Unit(".2f"), plan.SAME_OPPONENT, first_block).range_text(evidence),
        "block_printed": f"{float(first_block(report_weights())):.2f}",
        "printed_extremes": sum(each.printed.score in (0.0, 1.0) for each in learned),
        "our_extremes": f"{np.mean([score in (0.0, 1.0) for each in scores for score in each]):.0%}",
        "scatter": f"{100 * np.mean([np.ptp(each) for each in scores]):.0f}",
        "changed": tables.changed_signs(evidence),
        "circles": figures.circles(evidence, figures.balanced),
        "pairs": len(PLAYERS) * (len(PLAYERS) - 1) // 2,
        "unexplained": differing(evidence, *tables.AUTHORS),
        "explainable": len(authors),
        "authors_tally": tally(authors),
        "early_lead": early_lead,
        "early_leads": sum(lead > 0.0 for lead in figures.EARLY_AS_SECOND.values(evidence)),
        "early_fits": as_printed(figures.EARLY_AS_SECOND, early_lead).judge(evidence).answer
        if evidence.is_judged and evidence.seeds > 1
        else None,
        "lambda_printed": [f"{100 * published.lambda_0_over_seats(depth):.0f} %" for depth in plan.LOOKING],
        "plies_swing": most_above(figures.SWING_WITHOUT, figures.SWING).judge(evidence).answer
        if evidence.is_judged
        else None,
        "weaken": sum(change < 0.0 for change in figures.CHANGE_WITH_TRACES.values(evidence)),
        "chains_beat": listed([name for name, each in by_chains.items() if each.low > 0.5]) or "no player",
        "beat_chains": listed([name for name, each in by_chains.items() if each.high < 0.5]) or "no player",
        "chain_games": evidence.trainings(plan.BY_CHAINS)[0].games,
    }


def differing(evidence: Evidence, *found: MatchTable) -> str:
    """List, as text, the table cells whose published results differ from petteia's results."""
    cells = [cell for each in found for cell in each.found(evidence).cells if cell.verdict == DIFFERS]
    return ", ".join(f"{each.row} against {each.column} ({each.printed.text})" for each in cells)


def met_by(training: Training) -> str:
    """Return a description of the learner's opponent in a training run."""
    settings = training.configuration
    every = settings.stages[0].every
    if every is None:
        return str(settings.opponent)
    return f"a copy of the learner that is updated every {every:,} games" if every else "the learner itself"


REPORT = Declaration(
    package=__name__,
    game=plan.GAME,
    experiments=(*plan.TRAININGS, plan.BASELINES),
    depends=(make_theta,),
    claims=CLAIMS,
    tables=tables.TABLES,
    charts=CHARTS,
    weights={AGENT: OWN},
    games={"theta": (f"theta:agent={{folder}}/{AGENT},depth=5", "greedy:depth=5")},
    names=names,
    rows={"weights": tables.weight_rows, "curves": tables.curve_rows},
    summary={"odd": lambda evidence: [each.words for each in odd_findings(evidence)]},
    scales=("quick", "paper", "all"),
    templates=("page.md", "method.md"),
    beyond=open_questions.BEYOND,
)
