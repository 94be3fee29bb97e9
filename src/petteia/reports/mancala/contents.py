"""What the page names: figures in words, tables and boards; and the rows of its files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from petteia.experiments.training import Training
from petteia.experiments.verdicts import AGREES, DIFFERS, ODD
from petteia.learned.report_weights import report_weights
from petteia.reports.engine.cells import ComparedTable, judge_beside
from petteia.reports.engine.charts import points_text
from petteia.reports.engine.claims import most_above, tally
from petteia.reports.engine.figures import Figure
from petteia.reports.engine.matches import figures_of, is_one_game
from petteia.reports.engine.tables import Rows
from petteia.reports.engine.work import duration, seconds_of, usual_seconds
from petteia.reports.mancala import drawings, figures, own_games, plan, published, tables
from petteia.reports.mancala.claims import as_printed
from petteia.reports.mancala.evidence import Evidence, all_pairings, settings_of
from petteia.reports.mancala.figures import met, second_met
from petteia.reports.mancala.open_questions import extent
from petteia.reports.mancala.plan import CHAINS, LOWER, OWN, PLAYERS, READING_WORDS, READINGS
from petteia.reports.mancala.weight_measures import away, dominance, first_block

FILES = ("claims", "tables", "progress", "matches", "weights", "curves")


def names(evidence: Evidence, compared: dict[str, ComparedTable], folder: Path) -> dict[str, Any]:
    """All that the page names, but claims, charts, files and what was left open."""
    verdicts = [each.verdict for found in compared.values() for each in found.cells if each.verdict is not None]
    trainings = [
        each for experiment in evidence.experiments.values() for cell in experiment.cells for each in cell.trainings
    ]
    unique = [*{each.run.path: each for each in trainings}.values()]
    learned = [cell for name in ("theta-first", "theta-second") for cell in compared[name].cells]
    printed = [*published.THETA_FIRST.cells.values(), *published.THETA_SECOND.cells.values()]
    lower, chains = evidence.trainings(LOWER, side="south"), evidence.trainings(CHAINS)
    scores = [score for each in learned for score in each.scores]
    return {
        "is_good": [_is_good(evidence, each) for each in (met("theta5", "greedy5"), second_met("greedy5", "theta5"))],
        "figures": figures,
        "tables": tables,
        "drawings": drawings,
        "plan": plan,
        "published": published,
        "dominance": figures.of_weights("", dominance),
        "which_reading": which_reading(evidence),
        "cells": len(verdicts),
        "cell_tally": tally(verdicts),
        "took_one": duration(usual_seconds(evidence.trainings())),
        "took": duration(seconds_of(unique)),
        "trainings": len(unique),
        "a_game": drawings.game(evidence),
        "compared": compared,
        "learned_cells": len(learned),
        "differing": _differing(compared["baselines"]),
        "opponent": met_by(evidence.trainings()[0]),
        "points": points_text([evidence.curve(READINGS, 0, side=OWN)]),
        "away": f"{away(evidence.weights()).mean():.0%}",
        "longer": f"{np.linalg.norm(report_weights()) / np.linalg.norm(evidence.weights(), axis=1).mean():.1f}",
        "lower_count": len(lower),
        "block_lower": extent(first_block(evidence.weights(LOWER, side="south")).tolist(), ".2f"),
        "block_both": extent(first_block(evidence.weights(LOWER, side="random")).tolist(), ".2f"),
        "block_printed": f"{float(first_block(report_weights())):.2f}",
        "printed_extremes": sum(each.wins in (0.0, 100.0) for each in printed),
        "our_extremes": f"{np.mean([score in (0.0, 1.0) for score in scores]):.0%}",
        "scatter": f"{100 * np.mean([np.ptp(each.scores) for each in learned]):.0f}",
        "certain": [f"{each.row}-{each.column}" for each in compared["baselines"].cells if is_one_game(each.ours)],
        "changed": tables.changed_signs(evidence),
        "pairs": len(PLAYERS) * (len(PLAYERS) - 1) // 2,
        "circles": tables.circles(evidence),
        "six_edge": figures.EDGE_OF_SIX,
        "moments": own_games.moments(evidence),
        "own_games": own_games,
        "unexplained": _differing(compared["authors-first"], compared["authors-second"]),
        "explainable": sum(len(compared[name].cells) for name in ("authors-first", "authors-second")),
        "explained": sum(
            each.verdict == AGREES for name in ("authors-first", "authors-second") for each in compared[name].cells
        ),
        "chain_games": settings_of(chains[0]).games,
        "chain_opponent": met_by(chains[0]),
        "lower_opponent": met_by(lower[0]),
        "folder": folder,
        "agent": drawings.AGENT,
    }


def _differing(*found: ComparedTable) -> str:
    """The cells of tables that differ from print."""
    return ", ".join(
        f"{e.row}-{e.column} ({e.printed.text})"
        for each in found
        for e in each.cells
        if e.printed and e.verdict == DIFFERS
    )


def _is_good(evidence: Evidence, score: Figure) -> str:
    """Whether most trainings score more than half, in a word or two."""
    answer = most_above(score, 0.5).judge(evidence).answer
    return {True: "yes", False: "no", None: f"{evidence.seeds} trainings cannot tell"}[answer]


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
    shares = " and ".join(
        f"{words} {10 - _odd(evidence, side)} (means {tables.distance(evidence, side) * 100:.1f} points off)"
        for side, words in READING_WORDS.items()
    )
    return f"{verdict}. Of R's ten figures of progress so many are not odd: {shares}."


def _odd(evidence: Evidence, side: str) -> int:
    """How many of R's figures of progress are odd for a reading, or differ."""
    judged, _ = judge_beside(tables.in_course(side), evidence)
    return sum(each.verdict in (ODD, DIFFERS) for each in judged)


def met_by(training: Training) -> str:
    """Whom the learner meets in a training."""
    settings = settings_of(training)
    every = settings.stages[0].every
    if every is None:
        return settings.opponent
    return f"the learner as it was up to {every:,} games before" if every else "the learner as it is"


# Files.


def rows(evidence: Evidence, compared: dict[str, ComparedTable]) -> dict[str, Rows]:
    """All rows, by the names of their files."""
    return {
        "tables": [cell.figures() for found in compared.values() for cell in found.cells],
        "progress": _progress(evidence),
        "matches": [
            {**pairing._asdict(), **figures_of(evidence.matches[pairing]), "seed": pairing.seed}
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
            "seed": training.run.seed,
            "learned_from": mark or settings_of(training).games,
            "seat": seat,
            **figures_of(evidence.progress(training, mark, seat)),
        }
        for name, values, marks in parts
        for training in evidence.trainings(name, **values)
        for mark in marks
        for seat in plan.SEATS
    ]


def _weights(evidence: Evidence) -> Rows:
    printed, still, rows = report_weights(), figures.swinging(evidence), []
    verdicts = {
        side: [each.verdict for each in judge_beside([tables.weight(n, side) for n in range(len(still))], evidence)[0]]
        for side in READING_WORDS
    }
    for number, (name, count) in enumerate(still.items()):
        row: dict[str, Any] = {"weight": name, "printed": float(printed[number])}
        for side, words in READING_WORDS.items():
            values = evidence.weights(READINGS, side=side)[:, number]
            row |= {f"{words}, seed {seed}": float(value) for seed, value in enumerate(values, 1)}
            row[f"{words}, verdict"] = verdicts[side][number]
        lower = evidence.weights(LOWER, side="south")[:, number]
        row |= {f"always lower, seed {seed}": float(value) for seed, value in enumerate(lower, 1)}
        rows.append({**row, "swings in print": name in published.SWINGING, "swings in trainings": count})
    return rows


def _curves(evidence: Evidence) -> Rows:
    return [
        {
            "experiment": name,
            "side": cell.combination.values.get("side", ""),
            "seed": training.run.seed,
            "seat": point.side,
            "games": point.games,
            "score": point.score,
            "norm": point.norm,
        }
        for name, experiment in evidence.experiments.items()
        for cell in experiment.cells
        for training, curve in zip(cell.trainings, cell.curves, strict=True)
        for point in curve
    ]
