"""What the ends of games are worth to a search.

They are worth more than any evaluation: `WON`, less one for each ply from the root if `EARLY` (so early wins and late
losses are preferred), and a draw what the searching player is told. With `BY_MARGIN` an end that is not drawn is worth
its margin, with `BY_RESULT` a point, and with `BY_VALUE` what the evaluation says of it, as any other position.

Where chance can move, a value is an expectation, in which a bonus for early wins or a price for winning at all would
count for more than what is expected: there the margin counts if nothing else is said (`allowed`). A mean is rounded to
units of `1 / FINEST` point or less.
"""

from __future__ import annotations

from petteia.core.kernel import inline
from petteia.core.protocol import (
    CHANCE,
    Rules,
    State,
    decided,
    dispatched,
    has_chance,
    is_over,
    margin,
    margin_range,
    method,
    to_move,
)
from petteia.features.evaluation import LARGEST, Evaluation, bound, evaluate, unit
from petteia.search.memory import DRAWN, Memory

WON = 1 << 30
INFINITE = WON + 1
CERTAIN = LARGEST + 1
"""values from here on are those of won ends"""

EARLY, BY_MARGIN, DECIDED, BY_VALUE = (1 << i for i in range(4))
BY_RESULT = 1 << 11
"""Options: prefer early wins; ends are worth their margin; stop where a game is decided; ends are worth what the
evaluation says; ends that are not drawn are worth a point."""

FINEST = 1 << 12
"""units that make a point at least, where chance can move"""


def allowed(rules: Rules, options: int) -> int:
    """The options as they hold in this game: where chance can move, ends count by margin if nothing else is said."""
    if not has_chance(rules):
        return options
    return options & ~(EARLY | DECIDED) | (0 if options & (BY_VALUE | BY_RESULT) else BY_MARGIN)


@inline
def is_chance(rules: Rules, state: State) -> bool:
    """Whether chance moves."""
    return bool(has_chance(rules) and to_move(rules, state) == CHANCE)


@inline
def view(rules: Rules, state: State) -> int:
    """The player from whose side a state is valued: who is to move; where chance moves, player 0."""
    return 0 if is_chance(rules, state) else to_move(rules, state)


@inline
def finer(evaluation: Evaluation, rules: Rules) -> int:
    """How many units of a search make one of the evaluation."""
    own = unit(evaluation)
    return 1 if not has_chance(rules) or own >= FINEST else (FINEST + own - 1) // own


@inline
def units(evaluation: Evaluation, rules: Rules) -> int:
    """How many units of a search make one point of the margin."""
    return unit(evaluation) * finer(evaluation, rules)


@inline
def maximum(evaluation: Evaluation, rules: Rules) -> int:
    """The largest value that the search of a game with chance can find, in its units."""
    known = bound(evaluation, rules)
    return LARGEST if known <= 0 else min(cut_off(known) * finer(evaluation, rules), LARGEST)


@inline
def cut_off(value: int) -> int:
    """The value, cut off where those of won ends begin."""
    return min(max(value, -LARGEST), LARGEST)


@inline
def fitted(evaluation: Evaluation, rules: Rules, value: int) -> int:
    """A value in the search's units, cut off where its values end."""
    if not has_chance(rules):
        return cut_off(value)
    largest = maximum(evaluation, rules)
    return min(max(value, -largest), largest)


@inline
def guessed_worth(evaluation: Evaluation, rules: Rules, state: State) -> int:
    """What the evaluation says of a state, for player 0."""
    value = cut_off(evaluate(evaluation, rules, state))
    return fitted(evaluation, rules, value * finer(evaluation, rules))


@inline
def for_player_0(rules: Rules, state: State, value: int) -> int:
    """What is worth `value` for the player to move, for player 0."""
    return value if to_move(rules, state) == 0 else -value


@inline
def worth_of_end(evaluation: Evaluation, rules: Rules, options: int, memory: Memory, state: State, ply: int) -> int:
    """The value of a finished or decided game for player 0, `ply` plies from the root."""
    if options & BY_VALUE:
        return guessed_worth(evaluation, rules, state)
    won = settled_margin(rules, state)
    if won == 0:
        return fitted(evaluation, rules, int(memory.counters[DRAWN]))
    if options & BY_RESULT:
        point = fitted(evaluation, rules, units(evaluation, rules))
        return point if won > 0 else -point
    if options & BY_MARGIN:
        return fitted(evaluation, rules, cut_off(won) * units(evaluation, rules))
    prize = WON - ply if options & EARLY else WON
    return prize if won > 0 else -prize


@inline
def is_settled(rules: Rules, options: int, state: State) -> bool:
    """Whether search goes no further than `state` at any depth."""
    return is_over(rules, state) or (options & DECIDED != 0 and is_decided(rules, state))


@inline
def _is_decided(rules: Rules, state: State) -> bool:
    return decided(rules, state)


@inline
def _is_decided_by_range(rules: Rules, state: State) -> bool:
    low, high = margin_range(rules, state)
    return low > 0 or high < 0 or low == high


@inline
def _margin(rules: Rules, state: State) -> int:
    return margin(rules, state)


@inline
def _margin_by_range(rules: Rules, state: State) -> int:
    if is_over(rules, state):
        return margin(rules, state)
    low, high = margin_range(rules, state)
    return low if low > 0 else high


def _goes_by_range(cls: type) -> bool:
    return method(cls, "margin_range") is not None and method(cls, "decided") is None


@dispatched(lambda cls: _is_decided_by_range if _goes_by_range(cls) else _is_decided)
def is_decided(rules: Rules, state: State) -> bool:
    """Whether it is known who wins a game that is not over: by `decided`; where that is undefined, by `margin_range`.

    In Kalah both say the same and take equally long.
    """
    raise TypeError


@dispatched(lambda cls: _margin_by_range if _goes_by_range(cls) else _margin)
def settled_margin(rules: Rules, state: State) -> int:
    """The margin of a settled game; of one that is not over, a number with the sign of the final margin."""
    raise TypeError


@inline
def shifted(options: int, value: int, plies: int) -> int:
    """The value of a won end seen from a node `plies` plies further from it; other values stay as they are."""
    if options & EARLY == 0 or -CERTAIN < value < CERTAIN:
        return value
    return value - plies if value > 0 else value + plies
