"""Training of a linear value function by playing games, for any game and feature set, for one side or both.

The learned function V gives the value of an afterstate, the position after a move, from the perspective of player 0. In
a training game, the learner chooses the action with the best afterstate, or sometimes a random action. The value of
each afterstate x of the learner is moved towards a target. The target is computed from the next afterstate x', or from
the reward r at the end of the game. The reward is `win_reward` if player 0 wins, -`win_reward` if it loses, and 0 for a
draw. With the option `reward="margin"`, the reward is `win_reward` for each point of the margin.
`learn/linear_targets.py` describes the targets.

If both sides learn, each ply is a step, and V is improved by the moves of both players. Each player chooses the
afterstate that is best for that player.

If the learner does not learn from exploratory moves, such a move clears its eligibility trace. In Q-learning, every
action other than the best clears the trace, because the target assumes that the best action is played (Watkins).
Exploration or a search may choose an action other than the best.

Source: Sutton and Barto 2018, chapters 6 and 9 to 12.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from petteia.core.arrays import Bools, Floats, Ints
from petteia.core.kernel import inline, kernel
from petteia.core.protocol import CHANCE, Rules, State, decided, draw_move, has_chance, is_over, limits, play, to_move
from petteia.core.random import RandomState, below, stream, uniform
from petteia.features.feature_set import FeatureSet
from petteia.learn.gradient import NONE, NOTHING, TRACES, Trace, forget, step_towards, trace_for
from petteia.learn.learners import LinearLearner
from petteia.learn.linear_targets import LINEAR_TARGETS, LinearTarget
from petteia.learn.rootstrap import learn_from_search
from petteia.learn.starts import Start, draw_start
from petteia.policies.afterstates import (
    BEST,
    TRIED,
    Afterstates,
    EndWorth,
    afterstates_for,
    end_worth,
    find_best,
    known_worth,
    remember,
)
from petteia.policies.play_games import MAX_PLIES, RngKeys, play_chance
from petteia.policies.policy import Policy, Scratch, begin, choose, workspace

RANDOM_SIDE, BOTH = 2, 3
"""Values of `side`: a side that is drawn at random for each game, and both sides, so that each ply is a step."""
LARGEST = 1e300
DIVERGED = 1000.0
"""The error, in rewards of a win, above which learning counts as diverged."""


class WeightLearner(NamedTuple):
    """A learner of the weights of a linear value function, for use in compiled code.

    The learning rates and exploration rates are separate arguments of the learning functions, because they can change
    from game to game.
    """

    seen: Afterstates
    """the afterstates of the current position, and the weights that give their values"""
    trace: Trace
    """the eligibility trace"""
    target: LinearTarget
    """the target of the updates"""
    side: int
    """0, 1, RANDOM_SIDE or BOTH"""
    lambda_: float
    """the decay factor lambda of eligibility traces, 0..1; 0 without traces"""
    from_explored: bool
    """whether the learner also learns from afterstates of exploratory moves"""
    stops_early: bool
    """whether a game ends as soon as its winner is certain"""
    trajectory: Ints
    """rows of the afterstates of a game, [maximum plies] if the target is computed at the end of a game, else [1]"""
    is_explored: Bools
    """whether each afterstate followed an exploratory move; as long as `trajectory`"""
    lists: Ints
    """scratch space for the moves of a search, [plies of the search, limits.moves]"""


class BestFound(NamedTuple):
    """A policy for training games that plays the best action found by `find_best` in the current position."""

    path: Ints
    """the plies of the best action, which is `best_path` of the learner's `Afterstates`; [maximum plies]"""

    def choose(policy, rules: Rules, state: State, random: RandomState, work: Scratch) -> int:
        """Return the first ply of the best action. An action can consist of several plies of the same player."""
        return int(policy.path[0])


def learns_explored(learner: LinearLearner) -> bool:
    """Return whether `learner` also learns from exploratory moves. The default depends on the learning algorithm."""
    given = learner.learn_explored
    return LINEAR_TARGETS[learner.aim].learns_explored if given is None else given


def learner_for(
    rules: Rules,
    feature_set: FeatureSet,
    weights: Floats,
    learner: LinearLearner,
    *,
    side: int = RANDOM_SIDE,
    max_plies: int = MAX_PLIES,
) -> WeightLearner:
    """Create a compiled learner with the options of `learner`. It updates the array `weights` in place.

    The learner uses `feature_set` and `weights` instead of the features and weights of `learner`. The fields `alpha`,
    `gamma` and `epsilon` of `learner` are not used. These parameters can change from game to game, so they are
    arguments of `learn_games`.
    """
    target, by_margin = LINEAR_TARGETS[learner.aim], learner.reward == "margin"
    remembered = min(max_plies, limits(rules).plies or max_plies) if target.by_end else 1
    worth = EndWorth(
        known=learner.knows_ends,
        win=learner.win_reward,
        draw=-learner.draw_reward if side == 1 else learner.draw_reward,
        by_margin=by_margin,
    )
    seen = afterstates_for(
        rules, feature_set, weights, ends=worth, by_chain=learner.turns == "chain", rows=remembered + 2
    )
    lambda_ = learner.lambda_ if target.by_steps else 0.0
    return WeightLearner(
        seen=seen,
        trace=trace_for(len(weights), TRACES[learner.traces] if lambda_ > 0.0 else NONE),
        target=target,
        side=side,
        lambda_=lambda_,
        from_explored=learns_explored(learner),
        stops_early=not learner.play_out and not by_margin,
        trajectory=np.zeros(remembered, np.int64),
        is_explored=np.zeros(remembered, np.bool_),
        lists=np.zeros((learner.depth, limits(rules).moves), np.int64),
    )


@inline
def is_finished(rules: Rules, state: State, early: bool) -> bool:
    """Return whether a training game ends in `state`. With `early`, a game ends as soon as its winner is certain."""
    return decided(rules, state) if early else is_over(rules, state)


@inline
def turn_goes_on(learner: WeightLearner, rules: Rules, state: State, mover: int) -> bool:
    """Return whether the action of the player `mover` continues in `state` with another ply of this player.

    If `learner.seen.max_depth` is above 1, consecutive plies of one player form one action. Otherwise each ply is a
    separate action, and the result is False.
    """
    return learner.seen.max_depth > 1 and not is_over(rules, state) and to_move(rules, state) == mover


@inline
def size_of(error: float) -> float:
    """Return the absolute value of `error`, limited to LARGEST. For NaN, the result is LARGEST."""
    return abs(error) if abs(error) < LARGEST else LARGEST


@inline
def learn_from_step(learner: WeightLearner, length: int, target: float, alpha: float, following: int) -> float:
    """Update the weights so that the value of the most recent stored afterstate moves towards `target`.

    Return the absolute difference between `target` and the afterstate's value before the update. Return 0 if the
    learner does not learn from this afterstate.
    """
    if length == 0:
        return 0.0
    if learner.is_explored[0] and not learner.from_explored:
        forget(learner.trace)
        return 0.0
    return size_of(step_towards(learner.seen, learner.trace, int(learner.trajectory[0]), target, alpha, following))


@inline
def learn_from_end(learner: WeightLearner, length: int, reward: float, alpha: float, gamma: float) -> float:
    """Update the weights by the reward at the end of a game, and return the largest absolute error."""
    if not learner.target.by_end:
        return learn_from_step(learner, length, reward, alpha, NOTHING)
    largest = 0.0
    target = reward
    for i in range(length - 1, -1, -1):
        if learner.from_explored or not learner.is_explored[i]:
            error = step_towards(learner.seen, learner.trace, int(learner.trajectory[i]), target, alpha, NOTHING)
            largest = max(largest, size_of(error))
        target *= gamma
    return largest


@inline
def learn_by_search(learner: WeightLearner, rules: Rules, state: State, alpha: float, gamma: float) -> float:
    """Update the weights so that the value of `state` moves towards the value found by a search. Return the error."""
    return size_of(learn_from_search(learner.seen, learner.trace, learner.lists, rules, state, gamma, alpha))


@inline
def extend(learner: WeightLearner, length: int, row: int, explores: bool) -> int:
    """Store an afterstate in the trajectory of the game, and return the number of stored afterstates.

    If the learner learns at the end of the game, the afterstate is appended. Otherwise it replaces the stored one.
    `row` is the row of `learner.seen` that contains the features of the afterstate. Later afterstates are written to
    other rows, because these features are still needed.
    """
    place = length if learner.target.by_end else 0
    free = place + 2 if place >= length else int(learner.trajectory[place])
    state = learner.seen.state
    state[BEST if int(state[BEST]) == row else TRIED] = free
    learner.trajectory[place] = row
    learner.is_explored[place] = explores
    return place + 1


@kernel(purpose="learning")
def _learn_games(
    rules: Rules,
    start: Start,
    learner: WeightLearner,
    chooser: Policy,
    opponent: Policy,
    alphas: Floats,
    epsilons: Floats,
    gammas: Floats,
    is_kept: Bools,
    kept: Floats,
    max_plies: int,
    keys: RngKeys,
    first_game: int,
    random: Ints,
    work: Scratch,
) -> int:
    """Play one training game for each entry of `alphas`, `epsilons` and `gammas`, float64[games].

    `random`, int64[4, 1], contains the states of four random number generators. After each game marked in `is_kept`,
    bool[games], the weights are copied to the next row of `kept`, float64[kept games, size]. If the error in a game is
    so large that learning has diverged, the function stops and returns the number of that game. Otherwise it returns
    -1.
    """
    seen = learner.seen
    aim = learner.target
    copied = 0
    for number in range(len(alphas)):
        random[0, 0] = stream(keys.first, first_game + number)
        random[1, 0] = stream(keys.second, first_game + number)
        random[2, 0] = stream(keys.chance, first_game + number)
        random[3, 0] = stream(keys.opening, first_game + number)
        alpha = alphas[number]
        epsilon = epsilons[number]
        gamma = gammas[number]
        learner.trace.decay[0] = gamma * learner.lambda_
        side = below(random[3], 2) if learner.side == RANDOM_SIDE else learner.side
        begin(opponent, rules, random[1])
        forget(learner.trace)
        seen.state[TRIED] = 0
        seen.state[BEST] = 1
        state = draw_start(start, rules, random[3])
        length = 0
        plies = 0
        largest = 0.0
        over = is_finished(rules, state, learner.stops_early)
        while not over and plies < max_plies:
            mover = to_move(rules, state)
            if has_chance(rules) and mover == CHANCE:
                state = play_chance(rules, state, random[2], work)
            elif mover == side or learner.side == BOTH:
                explores = epsilon > 0.0 and uniform(random[0]) < epsilon
                if aim.before_move:
                    largest = max(largest, learn_by_search(learner, rules, state, alpha, gamma))
                best = 0.0
                if aim.by_best or not explores:
                    best = find_best(seen, rules, state, random[0])
                row = int(seen.state[TRIED])
                if explores:
                    state = play(rules, state, draw_move(rules, state, random[0], work.moves))
                    ply = 1
                    while ply < seen.max_depth and turn_goes_on(learner, rules, state, mover):
                        state = play(rules, state, draw_move(rules, state, random[0], work.moves))
                        ply += 1
                else:
                    move = choose(chooser, rules, state, random[0], work)
                    state = play(rules, state, move)
                    if move == seen.best_path[0]:
                        row = int(seen.state[BEST])
                        ply = 1
                        while ply < seen.max_depth and turn_goes_on(learner, rules, state, mover):
                            state = play(rules, state, int(seen.best_path[ply]))
                            ply += 1
                if aim.after_move and not is_finished(rules, state, learner.stops_early):
                    largest = max(largest, learn_by_search(learner, rules, state, alpha, gamma))
                if aim.by_steps or aim.by_end:
                    if row == seen.state[TRIED]:
                        remember(seen, rules, state, row)
                    if aim.by_steps:
                        target = best * (1.0 - 2.0 * mover) if aim.by_best else known_worth(seen, rules, state, row)
                        largest = max(largest, learn_from_step(learner, length, gamma * target, alpha, row))
                    if aim.by_best and row != int(seen.state[BEST]):
                        forget(learner.trace)  # the game does not follow the target (Watkins 1989)
                    length = extend(learner, length, row, explores)
            else:
                state = play(rules, state, choose(opponent, rules, state, random[1], work))
                if aim.with_replies and not turn_goes_on(learner, rules, state, mover):
                    row = int(seen.state[TRIED])
                    remember(seen, rules, state, row)
                    target = gamma * known_worth(seen, rules, state, row)
                    largest = max(largest, learn_from_step(learner, length, target, alpha, row))
                    length = extend(learner, length, row, False)
            plies += 1
            over = is_finished(rules, state, learner.stops_early)
        reward = 0.0
        if over:
            reward = end_worth(rules, state, seen.ends)
        largest = max(largest, learn_from_end(learner, length, reward, alpha, gamma))
        if is_kept[number]:
            for i in range(len(seen.weights)):
                kept[copied, i] = seen.weights[i]
            copied += 1
        if not largest < DIVERGED * seen.ends.win:
            return first_game + number
    return -1


def learn_games(
    rules: Rules,
    start: Start,
    learner: WeightLearner,
    opponent: Policy,
    *,
    alphas: Floats,
    epsilons: Floats,
    gammas: Floats,
    keys: RngKeys,
    is_kept: Bools | None = None,
    chooser: Policy | None = None,
    first_game: int = 0,
    max_plies: int = MAX_PLIES,
) -> tuple[int | None, Floats]:
    """Play `len(alphas)` training games, and update the weights of the learner in place.

    Args:
        rules: the rules of the game
        start: the start of each game: a state, `OneOf(states)` or `AnyPosition()`
        learner: a learner from `learner_for`, which no other thread uses
        opponent: the policy of the other side; ignored if both sides learn
        alphas: the learning rate in each game, float64[games]
        epsilons: the probability of a random action in each game, float64[games]
        gammas: the discount factor in each game, float64[games]
        keys: the keys from which the random numbers of all games are derived
        is_kept: the games after which the weights are stored, bool[games]; default: none
        chooser: a policy that chooses the learner's plies, except exploratory ones; default: the learner moves to the
            best afterstate
        first_game: the number of the first game; the random numbers of a game depend on its number
        max_plies: the maximum length of a game in plies, at most that of the learner; a longer game is stopped
            without a reward

    Returns:
        A pair. The first element is the number of the game in which learning diverged, or None. The second element
        contains the stored weights, float64[stored games, size].

    """
    keep = np.zeros(len(alphas), np.bool_) if is_kept is None else is_kept
    kept = np.zeros((int(keep.sum()), len(learner.seen.weights)))
    random, work = np.zeros((4, 1), np.int64), workspace(rules)
    plays = BestFound(learner.seen.best_path) if chooser is None else chooser
    diverged = _learn_games(
        rules,
        start,
        learner,
        plays,
        opponent,
        alphas,
        epsilons,
        gammas,
        keep,
        kept,
        int(max_plies),
        keys,
        int(first_game),
        random,
        work,
    )
    return (None if diverged < 0 else diverged), kept
