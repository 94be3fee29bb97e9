"""The settings of the thesis: its experiments, and the combinations of parameters that it tries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

GAME = "hare-and-hounds"
ALPHA, GAMMA, EPSILON = 0.1, 0.9, 0.5
"""the parameters that the thesis finds best"""
TRIED = (0.1, 0.5, 0.9)
"""values of alpha and of gamma"""
OPPONENTS = ("random", "simple", "perfect")
"""whom tables meet for their exact scores"""
EPSILONS = (0.1, 0.5, 0.9, 1.0)
"""values of epsilon, but 0"""
RATES, RANDOM_MOVES, SIMPLE, VALUES, EARLIER = (
    "alpha-gamma",
    "epsilon",
    "simple-hare",
    "convergence",
    "convergence-earlier",
)
LEARNERS, BOTH, RECIPE = "learners", "both-sides", "perfect-play"
ELSEWHERE = ("small-game-subtraction", "small-game-tic-tac-toe")
EXPERIMENTS = (RATES, RANDOM_MOVES, SIMPLE, VALUES, EARLIER, LEARNERS, BOTH, RECIPE, *ELSEWHERE)
JUDGEMENTS = "judgements"


class Setting(NamedTuple):
    """Trainings of an experiment with certain swept values, and what they are called."""

    words: str
    experiment: str
    values: Mapping[str, Any]


def rates(alpha: float, gamma: float) -> Setting:
    """One of the nine combinations of learning rate and discount."""
    return Setting(f"alpha {alpha} with gamma {gamma}", RATES, {"alpha": alpha, "gamma": gamma})


def random_moves(epsilon: float) -> Setting:
    """Alpha 0.1 and gamma 0.9, with so many random moves."""
    return Setting(f"epsilon {epsilon:g}", RANDOM_MOVES, {"epsilon": epsilon})


BEST = random_moves(EPSILON)
AGAINST_SIMPLE = Setting("the simple hare", SIMPLE, {})
FOLLOWED = Setting("the three values", VALUES, {})
SOONER = Setting("the same trainings, after three quarters of the games", EARLIER, {})
PERFECT = Setting("the better teacher", RECIPE, {})
SETTINGS = {
    **{f"alpha {alpha}, gamma {gamma}, epsilon 1": rates(alpha, gamma) for alpha in TRIED for gamma in TRIED},
    **{f"alpha {ALPHA}, gamma {GAMMA}, epsilon {e:g}": random_moves(e) for e in (0.0, *EPSILONS[:-1])},
}
"""All combinations that the thesis tries against the random hare, by name."""
