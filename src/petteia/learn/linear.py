"""Learning a value that is linear in features, by playing: for any game, any feature set, and either side or both.

What is learned is V, the worth to player 0 of an afterstate: the position after a move. In a game of learning the
learner plays the action whose afterstate it holds for best, or now and then any. Each of its afterstates x is moved
towards a target, which the next afterstate x' gives, or the reward r at the end: `win_reward` for a game won by player
0, -`win_reward` for one lost, 0 for a draw; or `win_reward` for each point of the margin.

The targets are told in `learn/linear_targets.py`.

Where both sides learn, a step goes from ply to ply: x' is chosen by whoever is to move, each towards its own side.

Where an afterstate that came about by exploring is left alone, traces end, and in Q-learning also wherever another than
the best action is taken, be it by exploring or by a search, as Watkins has it: what was aimed at does not follow.

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
"""in the place of a side: either, drawn for each game; both, each ply a step"""
LARGEST = 1e300
DIVERGED = 1000.0
"""a value this many times what a win is worth will not come back"""


class WeightLearner(NamedTuple):
    """How weights change and moves are chosen, whatever alpha and epsilon are."""

    seen: Afterstates
    """the afterstates of a position, with the weights"""
    trace: Trace
    """the eligibility trace"""
    target: LinearTarget
    """what values are moved towards"""
    side: int
    """0, 1, RANDOM_SIDE or BOTH"""
    lambda_: float
    """how long eligibility traces last, 0..1; 0 without them"""
    from_explored: bool
    """whether it learns about afterstates that came about by exploring"""
    stops_early: bool
    """whether a game ends as soon as its winner is certain"""
    trajectory: Ints
    """rows of the afterstates of a game, [longest] where they are moved at its end, else [1]"""
    is_explored: Bools
    """whether each came about by exploring; as long as `trajectory`"""
    lists: Ints
    """scratch: moves of the search of a position, [its plies, limits.moves]"""


class BestFound(NamedTuple):
    """The policy that makes the first ply of the best action, where that has been found already."""

    path: Ints
    """`best_path` of the learner's `Afterstates`, [deepest]"""

    def choose(policy, rules: Rules, state: State, random: RandomState, work: Scratch) -> int:
        """The first ply of that action."""
        return int(policy.path[0])


def learns_explored(learner: LinearLearner) -> bool:
    """Whether it learns about afterstates that came about by exploring, which by default its target says."""
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
    """What changes `weights`, float64[size], in place, as the options of `learner` say.

    Its features, weights, alpha, gamma and epsilon are not looked at: `feature_set`, `weights` and `learn_games` have
    them.
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
    """Whether a game of learning ends here."""
    return decided(rules, state) if early else is_over(rules, state)


@inline
def turn_goes_on(learner: WeightLearner, rules: Rules, state: State, mover: int) -> bool:
    """Whether an action of `mover` is not complete yet in `state`."""
    return learner.seen.max_depth > 1 and not is_over(rules, state) and to_move(rules, state) == mover


@inline
def size_of(error: float) -> float:
    """How large an error is; one that is not a number is the largest."""
    return abs(error) if abs(error) < LARGEST else LARGEST


@inline
def learn_from_step(learner: WeightLearner, length: int, target: float, alpha: float, following: int) -> float:
    """Move the last afterstate's value towards its target, if it is learned about; returns how far off it was."""
    if length == 0:
        return 0.0
    if learner.is_explored[0] and not learner.from_explored:
        forget(learner.trace)
        return 0.0
    return size_of(step_towards(learner.seen, learner.trace, int(learner.trajectory[0]), target, alpha, following))


@inline
def learn_from_end(learner: WeightLearner, length: int, reward: float, alpha: float, gamma: float) -> float:
    """Learn from the end of a game; returns the largest error."""
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
    """Move the value of `state` towards a search of it; returns how far off it was."""
    return size_of(learn_from_search(learner.seen, learner.trace, learner.lists, rules, state, gamma, alpha))


@inline
def extend(learner: WeightLearner, length: int, row: int, explores: bool) -> int:
    """Append the afterstate in `row` to the trajectory, and free another row; returns the new length."""
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
    """A game for each of `alphas`, `epsilons` and `gammas`, float64[games]; `random` is int64[4, 1].

    After the games that `is_kept`, bool[games], the weights are copied to the next row of `kept`, float64[kept games,
    size]. Stops after a game in which a
    value was further off than it can be without having diverged, and returns its number; -1 if there is none.
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
                        forget(learner.trace)  # what follows is not what it was moved towards (Watkins 1989)
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
    """Learn from `len(alphas)` games, changing the learner's weights in place.

    Args:
        rules: of the game
        start: where games start: a state, `OneOf(states)` or `AnyPosition()`
        learner: from `learner_for`; it serves one thread
        opponent: who plays the other side; not asked where both learn
        alphas: the learning rate in each game, float64[games]
        epsilons: the probability of a random action in each game, float64[games]
        gammas: the worth of a value one step later in each game, float64[games]
        keys: of the random numbers
        is_kept: after which games the weights are kept, bool[games]; default: none
        chooser: a policy that chooses the learner's plies instead of the best afterstate
        first_game: number of the first game, on which its random numbers depend
        max_plies: a game is stopped there, without a reward; not more than the learner was made for

    Returns:
        the number of the game after which it stopped, as learning diverges, or None; and the weights that are kept,
        float64[kept, size]

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
