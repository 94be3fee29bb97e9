"""Phases of any game by the side to move. `SET*turn` has the features of a set once for each side."""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.arrays import Floats, Ints
from petteia.core.protocol import CHANCE, Rules, State, has_chance, seats, to_move
from petteia.features.feature_set import phase


class Turn(NamedTuple):
    """Phases of a game by the side to move: one for each player, and one for chance if the game has chance nodes.

    In a finished game, the phase is that of the player whom `to_move` returns.
    """

    def names(feature_set, rules: Rules) -> tuple[str, ...]:
        """Return the names, such as `south_to_move`, with `chance_to_move` in games with chance nodes."""
        return tuple(f"{who}_to_move" for who in (*seats(rules), "chance")[: feature_set.size(rules)])

    def size(feature_set, rules: Rules) -> int:
        """Return the number of phases: 2, or 3 in games with chance nodes."""
        return CHANCE + 1 if has_chance(rules) else CHANCE

    def phase(feature_set, rules: Rules, state: State) -> int:
        """Return the side to move, or CHANCE."""
        return to_move(rules, state)

    def features(feature_set, rules: Rules, state: State, index: Ints, value: Floats) -> int:
        """Write the feature of the current phase, with the value 1."""
        index[0] = phase(feature_set, rules, state)
        value[0] = 1.0
        return 1
