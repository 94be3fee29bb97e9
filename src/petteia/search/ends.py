"""What the ends of games are worth to a search.

They are worth more than any evaluation: `WON`, less one for each ply from the root if `EARLY` (so early wins and late
losses are preferred), and a draw what the searching player is told. With `BY_MARGIN` an end that is not drawn is worth
its margin. With `BY_VALUE` an end is worth what the evaluation says of it, as any other position is.
"""

from __future__ import annotations

from petteia.core.kernel import inline
from petteia.core.protocol import Rules, State, decided, is_over, margin, to_move
from petteia.features.evaluation import LARGEST, Evaluation, evaluate, unit
from petteia.search.memory import DRAWN, Memory

WON = 1 << 30
CERTAIN = LARGEST + 1
"""values from here on are those of won ends"""

EARLY, BY_MARGIN, DECIDED, BY_VALUE = (1 << i for i in range(4))
"""Options: prefer early wins; ends are worth their margin; stop where a game is decided; ends are worth what the
evaluation says."""


@inline
def cut_off(value: int) -> int:
    """The value, cut off where those of won ends begin."""
    return min(max(value, -LARGEST), LARGEST)


@inline
def for_player_0(rules: Rules, state: State, value: int) -> int:
    """What is worth `value` for the player to move, for player 0."""
    return value if to_move(rules, state) == 0 else -value


@inline
def worth_of_end(evaluation: Evaluation, rules: Rules, options: int, memory: Memory, state: State, ply: int) -> int:
    """The value of a finished or decided game for player 0, `ply` plies from the root."""
    if options & BY_VALUE:
        return cut_off(evaluate(evaluation, rules, state))
    won = margin(rules, state)
    if won == 0:
        return int(memory.counters[DRAWN])
    if options & BY_MARGIN:
        return cut_off(cut_off(won) * unit(evaluation))
    most = WON - ply if options & EARLY else WON
    return most if won > 0 else -most


@inline
def is_settled(rules: Rules, options: int, state: State) -> bool:
    """Whether search goes no further than `state` at any depth."""
    return is_over(rules, state) or (options & DECIDED != 0 and decided(rules, state))


@inline
def shifted(options: int, value: int, plies: int) -> int:
    """The value of a won end seen from a node `plies` plies further from it; other values stay as they are."""
    if options & EARLY == 0 or -CERTAIN < value < CERTAIN:
        return value
    return value - plies if value > 0 else value + plies
