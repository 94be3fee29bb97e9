"""Features of any game that indicate the side to move. `SET*turn` has the features of `SET` once for each side."""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.arrays import Floats, Ints
from petteia.core.protocol import CHANCE, Rules, State, has_chance, seats, to_move
from petteia.features.feature_set import phase


class Turn(NamedTuple):
    """A feature set that indicates the side to move: player 0, player 1, or, in games with chance nodes, chance.

    In a finished game, the feature of the player that `to_move` returns is 1, although no player is to move.
    """

    def names(feature_set, rules: Rules) -> tuple[str, ...]:
        """Return the names of the features, such as `south_to_move` and, in games with chance, `chance_to_move`."""
        return tuple(f"{who}_to_move" for who in (*seats(rules), "chance")[: feature_set.size(rules)])

    def size(feature_set, rules: Rules) -> int:
        """Return the number of features: 2, or 3 in games with chance nodes."""
        return CHANCE + 1 if has_chance(rules) else CHANCE

    def phase(feature_set, rules: Rules, state: State) -> int:
        """Return the player to move, 0 or 1, or `CHANCE` at a chance node."""
        return to_move(rules, state)

    def features(feature_set, rules: Rules, state: State, index: Ints, value: Floats) -> int:
        """Write the feature of the side to move with the value 1. All other features are 0."""
        index[0] = phase(feature_set, rules, state)
        value[0] = 1.0
        return 1
