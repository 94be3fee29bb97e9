"""Update rules as users write them; all but the first two do something that must be noticed."""

from __future__ import annotations

import random as randomness
from typing import NamedTuple

import numpy as np

from petteia.core.random import below
from petteia.learn.exploration import expectation, largest
from petteia.learn.targets import move_one_towards, move_towards


class MyExpectedSarsa(NamedTuple):
    """As ours."""

    def next_value(rule, learner, values, step, rates, work):
        return expectation(learner.exploration, values, step.next_count, rates.exploration, work)


class MyDoubleQ(NamedTuple):
    """As ours, by all the methods there are."""

    def tables(rule):
        return 2

    def update_step(rule, learner, table, step, rates, random, work):
        sign = 1.0 - 2.0 * below(random, 2)
        values, differences = table.values[step.next_row], table.differences[step.next_row]
        best = 0
        for i in range(1, step.next_count):
            if values[i] + sign * differences[i] > values[best] + sign * differences[best]:
                best = i
        target = rates.gamma * (values[best] - sign * differences[best])
        move_one_towards(table, learner.step, step.row, step.action, sign, rates.alpha, target)

    def update_end(rule, learner, table, trajectory, length, reward, rates, random):
        row, action = int(trajectory[length - 1, 0]), int(trajectory[length - 1, 1])
        sign = 1.0 - 2.0 * below(random, 2)
        move_one_towards(table, learner.step, row, action, sign, rates.alpha, reward)


class Cautious(NamedTuple):
    """Between the best and the mean of what may follow."""

    trust: float = 0.5
    floor: int = -1

    def next_value(rule, learner, values, step, rates, work):
        total = 0.0
        for i in range(step.next_count):
            total += max(values[i], float(rule.floor))
        return rule.trust * largest(values, step.next_count) + (1.0 - rule.trust) * total / step.next_count


class Raises(NamedTuple):
    def next_value(rule, learner, values, step, rates, work):
        return values[step.next_count + 1000]


class Explodes(NamedTuple):
    def next_value(rule, learner, values, step, rates, work):
        return float("inf")


class Draws(NamedTuple):
    def next_value(rule, learner, values, step, rates, work):
        return randomness.random()


memory = [0.0]


class Remembers(NamedTuple):
    def next_value(rule, learner, values, step, rates, work):
        memory[0] += 1.0
        return 1.0 / memory[0]


class Lists(NamedTuple):
    def next_value(rule, learner, values, step, rates, work):
        return max([values[i] for i in range(step.next_count)])


class Texts(NamedTuple):
    def next_value(rule, learner, values, step, rates, work):
        return float(len(f"{step.row}"))


class Returns(NamedTuple):
    def update_step(rule, learner, table, step, rates, random, work):
        move_towards(table, learner.step, step.row, step.action, rates.alpha, 0.0)
        return 1


class Three(NamedTuple):
    def tables(rule):
        return 3

    next_value = MyExpectedSarsa.next_value


class Branch(NamedTuple):
    def next_value(rule, learner, values, step, rates, work):
        if step.next_count > 1000:
            return 0.5
        return None


class NumpyList(NamedTuple):
    def next_value(rule, learner, values, step, rates, work):
        return np.mean([values[0], values[1]])


class NumpyMax(NamedTuple):
    def next_value(rule, learner, values, step, rates, work):
        return np.max(values)


class OtherParameters(NamedTuple):
    def next_value(self, learner, values, step, rates, work):
        return 0.0


class Nothing(NamedTuple):
    def update_end(rule, learner, table, trajectory, length, reward, rates, random):
        pass


class NoTuple:
    def next_value(rule, learner, values, step, rates, work):
        return 0.0
