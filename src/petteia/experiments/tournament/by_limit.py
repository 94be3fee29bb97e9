"""The same tournament under several limits of thought, and how the score of each player depends on the limit.

The folder holds a folder for each limit, such as `nodes-1000`, which is that of a tournament like any other, and

- `index.html`: a page with the table and the charts of scores by limit, and links to the pages of the tournaments;
- `limits.csv`: a row for each limit and player; `limits.tex`: the table for LaTeX.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from petteia.arena.ratings import shown_elo
from petteia.arena.statistics import Interval, independent_sum
from petteia.core.decision import Limit, check_amounts
from petteia.core.errors import InvalidError, UsageError
from petteia.core.protocol import Rules
from petteia.experiments.declaration import label, stem
from petteia.experiments.formats import csv_text, latex_table
from petteia.experiments.tournament.play import NAME
from petteia.experiments.tournament.results import TournamentTable
from petteia.experiments.tournament.tournament import tournament
from petteia.experiments.work import Progress
from petteia.records.files import make_folder, write_file
from petteia.records.lock import locked
from petteia.render.charts import Curve, line_chart
from petteia.render.html import Html, bullets, document, drawing, table

OPTIONS = {"seconds": "time"}
"""What an amount of a limit is called as an option, where that differs."""
UNITS = {"time": "time (seconds a move)", "nodes": "nodes a move", "depth": "depth (plies)"}
"""What is on the axis of a chart, by option."""
Amounts = dict[str, float]
"""The amounts of a limit, by option."""


@dataclass(frozen=True, repr=False)
class TournamentByLimit:
    """A tournament that was played under several limits."""

    title: str
    limits: tuple[Limit, ...]
    """the limits"""
    tables: tuple[TournamentTable, ...]
    """the tournament under each of them"""

    def __repr__(self) -> str:
        return f"<{self.title} under {len(self.limits)} limits>"

    @property
    def players(self) -> tuple[str, ...]:
        """Who plays."""
        return self.tables[0].plan.players

    @property
    def notes(self) -> tuple[str, ...]:
        """What people should be told about the players, and about what they did."""
        return tuple(dict.fromkeys(note for each in self.tables for note in each.notes))

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A row for each limit and player: the amounts of the limit, the score with its interval, and the standing."""
        return [
            {**amounts_of(limit), **score_of_player(found, each.player).row("score"), **each._asdict()}
            for limit, found in zip(self.limits, self.tables, strict=True)
            for each in found.standings
        ]

    def table(self) -> tuple[list[str], list[list[str]]]:
        """A heading and rows for people: a row for each player, its score and its Elo points under each limit."""
        standings = [{each.player: each for each in found.standings} for found in self.tables]
        rows = [
            [name, *(f"{each[name].score:.1%} ({shown_elo(each[name].elo)})" for each in standings)]
            for name in self.players
        ]
        return ["player", *map(words, self.limits)], rows

    @property
    def note(self) -> str:
        """What the table shows."""
        games = self.tables[0].plan.declaration.tournament.games
        return f"score and Elo points of each player, from {games:,} games of each match"

    def charts(self) -> Iterator[tuple[str, str]]:
        """The charts of scores, as SVG, each with what it shows in a sentence.

        The option with the most values is on the axis; there is a chart for each choice of the others.
        """
        amounts = [amounts_of(limit) for limit in self.limits]
        values = {name: {each.get(name) for each in amounts} for each in amounts for name in each}
        axis = max(values, key=lambda name: len(values[name]))
        others = sorted({tuple((name, value) for name, value in each.items() if name != axis) for each in amounts})
        for fixed in others:
            chosen = [
                (each[axis], found)
                for each, found in sorted(zip(amounts, self.tables, strict=True), key=lambda pair: pair[0][axis])
                if all(each[name] == value for name, value in fixed)
            ]
            where = ", ".join(f"{name} {label(value)}" for name, value in fixed)
            yield (
                line_chart(
                    [_curve(name, chosen) for name in self.players],
                    f"Score by {axis}{f' ({where})' if where else ''}",
                    UNITS[axis],
                    "score",
                    is_logarithmic=True,
                    bars=True,
                ),
                f"The score of each player by {axis}, with 95 % intervals{f'; {where}' if where else ''}.",
            )


def amounts_of(limit: Limit) -> Amounts:
    """The amounts that a limit has, by option."""
    return {OPTIONS.get(kind, kind): amount for kind, amount in limit.amounts.items() if amount is not None}


def words(limit: Limit) -> str:
    """A limit for people: `nodes 1000`."""
    return ", ".join(f"{name} {label(value)}" for name, value in amounts_of(limit).items())


def score_of_player(found: TournamentTable, player: str) -> Interval:
    """The score of a player in all its games against others, with its 95 % interval."""
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
    limits: Sequence[Limit],
    *,
    folder: str | Path | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> TournamentByLimit:
    """Let players meet each other under each of several limits of thought.

    Args:
        game: the rules or their text
        players: as of `petteia.tournament`
        limits: how much thought a move may take; all with amounts of the same kinds
        folder: where to keep the tournaments, the page, and the table; the same call goes on where it was stopped
        progress: called as games are played
        options: the others of `petteia.tournament`

    Returns:
        The tournament under each limit, and the scores by limit.

    Raises:
        UsageError: a limit twice, or limits of different kinds; and as of `petteia.tournament`
        InvalidError: a folder that holds a tournament under one limit; and as of `petteia.tournament`

    """
    for limit in limits:
        check_amounts(**limit.amounts)
    kinds = {tuple(amounts_of(limit)) for limit in limits}
    if len(kinds) != 1 or () in kinds:
        raise UsageError("limits: must be one or more, and all have amounts of the same kinds")
    if twice := [limit for limit in limits if list(limits).count(limit) > 1]:
        raise UsageError(f"limits: has {words(twice[0])} twice")
    place = None if folder is None else Path(folder)
    if place is not None and (place / NAME).exists():
        raise InvalidError(f"{place}: holds a tournament under one limit; choose another folder")
    if place is not None:
        make_folder(place)
    tables: list[TournamentTable] = []

    def on_progress(done: int, wanted: int, note: str) -> None:
        if progress is not None:
            at = words(limits[len(tables)])
            progress(wanted * len(tables) + done, wanted * len(limits), f"{at}: {note}")

    for limit in limits:
        inner = None if place is None else place / stem(amounts_of(limit))
        found = tournament(game, players, limit=limit, folder=inner, progress=on_progress, **options)
        tables.append(found)
    result = TournamentByLimit(tables[0].plan.declaration.title, tuple(limits), tuple(tables))
    if place is not None:
        _write(result, place)
    return result


def _write(result: TournamentByLimit, folder: Path) -> None:
    heads, rows = result.table()
    caption = f"{result.title}: {result.note}."
    files = {
        "index.html": document(result.title, "\n".join(_parts(result))),
        "limits.csv": csv_text(result.rows),
        "limits.tex": latex_table(heads, rows, words=1, caption=caption, label=folder.name, command="petteia arena"),
    }
    with locked(folder):
        for name, text in files.items():
            write_file(folder / name, text)


def _parts(result: TournamentByLimit) -> Iterator[str]:
    yield f"<h1>{escape(result.title)}</h1>"
    if result.notes:
        yield bullets(result.notes)
    yield table(*result.table(), note=f"{result.note[0].upper()}{result.note[1:]}.")
    for chart in result.charts():
        yield drawing(*chart)
    yield "<h2>The tournaments</h2>"
    links = [(stem(amounts_of(limit)), words(limit)) for limit in result.limits]
    yield bullets(Html(f'<a href="{escape(place)}/index.html">{escape(name)}</a>') for place, name in links)


def grid(**values: Sequence[float] | None) -> list[Limit]:
    """The limits with each combination of these values: of `depth`, `nodes` and `seconds`; None: no limit of a kind."""
    given = {name: each for name, each in values.items() if each}
    return [Limit(**dict(zip(given, chosen, strict=True))) for chosen in itertools.product(*given.values())]  # type: ignore[arg-type]  # whole numbers where these are wanted
