"""A check that the method `has_chance` is consistent with the chance nodes of random games."""

from __future__ import annotations

from petteia.checking.notes import Notes
from petteia.checking.sample import ConformanceError, Sample, where
from petteia.core.protocol import CHANCE, has_chance


def chance(sample: Sample, notes: Notes) -> None:
    """Check that `has_chance` returns a bool, and warn if it is True although no chance node occurs.

    The warning is advice in `notes`. It appears if `has_chance` returns True but no random game has a chance node.
    """
    rules = sample.rules
    if type(can_move := has_chance(rules)) is not bool:
        raise ConformanceError(f"{where(rules)}: has_chance returned {can_move!r}; must be True or False")
    if can_move and not any(visit.side == CHANCE for visit in sample.visits):
        never = f"chance never moved in {len(sample.games)} games; if it cannot, let has_chance(rules) return False"
        notes.advise(f"{where(rules)}: {never}, so that search and solving need not compute means")
