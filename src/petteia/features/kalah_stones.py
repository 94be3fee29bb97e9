"""Features of Kalah that count stones, scaled to -1..1 by the number of all stones; and the phases of a game.

- `Store`: `store.difference`, of the stores (South's less North's), and `store.constant`, always 1; the smallest set to
  learn with
- `Rows`: `rows.difference`, of the stones in the rows (South's less North's)
- `Pits`: `pits.south.1` ... `pits.north.6`, the stones in each pit, in sowing order
- `Phases`: one of `level`, `ahead` and `behind` is 1, as South has at most four stones more or less in its store than
  North, more than four more, or more than four less. The other two are 0.
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.arrays import Floats, Ints
from petteia.features.feature_set import phase
from petteia.games.kalah import Kalah, Position, pit_of, stones

LEVEL, AHEAD, BEHIND = 0, 1, 2
STILL_LEVEL = 4
"""a difference of the stores up to which the game is level"""


class Store(NamedTuple):
    """The feature set of the difference of the stores, and a constant."""

    def names(feature_set, rules: Kalah) -> tuple[str, ...]:
        """The names of both features."""
        return ("store.difference", "store.constant")

    def size(feature_set, rules: Kalah) -> int:
        """The number of features, 2."""
        return 2

    def features(feature_set, rules: Kalah, state: Position, index: Ints, value: Floats) -> int:
        """Write both features."""
        index[0] = 0
        value[0] = (state.south_store - state.north_store) / (2 * rules.pits * rules.seeds)
        index[1] = 1
        value[1] = 1.0
        return 2


class Rows(NamedTuple):
    """The feature set of the difference of the rows."""

    def names(feature_set, rules: Kalah) -> tuple[str, ...]:
        """The name of the only feature."""
        return ("rows.difference",)

    def size(feature_set, rules: Kalah) -> int:
        """The number of features, 1."""
        return 1

    def features(feature_set, rules: Kalah, state: Position, index: Ints, value: Floats) -> int:
        """Write the only feature."""
        index[0] = 0
        value[0] = (stones(state.south) - stones(state.north)) / (2 * rules.pits * rules.seeds)
        return 1


class Pits(NamedTuple):
    """The feature set of the stones in each pit."""

    def names(feature_set, rules: Kalah) -> tuple[str, ...]:
        """The names of South's pits in sowing order, then of North's."""
        return tuple(f"pits.{side}.{pit + 1}" for side in ("south", "north") for pit in range(rules.pits))

    def size(feature_set, rules: Kalah) -> int:
        """The number of pits in two rows."""
        return 2 * rules.pits

    def features(feature_set, rules: Kalah, state: Position, index: Ints, value: Floats) -> int:
        """Write the features of all pits."""
        pits = rules.pits
        stone = 1.0 / (2 * pits * rules.seeds)
        for pit in range(pits):
            index[pit] = pit
            value[pit] = pit_of(state.south, pit) * stone
            index[pits + pit] = pits + pit
            value[pits + pit] = pit_of(state.north, pit) * stone
        return 2 * pits


class Phases(NamedTuple):
    """The set of phases that tells who is ahead by more than a little."""

    def names(feature_set, rules: Kalah) -> tuple[str, ...]:
        """The names of the phases, as South sees them."""
        return ("level", "ahead", "behind")

    def size(feature_set, rules: Kalah) -> int:
        """The number of phases, 3."""
        return 3

    def phase(feature_set, rules: Kalah, state: Position) -> int:
        """The phase of the state: LEVEL, AHEAD or BEHIND."""
        difference = state.south_store - state.north_store
        if difference > STILL_LEVEL:
            return AHEAD
        return BEHIND if difference < -STILL_LEVEL else LEVEL

    def features(feature_set, rules: Kalah, state: Position, index: Ints, value: Floats) -> int:
        """Write the one feature that is 1."""
        index[0] = phase(feature_set, rules, state)
        value[0] = 1.0
        return 1
