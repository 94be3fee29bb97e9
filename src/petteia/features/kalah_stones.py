"""Features of Kalah that count stones, and features that indicate the phase of a game.

Numbers of stones are divided by the number of all stones in the game.

- `Store`: `store.difference`, the stones in South's store minus those in North's, and `store.constant`, always 1
- `Rows`: `rows.difference`, the stones in South's row minus those in North's
- `Pits`: `pits.south.1` ... `pits.north.6`, the stones in each pit, in sowing order
- `Phases`: `level` is 1 if the stores differ by at most four stones. `ahead` is 1 if South's store has at least five
  stones more than North's, and `behind` if it has at least five fewer. The other two features are 0.
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.arrays import Floats, Ints
from petteia.features.feature_set import phase
from petteia.games.kalah import Kalah, Position, pit_of, stones

LEVEL, AHEAD, BEHIND = 0, 1, 2
STILL_LEVEL = 4
"""The maximum difference between the numbers of stones in the stores in the phase `level`."""


class Store(NamedTuple):
    """A feature set of two features: the difference of the stores, and a constant."""

    def names(feature_set, rules: Kalah) -> tuple[str, ...]:
        """Return the names of the two features, `store.difference` and `store.constant`."""
        return ("store.difference", "store.constant")

    def size(feature_set, rules: Kalah) -> int:
        """Return the number of features, 2."""
        return 2

    def features(feature_set, rules: Kalah, state: Position, index: Ints, value: Floats) -> int:
        """Write both features, the difference between the stones in both stores and the constant, and return 2."""
        index[0] = 0
        value[0] = (state.south_store - state.north_store) / (2 * rules.pits * rules.seeds)
        index[1] = 1
        value[1] = 1.0
        return 2


class Rows(NamedTuple):
    """A feature set with one feature: the difference between the numbers of stones in the two rows."""

    def names(feature_set, rules: Kalah) -> tuple[str, ...]:
        """Return the name of the only feature."""
        return ("rows.difference",)

    def size(feature_set, rules: Kalah) -> int:
        """Return the number of features, 1."""
        return 1

    def features(feature_set, rules: Kalah, state: Position, index: Ints, value: Floats) -> int:
        """Write the only feature, the difference between the stones in South's and North's rows, and return 1."""
        index[0] = 0
        value[0] = (stones(state.south) - stones(state.north)) / (2 * rules.pits * rules.seeds)
        return 1


class Pits(NamedTuple):
    """A feature set with one feature for each pit: the number of stones in the pit."""

    def names(feature_set, rules: Kalah) -> tuple[str, ...]:
        """Return the names of South's pits in sowing order, followed by the names of North's pits."""
        return tuple(f"pits.{side}.{pit + 1}" for side in ("south", "north") for pit in range(rules.pits))

    def size(feature_set, rules: Kalah) -> int:
        """Return the number of pits in both rows."""
        return 2 * rules.pits

    def features(feature_set, rules: Kalah, state: Position, index: Ints, value: Floats) -> int:
        """Write the number of stones in each pit, divided by the number of all stones."""
        pits = rules.pits
        stone = 1.0 / (2 * pits * rules.seeds)
        for pit in range(pits):
            index[pit] = pit
            value[pit] = pit_of(state.south, pit) * stone
            index[pits + pit] = pits + pit
            value[pits + pit] = pit_of(state.north, pit) * stone
        return 2 * pits


class Phases(NamedTuple):
    """A feature set that indicates one of three phases of a game by the difference of the stores."""

    def names(feature_set, rules: Kalah) -> tuple[str, ...]:
        """Return the names of the three phases: the stores are level, South is ahead, or South is behind."""
        return ("level", "ahead", "behind")

    def size(feature_set, rules: Kalah) -> int:
        """Return the number of phases, 3."""
        return 3

    def phase(feature_set, rules: Kalah, state: Position) -> int:
        """Return the phase of `state`: LEVEL, AHEAD (for South) or BEHIND."""
        difference = state.south_store - state.north_store
        if difference > STILL_LEVEL:
            return AHEAD
        return BEHIND if difference < -STILL_LEVEL else LEVEL

    def features(feature_set, rules: Kalah, state: Position, index: Ints, value: Floats) -> int:
        """Write the index of the current phase and its value, 1. All other features are 0."""
        index[0] = phase(feature_set, rules, state)
        value[0] = 1.0
        return 1
