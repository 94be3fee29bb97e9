"""A direct search for feature weights with which a player wins as many games as possible.

The noisy cross-entropy method improves vectors of weights (see `petteia.learn.cross_entropy`). The score of a vector is
the share of games that a player with these weights wins against an opponent. Only the results of whole games are used,
and nothing is learned from single moves. The score of the final weights is a lower bound on the best score that a
player with the given features can reach.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from petteia.arena.openings import start_state
from petteia.arena.statistics import Interval, score_interval
from petteia.core.arrays import Floats
from petteia.core.errors import UsageError
from petteia.core.protocol import Rules, State
from petteia.core.random import checked_seed
from petteia.features.feature_set import FeatureSet, size
from petteia.features.feature_sets import feature_set_for
from petteia.games import game as rules_of
from petteia.learn.cross_entropy import POPULATION, Generation, search_weights
from petteia.players import player
from petteia.policies.afterstates import best_afterstate
from petteia.policies.play_games import MARGIN, RngKeys, match_keys, play_games

GAMES = 100
"""The default number of games that a vector of weights plays in each seat."""
TRIAL_GAMES = 5000
"""The default number of games that the final weights play in each seat."""
SPREAD = 0.5
"""The initial standard deviation of each weight, by default."""


class DirectSearch(NamedTuple):
    """The weights that a direct search has found, their score in trial games, and the number of games played."""

    weights: Floats
    """the best weights, [size]"""
    first: Interval
    """the share of the trial games won in the first seat"""
    second: Interval
    """the share of the trial games won in the second seat"""
    generations: int
    """the number of generations"""
    games: int
    """the number of games of all vectors in all generations"""
    curve: list[float]
    """the mean share of games won by the elite, the best vectors, for each generation; the selection biases it upwards
    """


def direct_search(
    game: str | Rules,
    feature_set: str | FeatureSet,
    *,
    opponent: str | Any = "random",
    generations: int = 100,
    weights: Sequence[float] | Floats | None = None,
    spread: float = SPREAD,
    games: int = GAMES,
    trial_games: int = TRIAL_GAMES,
    opening: int = 0,
    position: str | State | None = None,
    seed: int = 0,
    jobs: int = 1,
    done: Sequence[Generation] = (),
    progress: Callable[[Generation], None] = lambda generation: None,
) -> DirectSearch:
    """Search for the weights with which a one-ply search scores best against an opponent.

    Args:
        game: the rules, as an object or a string
        feature_set: the features, as an object or a string
        opponent: the opponent, as a string or a player object; it must have a policy and be able to take both seats
        generations: the number of generations, 1 or more
        weights: the initial weights; default: zeros
        spread: the initial standard deviation of each weight
        games: the number of games that each vector plays in each seat
        trial_games: the number of games that the final weights play in each seat, with new random numbers
        opening: the number of random plies at the start of each game
        position: the start position of all games, as a state or a string; default: the initial position
        seed: the seed of all random numbers, 0..2^63-1
        jobs: the number of threads; it does not change the result
        done: the generations that an interrupted search has already passed to `progress`, to continue this search. If
            all other arguments are unchanged, the result is the same as without the interruption.
        progress: a function that is called with each finished generation

    Returns:
        The weights that were found, and their score against the opponent.

    Raises:
        UsageError: an unknown game, feature set or player; an opponent without a policy or for one side only; a number
            out of range; or a number of weights that is not the number of features
        NotFoundError: a module, class, run or file that does not exist
        InvalidError: an impossible position, or a file for another game

    Examples:
        >>> found = petteia.direct_search("kalah:leftovers=nobody", "report", generations=2, games=20, trial_games=20)
        >>> found.generations, found.games, len(found.weights)
        (2, 4800, 40)

    """
    rules = rules_of(game)
    known = feature_set_for(rules, feature_set)
    start = start_state(rules, position)
    seed = checked_seed(seed)
    width = size(known, rules)
    first_mean = np.zeros(width) if weights is None else np.array(weights, np.float64)
    if first_mean.shape != (width,):
        found = list(first_mean.shape)
        raise UsageError(f"weights: shape {found}; must be one number for each of the {width} features")
    counts = {"generations": generations, "games": games, "trial_games": trial_games, "jobs": jobs}
    for name, count in counts.items():
        if count < 1:
            raise UsageError(f"{name}={count}: must be 1 or more")
    met = player(opponent, rules)
    policy = met.policy(rules)
    if policy is None or len(met.seats) < 2:
        raise UsageError(
            f"opponent {met.name} has no policy, or plays one side only; choose a player with a policy for both sides"
        )

    def wins(weights: Floats, seat: int, games: int, keys: RngKeys) -> Floats:
        one = best_afterstate(rules, known, weights)
        results = play_games(rules, start, one, policy, games=games, keys=keys, seats=(seat, seat), opening=opening)
        return np.asarray(results[:, MARGIN] * (1 if seat == 0 else -1) > 0, np.float64)

    def score(weights: Floats, generation: int) -> float:
        keys = match_keys(seed + 1 + generation)
        return float(np.mean([wins(weights, seat, games, keys).mean() for seat in (0, 1)]))

    search = partial(search_weights, score, first_mean, spread=spread, generations=generations, seed=seed, jobs=jobs)
    all_generations = search(done=done, advance=progress)
    best = all_generations[-1].mean
    first, second = (score_interval(wins(best, seat, trial_games, match_keys(seed))) for seat in (0, 1))
    played = generations * POPULATION * 2 * games
    return DirectSearch(best, first, second, generations, played, [each.elite for each in all_generations])
