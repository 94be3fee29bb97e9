"""Evaluation functions, feature sets and move rankings, for single games and for any game.

Each evaluation and each feature set is defined in a separate file. The modules of this package are:

- `evaluation`, `evaluations`: the interface of evaluation functions, and the named and custom evaluations
- `margin_so_far`, `store_difference`, `british_square_open`, `amazons_*`: evaluations of single games, and the current
  score
- `chain_heuristic`: a heuristic policy for Kalah
- `feature_set`, `grammar`, `feature_sets`: the interface of feature sets, the syntax of expressions such as
  `rows*turn`, and the named and custom feature sets
- `kalah_potentials`, `kalah_stones`, `kalah_chains`, `hare_squares`, `british_blocks`, `british_square_counts`,
  `amazons_terms`: feature sets for one game
- `turn`: features for any game that indicate the side to move
- `tuples`, `placements`: n-tuple networks for any game, and the symmetries of the board
- `standardised`: a feature set whose features are scaled to mean 0 and standard deviation 1
- `linear`, `magnitude`: evaluations that are linear in features, and the mean squared length of feature vectors
- `rankings`, `amazons_rankings`: rankings of moves for selective search
- `check`: checks of feature sets and evaluations
"""

from __future__ import annotations

from typing import Any

from petteia.core.protocol import Rules
from petteia.features.chain_heuristic import ChainHeuristic
from petteia.games.kalah import Kalah

HEURISTICS: dict[type, Any] = {Kalah: ChainHeuristic()}
"""The heuristic policy of each game that has one, by the class of the game."""


def heuristic_of(rules: Rules) -> Any | None:
    """Return the heuristic policy for a game or for the base class of its rules; None if there is none."""
    return next((heuristic for cls, heuristic in HEURISTICS.items() if isinstance(rules, cls)), None)
