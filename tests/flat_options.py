"""Trainings whose options are given side by side, as on the command line and in files of experiments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import petteia
from petteia.core.protocol import Rules
from petteia.experiments import configuration
from petteia.experiments.configuration import Configuration
from petteia.experiments.options import grouped
from petteia.experiments.training import Progress, Training


def train(
    game: str | Rules,
    *,
    seed: int = 0,
    runs: str | Path | None = None,
    name: str | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Training:
    return petteia.train(game, **grouped(options), seed=seed, runs=runs, name=name, progress=progress)


def configure(game: str | Rules, **options: Any) -> tuple[Rules, Configuration]:
    return configuration.configure(game, **grouped(options))
