"""What the term project says, and how each of it is judged."""

from __future__ import annotations

from dataclasses import replace

from petteia.reports.british_square.plan import (
    NOTHING,
    OPPONENTS,
    PROJECT,
    PUBLISHED,
    SEATS,
    TREATMENTS,
    suspect,
    term,
)
from petteia.reports.british_square.truth import SAMPLE, ceiling, gives_away
from petteia.reports.engine.claims import Claim, most_below
from petteia.reports.engine.figures import Figure, difference
from petteia.reports.engine.measures import Part, of_match
from petteia.reports.engine.rules import Above, Below, Every

SEEN, BLAMED = "What the project saw", "What it suspects"
SIGHT = 0.05
"""a share of games less than which nobody would see by eye"""
RANDOM = 0.57
"""the share of games that random play wins as first, and loses as second player, by the project's rules"""
HELP = 0.1
"""a share of the stones given away, less than which is no help"""


MOST = ceiling(PROJECT, 1, "the share of games that the best second player of all wins by the project's rules")


def of_project(part: Part, seat: int) -> Figure:
    """A share of the games of the project's learner against random play, by the project's rules."""
    return of_match(term(PROJECT, seat).against_random, part)


def helps(treatment: str) -> Every:
    """What is changed makes moves better, in both seats, under the rules of the published game."""
    return Every(tuple(Above(less_given_away(treatment, seat), HELP) for seat in range(len(SEATS))))


def less_given_away(treatment: str, seat: int) -> Figure:
    """By how much less a move gives away with something changed."""
    as_it_was, changed = (gives_away(suspect(each, PUBLISHED, seat), SAMPLE) for each in (NOTHING, treatment))
    return difference(as_it_was, changed, f"what a move in the {SEATS[seat]} seat gives away less")


STATED = (
    Claim(
        "draws-second", SEEN, "Very many games end in a draw (as second player).", Above(of_project("drawn", 1), 0.5)
    ),
    Claim("draws-first", SEEN, "Very many games end in a draw (as first player).", Above(of_project("drawn", 0), 0.5)),
    Claim(
        *("nothing-second", SEEN, "No gain over random play is seen (games won, as second player)."),
        most_below(of_project("won", 1), SIGHT),
    ),
    Claim(
        *("nothing-first", SEEN, "No gain over random play is seen (games won, as first player)."),
        Below(of_project("won", 0), RANDOM + SIGHT),
    ),
    Claim(
        *("nothing-lost", SEEN, "No gain over random play is seen (games not lost, as second player)."),
        Above(of_project("lost", 1), RANDOM - SIGHT),
    ),
    Claim(
        "features-show",
        BLAMED,
        "With better features a gain would be seen (games won, as second player).",
        Above(MOST, SIGHT),
    ),
    Claim(
        "opponent-shows",
        BLAMED,
        "With an opponent that has a strategy a gain would be seen (games won, as second player).",
        Above(MOST, SIGHT),
    ),
    Claim("features-help", BLAMED, "Better features make the learner better.", helps("features")),
    Claim("self-play-helps", BLAMED, "Games against itself make the learner better.", helps("random play")),
    *(
        Claim(
            f"{name.replace(' ', '-')}-helps",
            BLAMED,
            f"An opponent that has a strategy makes the learner better ({words.removeprefix('its opponent: ')}).",
            helps(name),
        )
        for name, words in TREATMENTS.items()
        if name in OPPONENTS
    ),
)
SAID = {SEEN: "its results", BLAMED: "its discussion of the results"}
"""where the project says what"""
CLAIMS = tuple(replace(each, where=SAID[each.part]) for each in STATED)
