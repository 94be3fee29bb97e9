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
from petteia.reports.engine.figures import Figure, difference, ratio
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
    words = f"{plan.rule_of(learner)}, the share of games that the program draws {learner.words}"
    return above(replace(share(learner, "drawn"), words=words, subject=""), 0.5)


def gain(learner: Seated, other: Seated, part: Part) -> Figure:
    """Return how much more of its games a program wins than another program, or how much less it loses."""
    does = "wins" if part == "won" else "loses"
    figures = [
        (share(learner, part), f"the share of games that the program {does} {learner.words}"),
        (share(other, part), f"the share of games that {other.words} {does}"),
    ]
    (one, one_words), (two, two_words) = figures if part == "won" else reversed(figures)
    return difference(one, two, f"{plan.rule_of(learner)}, {one_words}, minus {two_words},")


def no_gain(learner: Seated, part: Part) -> Rule:
    """Return a rule that tests whether a program has no gain over random play in the games won, or in those lost."""
    return below(gain(learner, plan.random_player(learner.game, learner.seat), part), GAINED)


def learned(game: str, seat: int) -> Rule:
    """Return a rule that tests whether training improves the learner of the term project."""
    return above(gain(term(game, seat), term(game, seat, plan.UNTRAINED), decisive(game, seat)), GAINED)


def decisive(game: str, seat: int) -> Part:
    """Return the result in which training can show a gain: `won`, or `lost` if the rules exclude a win."""
    return "lost" if (game, seat, "won") in plan.IMPOSSIBLE else "won"


def fits(learner: Seated, counted: Iterable[Part]) -> Rule:
    """Return a rule that tests whether a program shows both results of the project: very many draws, and no gain."""
    return all_of((many_draws(learner), *(no_gain(learner, part) for part in counted)))


def remaining_regret(change: str, game: str, seat: int, over: str = truth.SAMPLE) -> Figure:
    """Return the regret after a change to the training, divided by the regret without the change."""
    changed, before = plan.suspect(change, game, seat), plan.unchanged(change, game, seat)
    words = f"the regret {plan.WORDS['judged'].get(change, change)}, divided by the regret of the unchanged learner,"
    found = ratio(regret(changed, over), regret(before, over))
    return replace(found, words=f"{plan.rule_of(changed)}, {words}", subject=changed.words)


def helps(change: str, game: str, *seats: int, over: str = truth.SAMPLE) -> Rule:
    """Return a rule that tests whether a change to the training lowers the regret, by default in both seats."""
    return all_of(below(remaining_regret(change, game, seat, over), HELPED) for seat in seats or (0, 1))


def results(depth: int = 2) -> dict[str, Rule]:
    """Return the rules of the claims about the project's results, for a search depth in play."""
    learners = {each: term(*each, depth=depth) for each in PLACES}
    return {
        **{f"draws-{place(*each)}": many_draws(learner) for each, learner in learners.items()},
        **{
            f"{part}-{place(*each)}": no_gain(learner, part)
            for each, learner in learners.items()
            for part in RESULTS
            if part == "won" or (*each, part) not in plan.IMPOSSIBLE
        },
    }


def opposite(evidence: Any) -> list[str]:
    """Return the names of the claims about the project's results that have the opposite verdict at search depth 1."""
    decided = {AGREES, DIFFERS}
    return [
        name
        for name, rule in results(1).items()
        if {rule.judge(evidence).verdict, RULES[name].judge(evidence).verdict} == decided
    ]


def alpha_ratio(seat: int) -> Figure:
    """Return the regret at alpha 1e-04 divided by that at alpha 1e-05, by the rules of the published game."""
    return ratio(regret(plan.unchanged("features", PUBLISHED, seat)), regret(term(PUBLISHED, seat)))


RULES = {
    **results(),
    **{
        f"{change}-helps-{SHORT[game]}": helps(change, game)
        for change in (*plan.SUGGESTED, plan.SELF_PLAY)
        for game in (MOVER, PUBLISHED)
    },
}
"""the rule of each claim in claims.toml"""
CLAIMS = read_claims("petteia.reports.british_square", "claims.toml", RULES)
QUESTIONS = {
    "second-can-win": above(truth.ceiling(MOVER, 1), 0.0),
    **{f"{change}-{place(*each)}": helps(change, *each) for change in plan.CHANGES for each in COMPARED},
    **{f"alpha-{place(PUBLISHED, seat)}": below(alpha_ratio(seat), HELPED) for seat in (0, 1)},
    **{
        f"in-games-{place(PUBLISHED, seat)}": helps(plan.SELF_PLAY, PUBLISHED, seat, over=truth.PERFECT)
        for seat in (0, 1)
    },
}
"""the report's own questions, which are not counted among the claims"""
