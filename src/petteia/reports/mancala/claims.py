"""The rules that judge the claims of the report on Kalah, which `claims.toml` lists."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations, product

from petteia.experiments.tournament.declaration import ObservationOptions
from petteia.experiments.tournament.observations import Observation as Odd
from petteia.experiments.tournament.observations import find
from petteia.reports.engine.claims import read_claims
from petteia.reports.engine.estimates import NUMBER, SHARE
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import change, difference
from petteia.reports.engine.rules import (
    Finding,
    Rule,
    above,
    all_of,
    as_printed,
    below,
    denied,
    every,
    in_most,
    more_often,
    most_above,
    most_below,
    together,
    within,
)
from petteia.reports.engine.settings import Setting
from petteia.reports.mancala import divergence, figures, own_games, plan, weight_measures
from petteia.reports.mancala.figures import both_seats, mean_of, met, of_weights, points, seat_scores, wins
from petteia.reports.mancala.plan import EARLY, EVERY, GREEDY, LAST, LATE, LATER, OPPONENTS, OWN, SEATS, THETA
from petteia.reports.mancala.published import LOWER_ONLY, progress

WINS_ALL = 0.95


def odd_findings(evidence: Evidence) -> list[Odd]:
    """Find odd results of players that do not learn: intransitive triples, and harm from deeper search."""
    scores = {(one, other): met(one, other).interval(evidence) for one, other in product(OPPONENTS, repeat=2)}
    return find(scores, ObservationOptions(intransitive=True, depth=tuple(GREEDY)))


def is_not_transitive(evidence: Evidence) -> Finding:
    """Judge whether three players form a cycle, in which each has a clear lead over the next one."""
    pairs = permutations(plan.PLAYERS, 2)
    scores = {(one, other): figures.mean_of_seats(one, other).interval(evidence) for one, other in pairs}
    cases = find(scores, ObservationOptions(intransitive=True), by_seat=False)
    example = f", for example: {cases[0].words.split(': ')[1]}" if cases else ""
    is_open = any(each.low <= 0.5 <= each.high for each in scores.values())
    number = f"{len(cases) or 'no'} {'circle' if len(cases) == 1 else 'circles'}"
    return Finding(f"{number} of three players{example}", True if cases else None if is_open else False)


def depth_is_partly_monotone(evidence: Evidence) -> Finding:
    """Judge whether one more ply sometimes makes greedy clearly worse, although greedy5 is better than greedy1."""
    worse = sum(each.kind == "depth" for each in odd_findings(evidence))
    deepest, shallowest = (
        mean_of(f"the mean score of {name}", [met(name, other) for other in OPPONENTS])
        for name in ("greedy5", "greedy1")
    )
    helps = above(difference(deepest, shallowest), 0.0).judge(evidence)
    measure = "cells in which greedy scores clearly less with one more ply of search"
    return together([Finding(str(worse), worse > 0, measure=measure), helps], every([worse > 0, helps.answer]))


def reproduced(reading: Setting) -> Rule:
    """Return a rule that tests whether a training run could give the two final results of the original report."""
    return all_of(
        as_printed(wins(reading, seat, subject=f"learning {reading.words}"), progress(LAST, seat).wins / 100.0)
        for seat in SEATS
    )


Scores = tuple[tuple[str, str, int, bool, float], ...]
"""Theta, its opponent, its seat, whether it must score more than a bound (True) or less (False), and the bound."""
TOLD_OF_THETA: dict[str, Scores] = {
    "theta2-and-theta5-win-all": tuple(
        (name, other, 0, True, WINS_ALL) for other, name in product(OPPONENTS, ("theta2", "theta5"))
    ),
    "theta1-loses": tuple(("theta1", other, 0, False, 0.5) for other in ("greedy3", "greedy4", "greedy5")),
    "only-theta3-holds": tuple(
        (name, "heuristic", 1, name == "theta3", 0.5) for name in sorted(THETA, key="theta3".__ne__)
    ),
    "theta5-loses-as-second": tuple(("theta5", other, 1, False, 0.5) for other in ("greedy3", "greedy5")),
}
"""The scores that each claim about theta requires, from our training runs and from the printed weights."""


def has_scores(scores: Scores, authors: bool) -> Rule:
    """Return a rule that tests whether theta has these scores in most training runs, or with the printed weights."""
    more, less = (above, below) if authors else (most_above, most_below)
    return all_of(
        (more if is_more else less)(
            figures.authored(theta, other, seat) if authors else seat_scores(theta, other)[seat], bound
        )
        for theta, other, seat, is_more, bound in scores
    )


def better_stage(one: int, others: Iterable[int], seat: int) -> Rule:
    """Return a rule that tests whether theta1 scores more after the stage `one` than after each of the `others`."""
    return all_of(above(figures.lead_of_stage(one, other, seat), 0.0) for other in others)


RULES = {
    # Players.
    "random-is-even": within(met("random", "random"), 0.45, 0.55),
    "random-is-beaten": all_of(above(met(name, "random"), 0.9) for name in OPPONENTS),
    "chains-matter": above(figures.balanced("heuristic", "greedy1"), 0.5),
    "first-has-the-edge": above(figures.EDGE, 0.6),
    "is-not-transitive": Rule(
        "by the mean scores over both seats, without openings, some three players form a circle: the first clearly "
        "beats the second, the second clearly beats the third, and the third clearly beats the first",
        is_not_transitive,
    ),
    "depth-is-partly-monotone": Rule(
        "in some cell of the table greedy scores clearly less with one more ply of search, but on average greedy5 "
        "scores more than greedy1",
        depth_is_partly_monotone,
    ),
    "ends-help-greedy": above(figures.KNOWING_ENDS, 0.5),
    # The course of learning.
    "first-games-are-long": above(own_games.SHORTER, 0.0),
    "short-training-beats-random": most_above(figures.AFTER_SHORTEST, 0.5),
    "own-plies-reproduce": reproduced(OWN),
    "every-ply-reproduces": reproduced(EVERY),
    "soon-better": all_of(most_above(points(OWN, seat, 0, "after the first stage"), 0.5) for seat in SEATS),
    "fewer-are-enough": within(
        change(
            figures.part_of_curve("the mean score over the last tenth of the training games", 0.9, 1.0),
            figures.part_of_curve("the mean score from 50 to 70 % of the training games", 0.5, 0.7),
        ),
        *(-0.03, 0.03),
    ),
    "large-alpha-diverges": all_of((divergence.most(divergence.LARGE, True), divergence.most(divergence.SMALL, False))),
    "gains-as-second": above(
        change(
            change(points(OWN, 1), points(OWN, 1, 0)),
            change(points(OWN, 0), points(OWN, 0, 0)),
            "theta1's gain in score during training as second player, minus its gain as first player,",
        ),
        0.0,
    ),
    # Weights.
    "difference-dominates": above(figures.DOMINANCE, 1.0),
    "mover-outweighs": above(
        of_weights(
            "the sum of the absolute weights of the side to move, divided by the same sum for the other side,",
            weight_measures.mover_weighs,
        ),
        1.0,
    ),
    "signs": most_above(
        of_weights("the share of the weights with the claimed signs", weight_measures.right_signs, SHARE), 0.75
    ),
    "captures-weigh": above(
        of_weights(
            "the mean absolute value of the capture weights of the side to move, divided by the mean absolute value of "
            "its other six weights,",
            weight_measures.captures_weigh,
        ),
        1.0,
    ),
    "columns-mirror": below(
        of_weights(
            "the mean distance between the weights of the lower side and the negated weights of the upper side, "
            "divided by the mean absolute value of these weights,",
            weight_measures.asymmetry,
        ),
        0.5,
    ),
    "player-is-negative": below(
        of_weights("the weight of the feature “player”", lambda weights: weights[:, weight_measures.PLAYER], NUMBER),
        0.0,
    ),
    "some-never-settle": more_often(
        f"a larger share of the weights in the students' list than of the other weights swings by more than "
        f"{figures.SWING:g} in most of our training runs",
        ("weights in the students' list", "other weights"),
        "swing in most training runs",
        figures.swinging_counts,
    ),
    # Seats.
    "lower-only": as_printed(figures.ALWAYS_LOWER_WINS, LOWER_ONLY),
    "both-sides-help": above(
        difference(wins(OWN, 1, subject="the learner of both sides"), figures.ALWAYS_LOWER_WINS), 0.0
    ),
    "both-sides-same-opponent": above(
        difference(
            wins(plan.SAME_OPPONENT, 1, subject="the learner of both sides with the same opponent"),
            figures.ALWAYS_LOWER_WINS,
        ),
        0.0,
    ),
    # Depth.
    **{name: has_scores(scores, authors=False) for name, scores in TOLD_OF_THETA.items()},
    **{f"printed-{name}": has_scores(scores, authors=True) for name, scores in TOLD_OF_THETA.items()},
    "depth-of-theta": all_of(
        (
            in_most(
                "theta, as first player, scores clearly less against some opponent with one more ply of search (the "
                "95 % intervals of both scores do not overlap)",
                figures.has_clear_fall,
            ),
            most_above(change(figures.as_first("theta5"), figures.as_first("theta1")), 0.0),
        )
    ),
    # Stages.
    "early-as-first": better_stage(EARLY, (LATER, LATE), 0),
    "early-as-second": better_stage(EARLY, (LATER,), 1),
    "last-is-best": better_stage(LAST, range(LAST), 0),
    "last-is-best-second": better_stage(LAST, range(LAST), 1),
    "all-or-nothing": most_above(figures.EXTREME_CELLS, 0.25),
    # Traces.
    "lambda-0-starts": most_above(figures.AGAINST_TRACES, WINS_ALL),
    "traces-do-not-help": denied(
        above(
            difference(
                both_seats("with lambda 0.15", plan.WITH_TRACES),
                both_seats("with lambda 0", plan.WITHOUT_TRACES),
                "the score against greedy1 with lambda 0.15 minus the score with lambda 0, over both seats,",
            ),
            0.0,
        )
    ),
    "traces-weaken": below(figures.CHANGE_WITH_TRACES, 0.0),
    "traces-settle": most_below(figures.SWING_WITH, figures.SWING),
    "traces-end-elsewhere": within(figures.BEYOND_CHANCE, 1.0, 2.0),
    # Whole turns.
    "chains-are-bad": all_of(
        (
            *(most_below(figures.chain_score(plan.BY_CHAINS, name), 0.5) for name in OPPONENTS),
            most_above(figures.chain_score(plan.BY_CHAINS, "random"), 0.5),
        )
    ),
    "chains-do-not-settle": most_above(figures.CHAIN_SWING, figures.SWING),
    "plies-are-better": above(figures.GAIN_BY_PLIES, 0.0),
}
"""The rule of each claim of claims.toml."""
CLAIMS = read_claims("petteia.reports.mancala", "claims.toml", RULES)
