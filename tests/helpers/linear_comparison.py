"""Games of learning linear values: what the learner makes of its weights, and what the slow second version makes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from linear_oracle import SPECIAL_ENDS, Hot, Oracle, Squares, Way, best
from tiny_games import DiceRace, Nim

from petteia.core.protocol import draw_move, initial, legal, limits
from petteia.features.kalah_potentials import ReportFeatures
from petteia.games import game
from petteia.learn.learners import LinearLearner
from petteia.learn.linear import BOTH, RANDOM_SIDE, learn_games, learner_for
from petteia.policies.afterstates import best_afterstate
from petteia.policies.play_games import match_keys
from petteia.policies.policy import Lowest, Uniform

KEYS = match_keys(11)
KALAH, NIM, RACE = game("kalah:pits=3,seeds=2,leftovers=nobody"), Nim(2, 3), DiceRace(4, 3)
SETS: dict[type, Any] = {type(KALAH): ReportFeatures(), Nim: Hot(), DiceRace: Squares()}
SIDES = {"random": RANDOM_SIDE, "both": BOTH}


class Games(NamedTuple):
    """Games of learning."""

    way: Way = Way()
    rules: Any = KALAH
    opponent: str = "random"
    """random, or self"""
    chooser: str = "best"
    """best, or lowest"""
    alpha: float = 0.03
    epsilon: float = 0.3
    fall: float = 1.0
    """the last gamma, in parts of the first"""


def drawn(count: int) -> Any:
    """Weights to begin with, among which there are no ties."""
    return np.random.default_rng(3).normal(size=count) / 10


def options_of(way: Way) -> LinearLearner:
    """What it is given as options; of draws the reward is that of the side that learns."""
    return LinearLearner(
        "here",
        way.rule,
        gamma=way.gamma,
        lambda_=way.lambda_,
        traces=way.trace,
        win_reward=way.win_reward,
        draw_reward=-way.draw_reward if way.side == 1 else way.draw_reward,
        depth=way.depth,
        reward="margin" if way.by_margin else "result",
        turns=way.turns,
        knows_ends=way.knows_ends,
        learn_explored=way.learn_explored,
        play_out=way.play_out,
    )


def learned(games: Games, count: int, weights: Any, alphas: Any = None) -> Any:
    """What the learner makes of the weights."""
    way, rules = games.way, games.rules
    feature_set, by_chain = SETS[type(rules)], way.turns == "chain"
    own = weights.copy()
    learner = learner_for(
        *(rules, feature_set, own),
        options_of(way),
        side=SIDES.get(way.side, way.side),
        max_plies=way.max_plies,
    )
    itself = best_afterstate(rules, feature_set, own, by_chain=by_chain)
    opponent = Uniform() if games.opponent == "random" else itself
    diverged, _ = learn_games(
        *(rules, initial(rules), learner, opponent),
        **schedules(games, count, alphas),
        keys=KEYS,
        chooser=None if games.chooser == "best" else Lowest(),
        first_game=7,
        max_plies=way.max_plies,
    )
    assert diverged is None
    return own


def schedules(games: Games, count: int, alphas: Any = None) -> dict[str, Any]:
    falling = np.linspace(games.alpha, games.alpha / 2, count) if alphas is None else alphas
    gammas = np.linspace(games.way.gamma, games.way.gamma * games.fall, count)
    return {"alphas": falling, "epsilons": np.full(count, games.epsilon), "gammas": gammas}


def expected(games: Games, count: int, weights: Any) -> Any:
    """What the slow second version makes of them."""
    way, rules = games.way, games.rules
    feature_set = SETS[type(rules)]
    oracle = Oracle(rules, feature_set, weights.copy(), way)

    def random(rules: Any, state: Any, random: Any) -> int:
        return draw_move(rules, state, random, [0] * limits(rules).moves)

    def itself(rules: Any, state: Any, random: Any) -> int:
        return best(*(rules, feature_set, oracle.weights, state, random, way.turns), SPECIAL_ENDS)[1].path[0]

    def lowest(rules: Any, state: Any, random: Any) -> int:
        return min(legal(rules, state))

    for number, (alpha, epsilon, gamma) in enumerate(zip(*schedules(games, count).values(), strict=True), 7):
        oracle.way = way._replace(gamma=float(gamma))
        oracle.play_game(
            *(initial(rules), random if games.opponent == "random" else itself, float(alpha), float(epsilon)),
            *(KEYS, number, None if games.chooser == "best" else lowest),
        )
    return oracle.weights


def drawn_for(rules: Any) -> Any:
    return drawn(SETS[type(rules)].size(rules))


SEARCHING = ("rootstrap", "rootstrap-after")
