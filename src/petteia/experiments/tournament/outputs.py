"""Write the files of a tournament: its page, CSV rows, LaTeX tables, a figure, and the provenance of the results."""

from __future__ import annotations

from petteia.experiments.formats import command_line, csv_text, facts_text, latex_table
from petteia.experiments.tournament.declaration import TournamentPlan
from petteia.experiments.tournament.matches import shown
from petteia.experiments.tournament.observations import MARKS
from petteia.experiments.tournament.page import LIST_NOTE, page
from petteia.experiments.tournament.results import TournamentResult
from petteia.records.files import write_file
from petteia.records.machine import machine
from petteia.records.times import TIMES, total_times
from petteia.records.version import VERSION
from petteia.render.heat_map import Square, heat_map

SHOWN = {"points": "wins/draws (%)", "margin": "mean margin"}
"""the meaning of the text in the squares of the figure, by the way to rank players"""
EMPTY = Square("", 0.0)
"""the square of two players without a match"""


def write_outputs(result: TournamentResult) -> None:
    """Write all files of the tournament into its folder."""
    files = {
        "experiment.toml": result.plan.text,
        **{f"{name}.csv": csv_text(rows) for name, rows in result.rows.items() if rows},
        "games.txt": f"{LIST_NOTE}\n{result.game_list}",
        "table.tex": table(result),
        "standings.tex": standings(result),
        "table.svg": (drawn := figure(result)),
        "index.html": page(result, drawn),
        "provenance.txt": provenance(result),
        TIMES: total_times([result.run.times()]),
    }
    for name, text in files.items():
        write_file(result.folder / name, text)


def table(result: TournamentResult) -> str:
    """Return the LaTeX source of the crosstable."""
    heads, rows = result.table()
    return latex_table(
        heads,
        rows,
        words=len(result.words),
        caption=f"{result.plan.declaration.title}: {result.note}.",
        label=result.plan.name,
        command=command(result),
    )


def standings(result: TournamentResult) -> str:
    """Return the standings as a table for LaTeX, with the chosen columns."""
    heads, rows = result.standings_table()
    return latex_table(
        heads,
        rows,
        words=1,
        caption=f"{result.plan.declaration.title}: standings.",
        label=f"{result.plan.name}-standings",
        command=command(result),
    )


def figure(result: TournamentResult) -> str:
    """Draw the crosstable as SVG.

    Each cell of the crosstable is a square, shaded by the score of the cell. The square has a mark for each finding
    (surprising result) in the cell.
    """
    plan = result.plan
    wanted = plan.declaration.findings.kinds
    findings = {(each.row, each.column, each.kind) for each in result.findings}
    squares = {
        pair: Square(
            shown(cell, plan.declaration.tournament.score),
            cell.score,
            frozenset(number for number, kind in enumerate(wanted) if (*pair, kind) in findings),
        )
        for pair, cell in result.crosstable.items()
    }
    by_seat = plan.declaration.tournament.seats == "fixed"
    return heat_map(
        plan.players,
        plan.players,
        [[squares.get((row, column), EMPTY) for column in plan.players] for row in plan.players],
        plan.declaration.title,
        row_label=f"{'first player' if by_seat else 'player'}: {SHOWN[plan.declaration.tournament.score]}",
        column_label="second player" if by_seat else "opponent",
        marks=[MARKS[kind][1] for kind in wanted],
    )


def command(result: TournamentResult) -> str:
    """Return the command that plays the tournament again."""
    return command_line(result.plan.source, {"--scale": result.plan.scale})


def provenance(result: TournamentResult) -> str:
    """The provenance of the results as a string: version, command, seed and machine."""
    plan = result.plan
    played = plan.declaration.tournament
    facts = {
        "experiment": plan.declaration.title,
        "command": command(result),
        "declaration": "experiment.toml",
        "petteia": VERSION,
        "source code": f"SHA-256 {result.run.description.code}",
        "matches": f"{plan.combinations:,} of {played.games:,} games: {_meetings(plan)}",
        "conditions": f"{result.run.description.game}, seats {played.seats}, openings {played.openings}",
        "seed": f"{plan.declaration.seed}; that of each match is in table.csv",
        **machine(),
    }
    return facts_text(facts)


def _meetings(plan: TournamentPlan) -> str:
    """Return a phrase that describes which players play against each other, and in which seats."""
    played, number = plan.declaration.tournament, len(plan.players)
    way = "as first against each as second" if played.seats == "fixed" else "against each, from both sides"
    who = f"each of {number} players"
    if played.pairing == "gauntlet":
        who, way = plan.players[0], way.replace("each", f"each of {number - 1} others")
    return f"{who} {way}{', itself included' if played.diagonal else ''}"
