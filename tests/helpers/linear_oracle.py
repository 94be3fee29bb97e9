"""Learning of values that are linear in features once more, slowly: dense vectors, lists, and no memory of rows.

Written from the descriptions of what is learned. It draws the same random numbers in the same order, so whole training
runs can be compared. Traces are those of Sutton and Barto 2018, chapter 12; dutch ones the algorithm of its section
12.5.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from tiny_games import heap

from petteia.core.protocol import CHANCE, chances, decided, draw_move, is_over, legal, limits, margin, play, to_move
from petteia.core.random import below, draw_index, stream, uniform
from petteia.features.feature_set import features, size
from petteia.policies.play_games import RngKeys

Vector = NDArray[np.float64]
Chooser = Callable[[Any, Any, Any], int]
"""(rules, state, random) -> move"""


class Hot(NamedTuple):
    """Of `Nim`: one feature for each position, 1 there, so that a value linear in them is a table of values."""

    def names(feature_set, rules: Any) -> tuple[str, ...]:
        return tuple(map(str, range(size(feature_set, rules))))

    def size(feature_set, rules: Any) -> int:
        number = 2
        for _ in range(rules.heaps):
            number *= rules.size + 1
        return number

    def features(feature_set, rules: Any, state: Any, index: Any, value: Any) -> int:
        place = 0
        for i in range(rules.heaps):
            place = place * (rules.size + 1) + heap(state.stones, i)
        index[0], value[0] = 2 * place + state.side, 1.0
        return 1


class Squares(NamedTuple):
    """Of `DiceRace`: dense, with zeros that are written, in no order, some of them shared by all positions."""

    def names(feature_set, rules: Any) -> tuple[str, ...]:
        return ("constant", "first", "second", "side", "product")

    def size(feature_set, rules: Any) -> int:
        return 5

    def features(feature_set, rules: Any, state: Any, index: Any, value: Any) -> int:
        first, second = state.first / rules.goal, state.second / rules.goal
        index[0], index[1], index[2], index[3], index[4] = 4, 1, 0, 3, 2
        value[0], value[1], value[2], value[3], value[4] = first * second, first, 1.0, float(state.side), second
        return 5


class Way(NamedTuple):
    """How it learns, in words."""

    rule: str = "q"
    side: int | str = "random"
    gamma: float = 1.0
    lambda_: float = 0.0
    trace: str = "accumulating"
    win_reward: float = 1.0
    draw_reward: float = 0.0
    depth: int = 1
    by_margin: bool = False
    turns: str = "ply"
    knows_ends: bool = False
    learn_explored: bool | None = False
    """None: what the rule has by default"""
    play_out: bool = False
    max_plies: int = 200

    def __str__(self) -> str:
        return ",".join(f"{name}={part}" for name, part in self._asdict().items() if part != getattr(Way(), name))


SPECIAL_ENDS = Way(win_reward=99999.0)
"""by which who plays by weights knows ends"""


class Action(NamedTuple):
    """Plies up to an afterstate."""

    path: tuple[int, ...]
    after: Any


def vector(feature_set: Any, rules: Any, state: Any) -> Vector:
    """All features of a state."""
    count = size(feature_set, rules)
    index, value, found = np.zeros(count, np.int64), np.zeros(count), np.zeros(count)
    used = features(feature_set, rules, state, index, value)
    found[index[:used]] = value[:used]
    return found


def actions(rules: Any, state: Any, turns: str) -> list[Action]:
    """What the player to move can do."""
    found = []
    for move in legal(rules, state):
        after = play(rules, state, move)
        if turns == "chain" and goes_on(rules, after, to_move(rules, state)):
            found += [Action((move, *rest.path), rest.after) for rest in actions(rules, after, turns)]
        else:
            found.append(Action((move,), after))
    return found


def goes_on(rules: Any, after: Any, mover: int) -> bool:
    return not is_over(rules, after) and to_move(rules, after) == mover


def reward(rules: Any, state: Any, way: Way) -> float:
    """What an end is worth to player 0."""
    final = margin(rules, state)
    if final == 0 and not way.by_margin:
        return way.draw_reward
    return way.win_reward * float(final if way.by_margin else np.sign(final))


def is_certain(rules: Any, state: Any, by_margin: bool) -> bool:
    """Whether the reward is: by how much somebody wins is known at the end only."""
    return is_over(rules, state) or (not by_margin and decided(rules, state))


def best(
    rules: Any,
    feature_set: Any,
    weights: Vector,
    state: Any,
    random: Any,
    turns: str,
    ends: Way | None = None,
) -> tuple[float, Action]:
    """The best action and its value to player 0, by what is known of `ends` if that is given.

    The k-th of equals takes the place of those before with chance 1/k.
    """
    sign = 1.0 if to_move(rules, state) == 0 else -1.0
    highest, chosen, ties = -math.inf, None, 0
    for action in actions(rules, state, turns):
        if ends is not None and is_certain(rules, action.after, ends.by_margin):
            value = sign * reward(rules, action.after, ends)
        else:
            value = sign * float(weights @ vector(feature_set, rules, action.after))
        if value > highest:
            highest, chosen, ties = value, action, 1
        elif value == highest:
            ties += 1
            if below(random, ties) == 0:
                chosen = action
    assert chosen is not None
    return sign * highest, chosen


class Oracle:
    """Learns `weights`, in place."""

    def __init__(self, rules: Any, feature_set: Any, weights: Vector, way: Way) -> None:
        self.rules, self.feature_set, self.weights, self.way = rules, feature_set, weights, way
        self.trace = np.zeros(len(weights))
        self.said = 0.0
        self.errors: list[float] = []

    def x(self, state: Any) -> Vector:
        return vector(self.feature_set, self.rules, state)

    def value(self, x: Vector) -> float:
        return float(self.weights @ x)

    def worth(self, state: Any) -> float:
        """The value of a state as a target: of an end, what is known of ends."""
        if self.way.knows_ends and is_certain(self.rules, state, self.way.by_margin):
            return reward(self.rules, state, self.way)
        return self.value(self.x(state))

    def searched(self, state: Any, depth: int) -> float:
        """The worth of a state by plain minimax, which knows ends where these are known."""
        known = self.way.knows_ends and is_certain(self.rules, state, self.way.by_margin)
        if depth == 0 or known or is_over(self.rules, state):
            return self.worth(state)
        values = [self.searched(play(self.rules, state, move), depth - 1) for move in legal(self.rules, state)]
        return max(values) if to_move(self.rules, state) == 0 else min(values)

    def learn_by_search(self, state: Any, alpha: float) -> None:
        x, target = self.x(state), self.way.gamma * self.searched(state, self.way.depth)
        self.weights += alpha * (target - self.value(x)) * x

    def move_towards(self, x: Vector, target: float, following: float, alpha: float) -> None:
        """A step; `following` is what is said before it of the afterstate that comes next, 0 at the end."""
        way, value = self.way, self.value(x)
        error = target - value
        self.errors.append(error)
        trace_decay = way.gamma * way.lambda_ if way.rule != "monte-carlo" else 0.0
        faded = trace_decay * self.trace
        if way.trace == "accumulating":
            self.trace = faded + x
        elif way.trace == "replacing":
            self.trace = np.where(x != 0.0, x, faded)
        elif way.trace == "dutch":
            self.trace = faded + (1.0 - alpha * trace_decay * float(self.trace @ x)) * x
            if trace_decay:
                self.weights += alpha * (error + value - self.said) * self.trace - alpha * (value - self.said) * x
                self.said = following
                return
        self.weights += alpha * error * (self.trace if trace_decay else x)

    def play_game(
        self,
        start: Any,
        opponent: Chooser,
        alpha: float,
        epsilon: float,
        keys: RngKeys,
        number: int,
        chooser: Chooser | None = None,
    ) -> None:
        """Learn from a game; the numbers are those of `learn_games`."""
        rules, way = self.rules, self.way
        mine, theirs, chance, opening = (
            [stream(key, number)] for key in (keys.first, keys.second, keys.chance, keys.opening)
        )
        side = below(opening, 2) if way.side == "random" else way.side
        trajectory: list[tuple[Vector, bool]] = []
        self.trace, self.said = np.zeros(len(self.weights)), 0.0
        state, buffer = start, [0] * limits(rules).moves

        def finished() -> bool:
            return is_over(rules, state) if way.play_out else is_certain(rules, state, way.by_margin)

        def add(x: Vector, target: float, explores: bool) -> None:
            """The next afterstate is there: learn about the one before it."""
            self.learn(trajectory, way.gamma * target, self.value(x), alpha)
            trajectory.append((x, explores))

        plies = 0
        while not finished() and plies < way.max_plies:
            mover = to_move(rules, state)
            plies += 1
            if mover == CHANCE:
                shares = [0.0] * limits(rules).moves
                count = chances(rules, state, buffer, shares)
                state = play(rules, state, buffer[draw_index(chance, shares, count)])
            elif mover == side or way.side == "both":
                explores = epsilon > 0.0 and uniform(mine) < epsilon
                if way.rule == "rootstrap":
                    self.learn_by_search(state, alpha)
                target, as_aimed = 0.0, not explores
                if way.rule == "q" or not explores:
                    target, action = best(
                        *(rules, self.feature_set, self.weights, state, mine, way.turns),
                        way if way.knows_ends else None,
                    )
                if explores:
                    state = play(rules, state, draw_move(rules, state, mine, buffer))
                    while way.turns == "chain" and goes_on(rules, state, mover):
                        state = play(rules, state, draw_move(rules, state, mine, buffer))
                elif chooser is None:
                    state = action.after
                else:
                    move = chooser(rules, state, mine)
                    as_aimed = move == action.path[0]
                    state = play(rules, state, move)
                if way.rule == "rootstrap-after" and not finished():
                    self.learn_by_search(state, alpha)
                if way.rule.startswith("rootstrap"):
                    continue
                x = self.x(state)
                add(x, target if way.rule == "q" else self.worth(state), explores)
                if way.rule == "q" and not as_aimed:
                    self.trace, self.said = np.zeros(len(self.weights)), 0.0
            else:
                state = play(rules, state, opponent(rules, state, theirs))
                if way.rule == "td" and not (way.turns == "chain" and goes_on(rules, state, mover)):
                    x = self.x(state)
                    add(x, self.worth(state), False)
        outcome = reward(rules, state, way) if finished() else 0.0
        if way.rule != "monte-carlo":
            self.learn(trajectory, outcome, 0.0, alpha)
            return
        for later, (x, explored) in enumerate(reversed(trajectory)):
            if way.learn_explored or not explored:
                self.move_towards(x, way.gamma**later * outcome, 0.0, alpha)

    def learn(self, trajectory: list[tuple[Vector, bool]], target: float, following: float, alpha: float) -> None:
        """Learn about the last afterstate, unless it came about by exploring, where traces end."""
        if not trajectory or self.way.rule == "monte-carlo":
            return
        x, explored = trajectory[-1]
        if explored and not self.way.learn_explored:
            self.trace, self.said = np.zeros(len(self.weights)), 0.0
        else:
            self.move_towards(x, target, following, alpha)


def online_returns(xs: list[Vector], rewards: list[float], weights: Vector, alpha: float, trace_decay: float) -> Vector:
    """What the online lambda-return algorithm makes of the weights, step by step from their start for each horizon.

    Sutton and Barto 2018, section 12.4, without discount; `rewards` come after each of the states `xs`, whose last one
    ends the episode.
    """
    steps = len(xs)
    by_time = [weights.copy()]
    for horizon in range(1, steps + 1):
        current = weights.copy()
        for t in range(horizon):
            total, target = 0.0, 0.0
            for n in range(1, horizon - t + 1):
                total += rewards[t + n - 1]
                end = t + n == steps
                bootstrapped = total + (0.0 if end else float(by_time[t + n - 1] @ xs[t + n]))
                last = n == horizon - t
                target += trace_decay ** (n - 1) * (1.0 if last else 1.0 - trace_decay) * bootstrapped
            current = current + alpha * (target - float(current @ xs[t])) * xs[t]
        by_time.append(current)
    return by_time[-1]
