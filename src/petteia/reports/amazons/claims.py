"""The conditions under which this report agrees with the claims of the student exercise.

`claims.toml` contains the claims. `RULES` contains the condition for each claim under the same name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

from petteia.reports.amazons import orderings, plan, seen
from petteia.reports.amazons.published import ALL_MOVES, PARTS, SECONDS, SELECTIVELY, SIMPLY, UPGRADED, UPGRADED_SIMPLE
from petteia.reports.engine.claims import read_claims
from petteia.reports.engine.figures import Figure, combination, difference
from petteia.reports.engine.round_robins import best_is, lead, score
from petteia.reports.engine.rules import Rule, above, all_of, below, more_often, within

LITTLE, MIDDLE, MUCH = SECONDS
"""the time limits of the student exercise in seconds"""
MUCH_LOWER = 0.1
"""the smallest difference of scores that counts as large"""
SMALLEST = PARTS[-1]
OTHERS = (SIMPLY, UPGRADED_SIMPLE, UPGRADED)


def ahead(seconds: Sequence[int], *pairs: tuple[str, str], of: str = "players", bound: float = 0.0) -> Rule:
    """Return a condition: at all time limits, the first player of each pair has a higher score than the second.

    The first player's score minus the second player's must be larger than the argument `bound`. `seconds` contains the
    time limits. The argument `of` is the name of the experiment in which the players met, a key of `plan.EXPERIMENTS`.
    """
    return all_of(
        above(lead(plan.at(of, each), one, other, f", at {each} s"), bound)
        for each, (one, other) in product(seconds, pairs)
    )


def rise(player: str, until: int = MUCH) -> Figure:
    """Return how much the score of a player rises if the time limit of all players grows from 2 to `until` seconds."""
    one, other = (score(plan.at("players", seconds), player) for seconds in (until, LITTLE))
    return combination(((1.0, one), (-1.0, other)), "the gain in score", f"“{player}”, from {LITTLE} s to {until} s")


def widening(one: str, other: str, since: int = LITTLE, of: str = "players") -> Figure:
    """Return how much a player's lead over another grows if the time limit grows from `since` to 50 seconds.

    The lead is the score of the player `one` minus the score of the player `other` in the same round robin. The
    argument `of` is the name of the experiment that contains this round robin, a key of `plan.EXPERIMENTS`.
    """
    terms = (1.0, lead(plan.at(of, MUCH), one, other)), (-1.0, lead(plan.at(of, since), one, other))
    subject = f"“{one}” over “{other}”, from {since} s to {MUCH} s"
    return combination(terms, "the growth of the lead in score", subject)


def best(words: str, holds: Callable[..., bool], *seconds: int) -> Rule:
    """Return a condition on the best share of moves to search at each of several time limits.

    `words` describes the condition, and the function `holds` tests it. The arguments of `holds` are the best shares of
    moves to search, one for each time limit, in the order of the time limits.
    """

    def shares(evidence: Any) -> Mapping[str, Sequence[float]]:
        return {f"at {each} s": plan.possibly_best(evidence, plan.effort_for(evidence, each)) for each in seconds}

    return best_is(words, "shares that may be best", shares, holds)


def is_best(seconds: int, share: float) -> Rule:
    """Return a condition: `share` is the best share of moves to search at a time limit of `seconds`."""
    return best(f"at {seconds} s, w = {share:g} is best", lambda found: found == share, seconds)


def grows(*shares: float) -> bool:
    """Return whether a sequence of shares never decreases, and its last share is larger than the first.

    Each share is the best share of moves to search at a time limit. The time limits increase.
    """
    return list(shares) == sorted(shares) and shares[0] < shares[-1]


RULES: dict[str, Rule] = {
    "first-moves": all_of(within(seen.first_moves(kind), count, count) for kind, count in enumerate((20, 544, 2176))),
    "branching-falls": above(seen.FALL, 0.0),
    "spends-long": above(seen.settled(MIDDLE), 0.5),
    "queen-distance-best": all_of(
        above(lead(orderings.at_equal_time, "queen_distance", each, " with equal processor time"), 0.0)
        for each in ("mobility", "decision_tree", "neighbours", "random")
    ),
    "square-matters": above(seen.MATTERS_MORE, 0.0),
    "tree-is-cowardly": above(seen.COWARDLY, 0.0),
    "share-trades": all_of(
        [*(above(seen.deeper(SMALLEST, SIMPLY, each), 0.0) for each in SECONDS), below(seen.holds(0.25), 0.95)]
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
    "best-grows": best(
        "the best share never falls with more time, and is larger with the longest time than with the shortest",
        grows,
        *SECONDS,
    ),
    "small-helps": ahead([LITTLE], (SMALLEST, ALL_MOVES), of="selection"),
    "small-shrinks": below(widening(SMALLEST, ALL_MOVES, of="selection"), 0.0),
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
