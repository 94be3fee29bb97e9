"""How often the random player can be beaten at all, worked out exactly for every position of a game that can be solved.

Games of random play are partly luck: who cannot win them all need not have erred. Three ways of play are followed, to
which no learner that meets the random player need be compared beyond:

- `best`: every move has the highest probability that the game is won, if it goes on so. Such a player gambles: it gives
  away what a random opponent will not take.
- `faultless`: the same among the moves that give nothing away, so that its regret is 0.
- `any_faultless`: of the moves that give nothing away any, each equally likely, as the player `perfect` does where ties
  are drawn.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from petteia.arena.openings import start_state
from petteia.core.arrays import Floats, Ints, Ints8, Ints32
from petteia.core.errors import UsageError
from petteia.core.kernel import kernel
from petteia.core.names import format_game
from petteia.core.protocol import Rules, State
from petteia.games import game as rules_of
from petteia.learn.mdp import in_order
from petteia.solver.graph import MEMORY, OVER, Graph, explore, refuse_chance
from petteia.solver.retrograde import analyse, turned_round

BEST, FAULTLESS, ANY_FAULTLESS = range(3)
WAYS = ("best", "faultless", "any_faultless")
"""of play"""
PRECISION = 1e-12
"""probabilities are swept over until none changes by more"""
MAX_SWEEPS = 10_000


class Ceiling(NamedTuple):
    """What a way of play comes to against the random player."""

    way: str
    """one of WAYS"""
    won: float
    """the probability that it wins"""
    moves: float
    """the mean number of its moves in a game"""
    regret: float
    """the mean regret of a move, in units of the margin: the regret of a game divided by the number of moves"""


def ceilings(
    game: str | Rules, *, position: str | State | None = None, memory: int = MEMORY
) -> tuple[tuple[Ceiling, ...], tuple[Ceiling, ...]]:
    """What each way of play comes to from the start against the random player: as player 0, and as player 1.

    Args:
        game: the rules or their text; a game that can be solved
        position: where the game starts, a state or its text; default: its first position
        memory: bytes that solving may use

    Raises:
        UsageError: an unknown game, a game that cannot be solved, or whose probabilities do not settle
        InvalidError: an impossible position

    """
    rules = rules_of(game)
    refuse_chance(rules)
    graph = explore(rules, start_state(rules, position), folded=True, numbered=False, memory=memory)
    back = turned_round(graph)
    values = analyse(graph, back).values
    del back
    order = in_order(graph)
    by_seat = [tuple(_ceiling(rules, graph, values, order, side, way) for way in range(len(WAYS))) for side in (0, 1)]
    return by_seat[0], by_seat[1]


def _ceiling(rules: Rules, graph: Graph, values: Ints32, order: Ints, side: int, way: int) -> Ceiling:
    """What a way of play comes to; `values`, int32[rows], are those of the solved game."""
    truth = values if side == 0 else -values
    won = np.where((graph.movers == OVER) & (truth > 0), 1.0, 0.0)
    moves, regret = np.zeros(len(won)), np.zeros(len(won))
    for _ in range(MAX_SWEEPS):
        change = _sweep(graph.movers, graph.offsets, graph.successors, truth, order, side, way, won, moves, regret)
        if change <= PRECISION:
            return Ceiling(WAYS[way], float(won[0]), float(moves[0]), float(regret[0] / max(moves[0], 1.0)))
    raise UsageError(f"{format_game(rules)}: the probabilities have not settled after {MAX_SWEEPS:,} sweeps")


@kernel(purpose="exact probabilities")
def _sweep(
    movers: Ints8,
    offsets: Ints,
    successors: Ints32,
    truth: Ints32,
    order: Ints,
    side: int,
    way: int,
    won: Floats,
    moves: Floats,
    regret: Floats,
) -> float:
    """Work out each row anew from those that follow; returns the largest change of a probability or a number.

    `truth`, int32[rows], are the values for `side`; `won`, `moves` and `regret`, float64[rows], are the probability to
    win, and the number of moves to come and what they give away in the mean. The rest is as in a graph.
    """
    largest = 0.0
    for place in range(len(order)):
        row = order[place]
        if movers[row] == OVER:
            continue
        begin, end = offsets[row], offsets[row + 1]
        mine = movers[row] == side
        chosen, count = -1, 0
        new_won, new_moves, new_regret = 0.0, 0.0, 0.0
        for edge in range(begin, end):
            child = successors[edge]
            if mine and way != BEST and truth[child] < truth[row]:
                continue
            if mine and way != ANY_FAULTLESS:
                is_better = chosen < 0 or won[child] > won[chosen]
                if is_better or (won[child] == won[chosen] and truth[child] > truth[chosen]):
                    chosen = child
            else:
                count += 1
                new_won += won[child]
                new_moves += moves[child]
                new_regret += regret[child] + (truth[row] - truth[child] if mine else 0)
        if chosen >= 0:
            count = 1
            new_won, new_moves = won[chosen], moves[chosen]
            new_regret = regret[chosen] + (truth[row] - truth[chosen])
        new_won, new_moves, new_regret = new_won / count, new_moves / count, new_regret / count
        if mine:
            new_moves += 1.0
        largest = max(largest, abs(new_won - won[row]), abs(new_moves - moves[row]), abs(new_regret - regret[row]))
        won[row], moves[row], regret[row] = new_won, new_moves, new_regret
    return largest
