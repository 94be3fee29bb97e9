"""What a value of state and move is moved towards: the one thing in which tabular learners differ.

A step goes from the learner's move `action` in the state of `row` to the state of `next_row`, in which the same player
is to move again and has chosen `next_action`; between them lies the opponent's reply, chance, or nothing. The last step
of a game ends with its reward r: +1 for a game won, -1 for one lost, else 0. With G the target and gamma the worth of
a value one step later,

    Q(s, a) <- Q(s, a) + alpha (G - Q(s, a)),    G = r in the last step, else:

    Q-learning        gamma max_b Q(s', b)
    SARSA             gamma Q(s', a')
    Expected SARSA    gamma sum_b p(b | s') Q(s', b), p being how moves are chosen while learning
    double Q          of two tables, one drawn for each step: gamma Q2(s', argmax_b Q1(s', b)) moves Q1
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
    """The parameters of a game of learning."""

    alpha: float
    """learning rate"""
    exploration: float
    """epsilon, or temperature"""
    gamma: float
    """worth of a value one step later"""


class Step(NamedTuple):
    """The learner's move, and where it has led to."""

    row: int
    """the row of the state in which the learner moved"""
    action: int
    """number of the move among those of its state"""
    next_row: int
    """the row of the state in which it is to move again"""
    next_action: int
    """number of the move that it has chosen there"""
    next_count: int
    """number of moves in the next state"""


@inline
def move_towards(table: Table, step: StepSize, row: int, action: int, alpha: float, target: float) -> None:
    """Move the value of move number `action` of a row by the step size times its distance to `target`."""
    size = step_size(step, table, row, action, alpha)
    table.values[row, action] += size * (target - table.values[row, action])


@inline
def move_one_towards(
    table: Table, step: StepSize, row: int, action: int, sign: float, alpha: float, target: float
) -> None:
    """As `move_towards` for the first (`sign` 1) or the second (-1) of the two tables that a table stands for."""
    column = action if sign > 0.0 else action + table.values.shape[1]
    size = step_size(step, table, row, column, alpha)
    change = size * (target - (table.values[row, action] + sign * table.differences[row, action])) / 2.0
    table.values[row, action] += change
    table.differences[row, action] += sign * change


class QLearning(NamedTuple):
    """Moves values towards the best that can follow. Watkins 1989, "Learning from delayed rewards"."""

    def next_value(rule, learner: Learner, values: Floats, step: Step, rates: Rates, work: Scratch) -> float:
        """The largest value of the next state."""
        return largest(values, step.next_count)


class Sarsa(NamedTuple):
    """Moves values towards what follows. Rummery, Niranjan 1994, "On-line Q-learning using connectionist systems"."""

    def next_value(rule, learner: Learner, values: Floats, step: Step, rates: Rates, work: Scratch) -> float:
        """The value of the move chosen in the next state."""
        return float(values[step.next_action])


class ExpectedSarsa(NamedTuple):
    """Moves values towards the mean of what may follow.

    Van Seijen, van Hasselt, Whiteson, Wiering 2009, "A theoretical and empirical analysis of Expected Sarsa".
    """

    def next_value(rule, learner: Learner, values: Floats, step: Step, rates: Rates, work: Scratch) -> float:
        """The mean value of the next state's moves, each as probable as it is chosen."""
        return expectation(learner.exploration, values, step.next_count, rates.exploration, work)


class DoubleQ(NamedTuple):
    """Moves values towards what one table says of the move that another thinks best, lest luck be taken for skill.

    Van Hasselt 2010, "Double Q-learning". Moves are chosen by the mean of both.
    """

    def tables(rule) -> int:
        """The number of tables, 2."""
        return 2

    def update_step(
        rule, learner: Learner, table: Table, step: Step, rates: Rates, random: RandomState, work: Scratch
    ) -> None:
        """Move the value in one of the two tables, drawn at random."""
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
        """Move the value of the last step in one of the two tables, drawn at random."""
        row, action = int(trajectory[length - 1, 0]), int(trajectory[length - 1, 1])
        sign = 1.0 - 2.0 * below(random, 2)
        move_one_towards(table, learner.step, row, action, sign, rates.alpha, reward)


class MonteCarlo(NamedTuple):
    """Moves values towards what came out in the end, at every visit. Sutton and Barto 1998, chapter 5."""

    def update_step(
        rule, learner: Learner, table: Table, step: Step, rates: Rates, random: RandomState, work: Scratch
    ) -> None:
        """Do nothing: the result is not known yet."""

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
        """Move the values of all steps, the last first."""
        target = reward
        for i in range(length - 1, -1, -1):
            move_towards(table, learner.step, int(trajectory[i, 0]), int(trajectory[i, 1]), rates.alpha, target)
            target *= rates.gamma


UpdateRule = Any
"""An update rule: a value of a NamedTuple class with `next_value`, or `update_step` and `update_end` where it needs
more.
"""

UPDATE_RULES: dict[str, UpdateRule] = {
    "q": QLearning(),
    "sarsa": Sarsa(),
    "expected-sarsa": ExpectedSarsa(),
    "double-q": DoubleQ(),
    "monte-carlo": MonteCarlo(),
}
"""The learners by name."""


class Learner(NamedTuple):
    """How values change and moves are chosen, whatever the parameters are."""

    rule: UpdateRule = QLearning()
    """what a value is moved towards"""
    step: StepSize = Scheduled()
    """how far it is moved"""
    exploration: Exploration = EpsilonGreedy()
    """how moves are chosen"""


def _undefined(rule: UpdateRule, *rest: Any) -> Any:
    raise TypeError("the update rule defines neither next_value nor update_step")


def _one(rule: UpdateRule) -> int:
    return 1


@dispatched(lambda cls: method(cls, "tables") or _one)
def tables(rule: UpdateRule) -> int:
    """The number of tables that a rule keeps, 1 or 2: with 2, `table.differences` is used, too. Unless defined: 1."""
    raise TypeError


@dispatched(lambda cls: method(cls, "next_value") or _undefined)
def next_value(rule: UpdateRule, learner: Learner, values: Floats, step: Step, rates: Rates, work: Scratch) -> float:
    """What the state that a step has led to is worth; `values`, float64[>= step.next_count], are those of its moves."""
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
    """Learn from a step within a game. Unless defined: move its value towards gamma times `next_value`."""
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
    """Learn from the end of a game.

    `trajectory`, int64[>= length, 2], holds row and action of the player's steps in it. Unless defined: move the value
    of the last towards the reward.
    """
    raise TypeError
