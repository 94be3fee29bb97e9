"""Evaluations, feature sets and rankings of moves: functions that describe states and moves by numbers.

Each evaluation and feature set has a separate file. The modules are:

- `evaluation`, `evaluations`: the methods of an evaluation, and the named and custom evaluations
- `margin_so_far`, `store_difference`, `british_square_open`, `amazons_*`: evaluations
- `chain_heuristic`: a heuristic policy for Kalah
- `feature_set`, `grammar`, `feature_sets`: the methods of a feature set, the text form of combinations, and the named
  and custom feature sets
- `kalah_potentials`, `kalah_stones`, `kalah_chains`, `hare_squares`, `british_blocks`, `british_square_counts`,
  `amazons_terms`: feature sets for one game
- `turn`: a set of phases for any game, with one phase for each side to move
- `tuples`, `placements`: feature sets of tuples of squares for any game, and the symmetries of the squares
- `standardised`: a feature set whose features are scaled to mean 0 and standard deviation 1
- `linear`, `magnitude`: evaluations that are linear in features, and the squared length of the features of a set
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
    """Return the heuristic policy of the game or of its base class, or None if there is none."""
    return next((heuristic for cls, heuristic in HEURISTICS.items() if isinstance(rules, cls)), None)
