"""Learning from searches of positions, with a feature for each: what is learned is best play."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
from linear_comparison import NIM, SEARCHING, Games, learned
from linear_oracle import Hot, Way, vector

from petteia.core.protocol import decided, initial, legal, margin, play, to_move


def positions_of(rules: Any) -> set[Any]:
    """All that can be reached."""
    seen, waiting = set(), [initial(rules)]
    while waiting:
        state = waiting.pop()
        if state not in seen:
            seen.add(state)
            waiting += [] if decided(rules, state) else [play(rules, state, move) for move in legal(rules, state)]
    return seen


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("rule", SEARCHING)
def test_from_searches_it_learns_best_play(rule: str, depth: int) -> None:
    @functools.cache
    def worth(state: Any) -> float:
        if decided(NIM, state):
            return float(np.sign(margin(NIM, state)))
        return float((max, min)[to_move(NIM, state)](worth(play(NIM, state, move)) for move in legal(NIM, state)))

    weights = learned(
        Games(Way(rule, "both", knows_ends=True, depth=depth, play_out=True), NIM, epsilon=1.0, alpha=0.5),
        3000,
        np.zeros(32),
    )
    worth(initial(NIM))
    states = [state for state in positions_of(NIM) if not decided(NIM, state) and state != initial(NIM)]
    assert len(states) > 5
    assert [weights[vector(Hot(), NIM, each).argmax()] for each in states] == pytest.approx([*map(worth, states)])
