"""The margin so far: an evaluation for games whose score grows as they are played.

The verb `margin` promises something of finished games alone, but in many games it can be asked of any position.
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.checking.sample import Sample
from petteia.core.protocol import Rules, State, margin


class MarginSoFar(NamedTuple):
    """Who would have won, and by how much, if the game were over now."""

    def evaluate(evaluation, rules: Rules, state: State) -> int:
        """The margin that the game would have if it were over."""
        return margin(rules, state)


def has_score(sample: Sample) -> bool:
    """Whether the margin says more than who has won, and can be asked of positions before the end.

    It does if it goes beyond -1..1 at the end of some game of the sample, raises in no position, is always an int, and
    is not the same in all positions before the end.
    """
    try:
        ends, before = (
            [margin(sample.rules, each.state) for each in sample.visits if each.over is over] for over in (True, False)
        )
    except Exception:  # a user's rules can raise anything
        return False
    is_whole = all(type(each) is int for each in (*ends, *before))
    return is_whole and any(abs(each) > 1 for each in ends) and len(set(before)) > 1
