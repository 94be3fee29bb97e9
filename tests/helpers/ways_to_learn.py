"""Ways to learn, and what they should come to, worked out by slow dynamic programming in plain Python."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from tiny_games import Nim

from petteia.core.protocol import CHANCE, chances, initial, is_over, legal, limits, margin, play, to_move
from petteia.learn.exploration import Softmax
from petteia.learn.step_sizes import ByVisits, Scheduled
from petteia.learn.tabular import BOTH, learn_games, table_for
from petteia.learn.targets import UPDATE_RULES, Learner
from petteia.policies.play_games import RngKeys, match_keys
from petteia.policies.policy import Uniform
from petteia.value_functions.table import BY_SYMMETRY, NO_SYMMETRY, Table

NIM, GAMMA, KEYS = Nim(2, 3), 0.9, match_keys(5)
Future = Callable[[list[float]], float]


def greedy(values: list[float]) -> float:
    return max(values)


def soft(epsilon: float) -> Future:
    return lambda values: (1 - epsilon) * max(values) + epsilon * sum(values) / len(values)


def boltzmann(temperature: float) -> Future:
    def future(values: list[float]) -> float:
        weights = [math.exp(value / temperature) for value in values]
        return sum(value * weight for value, weight in zip(values, weights, strict=True)) / sum(weights)

    return future


def exact_values(rules: Any, side: int, future: Future) -> dict[Any, list[float]]:
    """What each move of `side` is worth against random play, in all states that it can meet.

    `future` is what a state is worth in which it is to move again, of the values of its moves there.
    """
    found: dict[Any, list[float]] = {}

    @functools.cache
    def worth(state: Any) -> float:
        if is_over(rules, state):
            return float(np.sign(margin(rules, state))) * (1 if side == 0 else -1)
        after = [worth(play(rules, state, move)) for move in legal(rules, state)]
        if to_move(rules, state) == CHANCE:
            shares = [0.0] * limits(rules).moves
            chances(rules, state, [0] * limits(rules).moves, shares)
            return sum(value * share for value, share in zip(after, shares, strict=False))
        if to_move(rules, state) == side:
            found[state] = after
            return GAMMA * future(after)
        return sum(after) / len(after)

    worth(initial(rules))
    return found


class Case(NamedTuple):
    """A way to learn, and how many games it is given."""

    learner: Learner
    parameter: float = 0.4
    """epsilon or temperature"""
    games: int = 3_000_000
    sharing: Any = NO_SYMMETRY
    initial: float = 0.0


def learned(
    rules: Any,
    side: int,
    case: Case,
    games: int | None = None,
    first: int = 0,
    table: Any = None,
    keys: RngKeys = KEYS,
) -> Table:
    count = case.games if games is None else games
    return learn_games(
        *(rules, initial(rules), side),
        table or table_for(rules, case.learner, initial=case.initial, sharing=case.sharing),
        Uniform(),
        alphas=np.full(count, 1.0 if isinstance(case.learner.step, ByVisits) else 0.1),
        explorations=np.full(count, case.parameter),
        gammas=np.full(count, GAMMA),
        keys=keys,
        first_game=first,
        learner=case.learner,
    )


FALLING = ByVisits(0.8)

WAYS = {
    "sarsa": Case(Learner(UPDATE_RULES["sarsa"])),
    "expected-sarsa": Case(Learner(UPDATE_RULES["expected-sarsa"], FALLING, Softmax()), 0.5),
    "double-q": Case(Learner(UPDATE_RULES["double-q"], FALLING), sharing=BY_SYMMETRY),
    "monte-carlo": Case(Learner(UPDATE_RULES["monte-carlo"], Scheduled(), Softmax()), 0.5, initial=0.25),
}
SIDES = (0, 1, BOTH)


def parts(table: Table) -> list[Any]:
    used = int(table.used[0])
    return [part[:used] for part in (table.keys, table.values, table.differences, table.visits)]


def assert_same(one: Table, other: Table) -> None:
    for part, its in zip(parts(one), parts(other), strict=True):
        np.testing.assert_array_equal(part, its)


TRAININGS: dict[str, dict[str, Any]] = {
    "sarsa": {"alpha": 0.1, "explore_starts": True},
    "expected-sarsa": {"alpha": "visits^0.8", "temperature": "1..0.1"},
    "double-q": {"alpha": "visits^0.8", "fold": True, "side": "both"},
    "monte-carlo": {"alpha": "0.2..0.1", "temperature": "0.5", "initial": 0.25},
}
