"""The values of chance nodes: means over the outcomes, computed with Star1 and Star2 pruning.

The value of a chance node is the mean over its outcomes. The mean is summed in the order in which the game lists the
outcomes. The mean is rounded to an integer, with halves rounded away from 0.

The value of each outcome has a lower and an upper bound, at first the bounds of the evaluation. The weighted means of
these bounds are bounds of the value of the chance node. Star1 omits the remaining outcomes as soon as the mean of the
lower bounds is at least beta, or the mean of the upper bounds is at most alpha. Each outcome is searched with a window
of its own. This window is chosen so that a value outside it makes Star1 omit the remaining outcomes.

With a transposition table, Star2 first searches only one move in the position after each outcome. The value of this
move is a bound on the value of the outcome. If Star1 searches the outcome later, the value of the move is in the table.
Because the mean is rounded, each window is one unit wider than it would be without rounding.

All values are from the perspective of player 0.

Sources: Ballard 1983, "The *-minimax search procedure for trees containing chance nodes"; Hauk, Buro, Schaeffer 2006,
"Rediscovering *-minimax search".
"""

from __future__ import annotations

import math

from petteia.core.errors import PetteiaError
from petteia.core.kernel import inline
from petteia.core.pointer import value_at
from petteia.core.protocol import UNEVEN, Rules, State, chances, play
from petteia.features.evaluation import Evaluation, bound
from petteia.search.ends import INFINITE, maximum
from petteia.search.leaves import value_of_leaf
from petteia.search.memory import EXACT, HIGH, LOW, LOWER, NO_MOVE, NODES, UPPER, WEIGHT, Memory
from petteia.search.parts import Search

STAR1, STAR2 = (1 << i for i in range(9, 11))
"""Options, in addition to those of `alpha_beta`: leave out irrelevant outcomes; try a move of each outcome first."""
NO_PROBABILITIES = (
    "in some position, the probabilities listed by chances do not add up to 1; to see where: petteia check GAME"
)
MINIMUM, MAXIMUM = 0, 1
"""Indices of `Memory.means`: the mean of the lowest and of the highest values."""


@inline
def prunes(evaluation: Evaluation, rules: Rules, options: int) -> bool:
    """Return whether the search prunes outcomes of chance nodes.

    If the evaluation has no known bound, the search does not prune outcomes. Without a bound, pruning increases the
    number of visited nodes by about 20 %.
    """
    return bool(options & STAR1 != 0 and bound(evaluation, rules) > 0)


@inline
def list_outcomes(rules: Rules, state: State, memory: Memory, ply: int, largest: int) -> int:
    """Write the outcomes of a chance node to row `ply` of `memory`, with the bounds -largest..largest.

    Returns the number of outcomes. Raises PetteiaError if their probabilities do not add up to 1.
    """
    count = chances(rules, state, memory.moves[ply], memory.outcomes[ply, WEIGHT])
    total = 0.0
    for i in range(count):
        total += memory.outcomes[ply, WEIGHT, i]
        memory.outcomes[ply, LOW, i] = -largest
        memory.outcomes[ply, HIGH, i] = largest
    if not 1.0 - UNEVEN <= total <= 1.0 + UNEVEN:
        raise PetteiaError(NO_PROBABILITIES)
    memory.means[ply, MINIMUM] = -largest * total
    memory.means[ply, MAXIMUM] = largest * total
    memory.pv[ply, 0] = NO_MOVE
    return count


@inline
def is_known(memory: Memory, ply: int, i: int) -> bool:
    """Return whether the exact value of outcome `i` is known: its lower and upper bounds are equal."""
    return bool(memory.outcomes[ply, LOW, i] == memory.outcomes[ply, HIGH, i])


@inline
def raise_low(memory: Memory, ply: int, i: int, value: int) -> None:
    """Raise the lower bound of outcome `i` to `value`, but not above its upper bound."""
    low, known = memory.outcomes[ply, LOW, i], min(float(value), memory.outcomes[ply, HIGH, i])
    if known > low:
        memory.means[ply, MINIMUM] += memory.outcomes[ply, WEIGHT, i] * (known - low)
        memory.outcomes[ply, LOW, i] = known


@inline
def lower_high(memory: Memory, ply: int, i: int, value: int) -> None:
    """Lower the upper bound of outcome `i` to `value`, but not below its lower bound."""
    high, known = memory.outcomes[ply, HIGH, i], max(float(value), memory.outcomes[ply, LOW, i])
    if known < high:
        memory.means[ply, MAXIMUM] -= memory.outcomes[ply, WEIGHT, i] * (high - known)
        memory.outcomes[ply, HIGH, i] = known


@inline
def low_end(memory: Memory, ply: int, i: int, alpha: int) -> int:
    """Return the largest value of outcome `i` with which the mean over all outcomes is certainly at most `alpha`.

    If there is no such value, the result is `-INFINITE`. The function assumes the worst case, in which all other
    outcomes have their upper bounds as values. In this case, the mean over all outcomes must be at most `alpha` - 1, so
    that the rounded mean is at most `alpha`.
    """
    weight = memory.outcomes[ply, WEIGHT, i]
    end = memory.outcomes[ply, HIGH, i] - (memory.means[ply, MAXIMUM] - (alpha - 1.0)) / weight
    return math.floor(end) if end > -INFINITE else -INFINITE


@inline
def high_end(memory: Memory, ply: int, i: int, beta: int) -> int:
    """Return the smallest value of outcome `i` with which the mean over all outcomes is certainly at least `beta`.

    If there is no such value, the result is `INFINITE`. The function assumes the worst case, in which all other
    outcomes have their lower bounds as values. In this case, the mean over all outcomes must be at least `beta` + 1, so
    that the rounded mean is at least `beta`.
    """
    weight = memory.outcomes[ply, WEIGHT, i]
    end = memory.outcomes[ply, LOW, i] + ((beta + 1.0) - memory.means[ply, MINIMUM]) / weight
    return math.ceil(end) if end < INFINITE else INFINITE


@inline
def window_of(memory: Memory, ply: int, i: int, alpha: int, beta: int, may_prune: bool) -> tuple[int, int]:
    """Return the alpha-beta window with which outcome `i` of a chance node is searched.

    If the value of outcome `i` is outside the returned window, the mean over all outcomes is not between `alpha` and
    `beta`.
    """
    if not may_prune:
        return -INFINITE, INFINITE
    return low_end(memory, ply, i, alpha), high_end(memory, ply, i, beta)


@inline
def is_outside(memory: Memory, ply: int, alpha: int, beta: int) -> bool:
    """Return whether the bounds of the outcomes prove that their mean is at most `alpha` or at least `beta`."""
    return bool(memory.means[ply, MINIMUM] >= beta + 1.0 or memory.means[ply, MAXIMUM] <= alpha - 1.0)


@inline
def rounded(mean: float) -> int:
    """Round a mean to the nearest integer, with halves rounded away from 0, so that both players are treated alike."""
    return math.floor(mean + 0.5) if mean >= 0.0 else -math.floor(0.5 - mean)


@inline
def mean_of(memory: Memory, ply: int, count: int) -> int:
    """Return the rounded mean over the outcomes of a chance node. The values of all outcomes must be known."""
    total = 0.0
    for i in range(count):
        total += memory.outcomes[ply, WEIGHT, i] * memory.outcomes[ply, LOW, i]
    return rounded(total)


@inline
def value_found(memory: Memory, ply: int, count: int, beta: int, is_partial: bool) -> tuple[int, int]:
    """Return the value of a chance node and EXACT, or if `is_partial` is True, a bound on the value and its type.

    The type of the bound is LOWER or UPPER.
    """
    if not is_partial:
        return mean_of(memory, ply, count), EXACT
    if memory.means[ply, MINIMUM] >= beta + 1.0:
        return math.floor(float(memory.means[ply, MINIMUM])), LOWER
    return math.ceil(float(memory.means[ply, MAXIMUM])), UPPER


@inline
def search_last_outcomes(search: Search, state: State, ply: int, alpha: int, beta: int) -> int:
    """Search a chance node one ply deep by evaluating the position after each outcome, and return its value."""
    rules, evaluation, _, options, memory = value_at(search)
    count = list_outcomes(rules, state, memory, ply, maximum(evaluation, rules))
    may_prune = prunes(evaluation, rules, options)
    for i in range(count):
        child = play(rules, state, int(memory.moves[ply, i]))
        memory.counters[NODES] += 1
        value = value_of_leaf(search, state, child, ply + 1, -INFINITE, INFINITE)
        raise_low(memory, ply, i, value)
        lower_high(memory, ply, i, value)
        if may_prune and is_outside(memory, ply, alpha, beta):
            break
    return value_found(memory, ply, count, beta, may_prune and is_outside(memory, ply, alpha, beta))[0]
