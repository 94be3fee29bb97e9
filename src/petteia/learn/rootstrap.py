"""RootStrap: a learning algorithm that updates the value of a position by a search from that position.

RootStrap moves the value of a position s, not of an afterstate, towards the value of a search of a few plies from s.
The same weights evaluate the leaves of the search. The value of a finished game is its reward. The update does not
depend on the move that is then played.

Source: Veness, Silver, Uther and Blair 2009, "Bootstrapping from game tree search".
"""

from __future__ import annotations

import math

from petteia.core.arrays import Ints
from petteia.core.kernel import inline, kernel
from petteia.core.protocol import Rules, State, is_over, moves, play, to_move
from petteia.learn.gradient import NOTHING, Trace, step_towards
from petteia.policies.afterstates import TRIED, Afterstates, is_known_end, known_worth, remember


@kernel(purpose="learning from a search")
def searched_worth(
    seen: Afterstates, lists: Ints, rules: Rules, state: State, depth: int, low: float, high: float
) -> float:
    """Search `state` to `depth` plies, and return its value for player 0 if this value is between `low` and `high`.

    This is an alpha-beta search: if the value of `state` is not between `low` and `high`, the function returns only a
    bound on the value. The leaves are the positions at the maximum depth and the finished positions. If `seen.ends`
    requests exact values, positions whose result is already certain are leaves, too. `lists`, int64[>= depth,
    limits.moves], is scratch space for moves.
    """
    if depth == 0 or is_over(rules, state) or is_known_end(seen.ends, rules, state):
        row = int(seen.state[TRIED])
        remember(seen, rules, state, row)
        return known_worth(seen, rules, state, row)
    first_moves = to_move(rules, state) == 0
    listed = lists[depth - 1]
    for i in range(moves(rules, state, listed)):
        value = searched_worth(seen, lists, rules, play(rules, state, int(listed[i])), depth - 1, low, high)
        if first_moves:
            low = max(low, value)
        else:
            high = min(high, value)
        if low >= high:
            break
    return low if first_moves else high


@inline
def learn_from_search(
    seen: Afterstates, trace: Trace, lists: Ints, rules: Rules, state: State, gamma: float, alpha: float
) -> float:
    """Move the value of `state` towards `gamma` times its value in a search, and return the error before the update.

    The depth of the search, in plies, is the number of rows of `lists`.
    """
    target = gamma * searched_worth(seen, lists, rules, state, len(lists), -math.inf, math.inf)
    row = int(seen.state[TRIED])
    remember(seen, rules, state, row)
    return step_towards(seen, trace, row, target, alpha, NOTHING)
