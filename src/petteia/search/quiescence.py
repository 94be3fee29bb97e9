"""Horizons that search on from moves that are not quiet.

A move is not quiet if the position after it is worth much more, or much less, to the evaluation than the one before:
the opponent's reply may take back what it gained. Then the replies are looked at, and those that are not quiet in turn
are searched on, down to a number of levels.

Source: a student report on selective alpha-beta search for the Game of the Amazons, question 8.
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
    """Whether the values of a position and of the one after it differ by no more than a threshold."""
    return -threshold <= after - before <= threshold


@kernel(purpose="search")
def search_replies(
    search: Search, state: State, value: int, ply: int, levels: int, alpha: int, beta: int, threshold: int
) -> int:
    """The value for player 0 of a state at the horizon, by the best of the moves from there.

    The evaluation says `value` of the state. Moves that are not quiet are searched on, `levels` (1 or more) plies in
    all. A bound is enough outside `alpha` to `beta`, player 0's as well.
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
    """The horizon at which moves that are not quiet are searched on."""

    threshold: int
    """the largest difference of a quiet move, in units of the evaluation"""
    levels: int
    """plies that are searched on at most"""

    def search_beyond(horizon, search: Search, before: State, state: State, ply: int, alpha: int, beta: int) -> int:
        """The value by the evaluation after a quiet move, else by the best reply."""
        rules, evaluation, _, _, _ = value_at(search)
        value = guessed_worth(evaluation, rules, state)
        threshold = horizon.threshold * finer(evaluation, rules)
        if is_chance(rules, before) or is_chance(rules, state):
            return value
        if is_quiet(guessed_worth(evaluation, rules, before), value, threshold):
            return value
        return int(search_replies(search, state, value, ply, horizon.levels, alpha, beta, threshold))

    def plies_beyond(horizon) -> int:
        """The levels."""
        return horizon.levels

    def leaves_out(horizon) -> bool:
        """All replies are looked at, or what the selection leaves of them."""
        return False
