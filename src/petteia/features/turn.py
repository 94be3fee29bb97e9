"""Phases of any game: who is to move. `SET*turn` has the features of a set once for each side that can be."""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.arrays import Floats, Ints
from petteia.core.protocol import CHANCE, Rules, State, has_chance, seats, to_move
from petteia.features.feature_set import phase


class Turn(NamedTuple):
    """The set of phases that tells who is to move. A finished game is in that of whoever the game says."""

    def names(feature_set, rules: Rules) -> tuple[str, ...]:
        """The names, such as `south_to_move`; where chance moves in the game, also `chance_to_move`."""
        return tuple(f"{who}_to_move" for who in (*seats(rules), "chance")[: feature_set.size(rules)])

    def size(feature_set, rules: Rules) -> int:
        """The number of phases, 2, or 3 in a game with chance."""
        return CHANCE + 1 if has_chance(rules) else CHANCE

    def phase(feature_set, rules: Rules, state: State) -> int:
        """The side that is to move, or CHANCE."""
        return to_move(rules, state)

    def features(feature_set, rules: Rules, state: State, index: Ints, value: Floats) -> int:
        """Write the one feature that is 1."""
        index[0] = phase(feature_set, rules, state)
        value[0] = 1.0
        return 1
