"""The mean squared length of feature vectors, from which a step size is chosen.

Let n be the squared length of the feature vector. A gradient step with the step size alpha multiplies the error of a
linear value by 1 - alpha * n. If the features count stones, n is several hundred. If the features are shares of the
board, n is less than one. So no single alpha suits both kinds of features.

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
"""The number of sampled positions. It suffices for a mean with an error of about 10 %."""
MAX_GAMES = 30


def mean_square_length(rules: Rules, feature_set: FeatureSet, starts: Sequence[State]) -> float:
    """Return the mean squared length of the feature vectors in positions of random games.

    Game `i` starts from `starts[i % len(starts)]`. The random numbers are fixed, so the same arguments give the same
    result. The function runs as plain Python, without compilation.
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
