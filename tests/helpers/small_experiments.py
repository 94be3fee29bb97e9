"""A small experiment, as a file of a user."""

from __future__ import annotations

from pathlib import Path

import pytest

from petteia.core.errors import InvalidError
from petteia.experiments.experiment import experiment

SMALL = """
title = "Small & quick"
seeds = 2

[training]
game = "hare-and-hounds"
games = 400
evaluate_every = 100
evaluation_games = 20

[sweep]
alpha = [0.1, 0.5]
gamma = [0.5, 1]

[figure]
by = "alpha"

[quick]
games = 200
seeds = 3
"""
FOLLOW = '[[measure.follow]]\nname = "start"\nposition = "0,1,3/10 hounds 0"\nmove = "1-5"\n'


def written(folder: Path, text: str = SMALL, name: str = "small.toml") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(text)
    return path


def refused(text: str, message: str, folder: Path) -> None:
    """What this file says is wrong: it is said in one line that begins with the file, and nothing is begun."""
    path = written(folder, text)
    with pytest.raises(InvalidError, match=message) as error:
        experiment(path, folder=folder / "experiments")
    assert "\n" not in str(error.value)
    assert str(error.value).startswith(str(path))
    assert not (folder / "experiments").exists()
