"""Which defaults of learning with features are good whatever the game: `python benchmarks/choose_defaults.py --help`.

Trains with each candidate on five games, three of them users' own, with sets of features as users write them, and lets
what was learned meet the player that it could have been without learning, at one ply and at three: greedy search that
knows ends and nothing else, in Kalah also the stores. A candidate is as good as it is in its worst game. Every cell is
the mean over the seeds, in per cent; the interval is that of the mean (Student's, 95 %).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import petteia
from petteia.arena.statistics import mean_interval
from petteia.core.errors import PetteiaError
from petteia.features.feature_sets import feature_set_for
from petteia.features.standardised import measure

OWN = Path(__file__).with_name("own_games")
DEPTHS = (1, 3)


class Task(NamedTuple):
    """A game, the features to learn with, and who plays without learning."""

    game: str
    features: str
    without: str


TASKS = {
    "connect four": Task("connect_four:ConnectFour", "connect_four:Lines", "greedy:evaluation=even"),
    "breakthrough": Task("breakthrough:Breakthrough", "breakthrough:Advance", "greedy:evaluation=even"),
    "reversi": Task("reversi:Reversi", "reversi:Squares", "greedy:evaluation=even"),
    "kalah": Task("kalah", "pits+store", "greedy"),
    "hare-and-hounds": Task("hare-and-hounds", "squares", "greedy"),
}


class Part(NamedTuple):
    """A step size as a part of the error: alpha is that divided by the mean square length of the features."""

    first: float
    last: float


OLD: dict[str, Any] = dict(alpha=0.001, epsilon=0.1, side="random")
CANDIDATES: dict[str, dict[str, Any]] = {
    "old": OLD,
    "issue": dict(OLD, knows_ends=True, epsilon=0.3),
    **{
        f"{learner}-{side}{'-x' if explored else ''}{'-l' + str(lambda_) if lambda_ else ''}{'-d2' if depth>1 else ''}-e{epsilon}-a{part}": dict(
            knows_ends=True, epsilon=epsilon, side=side, learner=learner, learn_explored=explored, lambda_=lambda_,
            alpha=Part(part, part / 100), depth=depth,
        )
        for learner in ("q", "sarsa", "td", "monte-carlo")
        for side in ("both", "random")
        for explored in (False, True)
        for lambda_ in (0.0, 0.5, 0.8, 0.9, 1.0)
        for epsilon in (0.1, 0.2, 0.3, 0.5, 0.7, "0.5..0.1", "0.3..0.03")
        for depth in (1, 2)
        for part in (0.3, 0.1, 0.03, 0.01, 0.003, 0.001)
    },
}


def options_of(candidate: dict[str, Any], task: Task) -> dict[str, Any]:
    """As `petteia.train` takes them."""
    part = candidate["alpha"]
    if not isinstance(part, Part):
        return candidate
    rules = petteia.game(task.game)
    moments = measure(rules, feature_set_for(rules, task.features))
    varies = moments.mean**2 + moments.deviation**2
    length = float((np.ones_like(varies) if candidate.get("standardise") else varies).sum())
    return {**candidate, "alpha": f"{part.first / length:.3g}..{part.last / length:.3g}".replace("e-0", "e-")}


def play(task: Task, candidate: dict[str, Any], seed: int, args: argparse.Namespace, folder: str) -> list[float]:
    """The scores of a training at each depth, and against random."""
    try:
        run = petteia.train(
            *(task.game,),
            features=task.features,
            games=args.games,
            evaluate_every=args.games,
            evaluation_games=1,
            evaluate_against="random",
            seed=seed,
            runs=folder,
            **options_of(candidate, task),
        ).run.path
    except PetteiaError as error:
        print(error, file=sys.stderr)
        return [0.0] * (len(DEPTHS) + 1)
    found = []
    joint = "," if ":" in task.without else ":"
    for depth in DEPTHS:
        theta, other = f"theta:agent=({run}),depth={depth}", f"{task.without}{joint}depth={depth}"
        found.append(petteia.match(task.game, theta, other, games=args.match, seed=seed).score)
    found.append(petteia.match(task.game, f"theta:agent=({run})", "random", games=args.match, seed=seed).score)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("candidates", nargs="*", default=list(CANDIDATES))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--match", type=int, default=400)
    parser.add_argument("--tasks", nargs="*", default=list(TASKS))
    args = parser.parse_args()
    sys.path.insert(0, str(OWN))
    for name in args.candidates:
        cells = []
        for task in args.tasks:
            begun = time.perf_counter()
            with tempfile.TemporaryDirectory() as folder:
                rows = [play(TASKS[task], CANDIDATES[name], seed, args, folder) for seed in range(args.seeds)]
            means = [mean_interval([row[i] for row in rows]) for i in range(len(DEPTHS) + 1)]
            cells.append(means)
            shown = "  ".join(f"{m * 100:5.1f} [{low * 100:5.1f}, {high * 100:5.1f}]" for m, low, high in means)
            print(f"{name:14} {task:16} {shown}  {time.perf_counter() - begun:5.1f} s", flush=True)
        worst = [min(cell[i][0] for cell in cells) * 100 for i in range(len(DEPTHS) + 1)]
        print(f"{name:14} {'WORST':16} " + "  ".join(f"{w:5.1f}" for w in worst), flush=True)


if __name__ == "__main__":
    main()
