"""How much features allow, whatever a learner makes of them: a lower bound, by direct search for weights.

No learning from moves: whole matches say how good a vector of weights is, and the noisy cross-entropy method finds the
vectors that win, see `petteia.learn.cross_entropy`.
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
"""of a vector of weights in each seat, unless said"""
TRIAL_GAMES = 5000
"""in each seat, that are played by what was found, with fresh random numbers, unless said"""
SPREAD = 0.5
"""the first standard deviation of each weight, unless said"""


class DirectSearch(NamedTuple):
    """The result of the search."""

    weights: Floats
    """the weights that were found, [size]"""
    first: Interval
    """share of the trial's games won in the first seat"""
    second: Interval
    """share of the trial's games won in the second seat"""
    generations: int
    """the number of generations"""
    games: int
    """games played by all vectors of all generations"""
    curve: list[float]
    """mean share of games won by the elite of each generation, which flatters it"""


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
    """Search for the weights with which a player of search depth 1 wins most games against an opponent, in both seats.

    Args:
        game: the rules or their text
        feature_set: the features or their text
        opponent: whom it meets: the text of a player that follows a policy, or such a player; it plays both sides
        generations: how many, 1 or more
        weights: where the search begins; default: zeros
        spread: the first standard deviation of each weight
        games: that each vector plays in each seat
        trial_games: that are played in each seat by what was found, with fresh random numbers
        opening: random plies that each game begins with
        position: where games start, a state or its text; default: the first of the game
        seed: of all random numbers, 0..2^63-1
        jobs: threads that play; the result is the same
        done: the generations that `progress` was told of by a search that was interrupted; with the same arguments
            beside, the result is that of a search that was not
        progress: is told of each generation when it is done

    Returns:
        The weights, and how often they win.

    Raises:
        UsageError: an unknown game, feature set or player; an opponent without a policy, or of one side alone; a number
            out of range; weights that are not one for each feature
        NotFoundError: a module, class, run or file that is not there
        InvalidError: an impossible position, a file that does not fit

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
        raise UsageError(f"weights have the shape {list(first_mean.shape)}; there are {width} features")
    counts = {"generations": generations, "games": games, "trial_games": trial_games, "jobs": jobs}
    for name, count in counts.items():
        if count < 1:
            raise UsageError(f"{name}={count}: must be 1 or more")
    met = player(opponent, rules)
    policy = met.policy(rules)
    if policy is None or len(met.seats) < 2:
        raise UsageError(f"player {met.name} must follow a policy and play both sides")

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
