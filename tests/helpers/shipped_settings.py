"""The settings of all training runs that come with the package, resolved: of the experiments and of the agents'
recipes.

`python tests/helpers/shipped_settings.py` writes them to `shipped_settings.json`. They change only when an
experiment or a recipe is meant to, not when defaults do.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import flat_options

from petteia.core.protocol import Rules
from petteia.experiments.agents import RECIPES
from petteia.experiments.configuration import Configuration, configure
from petteia.experiments.declaration import Plan
from petteia.experiments.experiment import plan
from petteia.experiments.options import flat
from petteia.experiments.source import SCALES, shipped

GOLDEN = Path(__file__).with_suffix(".json")


def resolved(configured: tuple[Rules, Configuration]) -> dict[str, Any]:
    """The settings, but hashes: they say what opponents are, not what was chosen."""
    told = json.loads(json.dumps(flat(configured[1])))
    return {name: value for name, value in told.items() if not name.endswith(("hash", "hashes"))}


def shipped_settings() -> dict[str, Any]:
    """By experiment and scale those of the first combination, and what differs in the others."""
    found: dict[str, Any] = {}
    for name in shipped():
        for scale in SCALES:
            planned = plan(name, scale)
            if isinstance(planned, Plan):
                first, *others = [
                    resolved(flat_options.configure(**cell.options)) for cell in planned.combinations_of_values()
                ]
                changes = [{name: each[name] for name in each if each[name] != first[name]} for each in others]
                found[f"{name} {scale}"] = {"settings": first, "others": changes}
    for game, recipe in RECIPES.items():
        found[f"agent {game}"] = resolved(
            configure(**{name: value for name, value in recipe.items() if name != "seed"})
        )
    return found


if __name__ == "__main__":
    GOLDEN.write_text(json.dumps(shipped_settings(), indent=1) + "\n", encoding="utf-8")
