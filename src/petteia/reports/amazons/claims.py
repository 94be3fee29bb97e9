"""The rules that judge the claims of the original study, which `claims.toml` lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from petteia.reports.amazons import orderings, plan, seen
from petteia.reports.amazons.plan import (
    ALL_MOVES,
    ORIGINAL_BEST,
    SELECTIVELY,
    SHARES,
    SIMPLE,
    SIMPLY,
    UPGRADED,
    UPGRADED_SIMPLE,
    judged,
    keeping,
    players_at,
    shares,
    shares_at,
)
from petteia.reports.amazons.published import SECONDS
from petteia.reports.engine.claims import read_claims
from petteia.reports.engine.figures import Figure, combination, difference
from petteia.reports.engine.round_robins import Asked, best_is, lead, may_be_best, score
from petteia.reports.engine.rules import Rule, above, all_of, below, more_often, within

LITTLE, MIDDLE, MUCH = SECONDS
"""the times of the original in seconds"""
MUCH_LOWER = 0.1
"""the smallest difference of scores that counts as large"""
SETTLED = 0.5
"""the smallest share of the nodes of a move that counts as long if it is used after the choice is fixed"""
NEARLY_ALWAYS = 0.95
"""a selection may leave out the best move if it contains this move in a smaller share of positions"""
OFTEN = 0.1
"""the smallest share of positions that counts as often"""
SMALLEST = plan.PARTS[-1]
HALF = keeping(0.5)
"""the selective player of the measurements in positions"""


def ahead(one: str, *others: str, seconds: int, of: Callable[[int], Asked] = players_at) -> list[Rule]:
    """Return rules that test whether a player has a higher score than each of the `others`."""
    return [above(lead(of(seconds), one, each, at(seconds)), 0.0) for each in others]


def at(seconds: int) -> str:
    """Return a time limit of the original study in words, such as `at 2 s`."""
    return f"at {seconds} s"


def rise(player: str, since: int, until: int) -> Figure:
    """Return how much the score of a player rises if its time limit grows from `since` to `until` seconds."""
    words = f"the gain in score from {since} s to {until} s"
    one, other = (score(players_at(seconds), player) for seconds in (until, since))
    return combination(((1.0, one), (-1.0, other)), words, player)


def widening(one: str, other: str, since: int, until: int, of: Callable[[int], Asked] = players_at) -> Figure:
    """Return how much a player's lead over another grows with the time limit, from `since` to `until` seconds."""
    words = f"the growth of the lead in score from {since} s to {until} s"
    terms = (1.0, lead(of(until), one, other)), (-1.0, lead(of(since), one, other))
    return combination(terms, words, f"{one} over {other}")


def best_shares(*seconds: int) -> Callable[[Any], Mapping[str, Sequence[float]]]:
    """Return a function that gives, for each time limit, the shares of kept moves that may be the best."""

    def sets(evidence: Any) -> Mapping[str, Sequence[float]]:
        return {
            at(effort.seconds): [plan.SHARE_OF[text] for text in may_be_best(evidence.round_robin(shares(effort)))]
            for effort in judged(evidence)
            if effort.seconds in seconds
        }

    return sets


def grows(*shares: float) -> bool:
    """Return whether the best share of kept moves never falls with more time, and is larger at the end."""
    return list(shares) == sorted(shares) and shares[0] < shares[-1]


def is_best(seconds: int) -> Rule:
    """Return a rule that tests whether the best share of kept moves is the one that the original study names."""
    share = ORIGINAL_BEST[seconds]
    return best_is(f"w = {share:g} is best {at(seconds)}", best_shares(seconds), lambda found: found == share)


RULES: dict[str, Rule] = {
    "first-moves": all_of(
        within(each, number, number) for number, each in zip((20, 544, 2176), seen.FIRST_MOVES, strict=True)
    ),
    "branching-falls": above(seen.FALL, 0.0),
    "spends-long": above(seen.settled(MIDDLE), SETTLED),
    "queen-distance-best": all_of(
        above(lead(orderings.at_equal_time, "queen_distance", each), 0.0)
        for each in ("mobility", "decision_tree", "neighbours", "random")
    ),
    "square-matters": above(seen.MATTERS_MORE, 0.0),
    "tree-is-cowardly": above(seen.COWARDLY, 0.0),
    "share-trades": all_of(
        [
            *(above(seen.deeper(keeping(SHARES[-1]), SIMPLE, each, at(each)), 0.0) for each in SECONDS),
            below(seen.holds(SHARES[-1]), NEARLY_ALWAYS),
        ]
    ),
    "takes-back": more_often(
        "the best reply takes back the whole gain of a move that is not quiet more often than the whole "
        "gain of a quiet move",
        ("gains of moves that are not quiet", "gains of quiet moves"),
        "are taken back",
        seen.taken_back,
    ),
    "selective-deeper": all_of(
        above(seen.deeper(HALF, f"{HALF},{plan.QUIET}", each, at(each)), 0.0) for each in SECONDS
    ),
    "not-ready": all_of(above(seen.not_ready(f"{HALF},{plan.QUIET}", each, at(each)), OFTEN) for each in SECONDS),
    **{f"best-{each}": is_best(each) for each in ORIGINAL_BEST},
    "best-grows": best_is(
        "the best share never falls with more time, and is larger with the longest time than with the shortest",
        best_shares(*SECONDS),
        grows,
    ),
    "small-helps": all_of(ahead(SMALLEST, ALL_MOVES, seconds=LITTLE, of=shares_at)),
    "small-shrinks": below(widening(SMALLEST, ALL_MOVES, LITTLE, MUCH, shares_at), 0.0),
    "repair-helps": above(lead(plan.repairs, plan.repaired(plan.THRESHOLD, 1), plan.BUILT), 0.0),
    "selective-best-2": all_of(
        rule for one in (SELECTIVELY, UPGRADED) for rule in ahead(one, SIMPLY, UPGRADED_SIMPLE, seconds=LITTLE)
    ),
    "simple-wins-10": all_of(ahead(SIMPLY, SELECTIVELY, UPGRADED_SIMPLE, UPGRADED, seconds=MIDDLE)),
    "simple-improves": above(rise(SIMPLY, LITTLE, MIDDLE), MUCH_LOWER),
    "selective-wins-50": all_of(ahead(SELECTIVELY, SIMPLY, UPGRADED_SIMPLE, UPGRADED, seconds=MUCH)),
    "simple-third-2": all_of(
        [
            *(rule for one in (SELECTIVELY, UPGRADED) for rule in ahead(one, SIMPLY, seconds=LITTLE)),
            *ahead(SIMPLY, UPGRADED_SIMPLE, seconds=LITTLE),
        ]
    ),
    "simple-second-50": all_of(
        [
            *ahead(SELECTIVELY, SIMPLY, seconds=MUCH),
            *ahead(SIMPLY, UPGRADED_SIMPLE, UPGRADED, seconds=MUCH),
        ]
    ),
    "only-harms": all_of(
        rule
        for seconds in SECONDS
        for rule in (
            *ahead(SIMPLY, UPGRADED_SIMPLE, seconds=seconds),
            *ahead(SELECTIVELY, UPGRADED, seconds=seconds),
        )
    ),
    "simple-behind": all_of(rule for seconds in SECONDS for rule in ahead(SELECTIVELY, SIMPLY, seconds=seconds)),
    "overtakes": all_of(
        [
            *ahead(SELECTIVELY, SIMPLY, seconds=MUCH),
            above(widening(SELECTIVELY, SIMPLY, MIDDLE, MUCH), 0.0),
        ]
    ),
    "same-order": all_of(
        rule
        for seconds in SECONDS
        for rule in (
            *ahead(SELECTIVELY, UPGRADED, seconds=seconds),
            *ahead(UPGRADED, UPGRADED_SIMPLE, seconds=seconds),
        )
    ),
    "selective-rises": above(rise(SELECTIVELY, LITTLE, MUCH), 0.0),
    "upgraded-fall": all_of(below(rise(each, LITTLE, MUCH), 0.0) for each in (UPGRADED_SIMPLE, UPGRADED)),
    "gap-grows": all_of(above(widening(SELECTIVELY, each, LITTLE, MUCH), 0.0) for each in (UPGRADED, UPGRADED_SIMPLE)),
    "best-potential": all_of(
        above(difference(rise(SELECTIVELY, LITTLE, MUCH), rise(each, LITTLE, MUCH)), 0.0)
        for each in (SIMPLY, UPGRADED_SIMPLE, UPGRADED)
    ),
    "harms-much": all_of(
        above(lead(players_at(each), SELECTIVELY, UPGRADED, at(each)), MUCH_LOWER) for each in SECONDS
    ),
}
CLAIMS = read_claims("petteia.reports.amazons", "claims.toml", RULES)
