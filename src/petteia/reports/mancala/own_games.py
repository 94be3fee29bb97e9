"""The lengths of games of theta1 against itself."""

from __future__ import annotations

from petteia.analysis.behaviour import WatchedGame, behaviour
from petteia.core.arrays import Floats
from petteia.core.protocol import decided
from petteia.experiments.training import Training
from petteia.features.feature_sets import feature_set_for
from petteia.features.linear import linear
from petteia.games.kalah import Kalah
from petteia.players.search import GreedyPlayer, greedy_player
from petteia.players.search_options import GreedyOptions
from petteia.reports.engine.estimates import COUNT, SHARE
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, change
from petteia.reports.engine.kept import kept
from petteia.reports.engine.measures import of_each
from petteia.reports.mancala.plan import OWN, SEATS

FIRST, END = "first", "last"
LENGTHS_OF = 20
"""The number of games per training whose length is measured."""


def by_weights(evidence: Evidence, weights: Floats) -> GreedyPlayer:
    """Return theta1 with the given weights."""
    feature_set = feature_set_for(evidence.rules, "report")
    return greedy_player(linear(evidence.rules, feature_set, weights), GreedyOptions(), evidence.rules, "theta")


@kept
def lengths_of_games(evidence: Evidence, training: Training, when: str) -> tuple[float, float]:
    """Return the mean number of plies until games with the first or last weights are decided, and until they end.

    A game of training ends as soon as it is decided.
    """
    learned = evidence.learned(training)
    weights = learned.history[0] if when == FIRST else learned.weights
    one, other = (by_weights(evidence, weights) for _ in SEATS)
    lengths: list[tuple[int, int]] = []

    def seen(rules: Kalah, game: WatchedGame) -> bool:
        lengths.append((sum(not decided(rules, state) for state in game.states[:-1]), len(game.moves)))
        return True

    behaviour(evidence.rules, one, other, {"seen": seen}, games=LENGTHS_OF, opening=0, seed=training.run.seed)
    until_decided, whole = (sum(each) / len(lengths) for each in zip(*lengths, strict=True))
    return until_decided, whole


def share_after_decision(evidence: Evidence, training: Training) -> float:
    """Return the share of the plies that follow after a game is decided, in games with the last weights."""
    until_decided, whole = lengths_of_games(evidence, training, END)
    return 1.0 - until_decided / whole


def plies(when: str) -> Figure:
    """Return the number of plies until the games of theta1 against itself are decided."""
    return of_each("", COUNT, OWN, lambda evidence, training: lengths_of_games(evidence, training, when)[0])


FIRST_PLIES, LAST_PLIES = plies(FIRST), plies(END)
SHORTER = change(
    *(FIRST_PLIES, LAST_PLIES),
    "the number of plies until a game of self-play is decided with the first weights, minus the same number with the "
    "last weights,",
)
AFTER_DECISION = of_each(
    "the share of the plies of a game of self-play that come after its decision, with the last weights,",
    *(SHARE, OWN, share_after_decision),
    subject="",
)
