"""The plan of the report on Hare and Hounds: the experiments, and the parameters that the thesis tries."""

from __future__ import annotations

from petteia.reports.engine.settings import Setting

GAME = "hare-and-hounds"
HOUNDS_FILE, PERFECT_HOUNDS_FILE = "hounds.safetensors", "perfect-hounds.safetensors"
"""the files beside the page that contain learned tables"""
ALPHA, GAMMA, EPSILON = 0.1, 0.9, 0.5
"""the parameters that the thesis finds best"""
CHOSEN = {"alpha": ALPHA, "gamma": GAMMA, "epsilon": EPSILON}
TRIED = (0.1, 0.5, 0.9)
"""values of alpha and of gamma"""
OPPONENTS = ("random", "simple", "perfect")
"""the opponents against which the exact scores of tables are computed"""
EPSILONS = (0.1, 0.5, 0.9, 1.0)
"""the values of epsilon that the thesis compares; it mentions 0 only in a caption"""
RATES, RANDOM_MOVES, LEARNERS, BOTH = "alpha-gamma", "epsilon", "learners", "both-sides"
ELSEWHERE = {"small-game-subtraction": "Subtraction game", "small-game-tic-tac-toe": "Tic-tac-toe"}
"""the experiments with other games, and the names of the games"""


def rates(alpha: float, gamma: float) -> Setting:
    """Return the setting of the thesis with learning rate `alpha` and discount factor `gamma`."""
    return Setting(RATES, {"alpha": alpha, "gamma": gamma}, f"alpha {alpha} and gamma {gamma}")


WITH_ALPHA = {alpha: [rates(alpha, gamma) for gamma in TRIED] for alpha in TRIED}
NINE = [each for settings in WITH_ALPHA.values() for each in settings]
*LOWER, ONLY = WITH_ALPHA[ALPHA]
"""the combinations with the alpha of the thesis; the last one also has its gamma"""
WITH_EPSILON = {each: Setting(RANDOM_MOVES, {"epsilon": each}, f"epsilon {each:g}") for each in (0.0, *EPSILONS)}
"""the setting with each exploration rate, and with alpha 0.1 and gamma 0.9"""
GREEDY, *EXPLORING = WITH_EPSILON.values()
BEST = WITH_EPSILON[EPSILON]
ALONE = AGAINST_SIMPLE, FOLLOWED, PERFECT, GOES_ON = tuple(
    map(Setting, ("simple-hare", "convergence", "perfect-play", "goes-on"))
)
"""the settings of experiments with a single setting"""
SIDES = HOUNDS, HARE = tuple(Setting(BOTH, words=side, seat=seat) for seat, side in enumerate(("hounds", "hare")))
OTHER_LEARNERS = {
    name: Setting(LEARNERS, {"learner": name}) for name in ("q", "sarsa", "expected-sarsa", "double-q", "monte-carlo")
}
IN_SMALL_GAME = Setting(next(iter(ELSEWHERE)), CHOSEN)
EXPERIMENTS = (RATES, RANDOM_MOVES, *(each.experiment for each in ALONE), LEARNERS, BOTH, *ELSEWHERE)
SETTINGS = {
    **{f"alpha {each.values['alpha']}, gamma {each.values['gamma']}, epsilon 1": each for each in NINE},
    **{f"alpha {ALPHA}, gamma {GAMMA}, {each.words}": each for each in (GREEDY, *EXPLORING[:-1])},
}
"""all combinations that the thesis tries against the random hare, by name"""
