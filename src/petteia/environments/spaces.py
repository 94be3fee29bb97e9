"""The observation spaces of environments, as Gymnasium spaces."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces

from petteia.core.protocol import MAX_STEPS
from petteia.environments.game_in_play import GameInPlay


def observation_space(game: GameInPlay) -> spaces.Box:
    """The observation space: int8 for one-hot contents of squares, or unbounded float32 if the game has `observe`."""
    shape = (game.encoding.numbers,)
    if game.encoding.kinds == 0:
        return spaces.Box(-np.inf, np.inf, shape, np.float32)
    return spaces.Box(0, MAX_STEPS if game.encoding.by_steps else 1, shape, np.int8)
