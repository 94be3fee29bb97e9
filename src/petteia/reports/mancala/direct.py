"""How high a win rate against greedy1 the report's 40 features allow: a lower bound, by direct search for weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from petteia.arena.statistics import Interval, score_interval
from petteia.core.protocol import Rules, initial
from petteia.features.feature_sets import feature_set_for
from petteia.learn.cross_entropy import POPULATION, search_weights
from petteia.players import player
from petteia.policies.afterstates import best_afterstate
from petteia.policies.duel import MARGIN, Keys, duel, match_keys
from petteia.policies.policy import Policy

FEATURES, OPPONENT = "report", "greedy:depth=1"
GAMES = 100
"""of a candidate in each seat"""
TRIAL = 5000
"""games in each seat that are played by what was found, with fresh random numbers"""
SPREAD = 0.5


class Found(NamedTuple):
    """What the search has come to."""

    weights: NDArray[np.float64]
    first: Interval
    """share of games won in the first seat"""
    second: Interval
    generations: int
    games: int
    """in all"""
    curve: list[float]
    """mean score of the elite in each generation"""


def search(
    rules: Rules, start: NDArray[np.float64], generations: int, seed: int, jobs: int, advance: Callable[[int], None]
) -> Found:
    """Search for the weights of a player that looks one ply ahead and wins most against greedy1, in both seats."""
    opponent = player(OPPONENT, rules).policy(rules)

    def wins(weights: NDArray[np.float64], seat: int, games: int, keys: Keys) -> NDArray[np.bool_]:
        results = duel(
            *(rules, initial(rules), _plays(rules, weights), opponent), games=games, keys=keys, seats=(seat, seat)
        )
        found: NDArray[np.bool_] = results[:, MARGIN] * (1 if seat == 0 else -1) > 0
        return found

    def score(weights: NDArray[np.float64], generation: int) -> float:
        keys = match_keys(seed + 1 + generation)
        return float(np.mean([wins(weights, seat, GAMES, keys).mean() for seat in (0, 1)]))

    told = search_weights(score, start, spread=SPREAD, generations=generations, seed=seed, jobs=jobs, advance=advance)
    weights = told[-1].mean
    first, second = (score_interval(wins(weights, seat, TRIAL, match_keys(seed)).astype(float)) for seat in (0, 1))
    games = generations * POPULATION * 2 * GAMES
    return Found(weights, first, second, generations, games, [each.elite for each in told])


def _plays(rules: Rules, weights: NDArray[np.float64]) -> Policy:
    return best_afterstate(rules, feature_set_for(rules, FEATURES), weights)
