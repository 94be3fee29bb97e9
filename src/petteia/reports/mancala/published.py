"""The figures that the report on Mancala prints: wins and draws of the first-named player, in per cent.

The learned weights are in `petteia.features.report_weights`, the table of the baselines in the experiment
`mancala-baselines`.
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.experiments.tournament.comparison import Counts

HUNDRED = 100.0


class Printed(NamedTuple):
    """A figure of the report."""

    wins: float
    draws: float

    @property
    def text(self) -> str:
        """As it is printed: `91/3.5`."""
        return f"{self.wins:g}/{self.draws:g}"

    @property
    def score(self) -> float:
        """Share of the points, 0..1."""
        return (self.wins + self.draws / 2.0) / HUNDRED

    def counts(self, games: int) -> Counts:
        """What it is of so many games. Wins are rounded: where they and the draws are more than all, they are less."""
        draws = round(self.draws * games / HUNDRED)
        wins = min(round(self.wins * games / HUNDRED), games - draws)
        return wins, draws, games - wins - draws


Table = tuple[tuple[Printed, ...], ...]


def _table(text: str) -> Table:
    """A line for each row, a word for each column."""
    rows = [[cell.split("/") for cell in line.split()] for line in text.strip().splitlines()]
    return tuple(tuple(Printed(float(wins), float(draws)) for wins, draws in row) for row in rows)


THETA_GAMES = 200
"""of a cell of the two tables of theta: it says 1000, but all its draws are multiples of half a per cent"""
STAGE_GAMES = 1000
"""of a cell of the progress, and of the stages"""

THETA_FIRST = _table("""
100/0 91/3 69/3.5 36/6 45/5 37/0
100/0 100/0 100/0 100/0 100/0 100/0
100/0 100/0.5 100/0 100/0.5 99/0 94/1.5
100/0 100/0 100/0 94/2.5 89/0.5 86/6
100/0 100/0 100/0 100/0 100/0 100/0
""")
"""theta1..5 against the heuristic and greedy1..5"""

THETA_SECOND = _table("""
100/0 100/0 0/0 100/0 100/0
9/1.5 7/0.5 5/0 3/1 2/0
76/0 57/3.5 61/2.5 39/2.5 37/8.5
92/2.5 65/4 46/0.5 35/1 71/7
100/0.5 40/1.5 72/2 5/0.5 3/3
99/0 84/3.5 90/3 76/2.5 72/2
42/58 100/0 0/0 0/0 0/0
100/0 100/0 100/0 100/0 100/0
100/0 100/0 100/0 100/0 82/0
100/0 100/0 0/0 100/0 0/0
100/0 100/0 100/0 100/0 100/0
""")
"""the heuristic, greedy1..5 and theta1..5 against theta1..5"""

PROGRESS = _table("""
85/3 60/4
91/2 84/2
87/4 82/3
90/2 89/3
91/2 89/2
""")
"""theta1 against greedy1, as first and as second, after 10,000, 100,000, 200,000, 400,000 and 500,000 games: in each
case wins and draws of theta1"""

STAGES = _table("""
0/0 44/5 93/0 0/0 24/0
87/0 0/0 100/0 60/40 77/12
93/0 98/0 0/0 0/0 0/0
84/1 75/0 100/0 0/0 0/0
100/0 100/0 100/0 100/0 0/0
""")
"""these five against each other; on the diagonal nothing is printed"""

LAMBDA = {
    1: (1000, Printed(100, 0), Printed(0, 100)),
    2: (200, Printed(100, 0), Printed(0, 0)),
    3: (200, Printed(100, 0), Printed(0, 0)),
}
"""lambda 0 against 0.15, by plies of search: games, and what lambda 0 has where it starts and where the other does"""

LOWER_ONLY, BOTH_SIDES = 0.53, 0.88
"""share of games that a learner which was always lower, and one that learned on both sides, wins as second against
greedy1"""

SWINGING = frozenset(
    {
        *("south_to_move.south.can_get_another_move", "south_to_move.south.is_passing_store"),
        *("south_to_move.south.can_fill_all_empties", "south_to_move.south.play_options"),
        *("south_to_move.south.last_pit_empty", "south_to_move.north.play_options"),
        *("south_to_move.north.last_pit_empty", "north_to_move.south.is_passing_store"),
        *("north_to_move.south.play_options", "north_to_move.south.can_win_in_1_turn"),
        *("north_to_move.north.can_get_another_move", "north_to_move.north.last_pit_empty", "constant"),
    }
)
"""weights that still swing by more than 0.1 over its last 50,000 games"""
