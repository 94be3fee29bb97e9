"""What becomes of a player without a weight that never settles: each of these is set to 0, or to its mean."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from petteia.arena.known_positions import Endings
from petteia.arena.match import match
from petteia.arena.regret import regret_in
from petteia.arena.statistics import Interval
from petteia.players import player
from petteia.reports.engine.estimates import POINTS, Unit, certain
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, Values
from petteia.reports.mancala.figures import LAST_SHARE, weight_names
from petteia.reports.mancala.own_games import by_weights
from petteia.reports.mancala.plan import GREEDY, OWN
from petteia.reports.mancala.published import SWINGING

GAMES, SEED = 1000, 1
AS_LEARNED = ("", "")
CHANGES = ("set to 0", "set to its mean")
FIELDS = {"score": POINTS, "regret": Unit("+.3f", " stones")}


class Without(NamedTuple):
    """What a player comes to."""

    score: float
    """against greedy1 from random openings, both seats"""
    regret: float
    """in endings, in stones"""


def look(evidence: Evidence, endings: Callable[[], Endings]) -> dict[str, list[Without]]:
    """All players, of each seed, by weight and change; `as learned` is theta1 with its last weights."""
    names = weight_names(evidence)
    cases = [AS_LEARNED, *((name, change) for name in names if name in SWINGING for change in CHANGES)]
    keys = {
        f"{seed}: {key_of(*case)}": (training, case)
        for case in cases
        for seed, training in enumerate(evidence.trainings(OWN), 1)
    }

    def judge(key: str) -> Without:
        training, (name, change) = keys[key]
        learned = evidence.learned(training)
        weights = learned.weights.copy()
        if name:
            late = learned.history[learned.history_games >= learned.games - learned.games // LAST_SHARE]
            number = names.index(name)
            weights[number] = 0.0 if change == CHANGES[0] else late[:, number].mean()
        who, rules = by_weights(evidence, weights), evidence.rules
        played = match(rules, who, player(GREEDY["greedy1"], rules), games=GAMES, openings="random:2", seed=SEED)
        return Without(played.score, regret_in(endings(), who, name=key).mean)

    kept = evidence.work.kept_rows("without", keys, judge, "players without a weight", Without)
    return {key_of(*case): [kept[key] for key, (_, of) in keys.items() if of == case] for case in cases}


def key_of(name: str, change: str) -> str:
    """What a player is called."""
    return f"{name} {change}" if name else "as learned"


def gain(field: str, name: str, change: str) -> Figure:
    """By how much a player has more of something than as it was learned, of each seed."""

    def of(beyond: Any) -> Values | Interval:
        pairs = zip(beyond.without[key_of(name, change)], beyond.without[key_of(*AS_LEARNED)], strict=True)
        changes = [getattr(mine, field) - getattr(theirs, field) for mine, theirs in pairs]
        return changes if any(changes) else certain(0.0)  # the same games: the weight decides nothing

    return Figure(f"the change of its {field} where a weight is {change}", FIELDS[field], of, name)
