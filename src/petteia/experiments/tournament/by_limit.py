"""Play the same tournament under several time limits or search limits, and compare the scores of its players.

The results are the scores of each player under each limit. The folder contains a subfolder for each limit, such as
`nodes-1000`, with the files of an ordinary tournament. The folder also contains the following files:

- `index.html`: a page with the table and the charts of scores by limit, and links to the pages of the tournaments
- `experiment.toml`: the declaration of the experiment
- `limits.csv`: a row for each combination of limits and each player
- `limits.tex`: a table for LaTeX, with a row for each player and a column for each combination of limits
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from petteia.arena.cluster import Cluster
from petteia.arena.contest import check_counts
from petteia.arena.ratings import shown_elo
from petteia.arena.statistics import Interval, independent_sum
from petteia.core.clock import Clock
from petteia.core.errors import InvalidError, UsageError
from petteia.core.protocol import Rules
from petteia.experiments.declaration import stem
from petteia.experiments.formats import command_line, csv_text, latex_table
from petteia.experiments.tournament.declaration import TournamentPlan
from petteia.experiments.tournament.play import NAME
from petteia.experiments.tournament.results import TournamentTable
from petteia.experiments.tournament.sweep import Condition, words
from petteia.experiments.tournament.tournament import planned, play_here
from petteia.experiments.work import Progress, silent
from petteia.records.files import make_folder, write_file
from petteia.records.lock import locked
from petteia.render.charts import Curve, line_chart
from petteia.render.html import Html, bullets, document, drawing, table

UNITS = {
    "time": "time (seconds per move)",
    "nodes": "nodes per move",
    "depth": "depth (plies)",
    "clock": "clock (of each player for a game)",
}
"""The label of the horizontal axis of a chart, by the name of the limit."""


@dataclass(frozen=True, repr=False)
class TournamentByLimit:
    """A tournament that was played under several time limits or search limits."""

    plan: TournamentPlan
    tables: tuple[TournamentTable, ...]
    """the tournament under each condition of the plan, in the order of the conditions"""
    folder: Path | None = None
    """the folder of the tournaments; None if they were not saved"""

    def __repr__(self) -> str:
        return f"<{self.plan.declaration.title} under {len(self.tables)} limits>"

    @property
    def under(self) -> list[tuple[Condition, TournamentTable]]:
        """Each combination of limits, paired with the tournament that was played under it."""
        return [*zip(self.plan.conditions, self.tables, strict=True)]

    @property
    def players(self) -> tuple[str, ...]:
        """The players, in declaration order."""
        return self.plan.players

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks about players and their faults.

        A remark that does not apply under all limits is repeated for each of its limits, and begins with this limit.
        """
        notes: dict[str, list[str]] = {}
        for condition, found in self.under:
            for note in found.notes:
                notes.setdefault(note, []).append(words(condition))
        everywhere = [note for note, places in notes.items() if len(places) == len(self.tables)]
        return (
            *everywhere,
            *(f"{at}: {note}" for note, places in notes.items() if note not in everywhere for at in places),
        )

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A row for each combination of limits and each player, with the score, its interval, and the standing."""
        return [
            {**condition, **score_of_player(found, each.player).row("score"), **each._asdict()}
            for condition, found in self.under
            for each in found.standings
        ]

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Return a table of strings with the score and the Elo points of each player under each limit.

        The table consists of its headings and its rows.
        """
        standings = [{each.player: each for each in found.standings} for found in self.tables]
        rows = [
            [name, *(f"{each[name].score:.1%} ({shown_elo(each[name].elo)})" for each in standings)]
            for name in self.players
        ]
        return ["player", *map(words, self.plan.conditions)], rows

    @property
    def note(self) -> str:
        """The caption of the table, as a string."""
        games = self.plan.declaration.tournament.games
        return f"score and Elo points of each player, from {games:,} games of each match"

    def charts(self) -> Iterator[tuple[str, str]]:
        """The charts of scores as SVG, each with a caption.

        If several kinds of limits are varied, such as `nodes` and `time`, the horizontal axis shows the kind that has
        the most values. There is then a chart for each combination of the other limits.
        """
        swept = self.plan.declaration.sweep.values
        axis = max(swept, key=lambda name: len(swept[name]))
        charted: dict[str, list[tuple[float | str, TournamentTable]]] = {}
        for condition, found in self.under:
            others = {name: value for name, value in condition.items() if name != axis}
            charted.setdefault(words(others), []).append((condition[axis], found))
        for rest, chosen in charted.items():
            clocks = [str(value) for value, _ in chosen] if axis == "clock" else []
            points = [*enumerate(found for _, found in chosen)] if clocks else _ascending(chosen)
            yield (
                line_chart(
                    [_curve(name, points) for name in self.players],
                    f"Score by {axis}{f' ({rest})' if rest else ''}",
                    UNITS[axis],
                    "score",
                    is_logarithmic=not clocks,
                    bars=True,
                    x_words=clocks,
                ),
                f"The score of each player by {axis}, with 95 % intervals{f'; {rest}' if rest else ''}.",
            )


def _ascending(chosen: Sequence[tuple[float | str, TournamentTable]]) -> list[tuple[float, TournamentTable]]:
    return sorted(((float(value), found) for value, found in chosen), key=lambda point: point[0])


def score_of_player(found: TournamentTable, player: str) -> Interval:
    """Return the score of a player in all its games against other players, with its 95 % interval."""
    own = [cell for cell in found.cells if cell.row == player != cell.column]
    own += [cell.turned for cell in found.cells if cell.column == player != cell.row]
    games = sum(cell.games for cell in own)
    terms = [(cell.games / games, Interval(cell.score, cell.low, cell.high)) for cell in own]
    return independent_sum(terms).kept_in(0.0, 1.0)


def _curve(player: str, chosen: Sequence[tuple[float, TournamentTable]]) -> Curve:
    scores = [score_of_player(found, player) for _, found in chosen]
    x = [value for value, _ in chosen]
    return Curve(player, x, [s.mean for s in scores], [s.low for s in scores], [s.high for s in scores])


def tournament_by_limit(
    game: str | Rules,
    players: Sequence[Any],
    sweep: Mapping[str, Sequence[float | str | Clock]],
    *,
    folder: str | Path | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> TournamentByLimit:
    """Play a tournament under each of several time or search limits.

    Args:
        game: the rules, as an object or a string
        players: as in `petteia.tournament`
        sweep: the values of each limit, such as `{"nodes": [1000, 10_000]}`. `depth`, `nodes` and `time` (in seconds)
            limit a move, and `clock` limits a game. A tournament is played under every combination of values
        folder: the folder for the tournaments, the page and the table; the same call resumes an interrupted tournament
        jobs: as in `petteia.tournament`
        cluster: as in `petteia.tournament`
        progress: called after each group of games
        options: further arguments of `petteia.tournament`

    Returns:
        The tournaments, and a table with the score of each player under each limit.

    Raises:
        UsageError: a limit has no values, a value is repeated, or a value is out of range. Further cases are the same
            as in `petteia.tournament`
        InvalidError: the folder contains a tournament without a sweep. Further cases are the same as in
            `petteia.tournament`

    Examples:
        >>> limits = {"nodes": [100, 1000]}
        >>> petteia.tournament_by_limit("kalah", ["greedy", "search"], limits, games=10)
        <Tournament of kalah under 2 limits>

    """
    plan = planned(game, players, folder, sweep, **options)
    check_counts(jobs=jobs)
    if not plan.declaration.sweep.values:
        raise UsageError("sweep: values are missing; give values of depth, nodes, time or clock")
    return play_by_limit(None if folder is None else Path(folder), plan, jobs, progress or silent, cluster)


def play_by_limit(
    folder: Path | None,
    plan: TournamentPlan,
    jobs: int,
    progress: Progress,
    cluster: str | Cluster | None = None,
) -> TournamentByLimit:
    """Play the tournament under each combination of limits, and write the results to `folder` unless it is None."""
    if folder is not None and (folder / NAME).exists():
        raise InvalidError(f"{folder}: the folder already contains a tournament without a sweep; choose another folder")
    if folder is not None:
        make_folder(folder, within=folder.parent)
    tables: list[TournamentTable] = []
    for condition in plan.conditions:

        def on_progress(done: int, wanted: int, note: str, condition: Condition = condition) -> None:
            progress(wanted * len(tables) + done, plan.games, f"{words(condition)}: {note}")

        inner = None if folder is None else folder / stem(condition)
        tables.append(play_here(plan.under(condition), inner, jobs, on_progress, cluster))
    result = TournamentByLimit(plan, tuple(tables), folder)
    if folder is not None:
        _write(result, folder)
    return result


def _write(result: TournamentByLimit, folder: Path) -> None:
    heads, rows = result.table()
    title = result.plan.declaration.title
    caption, command = f"{title}: {result.note}.", command_line(result.plan.source, {"--scale": result.plan.scale})
    files = {
        "experiment.toml": result.plan.text,
        "index.html": document(title, "\n".join(_parts(result))),
        "limits.csv": csv_text(result.rows),
        "limits.tex": latex_table(heads, rows, words=1, caption=caption, label=result.plan.name, command=command),
    }
    with locked(folder):
        for name, text in files.items():
            write_file(folder / name, text)


def _parts(result: TournamentByLimit) -> Iterator[str]:
    declared = result.plan.declaration
    yield f"<h1>{escape(declared.title)}</h1>"
    if declared.question:
        yield f"<p>{escape(declared.question)}</p>"
    if result.notes:
        yield bullets(result.notes)
    yield table(*result.table(), note=f"{result.note[0].upper()}{result.note[1:]}.")
    for chart in result.charts():
        yield drawing(*chart)
    yield "<h2>The tournaments</h2>"
    links = [(stem(condition), words(condition)) for condition in result.plan.conditions]
    yield bullets(Html(f'<a href="{escape(place)}/index.html">{escape(name)}</a>') for place, name in links)
