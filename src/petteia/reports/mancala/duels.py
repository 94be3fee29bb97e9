"""Matches of learned players with various options, for all training seeds, with fixed seats and no openings."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from petteia.reports.engine.figures import Figure
from petteia.reports.engine.measures import of_match
from petteia.reports.engine.settings import Match, Setting
from petteia.reports.mancala.figures import over
from petteia.reports.mancala.plan import DEPTHS, GREEDY, SEATS, theta
from petteia.reports.mancala.questions import FEATURES

AVERAGING, ENDS, DRAWS = "averaging", "ends", "draws"
GAMES, LOWER_GAMES = 80, 300
"""The numbers of games of a match: with other options, and of other learners."""
ZERO = "a draw worth 0"
OPTIONS = {
    AVERAGING: {"drawn weights": "", "last weights": "weights=last", "mean weights": "weights=mean"},
    ENDS: {
        "the standard player": "",
        "finished games valued by the weights": "ends=value",
        "no preference for early wins": "early=no",
    },
    DRAWS: {ZERO: "", **{f"a draw worth {each}": f"draws={each}" for each in ("-0.5", "-0.25", "0.25", "0.5")}},
}
"""The variants of the player by question, each with its option."""


def score(variant: str, option: str, seats: Sequence[int] = SEATS, depths: Sequence[int] = DEPTHS) -> Figure:
    """Return the mean score of theta with an option against the greedy players of the same depths."""
    matches = [
        Match(theta(depth=depth, options=option), GREEDY[f"greedy{depth}"], GAMES, seat)
        for depth, seat in product(depths, seats)
    ]
    return over("the score against greedy of the same depth", matches, variant)


def as_second(learner: Setting, opponent: str) -> Figure:
    """Return the score as second player of a learner that was always the lower side."""
    return of_match(Match(theta(learner), GREEDY[opponent], LOWER_GAMES, 1))


CHAIN = {
    name: [
        Match(theta(Setting(FEATURES, {"features": name}, seat=0), depth), "heuristic", GAMES, 1) for depth in DEPTHS
    ]
    for name in ("report", "report+chain")
}
"""The matches of theta1 to theta5 as second player against the heuristic, by set of features."""
LAST = [of_match(Match(theta(options="weights=last"), GREEDY["greedy1"], LOWER_GAMES, seat), "won") for seat in SEATS]
"""The shares of games that theta1 wins against greedy1 with its last weights, in each seat."""
SCORES = {
    question: {variant: score(variant, option) for variant, option in variants.items()}
    for question, variants in OPTIONS.items()
}
"""The mean score of each variant over all depths and both seats, by question."""
