"""Report H: hounds that were taught nothing learn to catch the hare, and how far that is from perfect.

The question, the procedure and the figures are those of a Swedish bachelor's thesis on tabular Q-learning for Hare and
Hounds; what it could not know, the solution of the game, is added. In order: `truth` (what is true of the game),
`evidence` (the experiments, and how far their tables are from the truth), `judges` and `thesis` (its statements and the
rules by which they are judged), `figures`, `shown`, `beyond` and `sections` (the page).
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from petteia.arena.session import play_session
from petteia.experiments.source import Scale
from petteia.players import player
from petteia.records.files import make_folder, write_file
from petteia.records.game_record import GameRecord
from petteia.reports import page
from petteia.reports.hare_and_hounds import figures
from petteia.reports.hare_and_hounds.evidence import (
    BOTH,
    LEARNERS,
    RANDOM_MOVES,
    RATES,
    RECIPE,
    SIMPLE,
    Evidence,
    gather,
)
from petteia.reports.hare_and_hounds.sections import sections
from petteia.reports.hare_and_hounds.shown import BOTH_SIDES, HOUNDS, PERFECT_HOUNDS, Shown
from petteia.reports.hare_and_hounds.thesis import findings
from petteia.reports.hare_and_hounds.truth import REACHABLE
from petteia.reports.outcome import Progress, Report

SCALES: tuple[Scale, ...] = ("quick", "paper")
TITLE = "Hounds that were taught nothing learn to catch the hare"
EXPERIMENTS = "experiments"


def make(folder: Path, scale: Scale, seeds: int | None, jobs: int | None, progress: Progress | None) -> Report:
    """Learn, measure, and write the page and its data into `folder`; arguments as in `petteia.reports.report`."""
    make_folder(folder)  # before the work, so that a folder that cannot be made costs none
    evidence = gather(folder / EXPERIMENTS, scale, seeds, jobs, progress or (lambda done, wanted, note: None))
    for name, cell in (
        (HOUNDS, evidence.best),
        (PERFECT_HOUNDS, evidence.cell(RECIPE)),
        (BOTH_SIDES, evidence.found[BOTH].cells[0]),
    ):
        write_file(folder / name, cell.trainings[0].run.weights.read_bytes())
    shown = Shown(folder, findings(evidence), _games(evidence, folder), _charts(evidence))
    summary = _summary(evidence, shown)
    for name, chart in shown.charts.items():
        write_file(folder / f"{name}.svg", chart)
    for name, record in shown.games.items():
        write_file(folder / f"game-{name}.txt", record.write())
    write_file(folder / "statements.csv", _csv(summary["statements"]))
    write_file(folder / "tables.csv", _csv(_tables(evidence)))
    write_file(folder / "summary.json", json.dumps(summary, indent=2, ensure_ascii=False, allow_nan=False) + "\n")
    write_file(folder / "index.html", page.page(TITLE, sections(evidence, shown)))
    return Report(folder / "index.html", summary)


def _games(evidence: Evidence, folder: Path) -> dict[str, GameRecord]:
    """A game of the trained hounds against the random and the perfect hare, and one of perfect play."""
    pairs = {
        "random": (f"q:agent={folder / HOUNDS}", "random"),
        "perfect": (f"q:agent={folder / HOUNDS}", "perfect"),
        "best": ("perfect", "perfect"),
    }
    return {name: _game(evidence, *pair) for name, pair in pairs.items()}


def _game(evidence: Evidence, hounds: str, hare: str) -> GameRecord:
    players = (player(hounds, evidence.rules), player(hare, evidence.rules))
    return play_session(evidence.rules, players, write=lambda text: None).record


def _charts(evidence: Evidence) -> dict[str, str]:
    rates, tried = evidence.found[RATES].cells, evidence.found[RANDOM_MOVES].cells
    learners, both, recipe = evidence.found[LEARNERS].cells, evidence.found[BOTH].cells, evidence.cell(RECIPE)
    charts = {
        "curve": figures.scores([evidence.best], ["hounds"], "Q-learning hounds against the random hare"),
        "epsilon": figures.scores(
            tried, [f"epsilon {each.cell.values['epsilon']:g}" for each in tried], "Random moves while learning"
        ),
        "simple": figures.scores([evidence.cell(SIMPLE)], ["hounds"], "Q-learning hounds against the simple hare"),
        "values": figures.followed(evidence),
        "learners": figures.scores(learners, [str(each.cell.values["learner"]) for each in learners], "Other learners"),
        "both": figures.scores(both, ("hounds", "hare"), "Hounds and hare learn from each other"),
        "perfect": figures.scores([recipe], ["hounds"], "Learning from a good hare, measured against the perfect one"),
    }
    for alpha in dict.fromkeys(each.cell.values["alpha"] for each in rates):
        cells = [each for each in rates if each.cell.values["alpha"] == alpha]
        names = [f"gamma {each.cell.values['gamma']:g}" for each in cells]
        charts[f"alpha-{alpha:g}"] = figures.scores(cells, names, f"Alpha {alpha:g}")
    return charts


def _tables(evidence: Evidence) -> list[dict[str, Any]]:
    """A row for each learned table: where it comes from, and how far it is from the truth."""
    rows = []
    for name in (RATES, RANDOM_MOVES, SIMPLE, LEARNERS, RECIPE):
        for cell in evidence.found[name].cells:
            for training, judged in zip(cell.trainings, evidence.judgements(cell), strict=True):
                measured = {
                    f"{rows_of}_{figure}": value
                    for rows_of, each in judged.sets.items()
                    for figure, value in each._asdict().items()
                }
                scores = {f"wins_against_{other}": score for other, score in judged.scores.items()}
                rows.append(
                    {
                        "experiment": name,
                        "settings": cell.cell.label,
                        "seed": training.run.description.seeds["seed"],
                        **measured,
                        **scores,
                        "error": float(judged.error),
                        "largest_error": float(judged.largest_error),
                    }
                )
    return rows


def _summary(evidence: Evidence, shown: Shown) -> dict[str, Any]:
    solution, limit = evidence.truth.solution, evidence.truth.limit_of_learning("random", 0.9)
    recipe = evidence.judgements(evidence.cell(RECIPE))
    return {
        "schema": 2,
        "scale": evidence.scale,
        "seeds": evidence.seeds,
        "solution": {"value": solution.value, "plies": solution.plies, "line": list(solution.line)},
        "statements": [
            {"name": each.name, "part": each.part, "thesis": each.claim, "ours": found.ours, "verdict": found.verdict}
            for each, found in shown.found
        ],
        "limit_of_learning": {name: each._asdict() for name, each in limit.items()},
        "perfect_play": [each.sets[REACHABLE].given_away for each in recipe],
    }


def _csv(rows: Sequence[dict[str, Any]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
