"""How much luck the same dice take out of a match of Pig.

python benchmarks/common_dice.py

Two players of different strength play pairs of games, each side once, with the same dice in both. The interval of the
score is that of the pairs; beside it stands what it would be if each game had dice of its own. Shorter matches of many
seeds say whether it is right: their scores scatter as widely as the interval of such a match is said to be.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import petteia
from petteia.arena.match import MatchResult
from petteia.arena.statistics import NORMAL_95

GAME, FIRST = "pig:Pig:goal=100", "pig:HoldAt:points=20"
OPPONENTS = ("pig:HoldAt:points=25", "pig:HoldAt:points=15", "pig:HoldAt:points=10")
GAMES, SEED = 20_000, 1
FEW, MATCHES = 400, 200
"""games of a short match, and how many of these are played"""


def play(opponent: str, games: int, seed: int) -> MatchResult:
    return petteia.match(GAME, FIRST, opponent, games=games, openings="none", seed=seed, rows=False)


def main() -> None:
    sys.path.insert(0, str(Path(__file__).with_name("own_games")))
    print(f"{FIRST} at {GAME}, {GAMES:,} games, seed {SEED}; 95 % intervals in per cent\n")
    print(f"{'against':24}score   same dice      own dice       worth games   +- of {FEW} games   as they scatter")
    for opponent in OPPONENTS:
        result = play(opponent, GAMES, SEED)
        assert result.unpaired_low is not None
        assert result.unpaired_high is not None
        same, own = result.high - result.low, result.unpaired_high - result.unpaired_low
        few = [play(opponent, FEW, SEED + number) for number in range(MATCHES)]
        said = np.mean([(each.high - each.low) / 2 for each in few])
        scatter = NORMAL_95 * np.std([each.score for each in few], ddof=1)
        bounds = (result.low, result.high, result.unpaired_low, result.unpaired_high)
        low, high, own_low, own_high = (f"{100 * bound:.2f}" for bound in bounds)
        print(
            f"{opponent:24}{100 * result.score:5.2f}   {low}..{high}   {own_low}..{own_high}   "
            f"{(own / same) ** 2:5.1f} times   {100 * said:14.2f}   {100 * scatter:15.2f}"
        )


if __name__ == "__main__":
    main()
