"""Round robins whose scores are made up from ratings, so that claims about them can be judged without games."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

from petteia.arena.ratings import score_of
from petteia.arena.statistics import interval_of
from petteia.experiments.tournament.matches import Cell
from petteia.reports.engine.round_robins import RoundRobin

Ratings = Callable[[RoundRobin], Mapping[str, float]]
"""the Elo points of the players of a round robin, by what they are called"""


def made_table(asked: RoundRobin, ratings: Mapping[str, float], games: int) -> Any:
    """What would come of a round robin if each match had the score that is expected by the ratings."""
    cells = []
    names = [*asked.players]
    for number, one in enumerate(names):
        for other in names[number + 1 :]:
            wins = round(games * score_of(ratings[one] - ratings[other]))
            found = interval_of(wins / games, wins * (games - wins) / games, games)
            letters = ("V" * wins).ljust(games, "X")
            figures = (games, wins, 0, games - wins, *found, (games - wins, 0, wins), games, 0)
            cells.append(Cell(asked.players[one], asked.players[other], *figures, letters=letters))
    crosstable = {(cell.row, cell.column): cell for each in cells for cell in (each, each.turned)}
    plan = SimpleNamespace(
        players=tuple(asked.players.values()), declaration=SimpleNamespace(tournament=SimpleNamespace(games=games))
    )
    return SimpleNamespace(plan=plan, cells=cells, crosstable=crosstable)


class MadeRoundRobins:
    """Evidence of round robins alone."""

    tables: dict[str, Any]
    is_judged = True
    seeds = 0
    all_trainings: tuple[()] = ()

    def __init__(self, ratings: Ratings, games: int = 400, scale: str = "all") -> None:
        self.ratings, self.games, self.scale, self.tables = ratings, games, scale, {}

    def size(self, number: Any) -> int:
        """The number at the scale."""
        return number if isinstance(number, int) else int(number.at(self.scale))

    def round_robin(self, asked: RoundRobin) -> Any:
        """What came of it."""
        return made_table(asked, self.ratings(asked), self.games)
