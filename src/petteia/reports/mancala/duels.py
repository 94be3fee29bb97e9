"""Matches of learned players with various options, for all training seeds, with fixed seats and no openings."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

from petteia.reports.engine.figures import Figure
from petteia.reports.engine.measures import Part
from petteia.reports.engine.settings import Match, Setting
from petteia.reports.mancala.figures import over
from petteia.reports.mancala.plan import DEPTHS, GREEDY, SEATS, theta
from petteia.reports.mancala.questions import LOWER_EXPLORED, named

ENDS, DRAWS, LOWER = "ends", "draws", "always lower"
GAMES = {ENDS: 80, DRAWS: 80, LOWER: 300}
"""The number of games of a match, by question."""
ZERO = "a draw worth 0"
OPTIONS = {
    ENDS: {
        "the standard player": "",
        "finished games valued by the weights": "ends=value",
        "no preference for early wins": "early=no",
    },
    DRAWS: {ZERO: "", **{f"a draw worth {each}": f"draws={each}" for each in ("-0.5", "-0.25", "0.25", "0.5")}},
}
"""The variants of the player by question, each with its option."""
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
    for seat, depth, (question, variants) in product(SEATS, DEPTHS, OPTIONS.items()):
        for variant, option in variants.items():
            learner = theta(depth=depth, options=option)
            yield Duel(question, variant, depth, Match(learner, GREEDY[f"greedy{depth}"], GAMES[question], seat))
    for values, opponent in product(LOWER_LEARNERS, LOWER_MEETS):
        learner = theta(Setting(LOWER_EXPLORED, values, seat=0))
        yield Duel(LOWER, named(values), 1, Match(learner, GREEDY[opponent], GAMES[LOWER], 1))


WANTED = tuple(_wanted())
"""All duels."""


def score(
    question: str, words: str = "the score", part: Part = "score", seat: int | None = None, **chosen: Any
) -> Figure:
    """Return the mean score of the learned player, or its share of games won, over some matches for a question.

    These are the matches that have the chosen variant, depth and opponent, in one seat or in both.
    """
    matches = [
        each.match
        for each in WANTED
        if each.question == question
        and seat in (None, each.match.seat)
        and all(getattr(each, name) == value for name, value in chosen.items())
    ]
    return over(words, matches, chosen.get("variant", ""), part)


SCORES = {
    question: {name: score(question, "the score against greedy of the same depth", variant=name) for name in variants}
    for question, variants in OPTIONS.items()
}
"""The mean score of each variant over all depths and both seats, by question."""
