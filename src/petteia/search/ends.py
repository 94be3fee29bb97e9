"""The values of finished games in a search.

By default, a won game has the value `WON`, which is more than any evaluation. With the option `EARLY`, one unit is
subtracted from `WON` for each ply from the root, so that early wins and late losses are preferred. Other options set
the value of a won game to its margin (`BY_MARGIN`), to one point (`BY_RESULT`), or to its evaluation (`BY_VALUE`). The
value of a draw is an option of the searching player.

In games with chance nodes, a search computes expected values. A bonus for early wins, or a large value of a win, would
outweigh the expected margin. So in these games, the default value of a finished game is its margin (see `allowed`).
Values are integers. In games with chance nodes, one point of the margin has at least `FINEST` units, so that rounding
errors are small.
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
"""Values of at least this size are values of won games."""

EARLY, BY_MARGIN, DECIDED, BY_VALUE = (1 << i for i in range(4))
BY_RESULT = 1 << 11
"""Options: prefer early wins; score finished games by their margin; stop at decided games; score finished games by the
evaluation; score won games as one point."""

FINEST = 1 << 12
"""The smallest number of units per point in games with chance nodes."""


def allowed(rules: Rules, options: int) -> int:
    """Return those search options that apply to a game, with the default `BY_MARGIN` in games with chance nodes."""
    if not has_chance(rules):
        return options
    return options & ~(EARLY | DECIDED) | (0 if options & (BY_VALUE | BY_RESULT) else BY_MARGIN)


@inline
def is_chance(rules: Rules, state: State) -> bool:
    """Return whether `state` is a chance node."""
    return bool(has_chance(rules) and to_move(rules, state) == CHANCE)


@inline
def view(rules: Rules, state: State) -> int:
    """Return the player from whose perspective a state is valued: the player to move, or player 0 at chance nodes."""
    return 0 if is_chance(rules, state) else to_move(rules, state)


@inline
def finer(evaluation: Evaluation, rules: Rules) -> int:
    """Return the factor by which a search multiplies evaluations to convert them to the smaller units of the search."""
    own = unit(evaluation)
    return 1 if not has_chance(rules) or own >= FINEST else (FINEST + own - 1) // own


@inline
def units(evaluation: Evaluation, rules: Rules) -> int:
    """Return the number of units in one point of the margin. A search computes values as integers in these units."""
    return unit(evaluation) * finer(evaluation, rules)


@inline
def maximum(evaluation: Evaluation, rules: Rules) -> int:
    """Return the largest possible value in a search of a game with chance nodes, in the integer units of the search."""
    known = bound(evaluation, rules)
    return LARGEST if known <= 0 else min(cut_off(known) * finer(evaluation, rules), LARGEST)


@inline
def cut_off(value: int) -> int:
    """Limit `value` to the range -LARGEST..LARGEST of evaluations, which excludes the values of won games."""
    return min(max(value, -LARGEST), LARGEST)


@inline
def fitted(evaluation: Evaluation, rules: Rules, value: int) -> int:
    """Limit `value`, in the units of the search, to the range of evaluations in a search of this game."""
    if not has_chance(rules):
        return cut_off(value)
    largest = maximum(evaluation, rules)
    return min(max(value, -largest), largest)


@inline
def guessed_worth(evaluation: Evaluation, rules: Rules, state: State) -> int:
    """Return the evaluation of a state for player 0, in the integer units in which a search computes values."""
    value = cut_off(evaluate(evaluation, rules, state))
    return fitted(evaluation, rules, value * finer(evaluation, rules))


@inline
def for_player_0(rules: Rules, state: State, value: int) -> int:
    """Convert a value from the perspective of the player to move to the perspective of player 0."""
    return value if to_move(rules, state) == 0 else -value


@inline
def worth_of_end(evaluation: Evaluation, rules: Rules, options: int, memory: Memory, state: State, ply: int) -> int:
    """Return the value, for player 0, of a state in which the game is over or decided, `ply` plies below the root."""
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
    """Return whether the game is over in `state` or, with the option `DECIDED`, its winner is certain."""
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
    """Return whether the sign of the final margin is already certain in a non-terminal state.

    The result comes from the game's method `decided`. If the game defines only `margin_range`, the sign is certain if
    both bounds have the same sign or are equal.
    """
    raise TypeError


@dispatched(lambda cls: _margin_by_range if _goes_by_range(cls) else _margin)
def settled_margin(rules: Rules, state: State) -> int:
    """Return the margin of a finished game. For a decided game, return a number with the sign of the final margin."""
    raise TypeError


@inline
def shifted(options: int, value: int, plies: int) -> int:
    """Adjust the value of a won or lost game to a node from which the end of the game is `plies` plies further away.

    With the option `EARLY`, the value of a won or lost game depends on the number of plies to the end. Without `EARLY`,
    and for the values of all other nodes, `value` is returned unchanged.
    """
    if options & EARLY == 0 or -CERTAIN < value < CERTAIN:
        return value
    return value - plies if value > 0 else value + plies
