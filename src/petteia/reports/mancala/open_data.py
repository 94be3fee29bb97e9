"""What the scale `all` has found, as rows of tables, a file each."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Any

from petteia.arena.statistics import Interval
from petteia.reports.engine.output import Rows
from petteia.reports.mancala.beyond import Beyond
from petteia.reports.mancala.questions import SEATS

FILES = {
    "questions": "what was left open: each variant beside the first, over the seeds",
    "answers": "all else that is said with one figure and its interval",
    "settling": "how the weights swing, and what that goes with",
    "steps": "how far weights swing with each step size",
    "course": "of each training: how its score changes between two marks, and how many games are enough",
    "duels": "every match of learned players with other options or other features",
    "search": "the direct search for weights, generation by generation",
    "regret": "exact regret of each player on each board",
}
"""What is in each file, by its name without `.csv`."""


def rows(found: Beyond) -> dict[str, Rows]:
    """All rows, by the names of their files."""
    course = found.course
    return {
        "questions": [
            {
                "experiment": name,
                "variant": row.variant,
                "opponent": row.opponent,
                "seat": row.seat,
                **row.score.row("score"),
                **row.gain.row("gain"),
                "verdict": row.verdict,
            }
            for name, rows in found.compared.items()
            for row in rows
        ],
        "answers": [*_answers(found)],
        "settling": [row._asdict() for row in found.settling.rows],
        "steps": [
            {"alpha": each.alpha, "size": each.size, **each.swing.kept_in(0.0, inf).row("swing")}
            for each in found.steps
        ],
        "course": [
            {"seed": seed, "from_games": course.early, "to_games": course.late, "change": change, "enough": enough}
            for seed, (change, enough) in enumerate(zip(course.changes, course.enough, strict=True), 1)
        ],
        "duels": [each._asdict() for each in found.duels],
        "search": [{"generation": number, "elite": elite} for number, elite in enumerate(found.direct.curve, 1)],
        "regret": [{"board": board.name, **each._asdict()} for board in found.boards for each in board.judged],
    }


def _answers(found: Beyond) -> Iterator[dict[str, Any]]:
    def row(about: str, variant: str, figure: str, found: Interval | float | None) -> dict[str, Any]:
        value, low, high = found.row("").values() if isinstance(found, Interval) else (found, None, None)
        return {"about": about, "variant": variant, "figure": figure, "value": value, "low": low, "high": high}

    for variant, far in found.nearness.items():
        yield row("weights", variant, "distance from those of the report", far)
    yield row("settling", "", "correlation of swing and frequency", found.settling.with_frequency)
    yield row("settling", "", "correlation of swing and inflation", found.settling.with_inflation)
    for seat, games, more in found.course.stages:
        pair = f"after {found.course.early} and after {games} games"
        yield row("stages", pair, f"by how much the first scores more as {SEATS[seat]}", more)
    treated = found.treatment._asdict()
    for name in ("won", "starved", "was_starved", "stuffed", "was_stuffed", "won_starving"):
        yield row("treatment", f"theta5 in {found.treatment.games} games against greedy5", name, treated[name])
    for place, share in zip(SEATS, (found.direct.first, found.direct.second), strict=True):
        yield row("direct search", f"{found.direct.games} games", f"games won as {place}", share)
