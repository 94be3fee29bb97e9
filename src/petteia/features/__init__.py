"""What a state looks like to an algorithm; one file each, and each for one game unless it says otherwise.

`evaluation` (what an evaluation is, and those that fit any game), `store_difference` (an evaluation for Kalah),
`evaluations` (those by name, and a user's own), `chain_heuristic` (a rule of thumb that selects moves in Kalah),
`feature_set` (what a feature set is, sums of sets, sets in phases), `grammar` (how these are written),
`kalah_potentials`, `kalah_stones` and `kalah_chains` (those for Kalah), `hare_squares` (one for Hare and Hounds),
`british_blocks` (those for British Square), `turn` (phases of any game: who is to move), `tuples` (sets made of tuples
of squares, for any game), `placements` (where symmetries bring squares),
`standardised` (any set, with mean 0 and deviation 1), `feature_sets` (all by name, and a user's own), `check`
(whether a set, or an evaluation, keeps its promises), `linear` (evaluations that are linear in features).
"""

from __future__ import annotations

from typing import Any

from petteia.core.protocol import Rules
from petteia.features.chain_heuristic import ChainHeuristic
from petteia.games.kalah import Kalah

HEURISTICS: dict[type, Any] = {Kalah: ChainHeuristic()}
"""For each class of games that has one: its heuristic, a policy that selects moves by a rule of thumb."""


def heuristic_of(rules: Rules) -> Any | None:
    """The heuristic of the game, which classes derived from it share; None if it has none."""
    return next((heuristic for cls, heuristic in HEURISTICS.items() if isinstance(rules, cls)), None)
