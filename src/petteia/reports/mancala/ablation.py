"""The effect of each weight that never settles. It is measured with this weight set to 0 or to its mean."""

from __future__ import annotations

from petteia.arena.match import match
from petteia.arena.regret import regret_in
from petteia.arena.statistics import Interval
from petteia.experiments.training import Training
from petteia.players import player
from petteia.reports.engine.estimates import POINTS, Unit, certain
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, Values
from petteia.reports.engine.kept import kept
from petteia.reports.mancala.boards import endings
from petteia.reports.mancala.figures import LAST_SHARE, weight_names
from petteia.reports.mancala.own_games import by_weights
from petteia.reports.mancala.plan import GREEDY, OWN
from petteia.reports.mancala.tables import plain

GAMES, SEED = 1000, 1
CHANGES = ("set to 0", "set to its mean")
FIELDS = {"score": POINTS, "regret": Unit("+.3f", " stones")}
"""The measures and units: the score in both seats against greedy1 from random openings, and the regret in endings."""


@kept
def without(evidence: Evidence, training: Training, weight: str, change: str) -> dict[str, float]:
    """Return the measures in FIELDS of theta1 with its final weights, after one weight was changed; "" changes none."""
    learned, rules = evidence.learned(training), evidence.rules
    weights = learned.weights.copy()
    if weight:
        late = learned.history[learned.history_games >= learned.games - learned.games // LAST_SHARE]
        number = weight_names(evidence).index(weight)
        weights[number] = 0.0 if change == CHANGES[0] else late[:, number].mean()
    who, other = by_weights(evidence, weights), player(GREEDY["greedy1"], rules)
    score = match(rules, who, other, games=GAMES, openings="random:2", seed=SEED).score
    return {"score": score, "regret": regret_in(endings(evidence), who).mean}


def gain(field: str, weight: str, change: str) -> Figure:
    """Return the change of a measure of theta1, for each seed, if a weight is changed."""

    def of(evidence: Evidence) -> Values | Interval:
        changes = [
            without(evidence, each, weight, change)[field] - without(evidence, each, "", "")[field]
            for each in evidence.trainings(OWN)
        ]
        return changes if any(changes) else certain(0.0)  # the same games: the weight has no effect

    return Figure(f"the change of the {field} if a weight is {change}", FIELDS[field], of, plain(weight))
