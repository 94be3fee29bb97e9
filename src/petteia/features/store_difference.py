"""The difference of the stores in Kalah."""

from __future__ import annotations

from typing import NamedTuple

from petteia.games.kalah import Kalah, Position


class StoreDifference(NamedTuple):
    """The evaluation by the stones in South's store less those in North's."""

    def evaluate(evaluation, rules: Kalah, state: Position) -> int:
        """The difference of the stores."""
        return state.south_store - state.north_store
