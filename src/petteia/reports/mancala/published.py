"""The published results of the original report, read from `printed.toml`."""

from __future__ import annotations

from petteia.reports.engine.printed import Printed, read_table
from petteia.reports.engine.settings import read_toml

PRINTED = read_toml("petteia.reports.mancala", "printed.toml")
TABLES = {name: read_table(each["cells"], each["games"]) for name, each in PRINTED["tables"].items()}
THETA_FIRST, THETA_SECOND, PROGRESS, STAGES, AVERAGES = (
    TABLES[name] for name in ("theta-first", "theta-second", "progress", "stages", "stage-averages")
)
HOURS, LOWER_ONLY, BOTH_SIDES = (PRINTED[name] for name in ("hours", "lower-only", "both-sides"))
SWINGING = frozenset(PRINTED["swinging"])


def progress(number: int, seat: int) -> Printed:
    """Return the published result of the learned player at a training checkpoint against greedy1.

    The learned player is the first (seat 0) or the second player (seat 1).
    """
    return PROGRESS.cells[PROGRESS.rows[number], PROGRESS.columns[seat]]


def of_lambda(depth: int, seat: int) -> Printed:
    """Return the published result of a player trained with lambda 0 against a player trained with lambda 0.15.

    The player trained with lambda 0 is the first (seat 0) or the second player (seat 1).
    """
    table = TABLES["lambda-depth-1" if depth == 1 else "lambda-depth-2-and-3"]
    return table.cells[str(depth), table.columns[seat]]


def lambda_0_over_seats(depth: int) -> float:
    """Return the published mean score of a player trained with lambda 0 against a player trained with lambda 0.15.

    The mean is over the games as first player and as second player.
    """
    return sum(of_lambda(depth, seat).score for seat in (0, 1)) / 2.0


def stage(one: int, other: int) -> Printed:
    """Return the published result of one training checkpoint in the match against another one."""
    return STAGES.cells[STAGES.rows[one], STAGES.columns[other]]


def stage_mean(number: int, seat: int) -> float:
    """Return the mean of a training checkpoint's published scores against the other checkpoints.

    The learned player at the checkpoint `number` plays as first player (seat 0) or as second player (seat 1).
    """
    scores = [each.score for pair, each in STAGES.cells.items() if pair[seat] == STAGES.rows[number]]
    mean = sum(scores) / len(scores)
    return mean if seat == 0 else 1.0 - mean
