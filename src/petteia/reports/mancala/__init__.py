"""Report M: forty weights learn Kalah in self-play, and are deepened by search.

The procedure and the figures are those of a university workshop's report on reinforcement learning for Mancala. In
order: `published` (what it prints), `plan` (what it tries), `evidence` (trainings and matches), `weight_measures`,
`figures`, `own_games`, `divergence` and `claims` (what it says, and how it is judged), `drawings`, `tables`, `contents`
and `page.md` (the page). What it left open is in `questions`, `course`, `duels`, `behaviour`, `ablation`, `beyond` (all
of it together), `open_claims`, and `open_questions` with `open.md` (the part of the page about it).
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from petteia.analysis.direct_search import direct_search
from petteia.analysis.settling import settling
from petteia.arena.known_positions import find_endings, solved_positions
from petteia.arena.regret import regret_in
from petteia.players.theta import make_theta
from petteia.records import bounds
from petteia.records.files import read_file, write_file
from petteia.reports.engine.cells import ComparedTable
from petteia.reports.engine.claims import judge_all
from petteia.reports.engine.outcome import Progress, Report, Scale
from petteia.reports.engine.output import write_report
from petteia.reports.engine.work import begin
from petteia.reports.mancala import beyond, contents, drawings, open_claims, open_questions, tables
from petteia.reports.mancala.behaviour import treatment_of
from petteia.reports.mancala.claims import CLAIMS, odd_findings
from petteia.reports.mancala.evidence import Evidence, gather
from petteia.reports.mancala.figures import of, wins
from petteia.reports.mancala.plan import BASELINES, READING_WORDS, READINGS, SEATS, TRAININGS

scales: tuple[Scale, ...] = ("quick", "paper", "all")
FILES = (*contents.FILES, *open_questions.FILES)
DEPENDS = (
    (*TRAININGS, BASELINES),
    (
        make_theta,
        direct_search,
        find_endings,
        solved_positions,
        regret_in,
        settling,
        treatment_of,
    ),
)
"""Experiments and functions whose figures are kept: with other code they are found anew."""


def make(folder: Path, scale: Scale, seeds: int | None, jobs: int | None, progress: Progress | None) -> Report:
    """Learn, measure, and write the page and its data into `folder`; arguments as in `petteia.reports.report`."""
    evidence = gather(begin(folder, "quick" if scale == "quick" else "paper", seeds, jobs, progress, DEPENDS))
    judgements = judge_all(CLAIMS, evidence, scale)
    open_evidence = beyond.gather(evidence) if scale == "all" else None
    if open_evidence is not None:
        judgements += judge_all(open_claims.CLAIMS, open_evidence, scale)
    write_file(folder / drawings.AGENT, read_file(evidence.trainings()[0].run.weights, bounds.WEIGHTS))
    compared, charts = tables.compared(evidence), drawings.charts(evidence)
    names = {
        "scale": scale,
        "open_questions": None if open_evidence is None else open_questions.sections(open_evidence, judgements),
    }
    write_file(folder / "game.txt", drawings.game(evidence).write())
    return write_report(
        *(folder, __name__, contents.names(evidence, compared, folder) | names),
        evidence=evidence,
        judgements=judgements,
        charts=charts,
        rows=contents.rows(evidence, compared) | ({} if open_evidence is None else open_questions.rows(open_evidence)),
        files=FILES,
        summary=_summary(evidence, compared),
    )


def _summary(evidence: Evidence, compared: dict[str, ComparedTable]) -> dict[str, Any]:
    return {
        "schema": 2,
        "cells": {
            name: dict(Counter(each.verdict or "not printed" for each in cells))
            for name, (cells, _) in compared.items()
        },
        "log_likelihood": evidence.baselines.log_likelihood,
        "wins_against_greedy1": {
            words: [[*wins("", of(READINGS, side=side), seat).values(evidence)] for seat in SEATS]
            for side, words in READING_WORDS.items()
        },
        "changed_signs": [
            [one, other, fixed.mean, free.mean] for one, other, fixed, free in tables.changed_signs(evidence)
        ],
        "odd": [each.words for each in odd_findings(evidence)],
    }
