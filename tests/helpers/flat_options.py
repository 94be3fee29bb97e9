"""Trainings whose options are given side by side, as on the command line and in files of experiments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import petteia
from petteia.core.protocol import Rules
from petteia.core.stop import Stop
from petteia.experiments import configuration
from petteia.experiments.configuration import Configuration
from petteia.experiments.linear_settings import LinearSettings
from petteia.experiments.options import EvaluationGames, grouped
from petteia.experiments.training import Progress, Training
from petteia.learn.learners import LinearLearner


def train(
    game: str | Rules,
    *,
    seed: int = 0,
    runs: str | Path | None = None,
    name: str | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
    **options: Any,
) -> Training:
    return petteia.train(game, **grouped(options), seed=seed, runs=runs, name=name, progress=progress, stop=stop)


def configure(game: str | Rules, **options: Any) -> tuple[Rules, Configuration]:
    return configuration.configure(game, **grouped(options))


def made_settings(
    *, opponent: str = "self", games: int = 50, every: int = 10, marks: tuple[int, ...] = ()
) -> LinearSettings:
    """Settings of a training run that nobody does."""
    return LinearSettings(
        learner=LinearLearner("report", "q", alpha="0.1", learn_explored=False, marks=marks),
        opponent=opponent,
        opponent_hashes=("",),
        side="both",
        games=games,
        position="",
        evaluation=EvaluationGames(every=every, against="greedy"),
        evaluate_against_hash="",
        weights_hash="",
    )


def unfinished_training(folder: Path, name: str = "same") -> Training:
    """A training run in which nothing was learned yet."""
    made = train("hare-and-hounds", games=6, evaluate_every=3, evaluation_games=2, runs=folder, name=name)
    for file in ("results.json", "weights.safetensors", "points.jsonl", ".lock"):
        (made.run.path / file).unlink()
    return made
