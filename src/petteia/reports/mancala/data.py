"""The figures of the page as rows of tables, a file each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from petteia.features.report_weights import report_weights
from petteia.reports.mancala.comparisons import Compared
from petteia.reports.mancala.evidence import LOWER, READINGS, SEATS, Evidence
from petteia.reports.mancala.learning_sections import swinging, verdict_of_weight, weight_names
from petteia.reports.mancala.words import READING_WORDS
from petteia.reports.verdicts import Finding, Statement

Rows = list[dict[str, Any]]

FILES = {
    "statements": "what R says, what is found here, and the verdicts",
    "tables": "the tables, cell by cell, beside R's",
    "progress": "theta1 against greedy1, of each training, at each mark and in each seat",
    "matches": "every match of learned players, by which all else about play is computed",
    "weights": "the last weights of each training beside R's",
    "curves": "every point of every learning curve",
}
"""What is in each file, by its name without `.csv`."""
FIGURES = ("games", "wins", "draws", "losses", "score", "low", "high", "distinct")
"""of a match, in tables"""


def rows(
    evidence: Evidence, found: Sequence[tuple[Statement, Finding]], tables: dict[str, list[Compared]]
) -> dict[str, Rows]:
    """All rows, by the names of their files."""
    return {
        "statements": statements(found),
        "tables": [cell.figures() for table in tables.values() for cell in table],
        "progress": _progress(evidence),
        "matches": _matches(evidence),
        "weights": _weights(evidence),
        "curves": _curves(evidence),
    }


def statements(found: Sequence[tuple[Statement, Finding]]) -> Rows:
    """Statements and what was found about them."""
    return [
        {"name": each.name, "part": each.part, "report": each.claim, "ours": finding.ours, "verdict": finding.verdict}
        for each, finding in found
    ]


def _matches(evidence: Evidence) -> Rows:
    """Each match that was played for the page; agents are named by their folders in that of the experiments."""
    return [
        {
            "first": bout.first,
            "second": bout.second,
            "openings": bout.openings,
            "seats": bout.seats,
            **{figure: getattr(evidence.matches[bout], figure) for figure in FIGURES},
            "seed": bout.seed,
        }
        for bout in dict.fromkeys(evidence.bouts.all())
    ]


def _progress(evidence: Evidence) -> Rows:
    """Theta1 against greedy1: each training, mark and seat."""
    parts = [
        (READINGS, reading, evidence.trainings(READINGS, side=reading), evidence.marks) for reading in READING_WORDS
    ]
    parts.append((LOWER, "", evidence.trainings(LOWER), [None]))
    return [
        {
            "experiment": name,
            "side": reading,
            "seed": training.run.description.seeds["seed"],
            "learned_from": mark or training.configuration.games,
            "seat": seat,
            **{figure: getattr(evidence.progress(training, mark, seat), figure) for figure in FIGURES},
        }
        for name, reading, trainings, marks in parts
        for training in trainings
        for mark in marks
        for seat in SEATS
    ]


def _weights(evidence: Evidence) -> Rows:
    """Each weight: the report's, ours by reading and seed, and whether it still swings."""
    rows = []
    still = {name: (listed, count) for name, listed, count, _ in swinging(evidence)}
    for number, name in enumerate(weight_names(evidence)):
        row: dict[str, Any] = {"weight": name, "printed": float(report_weights()[number])}
        for reading, words in READING_WORDS.items():
            values = evidence.weights(READINGS, side=reading)[:, number]
            row |= {f"{words}, seed {seed}": float(value) for seed, value in enumerate(values, 1)}
            row[f"{words}, verdict"] = verdict_of_weight(evidence, reading, number)
        row |= {
            f"always lower, seed {seed}": float(each[number]) for seed, each in enumerate(evidence.weights(LOWER), 1)
        }
        rows.append({**row, "swings in print": still[name][0], "swings in trainings": still[name][1]})
    return rows


def _curves(evidence: Evidence) -> Rows:
    """Every point of every learning curve."""
    return [
        {
            "experiment": name,
            "side": cell.cell.values.get("side", ""),
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
