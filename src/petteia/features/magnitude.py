"""How large the features of a set are: what a step size must be measured by.

A gradient step moves a linear value by alpha times the square length of the features, as a part of its error. A set in
stones has a length of hundreds, one in shares of the board less than one, and no alpha is good for both.

Source: Sutton and Barto 2018, "Reinforcement learning", section 9.6 (selecting step-size parameters by hand).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from petteia.checking.sample import play_game
from petteia.core.protocol import Rules, State
from petteia.core.random import stream
from petteia.features.feature_set import FeatureSet, features, max_active

POSITIONS = 300
"""that are enough: the mean need only be right to a tenth"""
MAX_GAMES = 30


def mean_square_length(rules: Rules, feature_set: FeatureSet, starts: Sequence[State]) -> float:
    """The mean of the sum of the squared features over positions of random games, which begin in `starts` in turn.

    In plain Python, so nothing is compiled for it. The same arguments give the same number.
    """
    active = max_active(feature_set, rules)
    index, value = np.zeros(active, np.int64), np.zeros(active)
    total, positions = 0.0, 0
    for game in range(MAX_GAMES):
        for visit in play_game(rules, [stream(0, game)], starts[game % len(starts)]).visits[1 : POSITIONS + 1]:
            count = features(feature_set, rules, visit.state, index, value)
            total += float(np.square(value[:count]).sum())
            positions += 1
        if positions >= POSITIONS:
            break
    return total / positions
