"""Report M: forty weights learn Kalah in self-play, and are deepened by search.

The procedure and the figures are those of a university workshop's report on reinforcement learning for Mancala. In
order: `published` (what it prints), `matches` and `evidence` (trainings and matches), `comparisons` (its tables beside
ours, cell by cell), `judges`, `weight_judges` and `claims` (its statements and the rules by which they are judged),
`figures`, `tables`, `learning_sections`, `playing_sections` and `sections` (the page). What it left open is in
`questions`, `settling`, `direct`, `behaviour`, `exact`, `beyond` and `open_questions`.
"""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from pathlib import Path
from typing import Any

from petteia.arena.session import play_session
from petteia.experiments.formats import csv_text
from petteia.features.report_weights import report_weights
from petteia.players import player
from petteia.records.files import make_folder, write_file
from petteia.records.game_record import GameRecord
from petteia.reports import page
from petteia.reports.mancala import figures, open_questions
from petteia.reports.mancala.claims import findings
from petteia.reports.mancala.comparisons import TABLES
from petteia.reports.mancala.evidence import LOWER, READINGS, SEATS, Evidence, gather
from petteia.reports.mancala.judges import changed_signs, odd_findings, win_shares
from petteia.reports.mancala.learning_sections import swinging, verdict_of_weight, weight_names
from petteia.reports.mancala.sections import sections
from petteia.reports.mancala.shown import AGENT, Shown
from petteia.reports.mancala.words import READING_WORDS
from petteia.reports.outcome import Progress, Report, Scale

SCALES: tuple[Scale, ...] = ("quick", "paper", "all")
TITLE = "Forty weights learn Kalah"
EXPERIMENTS = "experiments"
FIGURES = ("games", "wins", "draws", "losses", "score", "low", "high", "distinct")
"""of a match, in tables"""


def make(folder: Path, scale: Scale, seeds: int | None, jobs: int | None, progress: Progress | None) -> Report:
    """Learn, measure, and write the page and its data into `folder`; arguments as in `petteia.reports.report`."""
    make_folder(folder)  # before the work, so that a folder that cannot be made costs none
    tell = progress or (lambda done, wanted, note: None)
    evidence = gather(folder / EXPERIMENTS, "quick" if scale == "quick" else "paper", seeds, jobs, tell)
    open_ones = open_questions.ask(evidence, seeds, jobs, tell) if scale == "all" else None
    write_file(folder / AGENT, evidence.agent.run.weights.read_bytes())
    tables = {name: compared(evidence) for name, compared in TABLES.items()}
    shown = Shown(folder, findings(evidence), tables, figures.charts(evidence), _game(evidence))
    summary = _summary(evidence, shown)
    for name, chart in shown.charts.items():
        write_file(folder / f"{name}.svg", chart)
    write_file(folder / "game.txt", shown.game.write())
    rows = {
        "statements": summary["statements"],
        "tables": [cell.figures() for table in tables.values() for cell in table],
        "progress": _progress(evidence),
        "weights": _weights(evidence),
        "curves": _curves(evidence),
        **({} if open_ones is None else open_questions.tables(open_ones)),
    }
    for name, each in rows.items():
        write_file(folder / f"{name}.csv", csv_text(each))
    write_file(folder / "summary.json", json.dumps(summary, indent=2, ensure_ascii=False, allow_nan=False) + "\n")
    more = [] if open_ones is None else open_questions.sections(open_ones)
    write_file(folder / "index.html", page.page(TITLE, sections(evidence, shown, more)))
    return Report(folder / "index.html", summary)


def _game(evidence: Evidence) -> GameRecord:
    """Theta5 against greedy5."""
    texts = (f"theta:agent=({evidence.agent.run.path}),depth=5", "greedy:depth=5")
    players = [player(text, evidence.rules) for text in texts]
    record = play_session(evidence.rules, (players[0], players[1]), write=lambda text: None).record
    return dataclasses.replace(record, players=("theta:depth=5", texts[1]))


def _progress(evidence: Evidence) -> list[dict[str, Any]]:
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


def _weights(evidence: Evidence) -> list[dict[str, Any]]:
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


def _curves(evidence: Evidence) -> list[dict[str, Any]]:
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


def _summary(evidence: Evidence, shown: Shown) -> dict[str, Any]:
    return {
        "schema": 1,
        "scale": evidence.scale,
        "seeds": evidence.seeds,
        "statements": [
            {"name": each.name, "part": each.part, "report": each.claim, "ours": found.ours, "verdict": found.verdict}
            for each, found in shown.found
        ],
        "cells": {
            name: dict(Counter(each.verdict or "not printed" for each in table)) for name, table in shown.tables.items()
        },
        "log_likelihood": evidence.baselines.log_likelihood,
        "wins_against_greedy1": {
            words: [win_shares(evidence, evidence.trainings(READINGS, side=reading), None, seat) for seat in SEATS]
            for reading, words in READING_WORDS.items()
        },
        "changed_signs": [
            [one, other, table.mean, opened.mean] for one, other, table, opened in changed_signs(evidence)
        ],
        "odd": [each.words for each in odd_findings(evidence)],
    }
