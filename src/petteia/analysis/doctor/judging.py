"""Measure scores of a trained player in matches, and the rank correlation of its values with reference values."""

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
"""The default number of games between two players."""
MEMORY = 60_000_000
"""The maximum memory for solving the game, in bytes. It suffices for about 100,000 positions, which take a second."""
NODES = 2_000
"""The node limit of the search in a position, if the game is too large to be solved."""
ORDERED, MIN_ORDERED = 150, 20
"""The maximum and the minimum number of positions in which the order of moves is compared."""
KEY = 20_260_102
DIGITS = 9
"""The number of decimal digits to which expected margins are rounded."""

Values = dict[int, float]
"""The value of each move, for the player to move."""


class Played(NamedTuple):
    """The result of a match, from the perspective of the first player."""

    score: float
    """wins and half the draws, as a share of the games"""
    wins: float
    """the share of games won"""
    stopped: float
    """the share of games that were stopped before their end"""
    different: int
    """the number of different games"""


def meet(
    rules: Rules, start: State, one: Policy, other: Policy, seat: int, max_plies: int, games: int = GAMES
) -> Played:
    """Play a match from the state `start`, and return the result of `one`, which plays in `seat` against `other`."""
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
    """Return the tablebase of the game; None if the game cannot be solved within the memory limit."""
    try:
        return build(rules, start, memory=MEMORY)
    except UsageError:
        return None


class Order(NamedTuple):
    """The rank correlation between the learned values of moves and reference values of the same moves."""

    tau: float
    """the mean of Kendall's tau over positions: 1 for the same order, 0 for a random one, -1 for the reverse"""
    high: float
    """the upper bound of the 95 % interval of the mean"""
    positions: int
    """the number of positions"""


def order_of_moves(
    learned: Callable[[State], Values], known: Callable[[State], Values | None], states: Sequence[State]
) -> Order | None:
    """Return the rank correlation of learned values and reference values of moves, averaged over positions.

    `learned` returns the learned values of the moves in a state. `known` returns reference values of the moves, from
    best play or from a search, or None if they are not available. The rank correlation is Kendall's tau-b.

    Moves without a learned value are ignored. A state is used only if its remaining moves have at least two different
    reference values. If all learned values in a state are equal, tau-b is 0 for this state. If fewer than `MIN_ORDERED`
    states can be used, the result is None.

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
    """Return the result of best play from each position in a tablebase, float64[rows].

    A result is 1 if player 0 wins, 0 for a draw, and -1 if player 1 wins.

    In games with chance, a result is the expected margin of player 0. It is rounded, so that equal results do not
    differ because of rounding errors.
    """
    values: Floats = table.values.astype(np.float64)
    return np.round(values, DIGITS) if has_chance(rules) else np.sign(values)


def by_table(rules: Rules, table: Tablebase, worth: Floats) -> Callable[[State], Values | None]:
    """Return a function that looks up the value of each move in a state in a tablebase.

    The values of moves are from the perspective of the player to move. If the tablebase lacks the position after one of
    the moves, the returned function returns None. `worth`, float64[positions], contains the value of each position in
    the tablebase for player 0.
    """

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
    """Return a function that computes the value of each move in a state by a search.

    The values of moves are from the perspective of the player to move. If the search finds no values for a state, the
    returned function returns None.
    """
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
