"""Which settings of learning with features are good whatever the game: `python benchmarks/choose_defaults.py --help`.

Trains with each candidate on five games, three of them as users write them (`own_games`), with sets of features that
know little, one of them also in other units, and lets what was learned meet the player that it could have been without
learning: greedy search, which knows ends and, in Kalah, the stores. Both look one ply ahead, then both three; then it
meets random at one ply. Games start from random openings of two plies. A cell is the mean over the training runs, in
per cent, with its 95 % interval (Student's); a candidate is as good as it is in its worst game.

The candidates are today's defaults with one setting changed, those of before (0.6), and what a user found by hand.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import petteia
from petteia.arena.statistics import Interval, mean_interval
from petteia.core.errors import PetteiaError
from petteia.core.protocol import initial
from petteia.experiments.options import grouped
from petteia.features.feature_sets import feature_set_for
from petteia.features.magnitude import mean_square_length

OWN = Path(__file__).with_name("own_games")
MEASURES = ("without learning", "the same at three plies", "random")


class Task(NamedTuple):
    """A game, and the features to learn with."""

    game: str
    features: str


TASKS = {
    "connect four": Task("connect_four:ConnectFour", "connect_four:Lines"),
    "the same, small": Task("connect_four:ConnectFour", "connect_four:Shares"),
    "breakthrough": Task("breakthrough:Breakthrough", "breakthrough:Advance"),
    "reversi": Task("reversi:Reversi", "reversi:Squares"),
    "kalah": Task("kalah", "pits+store"),
    "hare and hounds": Task("hare-and-hounds", "squares"),
}


class Part(NamedTuple):
    """A step size that moves a value by such a part of its error, in the first game and in the last."""

    first: float
    last: float

    def alpha(self, task: Task) -> str:
        """As `petteia.train` takes it."""
        rules = petteia.game(task.game)
        length = mean_square_length(rules, feature_set_for(rules, task.features), [initial(rules)])
        return f"{min(self.first / length, 1.0):.2g}..{min(self.last / length, 1.0):.2g}".replace("e-0", "e-")


BEFORE: dict[str, Any] = {"learner": "q", "side": "random", "alpha": 0.001, "epsilon": 0.1, "knows_ends": False}
CANDIDATES: dict[str, dict[str, Any]] = {
    "before": BEFORE,
    "by hand": BEFORE | {"epsilon": 0.3, "knows_ends": True},
    "defaults": {},
    "learner q": {"learner": "q"},
    "learner sarsa": {"learner": "sarsa"},
    "sarsa, lambda 0.8": {"learner": "sarsa", "lambda_": 0.8},
    "side random": {"side": "random"},
    "opponent random": {"opponent": "random", "side": "random"},
    "epsilon 0.1": {"epsilon": 0.1},
    "epsilon 0.3": {"epsilon": 0.3},
    "epsilon 0.7": {"epsilon": 0.7},
    "epsilon 0.5..0.1": {"epsilon": "0.5..0.1"},
    "part 0.1": {"alpha": Part(0.1, 0.001)},
    "part 0.03": {"alpha": Part(0.03, 0.0003)},
    "part 0.003": {"alpha": Part(0.003, 0.00003)},
    "part 0.01 throughout": {"alpha": Part(0.01, 0.01)},
    "no ends": {"knows_ends": False},
    "learn explored": {"learn_explored": True},
    "depth 2": {"depth": 2},
    "standardise": {"standardise": True},
}


def learn(task: Task, candidate: dict[str, Any], seed: int, games: int, folder: str) -> str:
    """A training run; the player by what was learned."""
    given = {name: value.alpha(task) if isinstance(value, Part) else value for name, value in candidate.items()}
    run = petteia.train(
        *(task.game,),
        **grouped(given | {"features": task.features, "games": games, "evaluate_every": games, "evaluation_games": 1}),
        seed=seed,
        runs=folder,
    ).run
    return f"theta:agent=({run.path})"


def scores(task: Task, candidate: dict[str, Any], seed: int, args: argparse.Namespace) -> list[float]:
    """Of a training run, against each of MEASURES; 0 where learning diverges."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            theta = learn(task, candidate, seed, args.games, folder)
        except PetteiaError as error:
            print(error, file=sys.stderr)
            return [0.0] * len(MEASURES)
        pairs = ((theta, "greedy"), (f"{theta},depth=3", "greedy:depth=3"), (theta, "random"))
        return [petteia.match(task.game, *pair, games=args.match, seed=seed).score for pair in pairs]


def shown(found: Sequence[Interval]) -> str:
    """Means with their intervals."""
    cells = (f"{each.mean * 100:5.1f} [{each.low * 100:5.1f}, {each.high * 100:5.1f}]" for each in found)
    return "   ".join(cells)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("candidates", nargs="*", default=list(CANDIDATES), help="default: all")
    parser.add_argument("--seeds", type=int, default=3, help="trainings of each (3)")
    parser.add_argument("--games", type=int, default=20_000, help="to learn from (20,000)")
    parser.add_argument("--tasks", nargs="*", default=list(TASKS), help="games and features; default: all")
    parser.add_argument("--match", type=int, default=400, help="games against each opponent (400)")
    args = parser.parse_args()
    sys.path.insert(0, str(OWN))
    print(f"{'':37}{'   '.join(f'{measure:>23}' for measure in MEASURES)}")
    for name in args.candidates:
        worst = [1.0] * len(MEASURES)
        for game in args.tasks:
            rows = [scores(TASKS[game], CANDIDATES[name], seed, args) for seed in range(args.seeds)]
            found = [mean_interval(column) for column in zip(*rows, strict=True)]
            worst = [min(one, each.mean) for one, each in zip(worst, found, strict=True)]
            print(f"{name:21} {game:16} {shown(found)}", flush=True)
        cells = "   ".join(f"{one * 100:5.1f}{'':16}" for one in worst)
        print(f"{name:21} {'in the worst':16} {cells}", flush=True)


if __name__ == "__main__":
    main()
