"""A perfect policy, which finds the best moves in the table of a solved game."""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.kernel import inline
from petteia.core.protocol import Buffer, Rules, State, moves, play, to_move
from petteia.core.random import RandomState, below
from petteia.policies.policy import Scratch
from petteia.solver.tablebase import Tablebase, find_known, is_better, worth


@inline
def worth_of_move(table: Tablebase, rules: Rules, state: State, move: int) -> tuple[float, int]:
    """Return the value of a move for the player to move, and the distance to the end of the game as a tie-breaker."""
    return worth(table, find_known(rules, table, play(rules, state, move)), to_move(rules, state))


class PerfectPolicy(NamedTuple):
    """A policy that plays a move with the best value. Among these, it chooses the fastest win or the slowest loss.

    If several moves are equally good, one of them is chosen uniformly at random. In games with chance nodes, distances
    to the end of the game are not known. Values that differ by at most `TOLERANCE` then count as equal. Because all
    best moves have the same probability, the policy sooner or later chooses a best move that brings the end of the game
    nearer.
    """

    table: Tablebase
    """the table of the solved game"""

    def choose(policy, rules: Rules, state: State, random: RandomState, work: Scratch) -> int:
        """Return a best move according to the table."""
        count = moves(rules, state, work.moves)
        chosen = int(work.moves[0])
        maximum = worth_of_move(policy.table, rules, state, chosen)
        ties = 1
        for i in range(1, count):
            move = int(work.moves[i])
            each = worth_of_move(policy.table, rules, state, move)
            if is_better(each, maximum):
                maximum = each
                ties = 1
                chosen = move
            elif not is_better(maximum, each):
                ties += 1
                if below(random, ties) == 0:
                    chosen = move
        return chosen

    def probabilities(policy, rules: Rules, state: State, share: float, out: Buffer, work: Scratch) -> int:
        """Divide the probability `share` equally among the best moves. Return the number of legal moves."""
        count = moves(rules, state, work.moves)
        maximum = worth_of_move(policy.table, rules, state, int(work.moves[0]))
        for i in range(1, count):
            each = worth_of_move(policy.table, rules, state, int(work.moves[i]))
            if each > maximum:  # compiled code has no max for pairs
                maximum = each
        ties = 0
        for i in range(count):
            if not is_better(maximum, worth_of_move(policy.table, rules, state, int(work.moves[i]))):
                ties += 1
        for i in range(count):
            if not is_better(maximum, worth_of_move(policy.table, rules, state, int(work.moves[i]))):
                out[i] += share / ties
        return count
