"""A small training of linear values, against opponents in three stages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flat_options import train

from petteia.experiments.training import Training
from petteia.games import game
from petteia.value_functions.linear_file import LearnedWeights, load_linear

GAME = "kalah:pits=3,seeds=2,leftovers=nobody"
RULES = game(GAME)
OTHER = "store*phases+rows"
STAGES = "greedy for 350, then self:every=100 for 450, then self"
ENDS = (350, 800, 1200)
SMALL: dict[str, Any] = {
    "features": "report",
    "learner": "q",
    "opponent": STAGES,
    "epsilon": 0.1,
    "knows_ends": False,
    "games": ENDS[-1],
    "alpha": "0.02..0.01",
    "lambda_": 0.5,
    "traces": "dutch",
    "marks": [10],
    "evaluate_every": 300,
    "evaluation_games": 20,
    "seed": 7,
}


def small(folder: Path, **settings: Any) -> Training:
    return train(GAME, runs=folder, **{**SMALL, "name": "same", **settings})


def saved(training: Training) -> LearnedWeights:
    return load_linear(training.run.weights, training.rules)
