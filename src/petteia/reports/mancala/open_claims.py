"""What the report has left open: figures of what was found beyond its pages, and claims that are judged by them."""

from __future__ import annotations

from collections.abc import Mapping

from petteia.reports.engine.claims import Claim
from petteia.reports.engine.estimates import COUNT, NUMBER, POINTS, SHARE, interval_text
from petteia.reports.engine.figures import Figure, change, ratio
from petteia.reports.engine.rules import Finding, Rule, above, all_of, below, within
from petteia.reports.mancala import questions
from petteia.reports.mancala.ablation import CHANGES, gain
from petteia.reports.mancala.behaviour import LONG
from petteia.reports.mancala.beyond import Beyond
from petteia.reports.mancala.duels import AVERAGING, DRAWS, ENDS, OPTIONS, WORTH, ZERO, score
from petteia.reports.mancala.plan import SEAT_NAMES
from petteia.reports.mancala.published import SWINGING
from petteia.reports.mancala.questions import TRACES, kinds_of_traces

PART = "Left open"
MUCH = 0.1
NO_EFFECT = 0.02
"""who scores as little more or less is as good"""


def beside(figures: Mapping[str, Figure], beyond: Beyond) -> str:
    """By how much variants score more than the first, seed by seed, in words."""
    first, *others = questions.beside_first({name: each.values(beyond) for name, each in figures.items()}, "", "")
    luck = {"better": "clearly more", "worse": "clearly less", "": "which can be luck"}
    gains = (f"{row.variant} {interval_text(row.gain, POINTS)}, {luck[row.verdict]}" for row in others)
    return f"beside {first.variant}: {'; '.join(gains)}"


def treated(name: str, words: str) -> Figure:
    """A share of the games, or of the moves, of theta5 against greedy5."""
    return Figure(f"the share of {words}", SHARE, lambda beyond: [each[name] or 0.0 for each in beyond.treatment])


def has_no_effect(how: str) -> Rule:
    """Theta1 scores as much where any of the weights that R lists is changed so."""
    return all_of(within(gain("score", name, how), -NO_EFFECT, NO_EFFECT) for name in sorted(SWINGING))


def enough_games(opponent: str) -> Figure:
    """Games until the score stays near its end, where this opponent is met in training."""
    words = "the games until the score against greedy1, both seats, stays within two points of its end"
    return Figure(words, COUNT, lambda beyond: beyond.enough[f"opponent {opponent}"], f"against {opponent}")


def searched(seat: str) -> Figure:
    """The share of games that the weights win which were found by direct search."""
    return Figure("", SHARE, lambda beyond: getattr(beyond.direct, seat))


TREATMENTS = {
    name: treated(name, words)
    for name, words in {
        "won": "games that theta5 wins",
        "drawn": "games that end drawn",
        "starved": "games in which theta5 starves greedy5",
        "was_starved": "games in which greedy5 starves theta5",
        "stuffed": "moves of theta5 that stuff greedy5, of those made where it has an empty pit",
        "was_stuffed": "moves of greedy5 that stuff theta5, of those made where it has an empty pit",
        "stuffing": "moves that would stuff greedy5, of all that theta5 could choose there",
    }.items()
}
STUFFS_MORE = change(TREATMENTS["stuffed"], TREATMENTS["stuffing"])
STUFFING = {
    "theta5": TREATMENTS["stuffed"],
    "greedy5, its opponent": TREATMENTS["was_stuffed"],
    "any move that theta5 could choose": TREATMENTS["stuffing"],
    "random against greedy5": Figure("", SHARE, lambda beyond: [beyond.by_chance["stuffed"]]),
}
"""shares of moves, of those made where the opponent has an empty pit"""
DRAWN_VALUE = Figure(
    "", NUMBER, lambda beyond: [v for each in beyond.treatment if (v := each["drawn_value"]) is not None]
)
DRAW_SCORES = {x: score(DRAWS, "the score against greedy of the same depth", x, variant=x) for x in WORTH}
FIRST_GREEDY2, ITSELF = "greedy:depth=2 for 20000, then self", "self"
ENOUGH = {name: enough_games(name) for name in (FIRST_GREEDY2, ITSELF)}
SEARCHED = {seat: searched(seat) for seat in SEAT_NAMES}
LAST = {seat: score(AVERAGING, of_games="won", variant="last", seat=seat) for seat in SEAT_NAMES}
CHANGE = Figure("", POINTS, lambda beyond: beyond.course.changes)
END_SCORES = {name: score(ENDS, "the score against greedy of the same depth", name, variant=name) for name in OPTIONS}
AS_IT_IS, *OTHERS = END_SCORES.values()


def another_draw_is_better(beyond: Beyond) -> Finding:
    """Whether theta scores clearly more with a draw that is not worth 0."""
    gains = [change(each, DRAW_SCORES[ZERO]).interval(beyond) for name, each in DRAW_SCORES.items() if name != ZERO]
    better = any(each.is_known and each.low > 0.0 for each in gains)
    none = all(each.is_known and each.high < NO_EFFECT for each in gains)
    return Finding(beside(DRAW_SCORES, beyond), True if better else False if none else None)


LONG_CHAINS = Figure(
    f"the share of its games against random with {LONG} own plies in a row",
    SHARE,
    lambda beyond: beyond.watched.long_chains,
)

CLAIMS = (
    Claim(
        *("traces-coincide", PART, "Accumulating and replacing traces coincide, as no state repeats."),
        Rule(
            "all scores of trainings with the two are the same",
            lambda beyond: kinds_of_traces(beyond.experiments[TRACES]),
        ),
        where="comparison of lambda 0 and 0.15",
    ),
    Claim(
        *("ends-help", PART, "Values of their own for won and lost ends, and preferring early wins, help theta."),
        all_of(above(change(AS_IT_IS, other), 0.0) for other in OTHERS),
        where="games of theta4 and theta5 against people",
    ),
    Claim(
        *(
            "starves-and-stuffs",
            PART,
            "Theta starves its opponent, and stuffs it: it leaves it no empty pit to capture with.",
        ),
        all_of((above(TREATMENTS["starved"], 0.0), above(TREATMENTS["stuffed"], 0.0))),
        where="games against people and a web page",
    ),
    Claim(
        *(
            "draws-are-not-0",
            PART,
            "0 may be a bad value for a draw, as the learned values may all be too high or too low.",
        ),
        Rule("with another value of a draw theta scores more", another_draw_is_better),
        where="what it suspects",
    ),
    Claim(
        *("greedy2-shortens", PART, "With greedy2 as the first opponent learning would be shorter."),
        below(ratio(ENOUGH[FIRST_GREEDY2], ENOUGH[ITSELF]), 1.0),
        where="what it would try next",
    ),
    Claim(
        *("swinging-has-no-effect", PART, "Weights that never settle may have no real effect."),
        has_no_effect(CHANGES[0]),
        where="plots of the weights, and its list of those that swing",
    ),
    Claim(
        *("long-chains", PART),
        f"Chains of {LONG} turns come about in games of the heuristic (R's were against people and a web page).",
        above(LONG_CHAINS, 0.0),
        where="games against people and a web page",
    ),
    Claim(
        *("stopping-early", PART, "To stop a game of training when it is decided saves training time."),
        Rule(
            f"more than {MUCH:.0%} of the plies of a game of the heuristic against random come after it is decided",
            lambda beyond: Finding(
                f"{beyond.watched.after_decision:.0%} of the plies of {beyond.watched.games:,} games",
                beyond.watched.after_decision > MUCH,
            ),
        ),
        where="rules of the training",
    ),
)
