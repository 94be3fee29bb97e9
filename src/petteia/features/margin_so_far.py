"""An evaluation by the current score, for games in which players score during play.

The evaluation calls `margin`, which rules need to define only for finished games. In many games, `margin` also accepts
unfinished positions.
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.checking.sample import Sample
from petteia.core.protocol import Rules, State, margin


class MarginSoFar(NamedTuple):
    """An evaluation: the margin that the game would have if it ended in the current position."""

    def evaluate(evaluation, rules: Rules, state: State) -> int:
        """Return the margin that the game would have if it ended in `state`."""
        return margin(rules, state)


def has_score(sample: Sample) -> bool:
    """Return whether players score points during the game, so that the current margin is a useful evaluation.

    A game has a score if three conditions hold. At the end of at least one game of the sample, the margin is outside
    -1..1. In every position, `margin` returns an int and raises no error. In non-terminal positions, `margin` is not
    constant.
    """
    try:
        ends, before = (
            [margin(sample.rules, each.state) for each in sample.visits if each.over is over] for over in (True, False)
        )
    except Exception:  # custom rules can raise anything
        return False
    is_whole = all(type(each) is int for each in (*ends, *before))
    return is_whole and any(abs(each) > 1 for each in ends) and len(set(before)) > 1
