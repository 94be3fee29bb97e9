"""How what the term project says is judged: a rule for each claim of claims.toml."""

from __future__ import annotations

from dataclasses import replace

from petteia.reports.british_square import plan
from petteia.reports.british_square.plan import PROJECT, PUBLISHED, SEATS, gives_away, suspect, term
from petteia.reports.engine.claims import read_claims
from petteia.reports.engine.figures import Figure, difference, ratio
from petteia.reports.engine.measures import Part, of_match
from petteia.reports.engine.rules import Rule, above, all_of, below, most_below
from petteia.reports.engine.truth import ceiling

SIGHT = 0.05
"""a share of games less than which nobody would see by eye"""
RANDOM = 0.57
"""the share of games that random play wins as first, and loses as second player, by the project's rules"""
HELPED = 0.9
"""the part of what a move gives away as it stands that whoever is helped gives away at most"""
BY = {PROJECT: "by the project's rules", PUBLISHED: "by the published rules"}

MOST = ceiling(PROJECT, 1, "the share of games that the best second player of all wins by the project's rules")


def of_project(part: Part, seat: int) -> Figure:
    """A share of the games of the project's learner against random play, by the project's rules."""
    return of_match(plan.against_random(term(PROJECT, seat)), part)


def helps(treatment: str) -> Rule:
    """What is changed makes moves better, in both seats, under the rules of the published game."""
    return all_of(below(results_still_lost(treatment, PUBLISHED, seat), HELPED) for seat in range(len(SEATS)))


def helps_second(treatment: str) -> Rule:
    """What is changed brings the second player more draws and better moves, by the project's rules."""
    changed, as_it_was = (suspect(each, PROJECT, 1) for each in (treatment, plan.NOTHING))
    draws, drawn_before = (of_match(plan.against_random(each), "drawn") for each in (changed, as_it_was))
    more_draws = difference(draws, drawn_before, f"the gain in draws of the second player, {BY[PROJECT]}")
    return all_of((above(more_draws, 0.0), below(results_still_lost(treatment, PROJECT, 1), HELPED)))


def results_still_lost(treatment: str, game: str, seat: int) -> Figure:
    """How much of what a move gave away is still given away with something changed."""
    changed, as_it_was = (gives_away(suspect(each, game, seat)) for each in (treatment, plan.NOTHING))
    words = f"what a move in the {SEATS[seat]} seat gives away, in units of what it gave away, {BY[game]}"
    return replace(ratio(changed, as_it_was), words=words, subject="")


RULES = {
    "draws-second": above(of_project("drawn", 1), 0.5),
    "draws-first": above(of_project("drawn", 0), 0.5),
    "nothing-second": most_below(of_project("won", 1), SIGHT),
    "nothing-first": below(of_project("won", 0), RANDOM + SIGHT),
    "nothing-lost": above(of_project("lost", 1), RANDOM - SIGHT),
    "gain-shows": above(MOST, SIGHT),
    "features-help": helps("features"),
    "self-play-helps": helps("random play"),
    **{f"{name.replace(' ', '-')}-helps": helps(name) for name in plan.OPPONENTS},
    **{f"{name.replace(' ', '-')}-helps-second": helps_second(name) for name in plan.OPPONENTS},
}
"""How each claim of claims.toml is judged."""
CLAIMS = read_claims("petteia.reports.british_square", "claims.toml", RULES)
