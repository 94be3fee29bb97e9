"""Feature sets as users write them; all but the first three do something that must be noticed."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from petteia.core.protocol import Rules
from petteia.games.kalah import Position


class Stores(NamedTuple):
    """South's store, then North's."""

    unit: float = 0.125

    def names(feature_set, rules: Rules) -> Any:
        return ("stores.south", "stores.north")

    def size(feature_set, rules: Rules) -> int:
        return 2

    def features(feature_set, rules: Rules, state: Position, index: Any, value: Any) -> Any:
        index[0], index[1] = 0, 1
        value[0], value[1] = state.south_store * feature_set.unit, state.north_store * feature_set.unit
        return 2


class Mover(Stores):
    """Phases: whose turn it is."""

    def names(feature_set, rules: Rules) -> Any:
        return ("south_moves", "north_moves")

    def phase(feature_set, rules: Rules, state: Position) -> int:
        return state.side

    def features(feature_set, rules: Rules, state: Position, index: Any, value: Any) -> Any:
        index[0], value[0] = state.side, 1.0
        return 1


class Faces(NamedTuple):
    """Of `DiceRace`: which face the die shows, 0 if it is to be cast."""

    def names(feature_set, rules: Rules) -> Any:
        return tuple(map(str, range(rules.faces + 1)))

    def size(feature_set, rules: Rules) -> int:
        return int(rules.faces) + 1

    def features(feature_set, rules: Rules, state: Any, index: Any, value: Any) -> int:
        index[0], value[0] = state.die, 1.0
        return 1


class WrongPhase(Mover):
    def phase(feature_set, rules: Rules, state: Position) -> int:
        return 1 - state.side


class SameNames(Stores):
    def names(feature_set, rules: Rules) -> Any:
        return ("store", "store")


class TooFewNames(Stores):
    def names(feature_set, rules: Rules) -> Any:
        return ("stores.south",)


class NoNames(Stores):
    def names(feature_set, rules: Rules) -> Any:
        return ("stores.south", "")


class TooLarge(Stores):
    def features(feature_set, rules: Rules, state: Position, index: Any, value: Any) -> Any:
        index[0], value[0] = 2, 1.0
        return 1


class Beyond(Stores):
    def features(feature_set, rules: Rules, state: Position, index: Any, value: Any) -> Any:
        index[0], value[0] = 1, 1.0
        value[2] = 1.0
        return 1


class NumberBeyond(Stores):
    def features(feature_set, rules: Rules, state: Position, index: Any, value: Any) -> Any:
        index[0], value[0] = 1, 1.0
        index[1] = 0
        return 1


class TooMany(Stores):
    def features(feature_set, rules: Rules, state: Position, index: Any, value: Any) -> Any:
        for i in range(3):
            index[i], value[i] = i, 1.0
        return 3


class Twice(Stores):
    def features(feature_set, rules: Rules, state: Position, index: Any, value: Any) -> Any:
        index[0], value[0] = 1, 1.0
        index[1], value[1] = 1, 1.0
        return 2


class NotFinite(Stores):
    def features(feature_set, rules: Rules, state: Position, index: Any, value: Any) -> Any:
        index[0], value[0] = 0, float("inf") * (state.south_store + 1)
        return 1


class NotCounted(Stores):
    def features(feature_set, rules: Rules, state: Position, index: Any, value: Any) -> Any:
        return 0.0


class Divides(Stores):
    def features(feature_set, rules: Rules, state: Position, index: Any, value: Any) -> Any:
        index[0], value[0] = 0, 1 / state.south_store
        return 1


class Draws(Stores):
    def features(feature_set, rules: Rules, state: Position, index: Any, value: Any) -> Any:
        index[0], value[0] = 0, random.random()
        return 1


memory = [0]


class Remembers(Stores):
    def features(feature_set, rules: Rules, state: Position, index: Any, value: Any) -> Any:
        memory[0] += 1
        index[0], value[0] = 0, float(memory[0])
        return 1


def doubled(number: float) -> float:
    return number * 2


class NotInline(Stores):
    def features(feature_set, rules: Rules, state: Position, index: Any, value: Any) -> Any:
        index[0], value[0] = 0, doubled(1.0)
        return 1


class Lists(Stores):
    def features(feature_set, rules: Rules, state: Position, index: Any, value: Any) -> Any:
        stores = [state.south_store, state.north_store]
        for i in range(2):
            index[i], value[i] = i, float(stores[i])
        return 2


class Texts(Stores):
    def features(feature_set, rules: Rules, state: Position, index: Any, value: Any) -> Any:
        index[0], value[0] = 0, float(len(f"{state.side}"))
        return 1


class FloatSize(Stores):
    def features(feature_set, rules: Rules, state: Position, index: Any, value: Any) -> Any:
        index[0], value[0] = 0, 1.0
        return 1 if state.side < 2 else 1.5


class Overflows(Stores):
    """Compiled numbers have 64 bits."""

    def features(feature_set, rules: Rules, state: Position, index: Any, value: Any) -> Any:
        index[0], value[0] = 0, float((state.south + 1 << 20) % 1000)
        return 1


class NoSize(NamedTuple):
    def names(feature_set, rules: Rules) -> Any:
        return ("a",)


class OtherParameters(Stores):
    def features(self, rules: Rules, state: Position, index: Any, value: Any) -> Any:
        return 0


class NoDefault(NamedTuple):
    unit: float
    names = Stores.names
    size = Stores.size
    features = Stores.features


class NoTuple:
    """No feature set at all."""
