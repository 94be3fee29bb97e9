"""The 40 weights of a linear value function for Mancala, as printed in a report on reinforcement learning.

The weights were learned by Q-learning in 500,000 self-play games.
"""

from __future__ import annotations

import numpy as np

from petteia.core.arrays import Floats
from petteia.games.kalah import NOBODY, Kalah

REPORT_RULES = Kalah(leftovers=NOBODY)
"""The rules of the games in the report."""
SOUTH_TO_MOVE = (
    (0.1904, -0.1395),
    (0.0104, 0.0193),
    (0.3652, 0.0271),
    (0.5651, -0.0141),
    (-0.0318, -0.0922),
    (0.7498, -0.3414),
    (0.0629, -0.1935),
    (0.0236, -0.0722),
    (0.2253, -0.0759),
)
"""The weights of South's and of North's value of each of the `POTENTIALS`, when South is to move."""
NORTH_TO_MOVE = (
    (0.1478, -0.1738),
    (0.0193, -0.1010),
    (-0.0241, -0.3670),
    (0.0146, -0.6467),
    (-0.0372, -0.0005),
    (0.1954, -0.7202),
    (0.1331, -0.1272),
    (0.1576, -0.1097),
    (0.1656, -0.1250),
)
STORE_DIFFERENCE = (4.7509, 4.6565)
"""The weights of the difference of the stores, when South is to move and when North is to move."""
PLAYER, CONSTANT = -0.1255, -0.0792


def report_weights() -> Floats:
    """Return the weights in the order of `ReportFeatures`, float64[40]."""
    blocks = [
        weight
        for block, difference in zip((SOUTH_TO_MOVE, NORTH_TO_MOVE), STORE_DIFFERENCE, strict=True)
        for weight in (*(south for south, _ in block), *(north for _, north in block), difference)
    ]
    return np.array([*blocks, PLAYER, CONSTANT])
