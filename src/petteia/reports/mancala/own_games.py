"""Games of the learned player against itself: their lengths, and the distribution of features in their positions."""

from __future__ import annotations

from collections.abc import Iterator

from petteia.analysis.behaviour import WatchedGame, behaviour
from petteia.analysis.collinearity import sample_features, side_of
from petteia.core.arrays import Floats
from petteia.core.protocol import decided, initial, seats
from petteia.experiments.training import Training
from petteia.features.feature_sets import feature_set_for
from petteia.features.kalah_potentials import POTENTIALS
from petteia.features.linear import linear
from petteia.games.kalah import Kalah
from petteia.players.search import GreedyPlayer, greedy_player
from petteia.players.search_options import GreedyOptions
from petteia.reports.engine.estimates import SHARE, Unit
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, change, of_each
from petteia.reports.engine.kept import kept
from petteia.reports.engine.tables import Row, table
from petteia.reports.mancala.drawings import COLUMNS, REST, TITLES
from petteia.reports.mancala.figures import weight_names
from petteia.reports.mancala.plan import OWN, SEATS

FIRST, END = "first", "last"
LENGTHS_OF = 20
"""The number of games per training whose length is measured."""
PLIES = Unit(".1f", minimum=0.0)
"""The unit of mean numbers of plies. They are compared by their differences, so the arithmetic mean is shown."""
MOMENTS_OF, RANDOM_MOVES = 300, 0.1
"""The number of games whose features are measured, and their share of random moves."""


def by_weights(evidence: Evidence, weights: Floats) -> GreedyPlayer:
    """Return theta1, the learned player with search depth 1, with the given weights."""
    feature_set = feature_set_for(evidence.rules, "report")
    return greedy_player(linear(evidence.rules, feature_set, weights), GreedyOptions(), evidence.rules, "theta")


@kept
def lengths_of_games(evidence: Evidence, training: Training, when: str) -> tuple[float, float]:
    """Return the mean number of plies until a game of self-play is decided, and until it ends.

    `when` is `first` for the initial weights of the training run, and `last` for the final weights. Unlike these games,
    the games of the training itself end as soon as they are decided.
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
    """Return the share of plies that are played after a game of self-play with the final weights is decided."""
    until_decided, whole = lengths_of_games(evidence, training, END)
    return 1.0 - until_decided / whole


def plies(when: str, weights: str) -> Figure:
    """Return the mean number of plies until a game of the learned player against itself is decided."""
    words, subject = "the number of plies until a game is decided", f"self-play with {weights} weights"
    return of_each(words, PLIES, OWN, lambda evidence, each: lengths_of_games(evidence, each, when)[0], subject=subject)


FIRST_PLIES, LAST_PLIES = plies(FIRST, "initial"), plies(END, "final")
SHORTER = change(FIRST_PLIES, LAST_PLIES)
AFTER_DECISION = of_each(
    "the share of plies after the decision", SHARE, OWN, share_after_decision, subject="self-play with final weights"
)


@kept
def moments_of(evidence: Evidence, training: Training) -> list[tuple[float, float]]:
    """Return the mean and standard deviation of each feature in the positions of the learned player's self-play.

    If a feature applies only when one side is to move, only positions in which that side is to move are used.
    """
    rules, who = evidence.rules, by_weights(evidence, evidence.learned(training).weights)
    options = {"games": MOMENTS_OF, "random_moves": RANDOM_MOVES, "start": initial(rules), "seed": 1}
    seen = sample_features(rules, feature_set_for(rules, "report"), who, **options)
    sides = [side_of(name, seats(rules)) for name in weight_names(evidence)]
    rows = [seen.table[:, i] if side is None else seen.table[seen.movers == side, i] for i, side in enumerate(sides)]
    return [(float(each.mean()), float(each.std())) for each in rows]


@table(*TITLES)
def moments(evidence: Evidence) -> Iterator[Row]:
    """Yield the mean and the standard deviation of each feature, in the order of the weights on the page."""
    known = moments_of(evidence, evidence.trainings(OWN)[0])
    texts = [f"{mean:.3f} ({deviation:.3f})" for mean, deviation in known]
    for i, name in enumerate(POTENTIALS):
        yield [name, *(texts[start + i] for _, start in COLUMNS.values())]
    for number, name in REST.items():
        yield [name, texts[number], "", "", ""]
