"""Matches of learned players with various options, for all training seeds, with fixed seats and no openings."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure
from petteia.reports.engine.measures import Part
from petteia.reports.engine.settings import Match, Setting
from petteia.reports.engine.tables import Rows
from petteia.reports.mancala.figures import over
from petteia.reports.mancala.plan import DEPTHS, GREEDY, SEAT_NAMES, SEATS, theta
from petteia.reports.mancala.questions import FEATURES, LOWER_EXPLORED, named

AVERAGING, ENDS, DRAWS, CHAIN, LOWER = "averaging", "ends", "draws", "chain", "always lower"
GAMES = {AVERAGING: 200, ENDS: 80, DRAWS: 80, CHAIN: 80, LOWER: 300}
"""The number of games of a match, by question."""
WEIGHTS = ("drawn", "last", "mean")
OPTIONS = {
    "the standard player": "",
    "finished games valued by the weights": "ends=value",
    "no preference for early wins": "early=no",
}
ZERO = "a draw worth 0"
WORTH = {ZERO: "", **{f"a draw worth {each}": f"draws={each}" for each in ("-0.5", "-0.25", "0.25", "0.5")}}
"""The values of a draw by name, each with the option of the player that sets it."""
STRONGER = ("report", "report+chain")
"""The feature sets that play against the heuristic."""
LOWER_LEARNERS = [
    {"opponent": opponent, "learn_explored": explored}
    for opponent in ("self:every=10000", "self")
    for explored in (False, True)
]
"""The training runs of the learners that are always lower."""
LOWER_MEETS = ("greedy1", "greedy3")


class Duel(NamedTuple):
    """A match that answers a question, and is played with the learned player of every training seed."""

    question: str
    variant: str
    depth: int
    match: Match

    @property
    def opponent(self) -> str:
        """The opponent of the learned player."""
        return str(self.match.opponent)


def _wanted() -> Iterator[Duel]:
    def duel(question: str, variant: str, depth: int, learner: Any, opponent: str, seat: int) -> Duel:
        return Duel(question, variant, depth, Match(learner, opponent, GAMES[question], seat))

    for seat in SEATS:
        for weights in WEIGHTS:
            yield duel(AVERAGING, weights, 1, theta(options=f"weights={weights}"), GREEDY["greedy1"], seat)
        for depth, (question, variants) in product(DEPTHS, ((ENDS, OPTIONS), (DRAWS, WORTH))):
            for variant, option in variants.items():
                learner = theta(depth=depth, options=option)
                yield duel(question, variant, depth, learner, GREEDY[f"greedy{depth}"], seat)
    for name, depth in product(STRONGER, DEPTHS):
        yield duel(CHAIN, name, depth, theta(Setting(FEATURES, {"features": name}, seat=0), depth), "heuristic", 1)
    for values, opponent in product(LOWER_LEARNERS, LOWER_MEETS):
        yield duel(LOWER, named(values), 1, theta(Setting(LOWER_EXPLORED, values, seat=0)), GREEDY[opponent], 1)


WANTED = tuple(_wanted())
"""All duels."""


def of(question: str, seat: int | None = None, **chosen: Any) -> list[Duel]:
    """Return the matches for a question that have the chosen variant, depth and opponent.

    If `seat` is None, the matches of both seats are returned.
    """
    return [
        each
        for each in WANTED
        if each.question == question
        and seat in (None, each.match.seat)
        and all(getattr(each, name) == value for name, value in chosen.items())
    ]


def score(question: str, words: str = "the score", subject: str = "", part: Part = "score", **chosen: Any) -> Figure:
    """Return the mean score of the learned player over the chosen matches, or its share of games won."""
    return over(words, [each.match for each in of(question, **chosen)], subject, part)


def rows(evidence: Evidence) -> Rows:
    """Return a CSV row for each match and training seed, from the perspective of the learned player."""
    return [
        {
            **{name: getattr(each, name) for name in ("question", "variant")},
            "seed": seed,
            **{name: getattr(each, name) for name in ("depth", "opponent")},
            "seat": SEAT_NAMES[each.match.seat or 0],
            "games": cell.games,
            "distinct": cell.distinct,
            "won": cell.wins / cell.games,
            "score": cell.score,
        }
        for each in WANTED
        for seed, cell in enumerate(evidence.cells(each.match), 1)
    ]
