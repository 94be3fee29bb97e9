"""The rules by which the statements of the term project are judged, and the report's own questions.

The project does not say when a game ends, in which seat its program played, or what counts as a gain. So each of its
statements has several readings, and each reading is a claim in claims.toml.
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
from petteia.reports.engine.figures import Figure, combination, ratio
from petteia.reports.engine.measures import Part
from petteia.reports.engine.rules import Rule, above, all_of, below
from petteia.reports.engine.settings import Seated

GAINED = 0.05
"""A program gains if it wins more games than another, or loses fewer, by at least this share of the games."""
HELPED = 0.9
"""A change helps if it lowers the regret below this fraction of the regret without it."""
RESULTS: tuple[Part, ...] = ("won", "lost")
"""the results that an observer may count"""


def place(game: str, seat: int) -> str:
    """Return the reading and the seat as they appear in the names of claims and figures."""
    return f"{SHORT[game]}-{SEATS[seat]}"


def many_draws(learner: Seated) -> Rule:
    """Return a rule that tests whether more than half of the games against random play are drawn."""
    return above(share(learner, "drawn"), 0.5)


def gain(learner: Seated, other: Seated, part: Part, than: str = "random play") -> Figure:
    """Return the difference between the shares of games that two programs win, or lose. A gain is positive.

    `than` is the second program in words.
    """
    sign, change = (1.0, "increase") if part == "won" else (-1.0, "decrease")
    words = f"the {change} in the share of games {part} compared with {than}"
    return combination(((sign, share(learner, part)), (-sign, share(other, part))), words, learner.words)


def no_gain(learner: Seated, part: Part) -> Rule:
    """Return a rule that tests whether a program has no gain over random play in the games won, or in those lost."""
    return below(gain(learner, plan.random_player(learner.game, learner.seat), part), GAINED)


def learned(game: str, seat: int) -> Rule:
    """Return a rule that tests whether training improves the learner of the term project."""
    untrained = term(game, seat, plan.UNTRAINED)
    return above(gain(term(game, seat), untrained, decisive(game, seat), "the untrained learner"), GAINED)


def decisive(game: str, seat: int) -> Part:
    """Return the result in which training can show a gain: `won`, or `lost` if the rules exclude a win."""
    return "lost" if (game, seat, "won") in plan.IMPOSSIBLE else "won"


def fits(learner: Seated, counted: Iterable[Part]) -> Rule:
    """Return a rule that tests whether a program shows both results of the project: very many draws, and no gain."""
    return all_of((many_draws(learner), *(no_gain(learner, part) for part in counted)))


def remaining_regret(change: str, game: str, seat: int, over: str = truth.SAMPLE) -> Figure:
    """Return the regret after a change to the training, divided by the regret without the change."""
    changed, before = plan.compared(change, game, seat)
    with_change = f"the regret with {plan.JUDGED_WORDS.get(change, change)}"
    words = f"the ratio of {with_change} to the regret of the unchanged learner"
    subject = f"{before.words} and alpha {before.setting.values['alpha']:.0e}"
    return replace(ratio(regret(changed, over), regret(before, over)), words=words, subject=subject)


def helps(change: str, game: str, *seats: int, over: str = truth.SAMPLE) -> Rule:
    """Return a rule that tests whether a change to the training lowers the regret, by default in both seats."""
    return all_of(below(remaining_regret(change, game, seat, over), HELPED) for seat in seats or (0, 1))


def results(depth: int = 2) -> dict[str, Rule]:
    """Return the rules of the claims about the project's results, for a search depth in play."""
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
"""the report's own questions, which are not counted among the claims"""
