"""The claims of the report, each with the condition on measured values that decides its verdict.

The term project does not say when a game ends, in which seat its program played, or whether losses count. The
statements of the project can therefore be interpreted in several ways. Each interpretation is a separate claim in
claims.toml.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from petteia.experiments.verdicts import AGREES, DIFFERS
from petteia.reports.british_square import plan
from petteia.reports.british_square.plan import COMPARED, MOVER, PLACES, PUBLISHED, SEATS, SHORT, regret, share, term
from petteia.reports.engine import truth
from petteia.reports.engine.claims import read_claims
from petteia.reports.engine.figures import Figure, Part, combination, ratio
from petteia.reports.engine.rules import Rule, above, all_of, below
from petteia.reports.engine.settings import Seated

GAINED = 0.05
"""The minimum difference from another program, as a share of the games won or lost, that counts as a gain."""
HELPED = 0.9
"""A change to the training helps if the regret, relative to the unchanged learner, is below this number."""
RESULTS: tuple[Part, ...] = ("won", "lost")
"""the results that an observer may count"""


def place(game: str, seat: int) -> str:
    """Return the name of a rule for the end of the game and a seat, such as `mover-first`, for names of claims."""
    return f"{SHORT[game]}-{SEATS[seat]}"


def many_draws(learner: Seated) -> Rule:
    """Return the test of the claim that a learner draws more than half of its games against random play."""
    return above(share(learner, "drawn"), 0.5)


def gain(learner: Seated, other: Seated, part: Part, than: str = "random play") -> Figure:
    """Return the difference between two programs in the share of games won, or in the share of games lost.

    The difference is positive if the program `learner` is better than the program `other`. `than` describes the program
    `other` in words.
    """
    sign, change = (1.0, "increase") if part == "won" else (-1.0, "decrease")
    words = f"the {change} in the share of games {part}, compared with {than},"
    return combination(((sign, share(learner, part)), (-sign, share(other, part))), words, learner.words)


def no_gain(learner: Seated, part: Part) -> Rule:
    """Return the test of the claim that a learner is not clearly better than random play.

    `part` is `won` if the shares of games won are compared, and `lost` if the shares of games lost are compared.
    """
    return below(gain(learner, plan.random_player(learner.game, learner.seat), part), GAINED)


def learned(game: str, seat: int) -> Rule:
    """Return the test of the claim that the term project's learner is clearly better after training than before."""
    untrained = term(game, seat, plan.UNTRAINED)
    return above(gain(term(game, seat), untrained, decisive(game, seat), "the untrained learner"), GAINED)


def decisive(game: str, seat: int) -> Part:
    """Return the result by which players are compared: `won`, or `lost` if the rules exclude a win in this seat.

    Seat 0 is the first player, and seat 1 is the second player.
    """
    return "lost" if (game, seat, "won") in plan.IMPOSSIBLE else "won"


def fits(learner: Seated, counted: Iterable[Part]) -> Rule:
    """Return the test of the claim that a learner draws very often and is not clearly better than random play.

    The term project's program draws very often, and is not clearly better than random play. `counted` states whether
    games won, games lost, or both are compared.
    """
    return all_of((many_draws(learner), *(no_gain(learner, part) for part in counted)))


def remaining_regret(change: str, game: str, seat: int, over: str = truth.SAMPLE) -> Figure:
    """Return the regret of a learner with a change to its training, divided by that of the unchanged learner."""
    changed, before = plan.compared(change, game, seat)
    after = plan.JUDGED_WORDS.get(change, f"the change “{plan.COMPARISONS[change]}”")
    words = f"the regret after {after}, relative to the unchanged learner,"
    subject = f"{before.words} and alpha {before.setting.values['alpha']:.0e}"
    return replace(ratio(regret(changed, over), regret(before, over)), words=words, subject=subject)


def helps(change: str, game: str, *seats: int, over: str = truth.SAMPLE) -> Rule:
    """Return the test of the claim that a change to the training lowers the regret by at least a tenth.

    If no `seats` are given, the change must lower the regret of the first player and of the second player.
    """
    return all_of(below(remaining_regret(change, game, seat, over), HELPED) for seat in seats or (0, 1))


def results(depth: int = 2) -> dict[str, Rule]:
    """Return the tests of the claims about the term project's results, for a learner with search depth `depth`."""
    rules = {}
    for each in PLACES:
        learner = term(*each, depth=depth)
        rules[f"draws-{place(*each)}"] = many_draws(learner)
        for part in RESULTS:
            if part == "won" or (*each, part) not in plan.IMPOSSIBLE:
                rules[f"{part}-{place(*each)}"] = no_gain(learner, part)
    return rules


def opposite(evidence: Any) -> list[str]:
    """Return the names of the claims about the project's results that have the opposite verdict at search depth 1."""
    shallow = results(1)
    verdicts = {name: {each[name].judge(evidence).verdict for each in (RULES, shallow)} for name in shallow}
    return [name for name, found in verdicts.items() if found == {AGREES, DIFFERS}]


RULES = {
    **results(),
    **{f"{name}-helps-{SHORT[game]}": helps(name, game) for name in plan.JUDGED_WORDS for game in (MOVER, PUBLISHED)},
}
"""the rule of each claim in claims.toml"""
CLAIMS = read_claims("petteia.reports.british_square", "claims.toml", RULES)
QUESTIONS = {
    "second-can-win": above(truth.ceiling(MOVER, 1), 0.0),
    **{f"{change}-{place(*each)}": helps(change, *each) for change in plan.COMPARISONS for each in COMPARED},
    **{f"in-games-{SEATS[seat]}": helps(plan.SELF_PLAY, PUBLISHED, seat, over=truth.PERFECT) for seat in (0, 1)},
}
"""Further conditions on whose verdicts sentences of the page depend. They are not counted as claims."""
