"""What the page names: figures in words, tables and boards; and the rows of its files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from petteia.arena.statistics import share_interval
from petteia.experiments.training import Training
from petteia.learned.report_weights import report_weights
from petteia.reports.engine.cells import FIGURES, Compared
from petteia.reports.engine.charts import BANDS, points_text
from petteia.reports.engine.claims import DIFFERS, Judgements, most_above, tally
from petteia.reports.engine.figures import Figure
from petteia.reports.engine.output import Rows, claim_rows
from petteia.reports.engine.work import duration, seconds_of
from petteia.reports.mancala import drawings, tables
from petteia.reports.mancala.claims import UNTESTABLE, as_printed
from petteia.reports.mancala.evidence import (
    BASELINES,
    CHAINS,
    EVERY,
    GAME,
    LOWER,
    OWN,
    PLAYERS,
    READING_WORDS,
    READINGS,
    SEATS,
    Evidence,
    all_pairings,
    settings_of,
)
from petteia.reports.mancala.figures import (
    both_seats,
    met,
    of_weights,
    own_plies,
    points,
    second_met,
    swinging,
)
from petteia.reports.mancala.open_questions import extent
from petteia.reports.mancala.published import HOURS, SWINGING, THETA_FIRST, THETA_SECOND
from petteia.reports.mancala.weight_measures import away, dominance, first_block

FILES = {
    "claims": "what R says, by which rule it is judged, what is found here, and the verdicts",
    "tables": "the tables, cell by cell, beside R's",
    "progress": "theta1 against greedy1, of each training, at each mark and in each seat",
    "matches": "every match of learned players, by which all else about play is computed",
    "weights": "the last weights of each training beside R's",
    "curves": "every point of every learning curve",
}
"""What is in each file, by its name without `.csv`."""
EXTREMES = (0.0, 1.0)


def names(
    evidence: Evidence, judgements: Judgements, compared: dict[str, list[Compared]], folder: Path
) -> dict[str, Any]:
    """All that the page names, but claims, charts, files and what was left open."""
    verdicts = [each.verdict for cells in compared.values() for each in cells if each.verdict is not None]
    first, second = met("theta5", "greedy5"), second_met("greedy5", "theta5")
    trainings = [each for found in evidence.found.values() for cell in found.cells for each in cell.trainings]
    unique = [*{each.run.path: each for each in trainings}.values()]
    learned = [cell for name in ("theta-first", "theta-second") for cell in compared[name]]
    printed = [*THETA_FIRST.cells.values(), *THETA_SECOND.cells.values()]
    return {
        "seeds": evidence.seeds,
        "games": evidence.settings.games,
        "mark_words": evidence.mark_words(),
        "is_good": [_is_good(evidence, each) for each in (first, second)],
        "theta5_first": first.text(evidence),
        "theta5_second": second.text(evidence),
        "theta1_first": points("", own_plies, 0).text(evidence),
        "theta1_second": points("", own_plies, 1).text(evidence),
        "dominance": of_weights("", dominance).text(evidence),
        "soon": both_seats("", own_plies, 0).text(evidence),
        "which_reading": which_reading(evidence),
        "count": len(judgements),
        "tally": tally(found.verdict for _, found in judgements),
        "cells": len(verdicts),
        "cell_tally": tally(verdicts),
        "hours": HOURS,
        "took_one": duration(float(np.median([each.run.times().seconds for each in evidence.trainings()]))),
        "took": duration(seconds_of(unique)),
        "trainings": len(unique),
        "a_game": drawings.game(evidence),
        "tables": compared,
        **{
            f"{name}_tally": f"Of {len(compared[table])} cells, {_tally(compared[table])}."
            for name, table in (
                ("baseline", "baselines"),
                ("first", "theta-first"),
                ("second", "theta-second"),
                ("stage", "stages"),
                ("lambda", "lambda"),
            )
        },
        "misfits": ", ".join(f"{e.row}-{e.column}" for e in compared["baselines"] if e.verdict == DIFFERS),
        "log_likelihood": f"{evidence.baselines.log_likelihood:.1f}",
        "opponent": met_by(evidence.trainings()[0]),
        "points": points_text([evidence.curve(READINGS, 0, side=OWN)]),
        "bands": BANDS,
        "readings": tables.readings(evidence),
        "pictures": drawings.pictures(evidence),
        "weights_inside": tables.weights_inside(evidence),
        "away": f"{away(evidence.weights()).mean():.0%}",
        "weights_own": tables.weights(evidence, OWN),
        "weights_every": tables.weights(evidence, EVERY),
        "longer": f"{np.linalg.norm(report_weights()) / np.linalg.norm(evidence.weights(), axis=1).mean():.1f}",
        "swinging_printed": len(SWINGING),
        "unsettled": tables.unsettled(evidence),
        "lower_count": len(evidence.trainings(LOWER, side="south")),
        "lower_only": tables.lower_only(evidence),
        "block_lower": extent(first_block(evidence.weights(LOWER, side="south")).tolist(), ".2f"),
        "block_both": extent(first_block(evidence.weights(LOWER, side="random")).tolist(), ".2f"),
        "block_printed": f"{float(first_block(report_weights())):.2f}",
        "printed_extremes": sum(each.wins in (0.0, 100.0) for each in printed),
        "our_extremes": f"{np.mean([score in EXTREMES for each in learned for score in each.scores]):.0%}",
        "scatter": f"{100 * np.mean([np.ptp(each.scores) for each in learned]):.0f}",
        "certain": tables.certain_cells(compared),
        "changed": [
            f"{one} against {other}: {tables.score_text(fixed)} in the tables, {tables.score_text(free)} from openings"
            for one, other, fixed, free in tables.changed_signs(evidence)
        ],
        "pairs": len(PLAYERS) * (len(PLAYERS) - 1) // 2,
        "circles": tables.circles(evidence),
        "stage_means": tables.stage_means(evidence),
        "chain_games": settings_of(evidence.trainings(CHAINS)[0]).games,
        "chains": tables.chains(evidence),
        "untestable": UNTESTABLE,
        "agreeing": f"{share_interval([1.0] * max(evidence.seeds, 2)).low:.0%}",
        "baseline_games": evidence.baselines.plan.declaration.tournament.games,
        "sizes": evidence.sizes,
        "experiments": [
            *(f"{name}: {found.plan.declaration.title}" for name, found in evidence.found.items()),
            f"{BASELINES}: {evidence.baselines.plan.declaration.title}",
        ],
        "deviations": deviations(evidence),
        "start": drawings.start_board(evidence),
        "game_name": GAME,
        "agent": f"theta:agent={folder / drawings.AGENT}",
    }


def _is_good(evidence: Evidence, score: Figure) -> str:
    """Whether most trainings score more than half, in a word or two."""
    answer = most_above(score, 0.5).judge(evidence).answer
    return {True: "yes", False: "no", None: f"{evidence.seeds} trainings cannot tell"}[answer]


def _tally(cells: Sequence[Compared]) -> str:
    return tally(each.verdict for each in cells if each.verdict is not None)


def which_reading(evidence: Evidence) -> str:
    """Which of the readings of the update gives the report's figures, in words."""
    if not evidence.is_judged:
        return "Which reading of its update gives R's figures is not judged at this scale."
    final = {side: as_printed(side).judge(evidence).answer for side in READING_WORDS}
    fitting = [words for side, words in READING_WORDS.items() if final[side]]
    if None in final.values():
        verdict = "Which reading of its update gives R's final figures cannot be told"
    elif len(fitting) == 1:
        verdict = (
            f"R's final figures lie within the scatter of learning {fitting[0]}, outside that of the other reading"
        )
    else:
        verdict = (
            f"R's final figures lie {'within' if fitting else 'outside'} the scatter of both readings of its update"
        )
    told = " and ".join(
        f"{words} {Counter(tables.inside(evidence, side))[True]} (means {tables.distance(evidence, side) * 100:.1f} "
        "points off)"
        for side, words in READING_WORDS.items()
    )
    return f"{verdict}. Of R's ten figures of progress so many lie within it: {told}."


def deviations(evidence: Evidence) -> list[str]:
    """Where we do not do as the report did, or had to guess what it did."""
    chains, lower = evidence.trainings(CHAINS)[0], evidence.trainings(LOWER, side="south")[0]
    return [
        "R's rules are read as its table of baselines and its weights say: captures that bring stones only, the side "
        "to move ends the game, stones left over count for nobody. Its text would let the capturing stone stay.",
        "R says neither who begins a game of training nor how long a stage of self-play is. Here either side begins, "
        f"and the opponent is {met_by(evidence.trainings()[0])}; where the learner is always lower, it is "
        f"{met_by(lower)}. The experiment mancala-starter tries what else could be meant.",
        "Whether an update is made after the learner's own plies or after every ply is open in R; both are done.",
        f"R has one training; here there are {evidence.seeds} of each reading, with random numbers of our own, and "
        "theta in the tables is that of all seeds of the first reading.",
        "R says that a cell of its tables of theta is 1,000 games. All its draws there are multiples of half a per "
        "cent, so it is taken for 200.",
        "R's block of features is single where whole turns are actions. Here both blocks stay, one for each player; "
        f"and these trainings have {settings_of(chains).games:,} games against {met_by(chains)}, with the steps that "
        "the others have up to there.",
        "Its random numbers are Matlab's; here they are SplitMix64, a stream for each game.",
    ]


def met_by(training: Training) -> str:
    """Whom the learner meets in a training."""
    settings = settings_of(training)
    every = settings.stages[0].every
    if every is None:
        return settings.opponent
    return f"the learner as it was up to {every:,} games before" if every else "the learner as it is"


# Files.


def rows(evidence: Evidence, judgements: Judgements, compared: dict[str, list[Compared]]) -> dict[str, Rows]:
    """All rows, by the names of their files."""
    return {
        "claims": claim_rows(judgements),
        "tables": [cell.figures() for cells in compared.values() for cell in cells],
        "progress": _progress(evidence),
        "matches": [
            {
                "first": pairing.first,
                "second": pairing.second,
                "openings": pairing.openings,
                "seats": pairing.seats,
                **{figure: getattr(evidence.matches[pairing], figure) for figure in FIGURES},
                "seed": pairing.seed,
            }
            for pairing in dict.fromkeys(all_pairings(evidence))
        ],
        "weights": _weights(evidence),
        "curves": _curves(evidence),
    }


def _progress(evidence: Evidence) -> Rows:
    parts = [(READINGS, {"side": side}, evidence.marks) for side in READING_WORDS]
    parts += [(LOWER, {"side": side}, [None]) for side in ("south", "random")]
    return [
        {
            "experiment": name,
            **values,
            "seed": training.run.description.seeds["seed"],
            "learned_from": mark or settings_of(training).games,
            "seat": seat,
            **{figure: getattr(evidence.progress(training, mark, seat), figure) for figure in FIGURES},
        }
        for name, values, marks in parts
        for training in evidence.trainings(name, **values)
        for mark in marks
        for seat in SEATS
    ]


def _weights(evidence: Evidence) -> Rows:
    printed, still, found = report_weights(), swinging(evidence), []
    for number, (name, count) in enumerate(still.items()):
        row: dict[str, Any] = {"weight": name, "printed": float(printed[number])}
        for side, words in READING_WORDS.items():
            values = evidence.weights(READINGS, side=side)[:, number]
            row |= {f"{words}, seed {seed}": float(value) for seed, value in enumerate(values, 1)}
            row[f"{words}, verdict"] = tables.verdict(tables.weight(number, side), evidence, float(printed[number]))
        lower = evidence.weights(LOWER, side="south")[:, number]
        row |= {f"always lower, seed {seed}": float(value) for seed, value in enumerate(lower, 1)}
        found.append({**row, "swings in print": name in SWINGING, "swings in trainings": count})
    return found


def _curves(evidence: Evidence) -> Rows:
    return [
        {
            "experiment": name,
            "side": cell.combination.values.get("side", ""),
            "seed": training.run.description.seeds["seed"],
            "seat": point.side,
            "games": point.games,
            "score": point.score,
            "norm": point.norm,
        }
        for name, found in evidence.found.items()
        for cell in found.cells
        for training, curve in zip(cell.trainings, cell.curves, strict=True)
        for point in curve
    ]
