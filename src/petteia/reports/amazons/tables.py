"""Tables and charts of the matches between players of the Amazons."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any

from petteia.arena.statistics import Interval
from petteia.reports.amazons import boards, orderings, plan, seen
from petteia.reports.amazons.published import PRINTED, SECONDS, Games
from petteia.reports.engine.charts import ByEffort
from petteia.reports.engine.estimates import NUMBER, SHARE
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, known
from petteia.reports.engine.round_robins import Asked, RoundRobin, against, chance_to_name, score
from petteia.reports.engine.tables import MatchTable, Meeting, Row, Table, table


def winners(evidence: Evidence, asked: RoundRobin, games: Games, pair: tuple[str, str]) -> str:
    """Return the winners of the games in which the first player of a pair made the first move, as letters.

    Only the first `RUNS` games are used, because the student exercise plays each experiment `RUNS` times.
    """
    one, other = (asked.players[games.names[letter]] for letter in pair)
    began = int(pair[0] != min(pair, key=[*games.names].index))
    won = evidence.round_robin(asked).crosstable[one, other].letters[began : 2 * plan.RUNS : 2]
    return " ".join(won.translate(str.maketrans("VX", "".join(pair))))


def game_by_game(name: str) -> Table:
    """Return a table with the winner of each game in the student exercise and in this report.

    Of the games of this report, the table shows only the first ones.
    """
    games = PRINTED[name]

    def rows(evidence: Evidence) -> Iterator[Row]:
        for number, pair in enumerate(games.pairs):
            cells = []
            for seconds in SECONDS:
                won = games.won_by(seconds)[number]
                marked = f"({won})" if games.is_lost(seconds, number) else won
                cells += [marked, winners(evidence, plan.at(name, seconds)(evidence), games, pair)]
            yield [f"{number + 1}: {pair[0]} {pair[1]}", *cells]

    return Table(f"{name}-games", ("game", *_beside("", "")), rows)


def scores(name: str) -> Table:
    """Return a table with each player's number of wins in the student exercise and its score in this report.

    For each time limit of the exercise, the table has a column for the exercise and a column for this report.
    """
    games = PRINTED[name]

    def rows(evidence: Evidence) -> Iterator[Row]:
        for letter, player in games.names.items():
            cells: list[str | Figure] = []
            for seconds in SECONDS:
                cells += [f"{games.wins(seconds, letter)} of 6", score(plan.at(name, seconds), player)]
            yield [f"{letter}: {player}", *cells]

    return Table(f"{name}-scores", ("player", *_beside(": wins", ": score")), rows)


def _beside(original: str, here: str) -> list[str]:
    """Return the names of table columns, two for each time limit: the student exercise and this report.

    `original` is added to the column names of the student exercise, and `here` to those of this report.
    """
    return [words for each in SECONDS for words in (f"original, {each} s{original}", f"here, for {each} s{here}")]


def crosstable(name: str, asked: Asked) -> MatchTable:
    """Return the table of all matches of a round robin."""

    def meetings(evidence: Evidence) -> Iterator[Meeting]:
        wanted = asked(evidence)
        found = evidence.round_robin(wanted)
        for (row, one), (column, other) in permutations(wanted.players.items(), 2):
            yield Meeting(row, column, [found.crosstable[one, other]])

    return MatchTable(name, "player", meetings)


@table(
    "limit of a move", "games of each pair", "shares that may be best", "probability that 36 games show the best share"
)
def what_36_games_tell(evidence: Evidence) -> Iterator[Row]:
    """Yield a table row for each limit per move: the probability that experiment 1 finds the best player in 36 games.

    The players of experiment 1 search different shares of the moves. In the student exercise, the experiment has 36
    games for each time limit.
    """
    for effort in plan.efforts(evidence):
        found = evidence.round_robin(plan.shares(effort))
        chance = known("the chance", SHARE, chance_to_name(found, 2 * plan.RUNS))
        candidates = ", ".join(f"w = {share:g}" for share in plan.possibly_best(evidence, effort))
        yield [effort.words, str(found.plan.declaration.tournament.games), candidates, chance]


@table("player", "score")
def repairs(evidence: Evidence) -> Iterator[Row]:
    """Yield a table row with the score of each selective player, with or without quiescence search."""
    for player in plan.repairs(evidence).players:
        yield [player, score(plan.repairs, player)]


@table("opponent", "score of search against it")
def strength(evidence: Evidence) -> Iterator[Row]:
    """Yield a table row for each opponent of the player `search`, with the score of `search` against it."""
    for player in [*plan.strength(evidence).players][1:]:
        yield [player, against(plan.strength, plan.OURS, player)]


def lines(name: str) -> Callable[[Any], Mapping[str, Sequence[tuple[float, Figure]]]]:
    """Return a function that returns the lines of a chart, one for each player of the experiment `name`.

    The argument of the returned function is the evidence, the saved measurements of the report. Each point of a line is
    the score of the player at a limit per move.
    """
    return lambda evidence: {
        player: [(each.amount, score(plan.EXPERIMENTS[name](each), player)) for each in plan.efforts(evidence)]
        for player in PRINTED[name].names.values()
    }


def best_lines(evidence: Any) -> Mapping[str, Sequence[tuple[float, Figure]]]:
    """Return the points of a chart line: the best share of moves to search for each limit per move.

    The interval of a point on the line covers all shares of moves that may be the best.
    """
    points = []
    for effort in plan.efforts(evidence):
        may_be = plan.possibly_best(evidence, effort)
        interval = Interval(plan.highest(evidence, effort), min(may_be), max(may_be))
        points.append((effort.amount, known("the best share", NUMBER, interval)))
    return {"w": points}


def axis(evidence: Any) -> str:
    """Return the label of the chart axis that shows the limit per move."""
    return "seconds for five moves" if evidence.scale == "paper" else "nodes per move"


CHARTS: dict[str, Callable[[Any], str]] = {
    "selection": ByEffort("Experiment 1: the share of searched moves", axis, lines("selection")),
    "branching": seen.branching,
    "all-moves": boards.all_moves,
    "kept-moves": boards.kept_moves,
    "best": ByEffort("The best share", axis, best_lines, "share of the moves, w"),
    "players": ByEffort("Experiment 2: simple, selective, and both upgraded", axis, lines("players")),
}
TABLES: tuple[Table | MatchTable, ...] = (
    *map(game_by_game, plan.EXPERIMENTS),
    *map(scores, plan.EXPERIMENTS),
    *(crosstable(f"{name}-{seconds}", plan.at(name, seconds)) for name in plan.EXPERIMENTS for seconds in SECONDS),
    what_36_games_tell,
    repairs,
    strength,
    crosstable("evaluations", plan.evaluations),
    orderings.rankings,
    *seen.TABLES,
)
