"""Feature sets and evaluations of a user's that fail in few positions, or do what they must not."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import numpy as np
from own_features import Stores

from petteia.core.kernel import inline
from petteia.core.protocol import Rules
from petteia.games.kalah import Position


@inline
def apart(state: Position) -> int:
    """0 only where both stores hold nine stones."""
    return abs(state.south_store - 9) + abs(state.north_store - 9)


class Rare(Stores):
    def features(feature_set, rules: Rules, state: Position, index: Any, value: Any) -> Any:
        index[0], value[0] = 0, 1.0 / apart(state)
        return 1


def rare(rules: Rules, state: Position) -> int:
    return 100 // apart(state)


class RareValue(NamedTuple):
    def evaluate(evaluation, rules: Rules, state: Position) -> int:
        return 100 // apart(state)


def sound(rules: Rules, state: Position) -> float:
    return (state.south_store - state.north_store) / 48


def changing(rules: Rules, state: Position) -> int:
    return random.randrange(1000)


def too_large(rules: Rules, state: Position) -> int:
    """Compiled numbers have 64 bits."""
    return (state.south * state.south) % 1000


def changing_fraction(rules: Rules, state: Position) -> float:
    return random.random()


def mean(rules: Rules, state: Position) -> float:
    return float(np.mean([state.south_store, state.north_store]))


def looked_up(rules: Rules, state: Position) -> float:
    return {0: 0.5, 1: 1.0}[min(state.south_store, 1)]


def written(rules: Rules, state: Position) -> float:
    return float(f"{state.south_store}")


class ByWords(NamedTuple):
    """A policy that cannot be compiled."""

    def choose(policy, rules, state, random, work):
        return {"first": 0}.get("first", 1)
