"""An evaluation of Kalah: the difference between the stores."""

from __future__ import annotations

from typing import NamedTuple

from petteia.games.kalah import Kalah, Position


class StoreDifference(NamedTuple):
    """An evaluation: the number of stones in South's store minus the number in North's."""

    def evaluate(evaluation, rules: Kalah, state: Position) -> int:
        """Return the number of stones in South's store minus the number in North's store."""
        return state.south_store - state.north_store
