"""What the scale `all` has found, as rows of tables, a file each."""

from __future__ import annotations

from petteia.reports.mancala.beyond import Beyond
from petteia.reports.mancala.data import Rows

FILES = {
    "questions": "what was left open: each variant beside the first, over the seeds",
    "settling": "how the weights swing, and what that goes with",
    "duels": "matches of learned players with other options or other features",
    "regret": "exact regret of each player on each board",
}
"""What is in each file, by its name without `.csv`."""


def rows(found: Beyond) -> dict[str, Rows]:
    """The rows of what was found, by the name of their file."""
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
        "settling": [row._asdict() for row in found.settling.rows],
        "duels": [{**each._asdict(), "player": each.player.partition("),")[2] or "as it is"} for each in found.duels],
        "regret": [{"board": board.name, **each._asdict()} for board in found.boards for each in board.judged],
    }
