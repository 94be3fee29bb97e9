"""The policy that chooses the action whose afterstate has the best value, according to a linear value function.

An *afterstate* is the position after a move and before the opponent's reply. By default, an action is a single ply.
With `turns=chain`, in games where a player can move again, an action is the chain of all plies until the turn passes.
All chains are searched, up to `LONGEST` plies and `MAX_ENDS` afterstates per turn.

Source: Sutton and Barto 2018, "Reinforcement learning", section 6.8.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from petteia.core.arrays import Floats, Ints
from petteia.core.kernel import inline, kernel
from petteia.core.protocol import Rules, State, decided, is_over, limits, margin, moves, play, to_move
from petteia.core.random import RandomState, below
from petteia.features.feature_set import FeatureSet, features, max_active
from petteia.features.linear import draw_weights
from petteia.policies.policy import Scratch

LONGEST = 64
"""The maximum number of plies of a chain."""
MAX_ENDS = 20_000
"""The maximum number of afterstates that are evaluated in a turn."""
ENDS, TIES, TRIED, BEST = 0, 1, 2, 3
SPECIAL = 99999.0
"""The value of a won game to a policy that scores finished games exactly."""


class EndWorth(NamedTuple):
    """The values of finished games for player 0. They can replace the learned values of afterstates."""

    known: bool
    """whether finished afterstates are scored with these values, instead of the learned values"""
    win: float
    """the value of a won game; a lost game has the value `-win`"""
    draw: float = 0.0
    """the value of a drawn game"""
    by_margin: bool = False
    """whether `win` is the value of one point of the margin, instead of the value of a won game"""


UNKNOWN = EndWorth(known=False, win=1.0)


class Afterstates(NamedTuple):
    """The weights and scratch arrays for evaluating afterstates, and the best afterstate found so far."""

    feature_set: FeatureSet
    """the feature set of the learned value"""
    weights: Floats
    """the weight of each feature, from the perspective of player 0: float64[size]"""
    max_depth: int
    """the maximum number of plies of an action: 1, or LONGEST for chains"""
    ends: EndWorth
    """the values of finished games"""
    numbers: Ints
    """the numbers of the features of each stored afterstate: int64[rows, max_active]"""
    values: Floats
    """the values of these features: float64[rows, max_active]"""
    counts: Ints
    """the number of features of each stored afterstate: int64[rows]"""
    moves: Ints
    """scratch space for the legal moves after each ply of a chain: int64[max_depth, limits.moves]"""
    path: Ints
    """scratch space for the plies of the chain that is examined: int64[max_depth]"""
    best_path: Ints
    """the plies of the best action found: int64[max_depth]"""
    state: Ints
    """int64[4]: the number of evaluated afterstates (at index ENDS), the number of equally good ones (TIES), the row
    for the next afterstate (TRIED), and the row of the best afterstate (BEST)"""
    best: Floats
    """the value of the best afterstate, for the player to move: float64[1]"""


def afterstates_for(
    rules: Rules,
    feature_set: FeatureSet,
    weights: Floats,
    *,
    ends: EndWorth = UNKNOWN,
    by_chain: bool = False,
    rows: int = 2,
) -> Afterstates:
    """Create the scratch arrays in which one thread evaluates afterstates by their features and `weights`.

    `rows` is the number of afterstates whose features the arrays can hold.
    """
    max_depth, width = LONGEST if by_chain else 1, max_active(feature_set, rules)
    return Afterstates(
        feature_set,
        weights,
        max_depth,
        ends,
        numbers=np.zeros((rows, width), np.int64),
        values=np.zeros((rows, width)),
        counts=np.zeros(rows, np.int64),
        moves=np.zeros((max_depth, limits(rules).moves), np.int64),
        path=np.zeros(max_depth, np.int64),
        best_path=np.zeros(max_depth, np.int64),
        state=np.array([0, 0, 0, 1]),
        best=np.zeros(1),
    )


@inline
def remember(seen: Afterstates, rules: Rules, state: State, row: int) -> None:
    """Compute the features of `state`, and store them in row `row` of the arrays in `seen`."""
    seen.counts[row] = features(seen.feature_set, rules, state, seen.numbers[row], seen.values[row])


@inline
def worth(seen: Afterstates, row: int) -> float:
    """Return the learned value, for player 0, of the state stored in row `row`."""
    numbers = seen.numbers[row]
    values = seen.values[row]
    total = 0.0
    for i in range(seen.counts[row]):
        total += seen.weights[numbers[i]] * values[i]
    return total


@inline
def end_worth(rules: Rules, state: State, ends: EndWorth) -> float:
    """Return the value of a finished game for player 0, according to the settings in `ends`."""
    final = margin(rules, state)
    if ends.by_margin:
        return ends.win * final
    if final == 0:
        return ends.draw
    return ends.win if final > 0 else -ends.win


@inline
def is_known_end(ends: EndWorth, rules: Rules, state: State) -> bool:
    """Return whether the exact value of `state` replaces the learned value.

    This requires that `ends.known` is True. If `ends.by_margin` is True, the game must also be over in `state`.
    Otherwise it is enough that the winner, or a draw, is certain (`decided`).
    """
    return ends.known and (is_over(rules, state) if ends.by_margin else decided(rules, state))


@inline
def known_worth(seen: Afterstates, rules: Rules, after: State, row: int) -> float:
    """Return the value of an afterstate for player 0: its exact value or its learned value (see `is_known_end`).

    The features of the afterstate must be stored in row `row` of the arrays in `seen`.
    """
    return end_worth(rules, after, seen.ends) if is_known_end(seen.ends, rules, after) else worth(seen, row)


@inline
def try_afterstate(seen: Afterstates, rules: Rules, after: State, sign: float, depth: int, random: RandomState) -> None:
    """Evaluate an afterstate, and record it if it is the best. `sign` is 1 for player 0 and -1 for player 1.

    `seen` records the best afterstate that has been found in this turn. If the afterstate `after` is better, `seen`
    records it instead, with the plies that lead to it. If both are equally good, the choice is random.
    """
    row = int(seen.state[TRIED])
    remember(seen, rules, after, row)
    value = sign * known_worth(seen, rules, after, row)
    ends = int(seen.state[ENDS])
    seen.state[ENDS] = ends + 1
    if ends > 0 and value < seen.best[0]:
        return
    if ends > 0 and value == seen.best[0]:
        ties = int(seen.state[TIES]) + 1
        seen.state[TIES] = ties
        if below(random, ties) > 0:
            return
    else:
        seen.state[TIES] = 1
        seen.best[0] = value
    seen.state[TRIED] = seen.state[BEST]
    seen.state[BEST] = row
    for i in range(depth + 1):
        seen.best_path[i] = seen.path[i]


@kernel(purpose="weighing moves")
def _look_through(
    seen: Afterstates, rules: Rules, state: State, mover: int, sign: float, depth: int, random: RandomState
) -> int:
    """Evaluate all afterstates that the player can reach from `state`. Return the number of evaluations in this turn.

    `depth` is the number of plies that the player has already made in this turn.
    """
    listed = seen.moves[depth]
    count = moves(rules, state, listed)
    for i in range(count):
        seen.path[depth] = listed[i]
        after = play(rules, state, int(listed[i]))
        if depth + 1 < seen.max_depth and not is_over(rules, after) and to_move(rules, after) == mover:
            _look_through(seen, rules, after, mover, sign, depth + 1, random)
        else:
            try_afterstate(seen, rules, after, sign, depth, random)
        if seen.state[ENDS] >= MAX_ENDS:
            break
    return int(seen.state[ENDS])


@inline
def find_best(seen: Afterstates, rules: Rules, state: State, random: RandomState) -> float:
    """Return the value of the best afterstate for the player to move; ties are broken at random.

    After the call, `seen` contains the features of the best afterstate and the plies that lead to it. `state` must be
    non-terminal, with a player to move.
    """
    mover = to_move(rules, state)
    sign = 1.0 - 2.0 * mover
    seen.state[ENDS] = 0
    if seen.max_depth > 1:
        _look_through(seen, rules, state, mover, sign, 0 * mover, random)
    else:
        count = moves(rules, state, seen.moves[0])
        for i in range(count):
            seen.path[0] = seen.moves[0, i]
            try_afterstate(seen, rules, play(rules, state, int(seen.moves[0, i])), sign, 0, random)
    return float(seen.best[0])


class BestAfterstate(NamedTuple):
    """A policy that plays the action with the best afterstate, one ply at a time."""

    seen: Afterstates
    """the afterstates of a position, with the weights"""
    history: Floats
    """the weight vectors: float64[vectors, size]; if there are two or more, one of them is drawn for each game"""

    def choose(policy, rules: Rules, state: State, random: RandomState, work: Scratch) -> int:
        """Return the first ply of the best action. For each further ply, the policy searches again."""
        find_best(policy.seen, rules, state, random)
        return int(policy.seen.best_path[0])

    def begin(policy, rules: Rules, random: RandomState) -> None:
        """Draw one of the weight vectors for the new game."""
        draw_weights(policy.history, policy.seen.weights, random)

    def for_thread(policy) -> BestAfterstate:
        """Return a copy with separate scratch arrays. Weights that are drawn for each game are also copied."""
        names = OWN if len(policy.history) < 2 else (*OWN, "weights")
        own = {name: getattr(policy.seen, name).copy() for name in names}
        return policy._replace(seen=policy.seen._replace(**own))


def best_afterstate(
    rules: Rules,
    feature_set: FeatureSet,
    weights: Floats,
    *,
    by_chain: bool = False,
    history: Floats | None = None,
    point: float | None = None,
) -> BestAfterstate:
    """Return a policy that plays the action whose afterstate has the best value, according to a linear value function.

    If the game is over in an afterstate, the exact value replaces the learned value. If `point` is None, the exact
    value is also used as soon as the winner, or a draw, is certain.

    Args:
        rules: the rules of the game
        feature_set: the feature set of the weights
        weights: the weights, float64[size]; they are copied only if `history` has two or more vectors
        by_chain: whether an action is a chain of all plies until the turn passes
        history: weight vectors, float64[vectors, size]; if there are two or more, one of them is drawn for each game
        point: the value of one point of the final margin; with None, only the winner counts, and a won game has a
            larger value than any learned value

    Returns:
        The policy. If the weights are not copied, changing them changes the policy.

    """
    drawn = np.zeros((0, len(weights))) if history is None else history
    own = weights if len(drawn) < 2 else weights.copy()
    ends = EndWorth(known=True, win=SPECIAL if point is None else float(point), by_margin=point is not None)
    seen = afterstates_for(rules, feature_set, own, ends=ends, by_chain=by_chain)
    return BestAfterstate(seen, drawn)


OWN = ("numbers", "values", "counts", "moves", "path", "best_path", "state", "best")
"""The names of the arrays of which each thread has a copy."""
