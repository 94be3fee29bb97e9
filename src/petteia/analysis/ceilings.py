"""The exact probabilities with which three strong policies win against the random player, in a game that can be solved.

Games against the random player depend partly on luck, so even the best player loses some of them. The results of three
policies show what a learner can achieve against the random player:

- `best`: always plays a move with the highest probability of winning against the random player. A perfect opponent
  might refute this move, but the random player probably does not.
- `faultless`: always plays an optimal move, which keeps the game-theoretic value of the position. Among the optimal
  moves, it plays one with the highest probability of winning against the random player.
- `any_faultless`: plays each of the optimal moves with the same probability. The player `perfect` is different, because
  it prefers the optimal moves that win fastest or lose slowest.
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
"""The names of the policies."""
PRECISION = 1e-12
"""The largest change of any number in the last sweep. The iteration stops when no number changes by more."""
MAX_SWEEPS = 10_000


class Ceiling(NamedTuple):
    """The exact results of a strong policy in games against the random player: its wins, its moves and their regret."""

    way: str
    """the name of the policy, one of WAYS"""
    won: float
    """the probability of winning"""
    moves: float
    """the mean number of moves of the policy in a game"""
    regret: float
    """the mean regret of a move in points: the expected regret of a game divided by the expected number of moves"""


def ceilings(
    game: str | Rules, *, position: str | State | None = None, memory: int = MEMORY
) -> tuple[tuple[Ceiling, ...], tuple[Ceiling, ...]]:
    """Compute the exact results that three strong policies achieve against the random player, for both seats.

    The policies are `best`, `faultless` and `any_faultless`. The function returns two tuples. The first tuple contains
    one `Ceiling` for each policy as player 0. The second tuple contains one `Ceiling` for each policy as player 1.

    Args:
        game: the rules of a game that can be solved, as an object or a string
        position: the start position, as a state or a string; default: the initial position
        memory: the maximum memory for solving, in bytes

    Raises:
        UsageError: an unknown game, a game that cannot be solved, or probabilities that do not converge
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
    """Compute the probability of winning, the number of moves and the regret of a policy against the random player.

    `way` is the index of the policy in `WAYS`. `side` is the player, 0 or 1, that follows the policy.

    `values`, int32[positions], contains the game-theoretic value of each position in `graph`, from the perspective of
    player 0.
    """
    truth = values if side == 0 else -values
    won = np.where((graph.movers == OVER) & (truth > 0), 1.0, 0.0)
    moves, regret = np.zeros(len(won)), np.zeros(len(won))
    for _ in range(MAX_SWEEPS):
        change = _sweep(graph.movers, graph.offsets, graph.successors, truth, order, side, way, won, moves, regret)
        if change <= PRECISION:
            return Ceiling(WAYS[way], float(won[0]), float(moves[0]), float(regret[0] / max(moves[0], 1.0)))
    raise UsageError(f"{format_game(rules)}: the probabilities have not converged after {MAX_SWEEPS:,} sweeps")


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
    """Update `won`, `moves` and `regret` of each position once, from their values in the successor positions.

    The function visits the positions in the order given by `order`, and updates the three arrays in place. It returns
    the largest change of an element of these arrays.

    `truth`, int32[positions], contains the game-theoretic value of each position, from the perspective of player
    `side`. Three arrays, float64[positions], describe the rest of the game from each position. `won` contains the
    probability that player `side` wins. `moves` contains the expected number of further moves of this player, and
    `regret` the expected total regret of these moves. `movers`, `offsets` and `successors` are arrays of a `Graph`.
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
