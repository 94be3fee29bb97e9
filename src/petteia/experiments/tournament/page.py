"""The page of a tournament: one file with its tables, its charts, and games to step through."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from petteia.experiments.tournament.declaration import Score
from petteia.experiments.tournament.matches import Cell
from petteia.experiments.tournament.results import TournamentTable
from petteia.experiments.tournament.series import series
from petteia.experiments.tournament.shown_games import shown_games
from petteia.experiments.tournament.standings import Standing
from petteia.render.charts import Curve, line_chart
from petteia.render.html import bullets, document, drawing, table
from petteia.render.intervals import Measured, interval_chart

LIST_NOTE = "V: won by the first-named player; X: lost; =: drawn. With seats both, it is player 0 in every other game."
MAX_LETTERS = 200
"""the maximum number of results of a match on the page; games.txt contains all of them"""


def page(result: TournamentTable, figure: str) -> str:
    """Return the page of the tournament as HTML. `figure` is the crosstable as SVG."""
    declared = result.plan.declaration
    return document(declared.title, "\n".join(_parts(result, figure)))


def _parts(result: TournamentTable, figure: str) -> Iterator[str]:
    declared = result.plan.declaration
    yield f"<h1>{escape(declared.title)}</h1>"
    if declared.question:
        yield f"<p>{escape(declared.question)}</p>"
    if result.notes:
        yield bullets(result.notes)
    if result.standings:
        yield "<h2>Standings</h2>"
        yield table(*result.standings_table(wide=True))
        yield drawing(*standings_chart(result))
        for chart in series_charts(result):
            yield drawing(*chart)
    yield "<h2>All matches</h2>"
    yield table(*result.table(), note=f"{result.note[0].upper()}{result.note[1:]}.")
    yield drawing(figure, "The same table, shaded by the score.")
    yield table(("match", "games"), map(_letters, result.cells), note=LIST_NOTE, folded="The result of each game")
    if result.summary:
        yield "<h2>Findings</h2>"
        yield bullets(str(row["words"]) for row in result.summary)
    yield from shown_games(result)


def _letters(cell: Cell) -> tuple[str, str]:
    """Return the names of the two players of a match as one string, and the results of its first games as letters."""
    rest = "..." if len(cell.letters) > MAX_LETTERS else ""
    return f"{cell.row} - {cell.column}", cell.letters[:MAX_LETTERS] + rest


def standings_chart(result: TournamentTable) -> tuple[str, str]:
    """Return a chart of the standings as SVG, and its caption.

    The chart shows the ratings or mean margins with their confidence intervals.
    """
    if result.plan.declaration.tournament.score == "margin":
        rows = [Measured(each.player, each.margin, each.margin_low, each.margin_high) for each in result.standings]
        return interval_chart(rows, "Standings", "mean margin"), "Mean margins with 95 % intervals."
    rows = [Measured(each.player, each.elo, each.low, each.high) for each in result.standings]
    words = "Ratings in Elo points with 95 % intervals; 0 is the average of all players."
    return interval_chart(rows, "Standings", "Elo points"), words


def series_charts(result: TournamentTable) -> Iterator[tuple[str, str]]:
    """Yield charts of playing strength against the value of an option, each with its caption.

    Each chart is for one option with numeric values. Each curve of a chart connects players that differ only in the
    value of this option.
    """
    standings = {each.player: each for each in result.standings}
    score = result.plan.declaration.tournament.score
    groups: dict[str, list[Curve]] = {}
    for each in series(result.plan.players):
        found = [(value, *rated(standings[name], score)) for value, name in zip(each.values, each.players, strict=True)]
        known = [row for row in found if row[1] is not None]
        if len(known) > 1:
            groups.setdefault(each.option, []).append(_curve(each.others, known))
    for option, curves in groups.items():
        values = [value for curve in curves for value in curve.x]
        yield (
            line_chart(
                curves,
                f"Strength by {option}",
                option,
                "mean margin" if score == "margin" else "Elo points",
                is_logarithmic=min(values) > 0,
                bars=True,
            ),
            f"Players that differ only in {option}, with 95 % intervals.",
        )


def _curve(label: str, rows: Sequence[tuple[float | None, ...]]) -> Curve:
    """Return a curve from rows with four numbers: x, y, the lower bound of y and the upper bound of y."""
    x, y, low, high = ([float(row[place] or 0.0) for row in rows] for place in range(4))
    return Curve(label, x, y, low, high)


def rated(standing: Standing, score: Score) -> tuple[float | None, float | None, float | None]:
    """Return the rating or the mean margin of a player, and its lower and upper bound.

    If the confidence interval is unbounded in one direction, the rating or mean margin itself is returned in place of
    the missing bound.
    """
    value, low, high = standing.elo, standing.low, standing.high
    if score == "margin":
        value, low, high = standing.margin, standing.margin_low, standing.margin_high
    return value, value if low is None else low, value if high is None else high
