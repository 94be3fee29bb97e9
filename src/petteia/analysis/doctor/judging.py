"""What a run has learned, held against others: how it plays, and whether its values order moves as they should be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from scipy.stats import kendalltau

from petteia.arena.statistics import mean_interval
from petteia.core.arrays import Floats, Ints
from petteia.core.decision import Limit
from petteia.core.errors import UsageError
from petteia.core.hashing import EMPTY
from petteia.core.protocol import Rules, State, has_chance, legal, limits, play, to_move
from petteia.core.random import keys
from petteia.features.evaluations import evaluation_for
from petteia.policies.play_games import ENDED, MARGIN, RngKeys, play_games
from petteia.policies.policy import Policy
from petteia.search.searcher import Searcher
from petteia.solver.tablebase import Tablebase, build, find

GAMES = 200
"""that are played between two players"""
MEMORY = 60_000_000
"""bytes that solving the game may use: a few hundred thousand positions, which takes a second"""
NODES = 2_000
"""that are searched in a position, where the game is too large to be solved"""
ORDERED, MIN_ORDERED = 150, 20
"""positions whose moves are compared, and without how many nothing is said"""
KEY = 20_260_102
DIGITS = 9
"""of expected margins, to which equal ones are equal"""

Values = dict[int, float]
"""of each move, to its mover"""


class Played(NamedTuple):
    """Games between two players, of which the first is judged."""

    score: float
    """wins and half the draws, as a share of the games"""
    wins: float
    """the share of games won"""
    stopped: float
    """the share of games that were stopped before their end"""
    different: int
    """how many of the games differ from all before them"""


def meet(
    rules: Rules, start: State, one: Policy, other: Policy, seat: int, max_plies: int, games: int = GAMES
) -> Played:
    """How `one` does in this seat against `other`, in games from `start`."""
    results: Ints = play_games(
        rules,
        start,
        one,
        other,
        games=games,
        keys=RngKeys(*keys(KEY, 4)),
        seats=(seat, seat),
        max_plies=max_plies,
    )
    scores = np.sign(results[:, MARGIN]) * (1 - 2 * seat)
    return Played(
        score=float((scores.mean() + 1.0) / 2.0),
        wins=float((scores > 0).mean()),
        stopped=float((results[:, ENDED] == 0).mean()),
        different=len(np.unique(results[:, -1])),
    )


def solved(rules: Rules, start: State) -> Tablebase | None:
    """The table of the solved game; None if it cannot be solved, or not quickly."""
    try:
        return build(rules, start, memory=MEMORY)
    except UsageError:
        return None


class Order(NamedTuple):
    """How far learned values order moves as known ones do."""

    tau: float
    """the mean of Kendall's tau over positions: 1 the same order, 0 none, -1 the reverse"""
    high: float
    """upper bound of the 95 % interval of the mean"""
    positions: int
    """over which the mean is"""


def order_of_moves(
    learned: Callable[[State], Values], known: Callable[[State], Values | None], states: Sequence[State]
) -> Order | None:
    """Kendall's tau-b of learned and known values, over positions whose moves differ; None if too few do.

    Moves that have no learned value are left out. Where learned values do not differ, they order nothing: 0.
    Source: Kendall 1945, "The treatment of ties in ranking problems", Biometrika 33.
    """
    taus = []
    for state in states:
        mine = learned(state)
        truth = known(state) if len(mine) > 1 else None
        moves = list(mine)
        if truth is None or len({truth[move] for move in moves}) < 2:
            continue
        is_level = len({round(each, 12) for each in mine.values()}) < 2
        tau = 0.0 if is_level else kendalltau([mine[m] for m in moves], [truth[m] for m in moves]).statistic
        taus.append(float(tau))
        if len(taus) == ORDERED:
            break
    if len(taus) < MIN_ORDERED:
        return None
    interval = mean_interval(taus)
    return Order(interval.mean, interval.high, len(taus))


def results(rules: Rules, table: Tablebase) -> Floats:
    """The results of best play, by row: won 1, drawn 0, lost -1; where chance can move, expected margins.

    Of these equal ones are equal.
    """
    values: Floats = table.values.astype(np.float64)
    return np.round(values, DIGITS) if has_chance(rules) else np.sign(values)


def by_table(rules: Rules, table: Tablebase, worth: Floats) -> Callable[[State], Values | None]:
    """What each move is worth to its mover, where all are known; `worth` is that of each row, to player 0."""

    def known(state: State) -> Values | None:
        sign = 1 - 2 * to_move(rules, state)
        values = Values()
        for move in legal(rules, state):
            row = find(rules, table, play(rules, state, move))
            if row == EMPTY:
                return None
            values[move] = float(worth[row] * sign)
        return values

    return known


def by_search(rules: Rules) -> Callable[[State], Values | None]:
    """The values of a search by the game's own evaluation, to the mover."""
    searcher, limit, lines = (
        Searcher(rules, evaluation_for(rules, None), megabytes=1),
        Limit(nodes=NODES),
        limits(rules),
    )

    def known(state: State) -> Values | None:
        searcher.clear()
        sign = 1 - 2 * to_move(rules, state)
        thought = searcher.search(state, limit, multipv=lines.moves)
        return {move: sign * value for move, value in thought.values.items()} or None

    return known
