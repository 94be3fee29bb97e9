"""When a learning curve comes to rest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

WINDOW = 9
"""points over which a curve is smoothed"""
NEAR = 0.02
"""as near to its end a score must stay to have come to it"""


def settled_from(games: Sequence[int], scores: Sequence[float], *, window: int = WINDOW, near: float = NEAR) -> int:
    """The games from which on a curve stays near its end.

    Args:
        games: after which the points of the curve stand, ascending
        scores: of these points
        window: points over which it is smoothed, by a moving mean
        near: how far the smoothed curve may be from its last value

    Returns:
        The games in the middle of the first window from which on the smoothed curve stays near.

    """
    width = min(window, len(scores))
    smooth = np.convolve(scores, np.full(width, 1.0 / width), mode="valid")
    away = np.flatnonzero(np.abs(smooth - smooth[-1]) > near)
    first = int(away[-1]) + 1 if len(away) else 0
    return int(games[first + width // 2])
