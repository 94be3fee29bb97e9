"""The settings of the trained agents that the package contains, and the program that trains them (`make agents`).

The player `theta` plays with a trained agent. By default, `theta` uses the agent in `petteia/agents` that belongs to
the game. The file of each agent contains 100 weight vectors, which were saved after every twentieth of the last 2000
training games. Before each game, `theta` draws one of these vectors at random.

Training with the same settings creates identical files on machines of the same type with the same version of numba.
"""

from __future__ import annotations

import tempfile
from importlib.resources import files
from pathlib import Path
from typing import Any

from petteia.experiments.options import EvaluationGames
from petteia.experiments.training import Progress, train
from petteia.games import game as rules_of
from petteia.learn.learners import LinearLearner
from petteia.value_functions.linear_file import load_linear, save_linear

RECIPES: dict[str, dict[str, Any]] = {
    "kalah": {
        "game": "kalah:leftovers=nobody",  # this agent scores 91 % against greedy, even under the default
        # rules; one trained under the default rules scores 61 % (theta1, random openings of two plies)
        "learner": LinearLearner("report+chain", "q", alpha="0.01..0.0001", epsilon="0.5..0.1", knows_ends=False),
        "side": "both",
        "games": 100_000,
        "seed": 1,
    },
    "amazons": {
        "game": "amazons",
        "learner": LinearLearner("distances*stages", "td", lambda_=0.8, epsilon="0.1"),
        "side": "both",
        "games": 8000,
        "seed": 1,
    },
}
"""the arguments of `petteia.train`, by game"""
LAST, EVERY = 2000, 20
"""the number of games at the end of the training from which weights are saved, and the number of games between two
saved vectors"""


def shipped(game: str) -> Path:
    """Return the path of the trained agent that the package contains for a game."""
    return Path(str(files("petteia") / "agents" / f"{game}.safetensors"))


def make_agent(game: str, path: Path, *, seed: int | None = None, progress: Progress | None = None) -> None:
    """Train the agent of a game with its settings in RECIPES, and save it to `path`.

    If `seed` is given, it replaces the seed in RECIPES.
    """
    recipe = RECIPES[game] if seed is None else {**RECIPES[game], "seed": seed}
    rules = rules_of(recipe["game"])
    with tempfile.TemporaryDirectory() as folder:
        training = train(**recipe, evaluation=EvaluationGames(every=recipe["games"]), runs=folder, progress=progress)
        learned = load_linear(training.run.weights, rules)
    chosen = (learned.history_games > learned.games - LAST) & (learned.history_games % EVERY == 0)
    kept = learned._replace(history=learned.history[chosen], history_games=learned.history_games[chosen])
    path.parent.mkdir(parents=True, exist_ok=True)
    save_linear(path, rules, kept)


def main() -> None:
    """Train the agents of all games in RECIPES."""
    for game in RECIPES:
        make_agent(game, shipped(game))
        print(f"made {shipped(game)}")


if __name__ == "__main__":
    main()
