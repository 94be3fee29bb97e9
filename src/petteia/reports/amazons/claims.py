"""The rules that judge the claims of the original study, which `claims.toml` lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

from petteia.reports.amazons import orderings, plan, seen
from petteia.reports.amazons.plan import (
    ALL_MOVES,
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
from petteia.reports.engine.claims import read_claims
from petteia.reports.engine.figures import Figure, combination, difference
from petteia.reports.engine.round_robins import Asked, best_is, lead, may_be_best, score
from petteia.reports.engine.rules import Rule, above, all_of, below, more_often, within

LITTLE, MIDDLE, MUCH = SECONDS
"""the times of the original in seconds"""
BEST = "shares that may be best"
MUCH_LOWER = 0.1
"""the smallest difference of scores that counts as large"""
SMALLEST = plan.PARTS[-1]
OTHERS = (SIMPLY, UPGRADED_SIMPLE, UPGRADED)


def ahead(
    seconds: Sequence[int], *pairs: tuple[str, str], of: Callable[[int], Asked] = players_at, bound: float = 0.0
) -> Rule:
    """Return a rule that tests whether, at all these times, the first player of each pair is ahead of the second."""
    return all_of(
        above(lead(of(each), one, other, f", {at(each)}"), bound) for each, (one, other) in product(seconds, pairs)
    )


def at(seconds: int) -> str:
    """Return a time limit of the original study in words, such as `at 2 s`."""
    return f"at {seconds} s"


def rise(player: str, until: int = MUCH) -> Figure:
    """Return how much the score of a player rises if its time limit grows from 2 to `until` seconds."""
    one, other = (score(players_at(seconds), player) for seconds in (until, LITTLE))
    return combination(((1.0, one), (-1.0, other)), "the gain in score", f"“{player}”, from {LITTLE} s to {until} s")


def widening(one: str, other: str, since: int = LITTLE, of: Callable[[int], Asked] = players_at) -> Figure:
    """Return how much a player's lead over another grows if the time limit grows from `since` to 50 seconds."""
    terms = (1.0, lead(of(MUCH), one, other)), (-1.0, lead(of(since), one, other))
    subject = f"“{one}” over “{other}”, from {since} s to {MUCH} s"
    return combination(terms, "the growth of the lead in score", subject)


def best_shares(*seconds: int) -> Callable[[Any], Mapping[str, Sequence[float]]]:
    """Return a function that gives, for each time limit, the shares of kept moves that may be the best."""
    return lambda evidence: {
        at(effort.seconds): [plan.SHARE_OF[text] for text in may_be_best(evidence.round_robin(shares(effort)))]
        for effort in judged(evidence)
        if effort.seconds in seconds
    }


def grows(*shares: float) -> bool:
    """Return whether the best share of kept moves never falls with more time, and is larger at the end."""
    return list(shares) == sorted(shares) and shares[0] < shares[-1]


def is_best(seconds: int, share: float) -> Rule:
    """Return a rule that tests whether the best share of kept moves is the one that the original study names."""
    words = f"{at(seconds)}, w = {share:g} is best"
    return best_is(words, BEST, best_shares(seconds), lambda found: found == share)


RULES: dict[str, Rule] = {
    "first-moves": all_of(
        within(each, number, number) for number, each in zip((20, 544, 2176), seen.FIRST_MOVES, strict=True)
    ),
    "branching-falls": above(seen.FALL, 0.0),
    "spends-long": above(seen.settled(MIDDLE), 0.5),
    "queen-distance-best": all_of(
        above(lead(orderings.at_equal_time, "queen_distance", each, " with equal processor time"), 0.0)
        for each in ("mobility", "decision_tree", "neighbours", "random")
    ),
    "square-matters": above(seen.MATTERS_MORE, 0.0),
    "tree-is-cowardly": above(seen.COWARDLY, 0.0),
    "share-trades": all_of(
        [
            *(above(seen.deeper(f"w = {plan.SHARES[-1]:g}", "simple", each), 0.0) for each in SECONDS),
            below(seen.holds(plan.SHARES[-1]), 0.95),
        ]
    ),
    "takes-back": more_often(
        "the best reply takes back the whole gain of a move that is not quiet more often than the whole "
        "gain of a quiet move",
        "the share of gains that are taken back",
        ("moves that are not quiet", "quiet moves"),
        seen.taken_back,
    ),
    "selective-deeper": all_of(above(seen.deeper("selective", "upgraded selective", each), 0.0) for each in SECONDS),
    "not-ready": all_of(above(seen.not_ready("upgraded selective", each), 0.1) for each in SECONDS),
    **{f"best-{seconds}": is_best(seconds, share) for seconds, share in plan.ORIGINAL_BEST.items()},
    "best-grows": best_is(
        "the best share never falls with more time, and is larger with the longest time than with the shortest",
        BEST,
        best_shares(*SECONDS),
        grows,
    ),
    "small-helps": ahead([LITTLE], (SMALLEST, ALL_MOVES), of=shares_at),
    "small-shrinks": below(widening(SMALLEST, ALL_MOVES, of=shares_at), 0.0),
    "repair-helps": above(lead(plan.repairs, plan.repaired(plan.THRESHOLD, 1), plan.BUILT), 0.0),
    "selective-best-2": ahead([LITTLE], *product((SELECTIVELY, UPGRADED), (SIMPLY, UPGRADED_SIMPLE))),
    "simple-wins-10": ahead([MIDDLE], *product([SIMPLY], (SELECTIVELY, UPGRADED_SIMPLE, UPGRADED))),
    "simple-improves": above(rise(SIMPLY, MIDDLE), MUCH_LOWER),
    "selective-wins-50": ahead([MUCH], *product([SELECTIVELY], OTHERS)),
    "simple-third-2": ahead([LITTLE], (SELECTIVELY, SIMPLY), (UPGRADED, SIMPLY), (SIMPLY, UPGRADED_SIMPLE)),
    "simple-second-50": ahead([MUCH], (SELECTIVELY, SIMPLY), (SIMPLY, UPGRADED_SIMPLE), (SIMPLY, UPGRADED)),
    "only-harms": ahead(SECONDS, (SIMPLY, UPGRADED_SIMPLE), (SELECTIVELY, UPGRADED)),
    "simple-behind": ahead(SECONDS, (SELECTIVELY, SIMPLY)),
    "overtakes": all_of(
        [ahead([MUCH], (SELECTIVELY, SIMPLY)), above(widening(SELECTIVELY, SIMPLY, since=MIDDLE), 0.0)]
    ),
    "same-order": ahead(SECONDS, (SELECTIVELY, UPGRADED), (UPGRADED, UPGRADED_SIMPLE)),
    "selective-rises": above(rise(SELECTIVELY), 0.0),
    "upgraded-fall": all_of(below(rise(each), 0.0) for each in (UPGRADED_SIMPLE, UPGRADED)),
    "gap-grows": all_of(above(widening(SELECTIVELY, each), 0.0) for each in (UPGRADED, UPGRADED_SIMPLE)),
    "best-potential": all_of(above(difference(rise(SELECTIVELY), rise(each)), 0.0) for each in OTHERS),
    "harms-much": ahead(SECONDS, (SELECTIVELY, UPGRADED), bound=MUCH_LOWER),
}
CLAIMS = read_claims("petteia.reports.amazons", "claims.toml", RULES)
