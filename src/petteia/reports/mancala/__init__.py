"""Report M: forty weights learn Kalah in self-play, and are deepened by search.

The procedure and the figures are those of a university workshop's report on reinforcement learning for Mancala. In
order: `published` (what it prints), `matches` and `evidence` (trainings and matches), `comparisons` (its tables beside
ours, cell by cell), `judges`, `weight_judges` and `claims` (its statements and the rules by which they are judged),
`figures`, `tables`, `learning_sections`, `playing_sections` and `sections` (the page), `data` (its figures in files).
What it left open is in `questions`, `course`, `duels`, `behaviour`, `beyond` (all of it together), `open_questions` and
`open_answers` (the page), and `open_data`.
"""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from pathlib import Path
from typing import Any

from petteia.arena.session import play_session
from petteia.experiments.formats import csv_text
from petteia.players import player
from petteia.records.files import make_folder, write_file
from petteia.records.game_record import GameRecord
from petteia.reports import page
from petteia.reports.engine.outcome import Progress, Report, Scale
from petteia.reports.mancala import data, figures, open_data, open_questions
from petteia.reports.mancala.claims import findings
from petteia.reports.mancala.comparisons import TABLES
from petteia.reports.mancala.evidence import READINGS, SEATS, Evidence, gather
from petteia.reports.mancala.judges import changed_signs, odd_findings, win_shares
from petteia.reports.mancala.sections import sections
from petteia.reports.mancala.shown import AGENT, Shown
from petteia.reports.mancala.words import READING_WORDS

SCALES: tuple[Scale, ...] = ("quick", "paper", "all")
TITLE = "Forty weights learn Kalah"
EXPERIMENTS = "experiments"


def make(folder: Path, scale: Scale, seeds: int | None, jobs: int | None, progress: Progress | None) -> Report:
    """Learn, measure, and write the page and its data into `folder`; arguments as in `petteia.reports.report`."""
    make_folder(folder)  # before the work, so that a folder that cannot be made costs none
    tell = progress or (lambda done, wanted, note: None)
    evidence = gather(folder / EXPERIMENTS, "quick" if scale == "quick" else "paper", seeds, jobs, tell)
    open_ones = open_questions.ask(evidence, seeds, jobs, tell) if scale == "all" else None
    write_file(folder / AGENT, evidence.agent.run.weights.read_bytes())
    tables = {name: compared(evidence) for name, compared in TABLES.items()}
    statements = findings(evidence)
    rows = data.rows(evidence, statements, tables) | ({} if open_ones is None else open_data.rows(open_ones))
    files = {**data.FILES, **open_data.FILES}
    named = {name: files[name] for name in rows}
    shown = Shown(folder, statements, tables, figures.charts(evidence), _game(evidence), named)
    summary = _summary(evidence, shown)
    for name, chart in shown.charts.items():
        write_file(folder / f"{name}.svg", chart)
    write_file(folder / "game.txt", shown.game.write())
    for name in files:
        if name in rows:
            write_file(folder / f"{name}.csv", csv_text(rows[name]))
        else:
            (folder / f"{name}.csv").unlink(missing_ok=True)  # a larger scale's, which this page does not speak of
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


def _summary(evidence: Evidence, shown: Shown) -> dict[str, Any]:
    return {
        "schema": 1,
        "scale": evidence.scale,
        "seeds": evidence.seeds,
        "statements": data.statements(shown.found),
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
