"""What the original says of its two experiments, and how each of it is judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from petteia.reports.amazons import plan
from petteia.reports.amazons.plan import (
    ALL_MOVES,
    ORIGINAL_BEST,
    SELECTIVELY,
    SIMPLY,
    UPGRADED,
    UPGRADED_SIMPLE,
    judged,
    players_at,
    shares,
    shares_at,
)
from petteia.reports.amazons.published import SECONDS
from petteia.reports.engine.claims import Claim
from petteia.reports.engine.figures import Figure, combination, difference
from petteia.reports.engine.round_robins import Asked, best_is, lead, may_be_best, score
from petteia.reports.engine.rules import Rule, above, all_of, below

LITTLE, MIDDLE, MUCH = SECONDS
"""seconds of the original"""
MUCH_LOWER = 0.1
"""a share of the points: less than that is no large harm"""
SMALLEST = plan.PARTS[-1]


def ahead(one: str, *others: str, seconds: int, of: Callable[[int], Asked] = players_at) -> list[Rule]:
    """A player has a higher score than each of the others."""
    return [above(lead(of(seconds), one, each, at(seconds)), 0.0) for each in others]


def at(seconds: int) -> str:
    """The original's time, in words."""
    return f"at {seconds} s"


def rise(player: str, since: int, until: int) -> Figure:
    """By how much the score of a player rises with more thought."""
    words = f"the rise of the score from {since} s to {until} s"
    one, other = (score(players_at(seconds), player) for seconds in (until, since))
    return combination(((1.0, one), (-1.0, other)), words, player)


def widening(one: str, other: str, since: int, until: int, of: Callable[[int], Asked] = players_at) -> Figure:
    """By how much the lead of one player over another grows with more thought."""
    words = f"the growth of the lead from {since} s to {until} s"
    terms = (1.0, lead(of(until), one, other)), (-1.0, lead(of(since), one, other))
    return combination(terms, words, f"{one} over {other}")


def best_shares(*seconds: int) -> Callable[[Any], Mapping[str, Sequence[float]]]:
    """The shares that may be best under what stands for these seconds."""

    def sets(evidence: Any) -> Mapping[str, Sequence[float]]:
        return {
            at(effort.seconds): [plan.SHARE_OF[text] for text in may_be_best(evidence.round_robin(shares(effort)))]
            for effort in judged(evidence)
            if effort.seconds in seconds
        }

    return sets


def grows(*shares: float) -> bool:
    """Whether the best share never falls with more thought, and has risen at the end."""
    return list(shares) == sorted(shares) and shares[0] < shares[-1]


def is_best(seconds: int) -> Rule:
    """The share that the original names is best under what stands for so many seconds."""
    share = ORIGINAL_BEST[seconds]
    return best_is(f"w = {share:g} is best {at(seconds)}", best_shares(seconds), lambda found: found == share)


SELECTION = (
    *(
        (f"best-{each}", f"At {each} s the best share is {share:g}.", is_best(each))
        for each, share in ORIGINAL_BEST.items()
    ),
    (
        "best-grows",
        "The more time, the larger the best share.",
        best_is("the best share never falls with more time, and rises in all", best_shares(*SECONDS), grows),
    ),
    (
        "small-helps",
        "With little time a small share is better than all moves.",
        all_of(ahead(SMALLEST, ALL_MOVES, seconds=LITTLE, of=shares_at)),
    ),
    (
        "small-shrinks",
        "With much time the advantage of a small share shrinks.",
        below(widening(SMALLEST, ALL_MOVES, LITTLE, MUCH, shares_at), 0.0),
    ),
)
STANDINGS = (
    (
        "selective-best-2",
        "At 2 s the two selective players are best.",
        all_of(rule for one in (SELECTIVELY, UPGRADED) for rule in ahead(one, SIMPLY, UPGRADED_SIMPLE, seconds=LITTLE)),
    ),
    (
        "simple-wins-10",
        "At 10 s simple wins.",
        all_of(ahead(SIMPLY, SELECTIVELY, UPGRADED_SIMPLE, UPGRADED, seconds=MIDDLE)),
    ),
    ("simple-improves", "Simple improves much from 2 s to 10 s.", above(rise(SIMPLY, LITTLE, MIDDLE), MUCH_LOWER)),
    (
        "selective-wins-50",
        "At 50 s selective wins.",
        all_of(ahead(SELECTIVELY, SIMPLY, UPGRADED_SIMPLE, UPGRADED, seconds=MUCH)),
    ),
    (
        "simple-third-2",
        "At 2 s simple is third.",
        all_of(
            [
                *(rule for one in (SELECTIVELY, UPGRADED) for rule in ahead(one, SIMPLY, seconds=LITTLE)),
                *ahead(SIMPLY, UPGRADED_SIMPLE, seconds=LITTLE),
            ]
        ),
    ),
    (
        "simple-second-50",
        "At 50 s simple is second.",
        all_of(
            [
                *ahead(SELECTIVELY, SIMPLY, seconds=MUCH),
                *ahead(SIMPLY, UPGRADED_SIMPLE, UPGRADED, seconds=MUCH),
            ]
        ),
    ),
    (
        "only-harms",
        "The improvement only harms.",
        all_of(
            rule
            for seconds in SECONDS
            for rule in (
                *ahead(SIMPLY, UPGRADED_SIMPLE, seconds=seconds),
                *ahead(SELECTIVELY, UPGRADED, seconds=seconds),
            )
        ),
    ),
    (
        "simple-behind",
        "Simple was expected always to stand behind selective.",
        all_of(rule for seconds in SECONDS for rule in ahead(SELECTIVELY, SIMPLY, seconds=seconds)),
    ),
    (
        "overtakes",
        "With more time selective may overtake simple.",
        all_of(
            [
                *ahead(SELECTIVELY, SIMPLY, seconds=MUCH),
                above(widening(SELECTIVELY, SIMPLY, MIDDLE, MUCH), 0.0),
            ]
        ),
    ),
)
ORDER = (
    (
        "same-order",
        "The order of selective, upgraded selective and upgraded simple is the same at every time.",
        all_of(
            rule
            for seconds in SECONDS
            for rule in (
                *ahead(SELECTIVELY, UPGRADED, seconds=seconds),
                *ahead(UPGRADED, UPGRADED_SIMPLE, seconds=seconds),
            )
        ),
    ),
    ("selective-rises", "With time selective improves.", above(rise(SELECTIVELY, LITTLE, MUCH), 0.0)),
    (
        "upgraded-fall",
        "With time the upgraded players fall.",
        all_of(below(rise(each, LITTLE, MUCH), 0.0) for each in (UPGRADED_SIMPLE, UPGRADED)),
    ),
    (
        "gap-grows",
        "The gap between selective and the upgraded players grows.",
        all_of(above(widening(SELECTIVELY, each, LITTLE, MUCH), 0.0) for each in (UPGRADED, UPGRADED_SIMPLE)),
    ),
)
POTENTIAL = (
    (
        "best-potential",
        "Selective clearly has the best potential: it gains more with time than each other player.",
        all_of(
            above(difference(rise(SELECTIVELY, LITTLE, MUCH), rise(each, LITTLE, MUCH)), 0.0)
            for each in (SIMPLY, UPGRADED_SIMPLE, UPGRADED)
        ),
    ),
    (
        "harms-much",
        "The improvement lowers the chances of selective much.",
        all_of(above(lead(players_at(each), SELECTIVELY, UPGRADED, at(each)), MUCH_LOWER) for each in SECONDS),
    ),
)
PARTS = {
    "The best share": (SELECTION, "question 10"),
    "The four players": (STANDINGS, "question 12"),
    "The order": (ORDER, "question 13"),
    "The potential": (POTENTIAL, "question 14"),
}
CLAIMS = tuple(
    Claim(name, part, text, rule, where=where) for part, (claims, where) in PARTS.items() for name, text, rule in claims
)
