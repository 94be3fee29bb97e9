"""Quiescence search: continuing a search beyond its depth after moves that change the evaluation considerably.

A move is quiet if it changes the evaluation by at most a threshold. If a move is not quiet, the opponent's reply may
reverse its gain, so the search also evaluates all replies. After a reply that is not quiet, the search continues in the
same way, up to a maximum number of plies.

Source: a student report on selective alpha-beta search for the Game of the Amazons, in the answer to its question 8.
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.kernel import inline, kernel
from petteia.core.pointer import value_at
from petteia.core.protocol import State, play, to_move
from petteia.search.alpha_beta import list_moves
from petteia.search.ends import INFINITE, finer, guessed_worth, is_chance, is_settled
from petteia.search.leaves import worth_of_end
from petteia.search.memory import GUESSES, NODES, STOP, must_stop
from petteia.search.parts import Search


@inline
def is_quiet(before: int, after: int, threshold: int) -> bool:
    """Return whether a move is quiet: the evaluations before and after it differ by at most `threshold`."""
    return -threshold <= after - before <= threshold


@kernel(purpose="search")
def search_replies(
    search: Search, state: State, value: int, ply: int, levels: int, alpha: int, beta: int, threshold: int
) -> int:
    """Search the replies in `state` to a move that is not quiet. Return the value, for player 0, of the best reply.

    `value` is the evaluation of `state`, in which the replying player is to move. Replies that are not quiet are
    searched further, up to `levels` (1 or more) plies. `alpha` and `beta` are values for player 0, like the result. If
    the value of the best reply is not between `alpha` and `beta`, the result may be only a bound of the value.
    """
    rules, evaluation, _, options, memory = value_at(search)
    if must_stop(memory):
        return 0
    side = to_move(rules, state)
    sign = 1 - 2 * side
    lower, upper = (alpha, beta) if side == 0 else (-beta, -alpha)
    best = -INFINITE
    count = list_moves(search, state, ply)
    for i in range(count):
        child = play(rules, state, int(memory.moves[ply, i]))
        memory.counters[NODES] += 1
        found = 0
        if is_settled(rules, options, child):
            found = worth_of_end(search, child, ply + 1)
        else:
            found = guessed_worth(evaluation, rules, child)
            memory.counters[GUESSES] += 1
            if levels > 1 and not is_quiet(value, found, threshold) and not is_chance(rules, child):
                low, high = (lower, upper) if side == 0 else (-upper, -lower)
                found = search_replies(search, child, found, ply + 1, levels - 1, low, high, threshold)
        best = max(best, sign * found)
        if best >= upper or memory.counters[STOP] != 0:
            break
        lower = max(lower, best)
    return sign * best


class UntilQuiet(NamedTuple):
    """The horizon of quiescence search, which continues beyond the search depth after moves that are not quiet."""

    threshold: int
    """the largest change of the evaluation that a quiet move can cause, in units of the evaluation"""
    levels: int
    """the maximum number of plies that are searched beyond the depth"""

    def search_beyond(horizon, search: Search, before: State, state: State, ply: int, alpha: int, beta: int) -> int:
        """Return the evaluation of `state` if the last move was quiet, and otherwise the value of the best reply.

        If the last move was quiet, or if `before` or `state` is a chance node, the method returns the evaluation. The
        evaluation and the value of the best reply are from the perspective of player 0.
        """
        rules, evaluation, _, _, _ = value_at(search)
        value = guessed_worth(evaluation, rules, state)
        threshold = horizon.threshold * finer(evaluation, rules)
        if is_chance(rules, before) or is_chance(rules, state):
            return value
        if is_quiet(guessed_worth(evaluation, rules, before), value, threshold):
            return value
        return int(search_replies(search, state, value, ply, horizon.levels, alpha, beta, threshold))

    def plies_beyond(horizon) -> int:
        """Return the maximum number of plies that the quiescence search adds."""
        return horizon.levels

    def leaves_out(horizon) -> bool:
        """Return False, because every reply is examined."""
        return False
