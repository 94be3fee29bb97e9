"""Games of theta1 against itself: how long they are when nothing is learned yet, and what its features are in them."""

from __future__ import annotations

from petteia.analysis.behaviour import WatchedGame, behaviour
from petteia.analysis.collinearity import sample_features, side_of
from petteia.core.arrays import Floats
from petteia.core.protocol import decided, initial, seats
from petteia.features.feature_sets import feature_set_for
from petteia.features.kalah_potentials import POTENTIALS
from petteia.features.linear import linear
from petteia.games.kalah import Kalah
from petteia.players.search import GreedyPlayer, greedy_player
from petteia.players.search_options import GreedyOptions
from petteia.reports.engine.estimates import COUNT
from petteia.reports.engine.figures import Figure, Values
from petteia.reports.mancala.drawings import COLUMNS, REST
from petteia.reports.mancala.evidence import Evidence, theta
from petteia.reports.mancala.figures import weight_names

FIRST, END = "first", "last"
LENGTHS_OF = 20
"""games of each training whose length is measured"""
MOMENTS_OF, RANDOM_MOVES, SEED = 300, 0.1, 1
"""games whose features are measured, the share of random moves in them, and where their random numbers begin"""


def by_weights(evidence: Evidence, weights: Floats) -> GreedyPlayer:
    """Theta1 with these weights."""
    feature_set = feature_set_for(evidence.rules, "report")
    return greedy_player(linear(evidence.rules, feature_set, weights), GreedyOptions(), evidence.rules, "theta")


def plies(when: str) -> Figure:
    """Plies of a game of theta1 against itself, with the first or last weights of each training, until it is decided.

    Games of training end then.
    """

    def of(evidence: Evidence) -> Values:
        trainings = {f"{when} weights, {seed}": (seed, each) for seed, each in enumerate(evidence.trainings(), 1)}

        def length(key: str) -> float:
            seed, training = trainings[key]
            learned = evidence.learned(training)
            weights = learned.history[0] if when == FIRST else learned.weights
            one, other = by_weights(evidence, weights), by_weights(evidence, weights)
            lengths: list[int] = []

            def seen(rules: Kalah, game: WatchedGame) -> bool:
                lengths.append(sum(not decided(rules, state) for state in game.states[:-1]))
                return True

            behaviour(evidence.rules, one, other, {"seen": seen}, games=LENGTHS_OF, opening=0, seed=seed)
            return sum(lengths) / len(lengths)

        return [*evidence.work.kept_rows("lengths", trainings, length, "lengths of games").values()]

    return Figure(f"the plies until a game against itself is decided, with the {when} weights", COUNT, of)


def moments(evidence: Evidence) -> list[list[str]]:
    """Mean and standard deviation of each feature where its block applies, in the order of the weights on the page."""
    agent = theta(evidence.work, evidence.trainings()[0], options=",weights=last")
    arguments = {"agent": agent, "games": MOMENTS_OF, "seed": SEED}

    def compute() -> list[list[float]]:
        rules, feature_set = evidence.rules, feature_set_for(evidence.rules, "report")
        who = by_weights(evidence, evidence.learned(evidence.trainings()[0]).weights)
        options = {"games": MOMENTS_OF, "random_moves": RANDOM_MOVES, "start": initial(rules), "seed": SEED}
        seen = sample_features(rules, feature_set, who, **options)
        sides = [side_of(name, seats(rules)) for name in weight_names(evidence)]
        rows = [
            seen.table[:, i] if side is None else seen.table[seen.movers == side, i] for i, side in enumerate(sides)
        ]
        return [[float(each.mean()), float(each.std())] for each in rows]

    known = evidence.work.kept("moments", arguments, compute, list[tuple[float, float]])
    texts = [f"{mean:.3f} ({deviation:.3f})" for mean, deviation in known]
    starts = [start for _, start in COLUMNS.values()]
    rows = [[name, *(texts[start + i] for start in starts)] for i, name in enumerate(POTENTIALS)]
    return [*rows, *([name, texts[number], "", "", ""] for number, name in REST.items())]


FIRST_PLIES, LAST_PLIES = plies(FIRST), plies(END)
