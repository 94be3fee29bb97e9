"""Where chance moves: a mean of outcomes, some of which need not be searched.

The value of such a node is the mean of its outcomes, added up in the order in which the game lists them and rounded to
whole units, halves away from 0. Each outcome has a lowest and a highest value that it can still have: at first the
bounds of the evaluation. As soon as the mean of the lowest values is at least beta, or that of the highest at most
alpha, the rest of the outcomes need not be known (Star1); and each outcome is searched with the window outside which
that happens. What is known of an outcome may come from a single one of its moves, tried before any outcome is searched
(Star2), if there is a table, as that move is searched again. One unit is given away at each window, so that rounding
decides nothing.

All values are player 0's.

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
"""Options beside those of `alpha_beta`: leave out outcomes that change nothing; try a move of each outcome first."""
NO_PROBABILITIES = (
    "in some position chances lists probabilities that do not add up to 1; to see where: petteia check GAME"
)
MINIMUM, MAXIMUM = 0, 1
"""places of the row behind the outcomes: the mean of the lowest and of the highest values"""


@inline
def prunes(evaluation: Evaluation, rules: Rules, options: int) -> bool:
    """Whether outcomes may be left out: bounds far too wide would cost a fifth more nodes."""
    return bool(options & STAR1 != 0 and bound(evaluation, rules) > 0)


@inline
def list_outcomes(rules: Rules, state: State, memory: Memory, ply: int, largest: int) -> int:
    """List the outcomes at `ply`, each with a value anywhere in -largest..largest; return how many there are."""
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
    """Whether the value of an outcome is known."""
    return bool(memory.outcomes[ply, LOW, i] == memory.outcomes[ply, HIGH, i])


@inline
def raise_low(memory: Memory, ply: int, i: int, value: int) -> None:
    """Outcome `i` is worth `value` or more. What a deeper search has said of it before may be less, and stands."""
    low, known = memory.outcomes[ply, LOW, i], min(float(value), memory.outcomes[ply, HIGH, i])
    if known > low:
        memory.means[ply, MINIMUM] += memory.outcomes[ply, WEIGHT, i] * (known - low)
        memory.outcomes[ply, LOW, i] = known


@inline
def lower_high(memory: Memory, ply: int, i: int, value: int) -> None:
    """Outcome `i` is worth `value` or less. What a deeper search has said of it before may be more, and stands."""
    high, known = memory.outcomes[ply, HIGH, i], max(float(value), memory.outcomes[ply, LOW, i])
    if known < high:
        memory.means[ply, MAXIMUM] -= memory.outcomes[ply, WEIGHT, i] * (high - known)
        memory.outcomes[ply, HIGH, i] = known


@inline
def low_end(memory: Memory, ply: int, i: int, alpha: int) -> int:
    """If outcome `i` is worth this or less, the mean is at most `alpha`; `-INFINITE` if no value is as low."""
    weight = memory.outcomes[ply, WEIGHT, i]
    end = memory.outcomes[ply, HIGH, i] - (memory.means[ply, MAXIMUM] - (alpha - 1.0)) / weight
    return math.floor(end) if end > -INFINITE else -INFINITE


@inline
def high_end(memory: Memory, ply: int, i: int, beta: int) -> int:
    """If outcome `i` is worth this or more, the mean is at least `beta`; `INFINITE` if no value is as high."""
    weight = memory.outcomes[ply, WEIGHT, i]
    end = memory.outcomes[ply, LOW, i] + ((beta + 1.0) - memory.means[ply, MINIMUM]) / weight
    return math.ceil(end) if end < INFINITE else INFINITE


@inline
def window_of(memory: Memory, ply: int, i: int, alpha: int, beta: int, may_prune: bool) -> tuple[int, int]:
    """The window outside which outcome `i` decides that the mean is outside of `alpha` to `beta`."""
    if not may_prune:
        return -INFINITE, INFINITE
    return low_end(memory, ply, i, alpha), high_end(memory, ply, i, beta)


@inline
def is_outside(memory: Memory, ply: int, alpha: int, beta: int) -> bool:
    """Whether the mean is certainly at most `alpha`, or at least `beta`."""
    return bool(memory.means[ply, MINIMUM] >= beta + 1.0 or memory.means[ply, MAXIMUM] <= alpha - 1.0)


@inline
def rounded(mean: float) -> int:
    """The nearest whole number, halves away from 0, so that it is the same seen from either side."""
    return math.floor(mean + 0.5) if mean >= 0.0 else -math.floor(0.5 - mean)


@inline
def mean_of(memory: Memory, ply: int, count: int) -> int:
    """The mean of outcomes of which all are known."""
    total = 0.0
    for i in range(count):
        total += memory.outcomes[ply, WEIGHT, i] * memory.outcomes[ply, LOW, i]
    return rounded(total)


@inline
def value_found(memory: Memory, ply: int, count: int, beta: int, is_partial: bool) -> tuple[int, int]:
    """The value of a state in which chance moves, as far as its outcomes are known, and what bound that is."""
    if not is_partial:
        return mean_of(memory, ply, count), EXACT
    if memory.means[ply, MINIMUM] >= beta + 1.0:
        return math.floor(float(memory.means[ply, MINIMUM])), LOWER
    return math.ceil(float(memory.means[ply, MAXIMUM])), UPPER


@inline
def search_last_outcomes(search: Search, state: State, ply: int, alpha: int, beta: int) -> int:
    """The value of a state in which chance moves, searched one ply ahead."""
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
