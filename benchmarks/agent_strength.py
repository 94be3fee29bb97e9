"""How strong the recipe of Kalah's agent is, whatever the seed: `python benchmarks/agent_strength.py [SEEDS [GAMES]]`.

Trains an agent with each seed 1..SEEDS (5) and lets it play GAMES (2000) a cell under the rules of the report on
Mancala: as first and as second against greedy1, against the report's weights at depths 1, 3 and 5, and at depth 5
against greedy5, the last four from random openings, both sides.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import petteia
from petteia.experiments.agents import RECIPES, make_agent

GAME = "kalah"
RULES = RECIPES[GAME]["game"]


def main(seeds: int, games: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(1, seeds + 1):
            path = Path(folder) / f"{seed}.safetensors"
            make_agent(GAME, path, seed=seed)
            theta = f"theta:agent={path}"
            print(f"seed {seed}", flush=True)
            fixed = {"openings": "none", "seats": "fixed"}
            first = petteia.match(RULES, theta, "greedy", games=games, **fixed)
            second = petteia.match(RULES, "greedy", theta, games=games, **fixed)
            print(f"  against greedy1: wins {first.wins / games:.1%} as first, {second.losses / games:.1%} as second")
            for depth in (1, 3, 5):
                told(f"{theta},depth={depth}", f"theta:agent=report,depth={depth}", "random:4", games)
            told(f"{theta},depth=5", "greedy:depth=5", "random:2", games)


def told(theta: str, other: str, openings: str, games: int) -> None:
    found = petteia.match(RULES, theta, other, games=games, openings=openings)
    interval = f"score {found.score:.1%} ({found.low:.1%} to {found.high:.1%})"
    print(f"  against {other}: {interval}, wins {found.wins / found.games:.1%}", flush=True)


if __name__ == "__main__":
    main(*(int(argument) for argument in (sys.argv[1:] + ["5", "2000"][len(sys.argv) - 1 :])))
