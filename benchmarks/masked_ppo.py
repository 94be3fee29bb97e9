"""Masked PPO of another library learns games of petteia against `random`, and is measured in both seats.

    pip install -e '.[ppo]'
    python benchmarks/masked_ppo.py kalah --steps 100000 --seeds 5
    PYTHONPATH=benchmarks/own_games python benchmarks/masked_ppo.py connect_four:ConnectFour

The learner is `MaskablePPO` of sb3-contrib with its defaults, but for what stands in `SETTINGS`.

S. Huang and S. Ontanon 2022, "A closer look at invalid action masking in policy gradient algorithms".
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

import petteia
from petteia.arena.statistics import score_interval

SETTINGS: dict[str, Any] = {"n_steps": 256, "batch_size": 256, "gamma": 1.0, "ent_coef": 0.01}
ENVIRONMENTS = 8


def trained(game: str, steps: int, seed: int) -> MaskablePPO:
    """What PPO has learned in so many of its own moves, in either seat against `random`."""
    environments = make_vec_env(lambda: petteia.gym_env(game, "random"), n_envs=ENVIRONMENTS, seed=seed)
    model = MaskablePPO("MlpPolicy", environments, seed=seed, device="cpu", **SETTINGS)
    return model.learn(steps)


def scores(model: MaskablePPO, game: str, side: int, games: int) -> list[float]:
    """What its most likely moves score in each of these games, in one seat: 1, 0.5 or 0."""
    environment = petteia.gym_env(game, "random", side=side)
    results = []
    seen, _ = environment.reset(seed=0)
    for _ in range(games):
        done, reward = False, 0.0
        while not done:
            action, _ = model.predict(seen, action_masks=environment.action_masks(), deterministic=True)
            seen, reward, terminated, truncated, _ = environment.step(action)
            done = terminated or truncated
        results.append((1 + np.sign(reward)) / 2)
        seen, _ = environment.reset()
    return results


def main() -> None:
    """Train with each seed and print a row for each seat."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--games", type=int, default=1000)
    options = parser.parse_args()
    torch.set_num_threads(1)
    print("game seed seat score low high seconds")
    for seed in range(1, options.seeds + 1):
        clock = time.perf_counter()
        model = trained(options.game, options.steps, seed)
        seconds = time.perf_counter() - clock
        for side in (0, 1):
            found = score_interval(np.array(scores(model, options.game, side, options.games)))
            print(options.game, seed, side, *(f"{each:.3f}" for each in found), f"{seconds:.0f}", flush=True)


if __name__ == "__main__":
    main()
