"""The rules by which the statements of the term project are judged, and the report's own questions.

The project does not say in which seat its program played, nor what counts as a gain. So each of its statements has
several readings, and each reading is a claim in claims.toml.
"""

from __future__ import annotations

from dataclasses import replace

from petteia.reports.british_square import plan
from petteia.reports.british_square.plan import OPPONENTS, PROJECT, PUBLISHED, SEATS, regret, suspect, term
from petteia.reports.engine.claims import read_claims
from petteia.reports.engine.figures import Figure, difference, ratio
from petteia.reports.engine.measures import Part, of_match
from petteia.reports.engine.rules import Rule, above, all_of, below, most_below
from petteia.reports.engine.truth import PERFECT, ceiling

VISIBLE = 0.05
"""The smallest change of a share of games that an observer would notice."""
RANDOM = 0.57
"""The share of games that random play wins as first player, and loses as second, by the project's rules."""
HELPED = 0.9
"""A treatment helps if it lowers the regret below this part of the regret without the treatment."""
BY = {PROJECT: "by the project's rules", PUBLISHED: "by the published rules"}
SUGGESTED = ("features", "random play", *OPPONENTS)
"""the treatments that the project suggests"""

MAXIMUM = ceiling(PROJECT, 1, "the largest share of games that any second player can win by the project's rules")


def of_project(part: Part, seat: int, alpha: float = plan.ALPHA) -> Figure:
    """Return a share of the games of the project's learner against random play, by the project's rules."""
    return of_match(plan.against_random(term(PROJECT, seat, alpha)), part)


def remaining_regret(treatment: str, game: str, seat: int) -> Figure:
    """Return the regret with a treatment, divided by the regret without it."""
    changed, unchanged = (regret(suspect(each, game, seat)) for each in (treatment, plan.NOTHING))
    words = f"the regret of a move in the {SEATS[seat]} seat, divided by the regret without the change, {BY[game]},"
    return replace(ratio(changed, unchanged), words=words, subject="")


def change_in_games(treatment: str, seat: int) -> Figure:
    """Return the change of the regret by a treatment, in games against the perfect player by the published rules."""
    changed, unchanged = (regret(suspect(each, PUBLISHED, seat), PERFECT) for each in (treatment, plan.NOTHING))
    return difference(
        changed, unchanged, f"the change of the regret against the perfect player in the {SEATS[seat]} seat"
    )


def helps_in_seat(treatment: str, seat: int) -> Rule:
    """Return the rule that a treatment lowers the regret in a seat, by the published rules."""
    return below(remaining_regret(treatment, PUBLISHED, seat), HELPED)


def helps(treatment: str) -> Rule:
    """Return the rule that a treatment lowers the regret in both seats, by the published rules."""
    return all_of(helps_in_seat(treatment, seat) for seat in range(len(SEATS)))


def helps_second(treatment: str) -> Rule:
    """Return the rule that a treatment gives the second player more draws and less regret, by the project's rules."""
    changed, unchanged = (suspect(each, PROJECT, 1) for each in (treatment, plan.NOTHING))
    draws, drawn_before = (of_match(plan.against_random(each), "drawn") for each in (changed, unchanged))
    more_draws = difference(draws, drawn_before, f"the gain in draws of the second player, {BY[PROJECT]},")
    return all_of((above(more_draws, 0.0), below(remaining_regret(treatment, PROJECT, 1), HELPED)))


def named(treatment: str) -> str:
    """Return the name of a treatment as it appears in the names of claims."""
    return treatment.replace(" ", "-")


RULES = {
    "draws-second": above(of_project("drawn", 1), 0.5),
    "draws-first": above(of_project("drawn", 0), 0.5),
    "nothing-second": most_below(of_project("won", 1), VISIBLE),
    "nothing-first": below(of_project("won", 0), RANDOM + VISIBLE),
    "nothing-lost": above(of_project("lost", 1), RANDOM - VISIBLE),
    "features-help": helps("features"),
    "self-play-helps": helps("random play"),
    **{f"{named(each)}-helps": helps(each) for each in OPPONENTS},
    **{f"{named(each)}-helps-second": helps_second(each) for each in OPPONENTS},
}
"""the rule of each claim in claims.toml"""
CLAIMS = read_claims("petteia.reports.british_square", "claims.toml", RULES)
STATEMENTS = len({each.part for each in CLAIMS})
"""the number of the project's statements; the claims of one part are readings of the same statement"""
QUESTIONS = {
    "second-can-win": above(MAXIMUM, 0.0),
    "unread-weights-draw": above(of_project("drawn", 0, 0.0), 0.5),
    "small-steps-draw": above(of_project("drawn", 0, plan.ALPHAS[0]), 0.5),
    **{f"{named(each)}-{SEATS[seat]}": helps_in_seat(each, seat) for each in SUGGESTED for seat in range(len(SEATS))},
    **{
        f"random-play-in-games-{words}": below(change_in_games("random play", seat), 0.0)
        for seat, words in enumerate(SEATS)
    },
}
"""the report's own questions, which are not counted among the claims"""
