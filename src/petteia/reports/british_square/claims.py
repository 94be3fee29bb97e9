"""The rules by which the statements of the term project are judged, and the report's own questions.

The project does not say when a game ends, in which seat its program played, or what counts as a gain. So each of its
statements has several readings, and each reading is a claim in claims.toml.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from petteia.reports.british_square.plan import (
    EITHER,
    IMPOSSIBLE,
    MOVER,
    NOTHING,
    OPPONENTS,
    PUBLISHED,
    READINGS,
    SEATS,
    TREATMENTS,
    UNTRAINED,
    against_random,
    random_player,
    regret,
    share,
    suspect,
    term,
)
from petteia.reports.engine import truth
from petteia.reports.engine.claims import read_claims
from petteia.reports.engine.figures import Figure, difference, ratio
from petteia.reports.engine.measures import Part
from petteia.reports.engine.rules import Rule, above, all_of, below
from petteia.reports.engine.settings import Seated

MANY = 0.5
"""A program draws very many games if it draws a larger share of them than this."""
GAINED = 0.05
"""A program gains if it wins more games than another, or loses fewer, by at least this share of the games."""
GAINS: dict[Part, str] = {
    "won": "the gain in the share of games won",
    "lost": "the gain in the share of games not lost",
}
"""the gains that an observer may count, with their words"""
HELPED = 0.9
"""A treatment helps if it lowers the regret below this fraction of the regret without the treatment."""
IN_NAMES = {MOVER: "mover", EITHER: "either", PUBLISHED: "both"}
"""the words for the readings of the rules in the names of claims"""
SUGGESTED = ("features", *OPPONENTS)
"""the treatments that the project suggests"""
SELF_PLAY = "random play"
BOTH_SEATS = range(len(SEATS))


def many_draws(learner: Seated) -> Rule:
    """Return a rule that tests whether very many games against random play are drawn."""
    return above(share(against_random(learner), "drawn"), MANY)


def gain(learner: Seated, other: Seated, part: Part) -> Figure:
    """Return the difference between two programs in the share of games won, or not lost, against random play."""
    one, two = (share(against_random(each), part) for each in (learner, other))
    words = f"{GAINS[part]}, compared with {other.words},"
    found = difference(one, two, words) if part == "won" else difference(two, one, words)
    return replace(found, subject=learner.words)


def no_gain(learner: Seated, part: Part) -> Rule:
    """Return a rule that tests whether a program has no gain over random play in the games won, or in those lost."""
    return below(gain(learner, random_player(learner.game, learner.seat), part), GAINED)


def learned(game: str, seat: int) -> Rule:
    """Return a rule that tests whether training improves the learner of the term project."""
    part = decisive(game, seat)
    return above(gain(term(game, seat), term(game, seat, UNTRAINED), part), GAINED)


def decisive(game: str, seat: int) -> Part:
    """Return the result in which training can show a gain: `won`, or `lost` if the rules exclude a win."""
    return "lost" if (game, seat, "won") in IMPOSSIBLE else "won"


def fits(learner: Seated, counted: Iterable[Part]) -> Rule:
    """Return a rule that tests whether a program shows both results of the project: very many draws, and no gain."""
    return all_of((many_draws(learner), *(no_gain(learner, part) for part in counted)))


def remaining_regret(treatment: str, game: str, seat: int, over: str = truth.SAMPLE) -> Figure:
    """Return the regret after a change to the training, divided by the regret without the change."""
    changed, unchanged = (regret(suspect(each, game, seat), over) for each in (treatment, NOTHING))
    words = "the ratio of the regret with the change to the regret without it"
    return replace(ratio(changed, unchanged), words=words, subject=f"{SEATS[seat]} seat, {READINGS[game]}")


def helps(treatment: str, game: str) -> Rule:
    """Return a rule that tests whether a change to the training lowers the regret in both seats."""
    return all_of(helps_in_seat(treatment, game, seat) for seat in BOTH_SEATS)


def helps_in_seat(treatment: str, game: str, seat: int, over: str = truth.SAMPLE) -> Rule:
    """Return a rule that tests whether a change to the training lowers the regret in a seat."""
    return below(remaining_regret(treatment, game, seat, over), HELPED)


def named(treatment: str) -> str:
    """Return the name of a change to the training (`treatment`) as it appears in the names of claims."""
    return treatment.replace(" ", "-")


RULES = {
    **{
        f"{name}-{IN_NAMES[game]}-{SEATS[seat]}": rule
        for game in READINGS
        for seat in BOTH_SEATS
        for name, rule in (
            ("draws", many_draws(term(game, seat))),
            *(
                (part, no_gain(term(game, seat), part))
                for part in GAINS
                if part == "won" or (game, seat, part) not in IMPOSSIBLE
            ),
        )
    },
    **{
        f"{named(each)}-helps-{IN_NAMES[game]}": helps(each, game)
        for each in (*SUGGESTED, SELF_PLAY)
        for game in (MOVER, PUBLISHED)
    },
}
"""the rule of each claim in claims.toml"""
CLAIMS = read_claims("petteia.reports.british_square", "claims.toml", RULES)
QUESTIONS = {
    **{f"learned-{IN_NAMES[game]}-{SEATS[seat]}": learned(game, seat) for game in READINGS for seat in BOTH_SEATS},
    "second-can-win": above(
        truth.ceiling(MOVER, 1, "the largest share of games that any second player can win under mover blocked"), 0.0
    ),
    **{
        f"{named(each)}-{IN_NAMES[game]}-{SEATS[seat]}": helps_in_seat(each, game, seat)
        for each in TREATMENTS
        if each != NOTHING
        for game in (MOVER, PUBLISHED)
        for seat in BOTH_SEATS
    },
    **{
        f"self-play-in-games-{words}": helps_in_seat(SELF_PLAY, PUBLISHED, seat, truth.PERFECT)
        for seat, words in enumerate(SEATS)
    },
}
"""the report's own questions, which are not counted among the claims"""
