"""Weights of a small Kalah, as a training run keeps them."""

from __future__ import annotations

import numpy as np

from petteia.games import game
from petteia.value_functions.linear_file import LearnedWeights
from petteia.value_functions.report_weights import report_weights

RULES = game("kalah:pits=3,seeds=2")
GAMES = 6000
MARK = 2000
AROUND_MARK = range(MARK - 500, MARK + 500)


def some(games: int = GAMES) -> LearnedWeights:
    """Weights as a training run keeps them: of each hundredth game, around a mark, and of the last 2000."""
    kept = np.array(sorted({*range(100, games + 1, 100), *AROUND_MARK, *range(games - 1999, games + 1)}))
    history = report_weights() + np.random.default_rng(1).normal(size=(len(kept), 40)) / 2
    return LearnedWeights("report", history[-1].copy(), history.mean(axis=0), history, kept, games)
