"""The tables and charts of the matches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from petteia.arena.statistics import Interval
from petteia.experiments.tournament.by_limit import score_of_player
from petteia.reports.amazons import boards, orderings, plan, published, seen
from petteia.reports.amazons.plan import Effort, efforts, judged
from petteia.reports.amazons.published import SECONDS, Games
from petteia.reports.engine.cells import Meeting
from petteia.reports.engine.charts import ByEffort
from petteia.reports.engine.estimates import NUMBER, SHARE
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, known
from petteia.reports.engine.round_robins import Asked, RoundRobin, against, chance_to_name, may_be_best, score
from petteia.reports.engine.tables import MatchTable, Row, Table, table

EXPERIMENTS: dict[str, tuple[Callable[[Evidence, Effort], RoundRobin], Games]] = {
    "selection": (lambda evidence, effort: plan.shares(effort), published.SELECTION),
    "players": (plan.players, published.PLAYERS),
}
"""both experiments by name, each with its games in the original"""


def winners(evidence: Evidence, asked: RoundRobin, games: Games, pair: tuple[str, str]) -> str:
    """Return the winners, as letters, of the games between two players that the first of them began.

    There is a game for each of the `RUNS` runs of the original study.
    """
    one, other = (asked.players[games.names[letter]] for letter in pair)
    letters, order = dict(zip("VX", pair, strict=True)), [*games.names]
    began = int(order.index(pair[0]) > order.index(pair[1]))
    won = evidence.round_robin(asked).crosstable[one, other].letters[began : 2 * plan.RUNS : 2]
    return " ".join(letters[each] for each in won)


def game_by_game(name: str) -> Table:
    """Return a table of the winners game by game: in the original study, and in the first games played here."""
    experiment, games = EXPERIMENTS[name]

    def rows(evidence: Evidence) -> Iterator[Row]:
        for number, pair in enumerate(games.pairs):
            cells = []
            for effort in judged(evidence):
                won = games.won_by(effort.seconds)[number]
                marked = f"({won})" if games.is_lost(effort.seconds, number) else won
                cells += [marked, winners(evidence, experiment(evidence, effort), games, pair)]
            yield [f"{number + 1}: {pair[0]} {pair[1]}", *cells]

    return Table(f"{name}-games", ("game", *_beside("", "")), rows)


def scores(name: str) -> Table:
    """Return a table of each player's score with each limit, next to its wins in the original study."""
    games = EXPERIMENTS[name][1]

    def rows(evidence: Evidence) -> Iterator[Row]:
        for letter, player in games.names.items():
            cells: list[str | Figure] = []
            for effort in judged(evidence):
                cells += [f"{games.wins(effort.seconds, letter)} of 6", _score(name, effort, player)]
            yield [f"{letter}: {player}", *cells]

    return Table(f"{name}-scores", ("player", *_beside(": wins", ": score")), rows)


def _beside(original: str, here: str) -> list[str]:
    """Return the columns of a table that shows the original and this report side by side, for each time."""
    return [words for each in SECONDS for words in (f"original, {each} s{original}", f"here, for {each} s{here}")]


def _score(name: str, effort: Effort, player: str) -> Figure:
    return score(lambda evidence: EXPERIMENTS[name][0](evidence, effort), player)


def crosstable(name: str, asked: Asked) -> MatchTable:
    """Return the table of all matches of a round robin."""

    def meetings(evidence: Evidence) -> Iterator[Meeting]:
        wanted = asked(evidence)
        found = evidence.round_robin(wanted)
        for row, one in wanted.players.items():
            for column, other in wanted.players.items():
                if row != column:
                    yield Meeting(row, column, [found.crosstable[one, other]])

    return MatchTable(name, "player", meetings)


def matches(name: str, place: int) -> MatchTable:
    """Return the table of all matches of an experiment, with one of the limits of the original study."""
    return crosstable(
        f"{name}-{SECONDS[place]}", lambda evidence: EXPERIMENTS[name][0](evidence, judged(evidence)[place])
    )


@table(
    "limit of a move", "games of each pair", "shares that may be best", "probability that 36 games show the best share"
)
def what_36_games_tell(evidence: Evidence) -> Iterator[Row]:
    """The probability that 36 games identify the share of kept moves that is really the best."""
    for effort in efforts(evidence):
        found = evidence.round_robin(plan.shares(effort))
        names = {text: name for name, text in plan.shares(effort).players.items()}
        chance = known("the chance", SHARE, chance_to_name(found, 2 * plan.RUNS))
        candidates = ", ".join(names[each] for each in may_be_best(found))
        yield [effort.words, str(found.plan.declaration.tournament.games), candidates, chance]


@table("player", "score")
def repairs(evidence: Evidence) -> Iterator[Row]:
    """Yield the scores of the selective player: without quiescence search, with it as built, and with it repaired."""
    for player in plan.repairs(evidence).players:
        yield [player, score(plan.repairs, player)]


@table("opponent", "score of search against it")
def strength(evidence: Evidence) -> Iterator[Row]:
    """Yield the scores of the package's search against its variants, the simple player, and the selective player."""
    for player in [*plan.strength(evidence).players][1:]:
        yield [player, against(plan.strength, plan.OURS, player)]


def lines(name: str) -> Callable[[Any], Mapping[str, Sequence[tuple[float, Figure]]]]:
    """Return a function that gives a chart line for each player: its score by the limit per move."""
    return lambda evidence: {
        player: [(effort.amount, _score(name, effort, player)) for effort in efforts(evidence)]
        for player in EXPERIMENTS[name][1].names.values()
    }


def best_lines(evidence: Any) -> Mapping[str, Sequence[tuple[float, Figure]]]:
    """Return the chart line of the best share of kept moves by limit, with the range of shares that may be best."""
    points = []
    for effort in efforts(evidence):
        found, names = evidence.round_robin(plan.shares(effort)), plan.SHARE_OF
        may_be = [names[text] for text in may_be_best(found)]
        highest = max(plan.SHARES, key=lambda share: score_of_player(found, plan.keeping(share)).mean)
        points.append((effort.amount, known("the best share", NUMBER, Interval(highest, min(may_be), max(may_be)))))
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
    *map(game_by_game, EXPERIMENTS),
    *map(scores, EXPERIMENTS),
    *(matches(name, place) for name in EXPERIMENTS for place in range(len(SECONDS))),
    what_36_games_tell,
    repairs,
    strength,
    crosstable("evaluations", plan.evaluations),
    orderings.rankings,
    *seen.TABLES,
)
