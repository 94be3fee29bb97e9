"""Choosing the move after which the board looks best, by a value that is linear in features.

An *afterstate* is the position that a move leads to, exactly known before anybody replies. An action is a single ply
or, where a player can move again, a whole chain of plies until the turn passes (`turns=chain`); chains are looked
through to the end, up to `LONGEST` plies and `MAX_ENDS` ends a turn.

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
"""plies of a chain"""
MAX_ENDS = 20_000
"""ends of chains that are looked at in a turn"""
ENDS, TIES, TRIED, BEST = 0, 1, 2, 3
SPECIAL = 99999.0
"""what a won end is worth to a policy that knows ends"""


class EndWorth(NamedTuple):
    """What ends are worth to player 0."""

    known: bool
    """whether afterstates that are ends are worth this, and not what their features say"""
    win: float
    """a game won; a game lost is worth as much less than nothing"""
    draw: float = 0.0
    """a game drawn"""
    by_margin: bool = False
    """whether `win` is the worth of each point of the margin instead"""


UNKNOWN = EndWorth(known=False, win=1.0)


class Afterstates(NamedTuple):
    """What it takes to look through the afterstates of a position, and the best that were found."""

    feature_set: FeatureSet
    """the features of which the value is a sum"""
    weights: Floats
    """the weight of each feature, as player 0 sees it, [size]"""
    max_depth: int
    """plies of an action: 1, or LONGEST for chains"""
    ends: EndWorth
    """what ends are worth"""
    numbers: Ints
    """the numbers of the features of remembered afterstates, [rows, max_active]"""
    values: Floats
    """the values of these features, [rows, max_active]"""
    counts: Ints
    """how many features each of them has, [rows]"""
    moves: Ints
    """scratch: of each ply of a chain, [deepest, limits.moves]"""
    path: Ints
    """scratch: the plies that are being looked at, [deepest]"""
    best_path: Ints
    """the plies of the best action, [deepest]"""
    state: Ints
    """ENDS looked at, TIES of the best, the row TRIED next, and that of the BEST; [4]"""
    best: Floats
    """the value of the best, for the player to move; [1]"""


def afterstates_for(
    rules: Rules,
    feature_set: FeatureSet,
    weights: Floats,
    *,
    ends: EndWorth = UNKNOWN,
    by_chain: bool = False,
    rows: int = 2,
) -> Afterstates:
    """The arrays for one thread; `rows` is the number of afterstates that are remembered."""
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
    """Keep the features of `state` in this row."""
    seen.counts[row] = features(seen.feature_set, rules, state, seen.numbers[row], seen.values[row])


@inline
def worth(seen: Afterstates, row: int) -> float:
    """The value, to player 0, of the state that is remembered in this row."""
    numbers = seen.numbers[row]
    values = seen.values[row]
    total = 0.0
    for i in range(seen.counts[row]):
        total += seen.weights[numbers[i]] * values[i]
    return total


@inline
def end_worth(rules: Rules, state: State, ends: EndWorth) -> float:
    """What an end is worth to player 0."""
    final = margin(rules, state)
    if ends.by_margin:
        return ends.win * final
    if final == 0:
        return ends.draw
    return ends.win if final > 0 else -ends.win


@inline
def is_known_end(ends: EndWorth, rules: Rules, state: State) -> bool:
    """Whether it is certain what the game ends with (who wins, or by how much), and ends are worth that."""
    return ends.known and (is_over(rules, state) if ends.by_margin else decided(rules, state))


@inline
def known_worth(seen: Afterstates, rules: Rules, after: State, row: int) -> float:
    """The value, to player 0, of the afterstate that is remembered in this row: of an end what is known of ends."""
    return end_worth(rules, after, seen.ends) if is_known_end(seen.ends, rules, after) else worth(seen, row)


@inline
def try_afterstate(seen: Afterstates, rules: Rules, after: State, sign: float, depth: int, random: RandomState) -> None:
    """Value an afterstate for the player of this sign, and note the path to it if it is the best so far."""
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
    """Try all afterstates of `state`, to which `depth` plies of the turn have led already; returns the ends seen."""
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
    """The value, to the player to move, of its best afterstate; `seen` holds the features and the path. Ties are drawn.

    `state` is not over, and a player, not chance, moves.
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
    """The policy that makes the plies of the best action."""

    seen: Afterstates
    """the afterstates of a position, with the weights"""
    history: Floats
    """what the weights are drawn from when a game begins, [vectors, size]; with fewer than two they stay"""

    def choose(policy, rules: Rules, state: State, random: RandomState, work: Scratch) -> int:
        """The first ply of the best action; the next ones are found again when their turn comes."""
        find_best(policy.seen, rules, state, random)
        return int(policy.seen.best_path[0])

    def begin(policy, rules: Rules, random: RandomState) -> None:
        """Draw the weights for this game."""
        draw_weights(policy.history, policy.seen.weights, random)

    def for_thread(policy) -> BestAfterstate:
        """The same policy with scratch arrays of its own, and weights of its own if they are drawn."""
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
    """The policy by these weights, float64[size], or by one of `history`, [vectors, size], in each game; it knows ends.

    `point` is what a point of the margin at an end is worth; None: who has won counts, above all that weights say.
    Without a history, `weights` are not copied: who changes them changes the policy.
    """
    drawn = np.zeros((0, len(weights))) if history is None else history
    own = weights if len(drawn) < 2 else weights.copy()
    ends = EndWorth(known=True, win=SPECIAL if point is None else float(point), by_margin=point is not None)
    seen = afterstates_for(rules, feature_set, own, ends=ends, by_chain=by_chain)
    return BestAfterstate(seen, drawn)


OWN = ("numbers", "values", "counts", "moves", "path", "best_path", "state", "best")
"""The arrays that each thread has for itself."""
