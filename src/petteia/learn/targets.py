"""Targets of tabular learning: the values towards which state-action values are moved.

Tabular learning algorithms differ only in their targets. A learning step starts with the learner's move `action` in a
state whose values are in the row `row` of the table. A learning step ends in the state whose values are in `next_row`,
in which the same player is to move again and has chosen `next_action`. The step may include the opponent's reply or a
chance outcome. The last step of a game ends with the reward r: +1 for a win, -1 for a loss, 0 for a draw. A step moves
the value by `Q(s, a) <- Q(s, a) + alpha (G - Q(s, a))`. In the last step, the target G is r. In other steps, with the
discount factor gamma, G is:

    Q-learning        gamma max_b Q(s', b)
    SARSA             gamma Q(s', a')
    Expected SARSA    gamma sum_b p(b | s') Q(s', b), where p are the probabilities of moves during training
    double Q          gamma Q2(s', argmax_b Q1(s', b)), where Q1 is the table drawn at random to be updated
    Monte Carlo       gamma^k r for a game that ends k steps later
"""

from __future__ import annotations

from typing import Any, NamedTuple

from petteia.core.arrays import Floats, Ints
from petteia.core.kernel import inline
from petteia.core.protocol import dispatched, method
from petteia.core.random import RandomState, below
from petteia.learn.exploration import EpsilonGreedy, Exploration, expectation, largest
from petteia.learn.step_sizes import Scheduled, StepSize, step_size
from petteia.policies.policy import Scratch
from petteia.value_functions.table import Table


class Rates(NamedTuple):
    """The learning rate, the exploration parameter and the discount factor of one training game."""

    alpha: float
    """learning rate"""
    exploration: float
    """epsilon, or temperature"""
    gamma: float
    """discount factor"""


class Step(NamedTuple):
    """A learning step, from a move of the learner to its next move."""

    row: int
    """the row of the state in which the learner moved"""
    action: int
    """index of the move among the moves of this state"""
    next_row: int
    """the row of the state in which the learner is to move again"""
    next_action: int
    """index of the move that the learner has chosen in the next state"""
    next_count: int
    """number of moves in the next state"""


@inline
def move_towards(table: Table, step: StepSize, row: int, action: int, alpha: float, target: float) -> None:
    """Move the table value of the move with index `action` in row `row` towards `target`.

    The table value changes by its difference from `target`, multiplied by the step size.
    """
    size = step_size(step, table, row, action, alpha)
    table.values[row, action] += size * (target - table.values[row, action])


@inline
def move_one_towards(
    table: Table, step: StepSize, row: int, action: int, sign: float, alpha: float, target: float
) -> None:
    """Move a value towards `target` in one of the two tables of double Q-learning.

    `sign` selects the table: 1 for the first table, and -1 for the second.
    """
    column = action if sign > 0.0 else action + table.values.shape[1]
    size = step_size(step, table, row, column, alpha)
    change = size * (target - (table.values[row, action] + sign * table.differences[row, action])) / 2.0
    table.values[row, action] += change
    table.differences[row, action] += sign * change


class QLearning(NamedTuple):
    """Q-learning, whose target is the best value of the next state.

    Source: Watkins 1989, "Learning from delayed rewards".
    """

    def next_value(rule, learner: Learner, values: Floats, step: Step, rates: Rates, work: Scratch) -> float:
        """Return the largest value of the next state."""
        return largest(values, step.next_count)


class Sarsa(NamedTuple):
    """SARSA, whose target is the value of the move chosen in the next state.

    Source: Rummery and Niranjan 1994, "On-line Q-learning using connectionist systems".
    """

    def next_value(rule, learner: Learner, values: Floats, step: Step, rates: Rates, work: Scratch) -> float:
        """Return the value of the move chosen in the next state."""
        return float(values[step.next_action])


class ExpectedSarsa(NamedTuple):
    """Expected SARSA, whose target is the expected value of the next state.

    Source: van Seijen, van Hasselt, Whiteson and Wiering 2009, "A theoretical and empirical analysis of Expected
    Sarsa".
    """

    def next_value(rule, learner: Learner, values: Floats, step: Step, rates: Rates, work: Scratch) -> float:
        """Return the mean value of the moves in the next state, weighted by their probabilities."""
        return expectation(learner.exploration, values, step.next_count, rates.exploration, work)


class DoubleQ(NamedTuple):
    """Double Q-learning, where one table selects the best next move and another table gives its value.

    Double Q-learning avoids the overestimation of values by Q-learning. The learner chooses moves by the mean of both
    tables. Source: van Hasselt 2010, "Double Q-learning".
    """

    def tables(rule) -> int:
        """Return 2, the number of value tables of double Q-learning."""
        return 2

    def update_step(
        rule, learner: Learner, table: Table, step: Step, rates: Rates, random: RandomState, work: Scratch
    ) -> None:
        """Update one of the two tables, chosen at random, for a learning step within a game."""
        sign = 1.0 - 2.0 * below(random, 2)
        values, differences = table.values[step.next_row], table.differences[step.next_row]
        best = 0
        for i in range(1, step.next_count):
            if values[i] + sign * differences[i] > values[best] + sign * differences[best]:
                best = i
        target = rates.gamma * (values[best] - sign * differences[best])
        move_one_towards(table, learner.step, step.row, step.action, sign, rates.alpha, target)

    def update_end(
        rule,
        learner: Learner,
        table: Table,
        trajectory: Ints,
        length: int,
        reward: float,
        rates: Rates,
        random: RandomState,
    ) -> None:
        """Move the value of the last move towards `reward` in one of the two tables, chosen at random."""
        row, action = int(trajectory[length - 1, 0]), int(trajectory[length - 1, 1])
        sign = 1.0 - 2.0 * below(random, 2)
        move_one_towards(table, learner.step, row, action, sign, rates.alpha, reward)


class MonteCarlo(NamedTuple):
    """Every-visit Monte Carlo, whose target is the discounted reward of the game.

    Source: Sutton and Barto 1998, "Reinforcement learning", chapter 5.
    """

    def update_step(
        rule, learner: Learner, table: Table, step: Step, rates: Rates, random: RandomState, work: Scratch
    ) -> None:
        """Do nothing, because the result of the game is not known yet."""

    def update_end(
        rule,
        learner: Learner,
        table: Table,
        trajectory: Ints,
        length: int,
        reward: float,
        rates: Rates,
        random: RandomState,
    ) -> None:
        """Move the values of all the player's moves towards the discounted reward, from the last move to the first."""
        target = reward
        for i in range(length - 1, -1, -1):
            move_towards(table, learner.step, int(trajectory[i, 0]), int(trajectory[i, 1]), rates.alpha, target)
            target *= rates.gamma


UpdateRule = Any
"""An update rule: an instance of a NamedTuple class with `next_value`, or with `update_step` and `update_end`."""

UPDATE_RULES: dict[str, UpdateRule] = {
    "q": QLearning(),
    "sarsa": Sarsa(),
    "expected-sarsa": ExpectedSarsa(),
    "double-q": DoubleQ(),
    "monte-carlo": MonteCarlo(),
}
"""The update rules by name."""


class Learner(NamedTuple):
    """A tabular learner: its update rule, step size and exploration."""

    rule: UpdateRule = QLearning()
    """the update rule that computes the target"""
    step: StepSize = Scheduled()
    """the object that computes the step size"""
    exploration: Exploration = EpsilonGreedy()
    """the object that chooses the learner's moves during training"""


def _undefined(rule: UpdateRule, *rest: Any) -> Any:
    raise TypeError("the update rule must define the method `next_value` or the method `update_step`")


def _one(rule: UpdateRule) -> int:
    return 1


@dispatched(lambda cls: method(cls, "tables") or _one)
def tables(rule: UpdateRule) -> int:
    """Return how many value tables an update rule uses: 1 by default, or 2, as in double Q-learning.

    If a rule uses two tables, `table.values` contains the mean of both tables, and `table.differences` contains half of
    their difference.
    """
    raise TypeError


@dispatched(lambda cls: method(cls, "next_value") or _undefined)
def next_value(rule: UpdateRule, learner: Learner, values: Floats, step: Step, rates: Rates, work: Scratch) -> float:
    """Return the value, for the player to move, of the state in which a learning step ends.

    `values`, float64[>= step.next_count], are the values of the moves in the next state.
    """
    raise TypeError


def _one_step(
    rule: UpdateRule, learner: Learner, table: Table, step: Step, rates: Rates, random: RandomState, work: Scratch
) -> None:
    target = rates.gamma * next_value(rule, learner, table.values[step.next_row], step, rates, work)
    move_towards(table, learner.step, step.row, step.action, rates.alpha, target)


@dispatched(lambda cls: method(cls, "update_step") or _one_step)
def update_step(
    rule: UpdateRule, learner: Learner, table: Table, step: Step, rates: Rates, random: RandomState, work: Scratch
) -> None:
    """Update the table for a learning step within a game. By default, the target is gamma times `next_value`."""
    raise TypeError


def _last_step(
    rule: UpdateRule,
    learner: Learner,
    table: Table,
    trajectory: Ints,
    length: int,
    reward: float,
    rates: Rates,
    random: RandomState,
) -> None:
    row, action = int(trajectory[length - 1, 0]), int(trajectory[length - 1, 1])
    move_towards(table, learner.step, row, action, rates.alpha, reward)


@dispatched(lambda cls: method(cls, "update_end") or _last_step)
def update_end(
    rule: UpdateRule,
    learner: Learner,
    table: Table,
    trajectory: Ints,
    length: int,
    reward: float,
    rates: Rates,
    random: RandomState,
) -> None:
    """Update the table at the end of a game.

    `trajectory`, int64[>= length, 2], contains the row and the move index of each of the player's moves. If a rule does
    not define this method, only the value of the last move is moved towards the reward.
    """
    raise TypeError
